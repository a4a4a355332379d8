"""A browser driven through chromedriver: just what the tests need, with Python's own library.

The browser has no other network than the loopback, a profile of its own that is thrown away, and
logs everything its pages say and ask for.
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]
KEYS = {"Down": "\ue015", "Up": "\ue013", "Home": "\ue011", "End": "\ue010", "Escape": "\ue00c", "Backspace": "\ue003"}


def available():
    """Why no browser can be driven here; nothing when one can."""
    for program in ("chromedriver", "chromium"):
        if not shutil.which(program):
            return f"there is no {program}"
    return None


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait(ready, seconds=15, what="this"):
    """Waits until `ready` gives something, and gives that."""
    end = time.monotonic() + seconds
    while True:
        try:
            if found := ready():
                return found
        except (urllib.error.URLError, ConnectionError, WebDriverError):
            if time.monotonic() > end:
                raise
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not happen within {seconds} s")
        time.sleep(0.05)


class WebDriverError(Exception):
    pass


class Browser:
    def __init__(self, width=1400, height=900):
        self.profile = tempfile.mkdtemp(prefix="arcloom-browser-")
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            ["chromedriver", f"--port={port}", "--silent"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "NO_PROXY": "127.0.0.1"},
        )
        options = {
            "binary": shutil.which("chromium"),
            "args": [*FLAGS, f"--user-data-dir={self.profile}", f"--window-size={width},{height}"],
            "perfLoggingPrefs": {"enableNetwork": True, "enablePage": False},
        }
        capabilities = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        wait(lambda: self.call("GET", "/status")["ready"], 20, "starting chromedriver")
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = f"/session/{made['sessionId']}"

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise WebDriverError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def ask(self, method, path, body=None):
        return self.call(method, self.session + path, body)

    def open(self, url):
        """Goes to a page, and waits until it is there with its scripts.

        The driver may answer when the page before it has loaded, if that was still under way. So that page
        is marked, and one without the mark is waited for.
        """
        self.run("window.left = true")
        self.ask("POST", "/url", {"url": url})
        self.until("return window.left !== true && document.readyState === 'complete'")

    def address(self):
        return self.ask("GET", "/url")

    def run(self, script, *args):
        """The value of a function body in the page."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(args)})

    def devtools(self, command, **params):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def find(self, selector):
        return self.ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def click(self, selector):
        # A page that changes may take away what was found before it is clicked.
        for last in (False, False, True):
            try:
                return self.ask("POST", f"/element/{self.find(selector)}/click", {})
            except WebDriverError as error:
                gone = ("stale element", "does not belong to the document")
                if last or not any(words in str(error) for words in gone):
                    raise

    def hover(self, selector):
        """Rests the pointer on an element."""
        origin = {ELEMENT: self.find(selector)}
        move = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin}
        self.ask("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move]}]})

    def type(self, selector, text):
        self.ask("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def key(self, *names):
        """Presses keys, wherever the focus is.

        A browser drops keys that come before the first frame of a new page is drawn: the page never
        hears of them. On a busy machine that is long after it has loaded.
        """
        self.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        actions = []
        for name in names:
            value = KEYS.get(name, name)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def until(self, script, *args, seconds=15):
        return wait(lambda: self.run(script, *args), seconds, script)

    def resize(self, width, height, scale=1, mobile=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)

    def shade(self, name):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", "/screenshot")))

    def complaints(self):
        """What pages complained about since the last call: errors and refused files."""
        entries = self.ask("POST", "/se/log", {"type": "browser"})
        return [e["message"] for e in entries if e["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The addresses that pages asked for since the last call."""
        found = []
        for entry in self.ask("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def close(self):
        try:
            self.ask("DELETE", "")
        except (urllib.error.URLError, WebDriverError):
            pass
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)
