"""The viewer in a real browser: every page driven as people use it.

Takes the command and the data folder from the environment:

  ARCLOOM            the command
  ARCLOOM_DATA_DIR   a data folder with the public sets; without them only built-in tasks are shown
  ARCLOOM_ARTIFACTS  where screenshots and measurements go
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import ARTIFACTS, COMMAND, main, run  # noqa: E402
from webdriver import Browser, available, free_port, wait  # noqa: E402

RIGHT = "def solve(I):\n    O = cmirror(I)\n    return O\n"
WRONG = "def solve(I):\n    O = rot90(I)\n    return O\n"
BROKEN = "def solve(I):\n    O = cmiror(I)\n    return O\n"
FIGURES = {}


def rss(pid):
    """Megabytes that a process takes, where the system tells."""
    try:
        with open(f"/proc/{pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024
    except OSError:
        return None


@unittest.skipIf(available(), available())
class Viewer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="arcloom-viewer-")
        cls.archive = os.path.join(cls.folder, "a.db")
        run("evolve", "-p", "library:embedded", "-t", "embedded", "-a", cls.archive, "--budget", "12g", "--islands", "2", "-q")
        port = free_port()
        cls.base = f"http://127.0.0.1:{port}"
        cls.server = subprocess.Popen(
            [COMMAND, "serve", cls.archive, "--port", str(port), "--no-open"], stdout=subprocess.PIPE, text=True
        )
        cls.said = cls.server.stdout.readline()
        wait(lambda: urllib.request.urlopen(cls.base + "/assets/style.css").status == 200, 20, "serving")
        cls.browser = Browser()
        cls.browser.open("about:blank")
        cls.browser.complaints(), cls.browser.requests()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.send_signal(signal.SIGINT)
        cls.server.wait(10)
        cls.server.stdout.close()
        shutil.rmtree(cls.folder, ignore_errors=True)
        os.makedirs(ARTIFACTS, exist_ok=True)
        with open(os.path.join(ARTIFACTS, "figures.json"), "w") as file:
            json.dump(FIGURES, file, indent=2)
        print("\nviewer:", json.dumps(FIGURES))

    def setUp(self):
        self.browser.resize(1400, 900)
        self.browser.shade("light")

    def tearDown(self):
        """No page may complain, or ask anyone but the server for anything."""
        self.assertEqual(self.browser.complaints(), [])
        for url in self.browser.requests():
            self.assertTrue(url.startswith((self.base + "/", "data:", "about:", "chrome:")), url)

    def open(self, path):
        self.browser.open(self.base + path)

    def shot(self, name):
        self.browser.screenshot(os.path.join(ARTIFACTS, f"{name}.png"))

    def sets(self):
        return self.browser.run("return [...document.querySelectorAll('select[name=set] option')].map((o) => o.value)")

    def test_tasks_appear_at_once(self):
        b = self.browser
        self.open("/tasks")
        sets = self.sets()
        shown = b.count(".thumbs li")
        self.assertGreaterEqual(shown, 48)
        self.shot("tasks")
        if "arc2/training" in sets:
            self.assertIn("arc1/training", sets)
            self.assertGreaterEqual(shown, 1120)
        took = []
        for _ in range(5):
            self.open("/tasks")
            # From asking to the thumbnails on the screen decoded; the others are decoded as they come
            # into view.
            b.until(
                "const seen = [...document.querySelectorAll('.thumbs img')].filter((i) => i.getBoundingClientRect().top < innerHeight);"
                "if (!seen.length || !seen.every((i) => i.complete && i.naturalWidth > 0)) return false;"
                "performance.mark('thumbs'); return true"
            )
            took.append(b.run("return performance.getEntriesByName('thumbs')[0].startTime"))
        FIGURES["thumbnails"] = shown
        FIGURES["thumbnails_ms"] = [round(t) for t in took]
        FIGURES["thumbnails_loaded_ms"] = round(b.run("return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"))
        self.assertEqual(b.count(".pair img"), 2 * shown)
        b.run("scrollTo(0, document.body.scrollHeight)")
        b.until("return document.querySelector('.thumbs li:last-child img')?.naturalWidth > 0")
        self.shot("tasks-end")

    def test_tasks_are_found(self):
        b = self.browser
        self.open("/tasks?set=embedded")
        self.assertEqual(b.count(".thumbs li"), 48)
        b.key("/")
        b.key(*"ring_l")
        b.until("return document.querySelectorAll('.thumbs li').length === 1")
        # What is not rendered yet has no inner text.
        self.assertIn("ring_largest", b.run("return document.querySelector('.thumbs').textContent"))
        self.assertIn("q=ring_l", b.address())
        b.until("return document.querySelectorAll('.pair img').length === 2")
        self.open("/tasks?set=embedded&state=right")
        right = b.count(".thumbs li")
        self.assertTrue(32 <= right < 48, right)
        b.click(".colors label:nth-of-type(6)")
        b.until("return document.querySelectorAll('.thumbs li').length < arguments[0]", right)
        b.click(".thumbs a")
        b.until("return location.pathname.startsWith('/task/')")

    def test_a_task(self):
        b = self.browser
        self.open("/task/ring_largest")
        self.assertEqual(b.text("h1"), "ring_largest")
        self.assertGreaterEqual(b.count("article.pair svg"), 8)
        self.assertIn("right", b.text("article.test figcaption .good"))
        self.assertGreaterEqual(b.count("table.list tbody tr"), 1)
        self.shot("task")
        # A program that is wrong: cells that differ are counted.
        open_one = b.run(
            "return [...document.querySelectorAll('table.list tbody tr')]"
            ".find((row) => /open/.test(row.innerText))?.querySelector('a[href*=\"program=\"]')?.href"
        )
        if open_one:
            b.open(open_one)
            self.assertGreaterEqual(b.count(".given"), 1)
            self.shot("task-wrong")
        self.open("/task/ring_largest")
        b.key("]")
        b.until("return !['', 'ring_largest'].includes(document.querySelector('h1')?.innerText ?? '')")

    def test_the_play_page_is_linked(self):
        self.open("/tasks")
        if "arc1/training" not in self.sets():
            self.skipTest("the public sets are not fetched")
        self.open("/task/00d62c1b?set=arc1/training")
        link = self.browser.run("return document.querySelector('a.out').href")
        self.assertEqual(link, "https://arcprize.org/play?task=00d62c1b")

    def test_stepping_through_a_program(self):
        b = self.browser
        b.resize(1900, 1000)
        self.open("/program/solve_ring_largest")
        steps = b.count(".step")
        self.assertGreaterEqual(steps, 4)
        self.assertGreaterEqual(b.count(".step svg"), 2)
        b.key("j")
        self.assertEqual(b.run("return document.querySelector('.step[aria-current]').dataset.step"), "0")
        b.key("Down", "Down")
        self.assertEqual(b.run("return document.querySelector('.step[aria-current]').dataset.step"), "2")
        self.assertIn("Step 3 of", b.text(".lens"))
        b.key("k")
        self.assertIn("Step 2 of", b.text(".lens"))
        b.key("End")
        self.assertIn(f"Step {steps} of {steps}", b.text(".lens"))
        self.shot("program")
        pair = "return document.querySelector('[data-pair][aria-current]').dataset.pair"
        before = b.run(pair)
        b.key("]")
        b.until(pair + " !== arguments[0]", before)
        # Types are on the names, for the mouse and for the keyboard.
        tip = "const e = document.querySelector('.step .v[data-tip]'); e.focus(); return e.dataset.tip"
        self.assertRegex(b.run(tip), r"^\w+: \w+")
        self.assertRegex(b.run("return document.querySelector('.step .f').dataset.tip"), r"->")
        b.hover(".step .f[data-tip]")
        b.until("return /->/.test(getComputedStyle(document.querySelector('.step .f[data-tip]'), '::after').content)")
        self.shot("program-types")
        self.assertRegex(b.text(".step .work"), r"\d")
        b.shade("dark")
        self.shot("program-dark")

    def replace(self, text):
        """Puts a text into the editor as a paste does, and waits for the answer."""
        before = self.browser.run("return document.querySelector('[data-editor]').dataset.answered ?? '0'")
        self.browser.run(
            "const area = document.querySelector('textarea[name=text]'); area.value = arguments[0];"
            "area.dispatchEvent(new Event('input', { bubbles: true }))",
            text,
        )
        self.browser.until(
            "return Number(document.querySelector('[data-editor]').dataset.answered ?? 0) > Number(arguments[0])", before
        )

    def test_editing_a_program(self):
        b = self.browser
        self.open("/program/solve_anti_diagonal")
        total = "return document.querySelector('.total').innerText"
        self.replace(WRONG)
        self.assertRegex(b.run(total), r"^0 of")
        self.assertIn("wrong", b.text(".ends"))
        self.shot("edit-wrong")
        self.replace(BROKEN)
        self.assertIn("did you mean `cmirror`?", b.text(".status"))
        self.assertEqual(b.count("#trace.stale"), 1)
        self.shot("edit-broken")
        self.replace("def solve(I):\n    x1 = ofcolor(I, 77)\n    O = first(x1)\n    return O\n")
        self.assertIn("first:", b.text(".step.failed .reason"))
        self.replace(RIGHT)
        pairs = b.count("[data-pair]")
        self.assertTrue(b.run(total).startswith(f"{pairs} of {pairs} right"), b.run(total))
        self.assertEqual(b.text(".status"), "")
        b.click("[data-reset]")
        b.until("return document.querySelector('[data-reset]').disabled")

    def test_keystrokes_are_answered_at_once(self):
        b = self.browser
        rounds = []
        for name in ("solve_ring_largest", "solve_swell_block", "solve_heal_symmetry"):
            took = []
            self.open(f"/program/{name}")
            b.key("e")
            b.until("return document.activeElement.name === 'text'")
            for letter in "# a remark, typed letter by letter\n":
                before = b.run("return document.querySelector('[data-editor]').dataset.answered ?? '0'")
                b.key("\ue006" if letter == "\n" else letter)
                b.until(
                    "return Number(document.querySelector('[data-editor]').dataset.answered ?? 0) > Number(arguments[0])",
                    before,
                )
                took.append(int(b.run("return document.querySelector('[data-editor]').dataset.took")))
            b.key("Escape")
            # Drafts are kept, and this one is nobody's.
            b.click("[data-reset]")
            took.sort()
            rounds.append((took[len(took) * 95 // 100], took[len(took) // 2]))
        FIGURES["keystroke_p95_ms"] = [p95 for p95, _ in rounds]
        FIGURES["keystroke_p50_ms"] = [p50 for _, p50 in rounds]

    def test_lineage_and_diff(self):
        b = self.browser
        self.open("/programs")
        b.until("return document.querySelectorAll('table.list tbody tr').length === 50")
        b.click("input[name=fits]")
        b.until("return location.search.includes('fits=1')")
        b.until("return document.querySelectorAll('table.list tbody tr').length > 0")
        evolved = b.run(
            "return [...document.querySelectorAll('table.list tbody tr')]"
            ".find((row) => /evolution.* by /.test(row.innerText))?.querySelector('a').href"
        )
        self.assertIsNotNone(evolved, "an evolved program that fits the demos")
        b.open(evolved)
        self.assertGreaterEqual(b.count(".diff li.new, .diff li.gone"), 1)
        self.assertRegex(b.text(".kin"), r"^Made by \w+ from")
        self.shot("program-evolved")
        b.click("a[href^='/lineage/']")
        b.until("return document.querySelectorAll('.graph .node').length > 1")
        self.assertGreaterEqual(b.count(".graph .operator"), 1)
        self.assertEqual(b.count(".graph .node.chosen"), 1)
        self.shot("lineage")
        view = "return document.querySelector('.graph svg').getAttribute('viewBox')"
        before = b.run(view)
        b.run("document.querySelector('[data-zoom]').focus()")
        b.key("+")
        self.assertNotEqual(b.run(view), before)
        before = b.text("#details h2")
        b.run("document.querySelector('.graph .node:not(.chosen) a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))")
        b.until("return document.querySelector('#details h2').innerText !== arguments[0]", before)
        b.click("#details h2 a")
        b.until("return location.pathname.startsWith('/program/')")

    def test_search_for_programs(self):
        b = self.browser
        self.open("/programs?from=files")
        b.key("/")
        b.key(*"heal")
        b.until("return document.querySelectorAll('table.list tbody tr').length === 1")
        b.click("table.list tbody a")
        b.until("return document.querySelector('h1').innerText === 'solve_heal_symmetry'")

    def test_a_run_as_it_goes_on(self):
        b = self.browser
        self.open("/runs")
        runs = b.count("table.list tbody tr")
        words = [COMMAND, "evolve", "-p", "library:embedded", "-t", "embedded", "-a", self.archive]
        words += ["--budget", "400g", "--seed", str(runs + 7), "--go-on", "--islands", "2", "-q"]
        evolve = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        try:
            self.open("/runs")
            wait(lambda: (self.open("/runs"), b.count("table.list tbody tr") > runs)[1], 60, "a new run")
            b.click("table.list tbody a")
            heard = "return Number(document.querySelector('[data-live-url]').dataset.heard ?? 0)"
            b.until(heard + " > 0", seconds=30)
            first = b.run("return Number(document.querySelector('.figures').dataset.generation)")
            b.until("return Number(document.querySelector('.figures').dataset.generation) > arguments[0] + 2", first, seconds=60)
            self.assertIn("running", b.text(".figures"))
            # A speed is known after two seconds.
            b.until("return /speed/.test(document.querySelector('.charts').innerText)", seconds=60)
            titles = b.run("return [...document.querySelectorAll('.chart figcaption')].map((c) => c.innerText)")
            for title in ("tasks with a validated program", "speed", "nearest", "alive", "memory", "operators"):
                self.assertTrue(any(title in one for one in titles), f"{title} of {titles}")
            self.assertGreaterEqual(b.count(".chart .curve"), 6)
            self.assertGreaterEqual(b.count(".columns table"), 2)
            self.shot("run")
            self.assertIsNone(evolve.poll(), "the run goes on while it is watched")
        finally:
            evolve.send_signal(signal.SIGINT)
            code = evolve.wait(60)
        self.assertIn(code, (0, 1))
        self.open("/runs")
        self.assertGreaterEqual(b.count(".chart .curve"), 8)
        self.assertGreaterEqual(b.count("table.list .key svg"), 2)
        self.shot("runs")
        # What it took is known afterwards, too.
        b.click("table.list tbody a")
        b.until("return /memory/.test(document.querySelector('.charts')?.innerText ?? '')")
        # What was written while it was read is whole.
        run("archive", "-a", self.archive, "verify", "--tasks", "embedded")

    def test_batt(self):
        b = self.browser
        self.open("/batt?from=files&count=32")
        self.assertGreaterEqual(b.count(".graph .node.shared"), 1)
        self.assertGreaterEqual(b.count(".graph .program a[href^='/program/']"), 32)
        self.shot("batt")
        self.open("/batt?ids=ring_largest,tally,heal_symmetry,swell_block")
        self.assertGreaterEqual(b.count(".graph .node"), 8)
        view = "return document.querySelector('.graph svg').getAttribute('viewBox')"
        before = b.run(view)
        b.run(
            "document.querySelector('[data-zoom]').dispatchEvent("
            "new WheelEvent('wheel', { deltaY: -100, ctrlKey: true, clientX: 400, clientY: 400, bubbles: true, cancelable: true }))"
        )
        self.assertNotEqual(b.run(view), before)
        b.run("document.querySelector('[data-zoom]').focus()")
        b.key("0")
        self.assertEqual(b.run(view), before)

    def test_the_language(self):
        b = self.browser
        self.open("/dsl")
        self.assertGreaterEqual(b.count(".family dt a"), 200)
        b.key("/")
        b.key(*"underfill")
        b.until("return document.querySelectorAll('.family dt a').length < 5")
        b.click(".family dt a")
        b.until("return document.querySelectorAll('.example').length > 0")
        self.shot("dsl")
        self.open("/dsl/hmirror")
        b.run(
            "const area = document.querySelector('[data-try] textarea'); area.value = arguments[0];"
            "area.dispatchEvent(new Event('input', { bubbles: true }))",
            "height(((1, 2), (3, 4), (5, 6)))",
        )
        b.until("return /3/.test(document.querySelector('#tried > .result > .value')?.innerText ?? '')")

    def test_looks(self):
        b = self.browser
        self.open("/task/ring_largest")
        b.click(".settings summary")
        b.run(
            "const form = document.querySelector('.settings form'); form.elements.digits.checked = true;"
            "form.elements.palette.value = 'arcprize'; form.elements.shade.value = 'dark'; form.requestSubmit()"
        )
        b.until("return document.documentElement.dataset.shade === 'dark'")
        self.assertEqual(b.run("return document.documentElement.dataset.palette"), "arcprize")
        self.assertGreater(b.count("article.pair svg g text"), 20)
        self.shot("task-dark-numbers")
        b.run(
            "const form = document.querySelector('.settings form'); form.elements.digits.checked = false;"
            "form.elements.palette.value = 'classic'; form.elements.shade.value = 'auto'; form.requestSubmit()"
        )
        b.until("return document.documentElement.dataset.shade === 'auto'")

    def choose(self, **looks):
        """Sets looks as the form does."""
        self.browser.run(
            "const form = document.querySelector('.settings form');"
            "for (const [name, value] of Object.entries(arguments[0])) {"
            "  const field = form.elements[name];"
            "  if (field.type === 'checkbox') field.checked = value; else field.value = value;"
            "}"
            "form.requestSubmit()",
            looks,
        )

    def test_signs_on_cells(self):
        b = self.browser
        self.open("/task/ring_largest")
        signs = "article.pair svg path[stroke-opacity]"
        self.assertEqual(b.count(signs), 0)
        self.choose(symbols=True)
        b.until("return document.documentElement.dataset.symbols === '1'")
        self.assertGreaterEqual(b.count(signs), 4)
        self.shot("task-signs")
        # On all pages from then on, for as long as the browser remembers.
        self.open("/program/solve_ring_largest")
        b.until("return document.querySelectorAll('.step svg path[stroke-opacity]').length > 0")
        self.open("/tasks?set=embedded")
        b.until("return document.querySelectorAll('.thumbs canvas[data-signs]').length > 20")
        # A cell has more than one colour when there is a sign on it.
        colors = b.run(
            "const one = document.querySelector('.thumbs canvas[data-signs]');"
            "const { data } = one.getContext('2d').getImageData(0, 0, one.width, one.height);"
            "return new Set(new Uint32Array(data.buffer)).size"
        )
        self.assertGreater(colors, 10)
        self.assertGreaterEqual(b.count(".colors .swatch path"), 9)
        self.shot("tasks-signs")
        self.choose(symbols=False)
        b.until("return document.documentElement.dataset.symbols === undefined")
        b.until("return document.querySelectorAll('.thumbs img').length > 20")
        self.assertEqual(b.count(".thumbs canvas"), 0)

    def test_phone_and_wall(self):
        b = self.browser
        pages = ["/tasks?set=embedded", "/task/ring_largest", "/program/solve_ring_largest", "/runs", "/run/1", "/programs", "/batt", "/dsl/fill"]
        for page in pages:
            for name, (width, height) in {"phone": (390, 844), "wall": (3840, 2160)}.items():
                b.resize(width, height)
                self.open(page)
                b.run("return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
                wide = b.run("return document.documentElement.scrollWidth")
                self.assertLessEqual(wide, width, f"{page} on a {name}")
                self.shot(f"{name}-{page.split('?')[0].strip('/').replace('/', '-')}")

    def test_without_scripts(self):
        b = self.browser
        b.devtools("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open("/program/solve_ring_largest?pair=1")
            b.devtools("Emulation.setScriptExecutionDisabled", value=False)
            self.assertGreaterEqual(b.count(".step svg"), 2)
        finally:
            b.devtools("Emulation.setScriptExecutionDisabled", value=False)

    def test_zz_memory(self):
        FIGURES["memory_mb"] = rss(self.server.pid)
        if FIGURES["memory_mb"]:
            self.assertLess(FIGURES["memory_mb"], 150)


if __name__ == "__main__":
    main()
