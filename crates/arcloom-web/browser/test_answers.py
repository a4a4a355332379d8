"""Why did it fail? Attempts, runs, the matrix, lists, the editor and data, in a real browser.

Takes the same from the environment as `test_viewer.py`, and

  ARCLOOM_AXE        the file `axe.min.js` of axe-core; without it accessibility is not checked
"""

import http.cookiejar
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import ARTIFACTS, COMMAND, main, run  # noqa: E402
from webdriver import Browser, available, free_port, wait  # noqa: E402

AXE = os.environ.get("ARCLOOM_AXE")
FIGURES = {}
BROUGHT = [f"{what}_count" for what in ("proposed", "first", "fits", "fits_alone", "right", "right_alone")]
WRONG = "def solve(I):\n    O = rot90(I)\n    return O\n"


class Viewer:
    """A running viewer."""

    def __init__(self, *words):
        self.port = free_port()
        words = [COMMAND, "serve", *words, "--port", str(self.port), "--no-open"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.said = self.process.stdout.readline()
        self.base = f"http://127.0.0.1:{self.port}"
        self.cookies = http.cookiejar.CookieJar()
        handlers = [urllib.request.HTTPCookieProcessor(self.cookies), urllib.request.ProxyHandler({})]
        self.opener = urllib.request.build_opener(*handlers)

    def data(self, path):
        """A page as data."""
        request = urllib.request.Request(self.base + path, headers={"Accept": "application/json"})
        with self.opener.open(request, timeout=30) as answer:
            assert answer.headers["Content-Type"] == "application/json", path
            return json.load(answer)

    def close(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(10)
        self.process.stdout.close()


def counts(text):
    """The numbers of a line such as `13 fit, 8 right`."""
    words = text.replace(",", " ").split()
    number = lambda word: int(words[words.index(word) - 1]) if word in words else 0
    return number("fit"), number("right")


@unittest.skipIf(available(), available())
class Answers(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="arcloom-answers-")
        path = lambda name: os.path.join(cls.folder, name)
        cls.solve, cls.evolve, cls.both = path("solve.db"), path("evolve.db"), path("both.db")
        few = ["embedded", "--count", "20", "--seed", "3"]
        # Two runs that differ, so that there is something to gain.
        run("solve", *few, "--budget", "0.02s/task", "--without", "search", "-a", cls.solve, "-q", ok=(0, 1))
        said = run("solve", *few, "--budget", "0.1s/task", "-a", cls.solve, "--json", ok=(0, 1)).stdout
        cls.told = json.loads(said)
        words = ["-p", "library:embedded", "-t", "embedded", "--budget", "12g", "--islands", "1", "-q"]
        run("evolve", *words, "-a", cls.evolve, ok=(0, 1))
        shutil.copy(cls.solve, cls.both)
        run("archive", "-a", cls.both, "merge", cls.evolve)
        cls.viewer = Viewer(cls.solve, cls.evolve)
        cls.browser = Browser()
        cls.browser.open("about:blank")
        cls.browser.complaints(), cls.browser.requests()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.viewer.close()
        shutil.rmtree(cls.folder, ignore_errors=True)
        os.makedirs(ARTIFACTS, exist_ok=True)
        with open(os.path.join(ARTIFACTS, "answers.json"), "w") as file:
            json.dump(FIGURES, file, indent=2)
        print("\nanswers:", json.dumps(FIGURES))

    def setUp(self):
        self.browser.resize(1440, 900)
        self.browser.shade("light")

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def open(self, path, viewer=None):
        self.browser.open((viewer or self.viewer).base + path)

    def shot(self, name):
        self.browser.screenshot(os.path.join(ARTIFACTS, f"{name}.png"))

    def whole(self, name):
        """A screenshot of all of a page."""
        high = self.browser.run("return document.documentElement.scrollHeight")
        wide = self.browser.run("return innerWidth")
        self.browser.resize(wide, min(high, 6000))
        self.shot(name)

    # 1. Attempts on the task page

    def test_attempts_come_first(self):
        b = self.browser
        failed = [t for t in self.told["tasks"] if t["tests"] == "wrong" and t["proposals"]]
        task = (failed or self.told["tasks"])[0]
        self.open(f"/task/{task['task']}?scope=archive")
        self.assertEqual(b.text("main h2"), "Handed in")
        data = self.viewer.data(f"/task/{task['task']}?scope=archive")
        handed = data["results"][0]["attempts"]
        self.assertEqual(handed, task["attempts"], "what was handed in is what is shown")
        self.assertEqual(b.count("article.test"), len(handed))
        self.assertEqual(b.count("article.test [data-attempt]"), 2 * len(handed))
        # Each attempt is judged, and its wrong cells are counted.
        captions = b.run("return [...document.querySelectorAll('[data-attempt] figcaption')].map((c) => c.innerText)")
        for caption in captions:
            self.assertRegex(caption, r"attempt [12] (✓ right|✗ [\d,]+ cells? wrong|\? unknown|none)")
        self.assertTrue(any("wrong" in caption for caption in captions), captions)
        # Then every proposal by rank, with program, origin and doubt.
        self.assertEqual(b.count(".proposal"), len(task["proposals"]))
        self.assertEqual([p["doubt"] for p in data["proposals"]], [p["doubt"] for p in task["proposals"]])
        self.assertEqual(sorted(p["doubt"] for p in data["proposals"]), [p["doubt"] for p in data["proposals"]])
        first = b.text(".proposal")
        self.assertRegex(first, r"doubt -?\d+")
        self.assertIn(task["proposals"][0]["origin"], first)
        self.assertIn("attempt 1", first)
        self.whole("answers-task")
        b.resize(1440, 900)
        b.click(".proposal a[href^='/program/']")
        b.until("return document.querySelector('textarea[name=text]') !== null")
        self.assertIn("def solve", b.run("return document.querySelector('textarea[name=text]').value"))

    # 2. One vocabulary, and whose programs count

    def test_what_was_withheld_stays_hidden(self):
        b = self.browser
        open_one = next(t["task"] for t in self.told["tasks"] if t["tests"] != "right")
        self.open(f"/task/{open_one}")
        self.assertEqual(b.text(".scopes [aria-pressed=true]").lower(), "archive")
        self.assertNotIn("embedded.py", b.text("main"))
        b.click(".scopes button[value=library]")
        b.until("return document.querySelector('.scopes [aria-pressed=true]')?.value === 'library'")
        self.assertTrue(b.text("main .badge").endswith("right"), "the library has a program for every task")
        # It is remembered from page to page.
        self.open("/tasks")
        self.assertEqual(b.text(".scopes [aria-pressed=true]").lower(), "library")
        b.click(".scopes button[value=archive]")
        b.until("return document.querySelector('.scopes [aria-pressed=true]')?.value === 'archive'")

    def test_one_vocabulary(self):
        b = self.browser
        gone = ["wanted", "truth", "alike", " held", "from library", "evolved"]
        tasks = [t["task"] for t in self.told["tasks"][:3]]
        for path in ["/tasks", "/runs", "/run/1", "/matrix", "/programs", *(f"/task/{t}" for t in tasks)]:
            self.open(path)
            text = b.text("main").lower()
            for word in gone:
                self.assertNotIn(word, text, path)

    def test_counts_are_equal_everywhere(self):
        told = (self.told["fits_count"], self.told["right_count"])
        for name, archive in {"solve": self.solve, "evolve": self.evolve, "both": self.both}.items():
            stats = json.loads(run("archive", "-a", archive, "stats", "--json").stdout)
            expected = (stats["task_count"], stats["fits_count"], stats["right_count"])
            if name == "solve":
                self.assertEqual(expected[1:], told, "the command and the archive")
            page = os.path.join(self.folder, f"{name}.html")
            run("report", archive, "-o", page)
            viewer = Viewer(archive)
            try:
                b = self.browser
                self.open("/tasks?scope=archive", viewer)
                self.assertEqual(counts(b.text(".verdicts")), expected[1:], f"{name}: task list")
                tasks = viewer.data("/tasks?scope=archive")
                states = [task for task in tasks["tasks"] if task["verdict"]]
                self.assertEqual((len(states), tasks["fits_count"], tasks["right_count"]), expected, f"{name}: tasks as data")
                runs = viewer.data("/runs")["runs"]
                if name != "both":
                    last = runs[-1]
                    self.assertEqual(self.of(last), expected, f"{name}: runs")
                    self.open(f"/run/{last['run']}", viewer)
                    self.assertEqual(counts(b.text("[data-counts]")), expected[1:], f"{name}: run page")
                    matrix = viewer.data("/matrix")["runs"][-1]
                    self.assertEqual(self.of(matrix), expected, f"{name}: matrix")
                    self.open("/matrix", viewer)
                    self.assertEqual(counts(b.text("th:last-child [data-counts]")), expected[1:], f"{name}: matrix page")
                b.open("file://" + page)
                self.assertIn(f"{expected[1]} of {expected[0]} tasks fit", b.run("return document.title"))
                figures = b.run("return [...document.querySelectorAll('.figures div')].map((d) => d.innerText)")
                right = next(text for text in figures if "right" in text)
                self.assertIn(f"{expected[2]} / {expected[0]}", right, f"{name}: report")
            finally:
                viewer.close()

    def of(self, data):
        return data["task_count"], data["fits_count"], data["right_count"]

    def brought(self):
        """What each ingredient brought, counted from what the command printed."""
        shown = json.loads(run("show", "embedded", "--answers", "--json").stdout)
        expected = {t["task"]: [pair["expected"] for pair in t["tests"]] for t in shown["tasks"]}
        brought = {}
        for task in self.told["tasks"]:
            proposals = task["proposals"]
            kinds = lambda some: {kind for proposal in some for kind in proposal["origin"].split("+")}
            fits = kinds(p for p in proposals if p["fits"] == task["demos"])
            right = kinds(p for p in proposals if p["outputs"] == expected[task["task"]])
            for kind in kinds(proposals):
                one = brought.setdefault(kind, dict.fromkeys(BROUGHT, 0))
                one["proposed_count"] += 1
                one["first_count"] += kind in kinds(proposals[:1])
                one["fits_count"] += kind in fits
                one["fits_alone_count"] += fits == {kind}
                one["right_count"] += kind in right
                one["right_alone_count"] += right == {kind}
        self.assertIn("search", brought)
        self.assertGreater(sum(one["right_count"] for one in brought.values()), 0)
        return brought

    # 3. A run of solve

    def test_a_run_of_solve(self):
        b = self.browser
        self.open("/runs")
        self.assertIn("solve", b.text("table.list tbody"))
        self.shot("answers-runs")
        self.open("/run/1")
        number = max(r["run"] for r in self.viewer.data("/runs")["runs"] if r["command"] == "solve")
        self.open(f"/run/{number}")
        self.assertNotIn("generation", b.text("main").lower())
        self.assertEqual(b.text("[data-doing]"), "finished")
        self.assertEqual(b.count("tr[data-task]"), len(self.told["tasks"]))
        data = self.viewer.data(f"/run/{number}")
        told = {task["task"]: task for task in self.told["tasks"]}
        for task in data["tasks"]:
            one = told[task["task"]]
            self.assertEqual((task["verdict"]["fits"], task["verdict"]["tests"]), (one["fits"], one["tests"]))
            self.assertEqual(task["proposal_count"], len(one["proposals"]))
            self.assertGreaterEqual(task["seconds"], 0)
        self.assertEqual({i.pop("ingredient"): i for i in data["ingredients"]}, self.brought())
        b.click("th a[href*='sort=doubt']")
        b.until("return /sort=doubt/.test(location.search)")
        doubts = b.run("return [...document.querySelectorAll('tr[data-task] td:nth-child(7)')].map((c) => c.innerText).filter(Boolean).map(Number)")
        self.assertEqual(doubts, sorted(doubts))
        self.whole("answers-run")

    # 4. Tasks by run

    def test_the_matrix(self):
        b = self.browser
        self.open("/matrix?a=0.1")
        data = self.viewer.data("/matrix?a=0.1&b=" + self.runs("solve")[-1])
        self.assertEqual(data["gained_count"] + data["lost_count"] + data["same_count"], data["task_count"])
        self.assertGreater(data["gained_count"], 0, "more budget brings something")
        self.assertGreaterEqual(len(data["runs"]), 3, "runs of both archives")
        self.open(f"/matrix?a=0.1&b={self.runs('solve')[-1]}&change=gained")
        self.assertEqual(b.count(".matrix tbody tr"), data["gained_count"])
        self.shot("answers-matrix")
        b.click(".matrix tbody a")
        b.until("return location.pathname.startsWith('/task/')")
        sides = b.run("return [...document.querySelectorAll('.about strong')].map((s) => s.innerText)")
        self.assertEqual(len([s for s in sides if "run" in s]), 2, sides)
        self.assertEqual(b.count("article.test:first-child [data-attempt]"), 4)
        self.shot("answers-both")

    def runs(self, command):
        return [f"0.{r['run']}" for r in self.viewer.data("/runs")["runs"] if r["command"] == command]

    # 5. Lists

    def test_lists_are_sorted_and_filtered(self):
        b = self.browser
        self.open("/tasks?set=embedded&scope=archive&sort=similarity")
        near = [t["similarity"] for t in self.viewer.data("/tasks?set=embedded&scope=archive&sort=similarity")["tasks"]]
        self.assertEqual(near, sorted(near, reverse=True))
        for sort, field in (("doubt", "doubt"), ("wrong", "wrong_cell_count")):
            tasks = self.viewer.data(f"/tasks?set=embedded&scope=archive&sort={sort}")["tasks"]
            known = [t[field] for t in tasks if t[field] is not None]
            self.assertEqual(known, sorted(known))
            self.assertTrue(known and all(t[field] is None for t in tasks[len(known):]))
        times = [t["seconds"] or -1 for t in self.viewer.data("/tasks?set=embedded&scope=archive&sort=time")["tasks"]]
        self.assertEqual(times, sorted(times, reverse=True))
        # Counts lead to what they count, and neighbours are those of the list.
        self.open("/tasks?set=embedded&scope=archive&sort=doubt")
        shown = int(b.run("return [...document.querySelectorAll('a.count')].find((a) => /open/.test(a.innerText)).innerText.match(/\\d+/)[0]"))
        b.run("[...document.querySelectorAll('a.count')].find((a) => /open/.test(a.innerText)).click()")
        b.until("return document.querySelectorAll('.thumbs li').length === arguments[0]", shown)
        names = b.run("return [...document.querySelectorAll('.thumbs .id')].map((i) => i.textContent)")
        b.click(".thumbs a")
        for name in names[:3]:
            b.until("return document.querySelector('h1')?.innerText === arguments[0]", name)
            if name != names[:3][-1]:
                b.key("]")
        self.assertIn(f"of {len(names)}", b.text(".beside"))
        self.open("/programs?from=archive")
        self.assertGreater(b.count("table.list .mini img"), 3)
        self.assertGreater(b.count("table.list .preview span"), 10)
        self.shot("answers-programs")

    def test_thumbnails_need_no_scripts(self):
        b = self.browser
        b.devtools("Emulation.setScriptExecutionDisabled", value=True)
        try:
            b.ask("POST", "/url", {"url": self.viewer.base + "/tasks?set=embedded"})
            time.sleep(1)
        finally:
            b.devtools("Emulation.setScriptExecutionDisabled", value=False)
        drawn = "return [...document.querySelectorAll('.thumbs img')].filter((i) => i.complete && i.naturalWidth > 1).length"
        b.until(drawn + " >= 40")
        self.assertEqual(b.count("canvas"), 0)

    # 6. Editing that lasts

    def put(self, text):
        self.browser.run(
            "const area = document.querySelector('textarea[name=text]'); area.value = arguments[0];"
            "area.dispatchEvent(new Event('input', { bubbles: true }))",
            text,
        )

    def test_a_draft_stays(self):
        b = self.browser
        value = "return document.querySelector('textarea[name=text]').value"
        hidden = "return document.querySelector('[data-edited]').hidden"
        self.open("/program/solve_anti_diagonal")
        self.assertTrue(b.run(hidden))
        self.put(WRONG)
        self.assertFalse(b.run(hidden))
        self.assertEqual(b.count(".gutter span"), WRONG.count("\n") + 1)
        self.shot("answers-edited")
        # Another page, then back.
        self.open("/tasks")
        self.open("/program/solve_anti_diagonal")
        self.assertEqual(b.run(value), WRONG)
        self.assertFalse(b.run(hidden))
        b.click("[data-share]")
        b.until("return location.search.includes('text=')")
        address = b.address()
        b.click("[data-reset]")
        b.until("return document.querySelector('[data-reset]').disabled")
        self.assertTrue(b.run(hidden))
        self.assertNotIn("text=", b.address())
        # The address has the text, on the page itself, scripts or not.
        b.open(address)
        self.assertEqual(b.run(value), WRONG)
        self.assertIn("rot90", b.text(".step"))
        b.click("[data-download]")
        self.assertRegex(b.run("return document.querySelector('[data-download]').href"), "^blob:")
        self.put(WRONG + "# " + "long " * 60 + "\n")
        b.click("[data-wrap]")
        wide = "const a = document.querySelector('textarea[name=text]'); return a.scrollWidth <= a.clientWidth + 1"
        self.assertTrue(b.run(wide), "long lines wrap")
        b.click("[data-wrap]")
        self.assertFalse(b.run(wide), "long lines scroll")
        b.click("[data-reset]")

    def test_saving_needs_the_token_and_no_other_writer(self):
        archive = os.path.join(self.folder, "saved.db")
        shutil.copy(self.solve, archive)
        viewer = Viewer(archive, "--writable")
        try:
            self.assertIn("token=", viewer.said)
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(viewer.base + "/tasks")
            self.assertEqual(refused.exception.code, 401)
            b = self.browser
            b.open(viewer.said.split(" at ")[-1].strip().split("\x1b")[0])
            self.open("/program/solve_anti_diagonal?scope=all", viewer)
            text = "def solve(I):\n    x1 = rot90(I)\n    O = rot180(x1)\n    return O\n"
            self.put(text)
            # Another process writes: it is said, and nothing is lost.
            words = [COMMAND, "evolve", "-p", "library:embedded", "-t", "embedded", "-a", archive, "--budget", "500g", "--go-on", "-q"]
            writer = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                time.sleep(1.5)
                b.click("[data-save]")
                b.until("return /writes to the archive/.test(document.querySelector('.status').innerText)")
            finally:
                writer.send_signal(signal.SIGINT)
                writer.wait(60)
            b.click("[data-save]")
            b.until("return document.querySelector('.status a') !== null")
            self.shot("answers-saved")
            b.click(".status a")
            b.until("return /^\\/program\\/[0-9a-f]{12}/.test(location.pathname)")
            self.assertIn("viewer", b.text(".head"))
            self.assertIn("rot180", b.run("return document.querySelector('textarea[name=text]').value"))
            # The refused request is one of the browser's complaints.
            b.complaints()
        finally:
            viewer.close()
        run("archive", "-a", archive, "verify", "--tasks", "embedded")

    # 7. Runs

    def test_a_run_of_evolve(self):
        viewer = Viewer(self.evolve)
        b = self.browser
        try:
            self.open("/run/1", viewer)
            self.assertEqual(b.text("[data-doing]"), "finished")
            data = viewer.data("/run/1")
            self.assertEqual(b.count("tr[data-task]"), len(data["tasks"]))
            self.assertIn("embedded", b.run("return document.querySelector('details dl').textContent"))
            self.assertGreater(len(data["first_fits"]), 0)
            curve = "document.querySelector('.chart .curve').getBoundingClientRect()"
            x, y = b.run(f"const box = {curve}; return [box.x + box.width / 2, box.y + box.height / 2]")
            b.run(
                "document.querySelector('.chart svg').dispatchEvent("
                "new PointerEvent('pointermove', { clientX: arguments[0], clientY: arguments[1], bubbles: true }))",
                x, y,
            )
            self.assertRegex(b.text(".chart .tip"), r"^generation \d+\n[\d,.]+$")
            self.whole("answers-evolve")
            b.click("a[href*='by=time']")
            b.until("return location.search.includes('by=time')")
            self.assertEqual(b.run("return document.querySelector('.chart').dataset.x"), "s")
        finally:
            viewer.close()

    def test_states_of_runs(self):
        """Running, stopped by the user and killed are told apart, each within five seconds."""
        archive = os.path.join(self.folder, "states.db")
        words = [COMMAND, "evolve", "-p", "library:embedded", "-t", "embedded", "-a", archive, "--budget", "9000g", "--go-on", "-q"]
        viewer = Viewer(archive)
        b = self.browser
        doing = "return document.querySelector('[data-doing]')?.dataset.doing"
        try:
            for seed, end, word in (("1", signal.SIGKILL, "killed"), ("2", signal.SIGINT, "stopped by the user")):
                evolve = subprocess.Popen([*words, "--seed", seed], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                wait(lambda: self.has_run(viewer, int(seed)), 60, "a generation")
                self.open(f"/run/{seed}", viewer)
                b.until(doing + " === 'running'", seconds=5)
                evolve.send_signal(end)
                evolve.wait(60)
                begun = time.monotonic()
                b.until(doing + " === arguments[0]", word, seconds=5)
                FIGURES[f"{word} known after s"] = round(time.monotonic() - begun, 2)
                self.shot("answers-" + word.split()[0])
            states = {r["run"]: r["state"] for r in viewer.data("/runs")["runs"]}
            self.assertEqual(states, {1: "killed", 2: "stopped by the user"})
        finally:
            viewer.close()

    def has_run(self, viewer, number):
        return any(r["run"] == number and r["generations"] > 0 for r in viewer.data("/runs")["runs"])

    def test_twelve_tabs_leave_room(self):
        archive = os.path.join(self.folder, "tabs.db")
        words = [COMMAND, "evolve", "-p", "library:embedded", "-t", "embedded", "-a", archive, "--budget", "9000g", "--go-on", "-q", "-j", "1"]
        evolve = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        viewer = Viewer(archive)
        b = self.browser
        first = b.ask("GET", "/window")
        tabs = []
        try:
            wait(lambda: self.has_run(viewer, 1), 60, "a generation")
            for _ in range(12):
                tab = b.ask("POST", "/window/new", {"type": "tab"})["handle"]
                tabs.append(tab)
                b.ask("POST", "/window", {"handle": tab})
                self.open("/run/1", viewer)
            heard = "return Number(document.querySelector('[data-live-url]').dataset.heard ?? 0)"
            b.until(heard + " > 1", seconds=20)
            took = []
            last = b.ask("POST", "/window/new", {"type": "tab"})["handle"]
            tabs.append(last)
            b.ask("POST", "/window", {"handle": last})
            for _ in range(3):
                begun = time.monotonic()
                self.open("/tasks?set=embedded", viewer)
                took.append(round(1000 * (time.monotonic() - begun)))
            FIGURES["task list beside 12 tabs of a running evolution, ms"] = took
            self.assertLess(min(took), 1000)
            self.assertIsNone(evolve.poll(), "the run goes on")
        finally:
            for tab in tabs:
                b.ask("POST", "/window", {"handle": tab})
                b.ask("DELETE", "/window")
            b.ask("POST", "/window", {"handle": first})
            evolve.send_signal(signal.SIGINT)
            evolve.wait(60)
            viewer.close()

    # 8. Compare

    def test_two_programs_side_by_side(self):
        b = self.browser
        self.open("/program/solve_anti_diagonal")
        b.click(".beside button[aria-pressed]")
        self.open("/program/solve_tally")
        self.assertEqual(b.text("a[data-pin]"), "compare with the pinned one")
        b.click("a[data-pin]")
        b.until("return document.querySelectorAll('.versus .side').length === 2")
        self.assertGreaterEqual(b.count(".versus .step"), 2)
        self.assertGreaterEqual(b.count(".diff li"), 2)
        before = b.text(".pairs-nav [aria-current]")
        b.run("document.querySelectorAll('.pairs-nav a')[1].click()")
        b.until("return document.querySelector('.pairs-nav [aria-current]')?.innerText !== arguments[0]", before)
        self.assertIn("pair=demo-2", b.address())
        self.shot("answers-compare")
        b.run("localStorage.removeItem('pinned')")

    def test_lineage_has_details(self):
        viewer = Viewer(self.evolve)
        b = self.browser
        try:
            self.open("/programs?from=archive&fits=1", viewer)
            bred = b.run(
                "return [...document.querySelectorAll('table.list tbody tr')]"
                ".find((row) => /evolution, generation [1-9]/.test(row.innerText))?.querySelector('a').href.match(/program\\/(\\w+)/)[1]"
            )
            self.assertIsNotNone(bred)
            self.open(f"/lineage/{bred}", viewer)
            self.assertIn(bred, b.text("#details h2"))
            b.run("document.querySelector('.graph .node:not(.chosen) a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))")
            b.until("return !document.querySelector('#details h2').innerText.includes(arguments[0])", bred)
            self.assertEqual(b.count(".graph .node.chosen"), 1)
            self.assertIn("def solve", b.text("#details pre"))
            self.shot("answers-lineage")
            # The wheel scrolls unless Ctrl is held.
            view = "return document.querySelector('.graph svg').getAttribute('viewBox')"
            wheel = (
                "document.querySelector('[data-zoom]').dispatchEvent(new WheelEvent('wheel',"
                "{ deltaY: -100, clientX: 400, clientY: 400, ctrlKey: arguments[0], bubbles: true, cancelable: true }))"
            )
            before = b.run(view)
            b.run(wheel, False)
            self.assertEqual(b.run(view), before)
            b.run(wheel, True)
            self.assertNotEqual(b.run(view), before)
        finally:
            viewer.close()

    # 9. Faults that were seen

    def test_a_batt_says_what_it_leaves_out(self):
        b = self.browser
        self.open("/batt?from=files&count=400")
        self.assertIn("You asked for 400 programs", b.text(".note"))
        self.assertEqual(self.viewer.data("/batt?from=files&count=400")["asked_count"], 400)
        self.open("/batt?from=files&count=32")
        # What is seen first is the drawing and not the room above it.
        top = b.run(
            "const frame = document.querySelector('.canvas').getBoundingClientRect();"
            "const tops = [...document.querySelectorAll('.graph .node')].map((n) => n.getBoundingClientRect()).filter((r) => r.bottom > frame.top && r.top < frame.bottom).map((r) => r.top);"
            "return (Math.min(...tops) - frame.top) / frame.height"
        )
        self.assertLess(top, 0.35)
        self.shot("answers-batt")

    def test_the_look_menu_stays_open(self):
        b = self.browser
        self.open("/task/ring_largest")
        self.assertEqual(b.text(".settings summary"), "Look")
        b.click(".settings summary")
        b.click(".settings input[name=digits]")
        b.until("return document.querySelector('.settings').open && document.querySelector('input[name=digits]').checked")
        b.click(".settings input[name=digits]")
        b.until("return document.querySelector('.settings').open && !document.querySelector('input[name=digits]').checked")

    def test_pairs_are_named(self):
        b = self.browser
        chosen = "return document.querySelector('[data-pair][aria-current]').innerText"
        for pair, name in (("2", "demo 2"), ("demo-2", "demo 2"), ("test-1", "test 1")):
            self.open(f"/program/solve_ring_largest?pair={pair}")
            self.assertTrue(b.run(chosen).startswith(name), pair)

    def test_stalled_bodies_delay_nobody(self):
        head = (
            f"POST /trace HTTP/1.1\r\nHost: 127.0.0.1:{self.viewer.port}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\ntext="
        )
        stalled = []
        try:
            for _ in range(130):
                one = socket.create_connection(("127.0.0.1", self.viewer.port))
                one.sendall(head.encode())
                stalled.append(one)
            begun = time.monotonic()
            with self.viewer.opener.open(self.viewer.base + "/dsl/fill", timeout=30) as page:
                self.assertEqual(page.status, 200)
            took = time.monotonic() - begun
        finally:
            for one in stalled:
                one.close()
        FIGURES["a page beside 130 stalled bodies, s"] = round(took, 2)
        self.assertLess(took, 5)

    # 10. Data

    def test_every_page_is_data_too(self):
        program = next(t["proposals"][0] for t in self.told["tasks"] if t["proposals"])
        self.assertTrue(program["program"])
        paths = ["/tasks", "/task/ring_largest", "/programs", "/program/solve_tally", "/runs", "/run/1", "/matrix", "/batt"]
        paths += ["/compare?a=solve_tally&b=solve_ring_largest", "/dsl", "/dsl/fill"]
        for path in paths:
            data = self.viewer.data(path)
            self.assertGreaterEqual(data["schema"], 2, path)
            self.assertNotIn("error", data, path)
        with self.assertRaises(urllib.error.HTTPError) as missing:
            self.viewer.data("/task/nothing")
        self.assertEqual(missing.exception.code, 404)
        self.assertIn("error", json.load(missing.exception))
        # A browser gets pages.
        with self.viewer.opener.open(self.viewer.base + "/tasks") as page:
            self.assertIn("text/html", page.headers["Content-Type"])

    # All pages

    def pages(self):
        number = self.runs("solve")[-1].split(".")[1]
        task = next(t["task"] for t in self.told["tasks"] if t["tests"] != "right")
        return {
            "tasks": "/tasks?set=embedded",
            "task": f"/task/{task}",
            "run": f"/run/{number}",
            "runs": "/runs",
            "matrix": "/matrix",
            "programs": "/programs?from=files",
            "program": "/program/solve_ring_largest",
            "compare": "/compare?a=solve_tally&b=solve_ring_largest&task=tally",
            "batt": "/batt?from=files",
            "dsl": "/dsl",
            "function": "/dsl/fill",
        }

    @unittest.skipUnless(AXE, "axe-core is not there; `cargo xtask test --install` gets it")
    def test_nothing_serious_for_axe(self):
        b = self.browser
        with open(AXE) as file:
            axe = file.read()
        found = []
        for name, path in self.pages().items():
            for width in (390, 1440):
                for shade in ("light", "dark"):
                    b.resize(width, 900)
                    b.shade(shade)
                    self.open(path)
                    b.devtools("Runtime.evaluate", expression=axe)
                    violations = b.ask("POST", "/execute/async", {
                        "script": "const done = arguments[arguments.length - 1];"
                        "axe.run(document, { resultTypes: ['violations'] }).then((r) => done(r.violations.map((v) => "
                        "[v.id, v.impact, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + ' | ' + n.failureSummary.slice(0, 200))])))",
                        "args": [],
                    })
                    found += [(name, width, shade, *v) for v in violations if v[1] in ("serious", "critical")]
        self.assertEqual([], [json.dumps(one) for one in found], "\n".join(json.dumps(one) for one in found))

    def test_headings_do_not_jump(self):
        b = self.browser
        for name, path in self.pages().items():
            self.open(path)
            levels = b.run("return [...document.querySelectorAll('main :is(h1, h2, h3, h4)')].map((h) => Number(h.tagName[1]))")
            self.assertEqual(levels[0], 1, name)
            jumps = [(a, c) for a, c in zip(levels, levels[1:]) if c > a + 1]
            self.assertEqual(jumps, [], name)

    def test_every_width_light_and_dark(self):
        b = self.browser
        for name, path in self.pages().items():
            for width in (390, 768, 1440):
                for shade in ("light", "dark"):
                    b.resize(width, 900)
                    b.shade(shade)
                    self.open(path)
                    wide = b.run("return document.documentElement.scrollWidth")
                    self.assertLessEqual(wide, width, f"{name} at {width}")
                    self.shot(f"{name}-{width}-{shade}")


if __name__ == "__main__":
    main()
