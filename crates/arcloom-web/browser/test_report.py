"""The report in a real browser, opened from disk as whoever gets it by mail opens it.

Takes the same from the environment as `test_viewer.py`.
"""

import base64
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import ARTIFACTS, has_set, main, run  # noqa: E402
from webdriver import Browser, available  # noqa: E402

MOST_BYTES = 5_000_000


@unittest.skipIf(available(), available())
class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="arcloom-report-")
        cls.browser = Browser()
        cls.browser.open("about:blank")
        cls.browser.complaints(), cls.browser.requests()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def tearDown(self):
        """The page may not complain, and may not ask for anything but itself."""
        self.assertEqual(self.browser.complaints(), [])
        asked = [url for url in self.browser.requests() if not url.startswith(("data:", "about:"))]
        self.assertEqual(set(asked), {self.url})
        self.browser.devtools("Emulation.setEmulatedMedia", media="")

    def make(self, name, library, tasks, budget):
        """Opens the report of a short evolution."""
        archive, page = (os.path.join(self.folder, name + end) for end in (".db", ".html"))
        run("evolve", "-p", library, "-t", tasks, "-a", archive, "--budget", budget, "-q")
        run("report", archive, "-o", page)
        self.url = pathlib.Path(page).as_uri()
        self.browser.resize(1400, 900)
        self.browser.shade("light")
        self.browser.open(self.url)
        return os.path.getsize(page)

    def shot(self, name):
        self.browser.screenshot(os.path.join(ARTIFACTS, f"{name}.png"))

    def is_shown(self, selector):
        return self.browser.run("return document.querySelector(arguments[0]).checkVisibility()", selector)

    def test_a_report_opens_from_disk(self):
        b = self.browser
        self.make("small", "library:embedded", "embedded", "6g")
        self.assertRegex(b.run("return document.title"), r"\d+ of 48 tasks fit")
        self.assertEqual(b.count(".task"), 48)
        self.assertEqual(b.count("a.sq"), 48)
        self.assertEqual(b.count("script, link, img, iframe, object"), 0)
        # Every picture has cells, and every square of the map leads to a task.
        self.assertGreater(b.count(".task svg path"), 200)
        self.assertTrue(b.run("return [...document.querySelectorAll('a.sq')].every((a) => document.querySelector(a.getAttribute('href')))"))
        self.assertGreaterEqual(b.count(".light .curve"), 3)
        self.assertTrue(self.is_shown(".charts.light") and not self.is_shown(".charts.dark"))
        self.shot("report")
        b.click("a.sq:last-child")
        b.until("return scrollY > 0 && document.querySelector('.task:target') !== null")
        self.shot("report-task")
        b.shade("dark")
        self.assertTrue(self.is_shown(".charts.dark") and not self.is_shown(".charts.light"))
        self.shot("report-dark")
        b.resize(390, 844)
        self.assertLessEqual(b.run("return document.documentElement.scrollWidth"), 390)
        # Every chart is there as a whole.
        b.shade("light")
        edges = b.run("return [...document.querySelectorAll('.charts.light svg')].map((s) => s.getBoundingClientRect()).map((r) => [r.left, r.right])")
        self.assertGreaterEqual(len(edges), 3)
        for left, right in edges:
            self.assertTrue(0 <= left and right <= 390, (left, right))
        b.run("scrollTo(0, 0)")
        self.shot("report-phone")

    def test_a_report_prints(self):
        b = self.browser
        self.make("printed", "library:embedded", "embedded", "2g")
        # A sheet of A4 between its margins, printed by someone who works on dark pages.
        b.resize(680, 960)
        b.devtools("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertLessEqual(b.run("return document.documentElement.scrollWidth"), 680)
        self.assertEqual(b.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertTrue(self.is_shown(".charts.light") and not self.is_shown(".charts.dark"))
        # No task is cut in two by the end of a sheet, as long as it fits one.
        self.assertEqual(b.run("return getComputedStyle(document.querySelector('.task')).breakInside"), "avoid")
        b.devtools("Emulation.setEmulatedMedia", media="")
        pdf = base64.b64decode(b.devtools("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=True)["data"])
        os.makedirs(ARTIFACTS, exist_ok=True)
        with open(os.path.join(ARTIFACTS, "report.pdf"), "wb") as file:
            file.write(pdf)
        self.assertTrue(pdf.startswith(b"%PDF-"))
        self.assertGreater(len(pdf), 50_000)

    @unittest.skipUnless(not available() and has_set("arc1/training"), "the public sets are not fetched")
    def test_400_tasks_fit_into_a_mail(self):
        b = self.browser
        size = self.make("large", "library:embedded", "arc1/training", "1g")
        print(f"\nreport of 400 tasks: {size:,} bytes")
        self.assertLess(size, MOST_BYTES)
        self.assertEqual(b.count(".task"), 400)
        took = b.run("return performance.getEntriesByType('navigation')[0].domComplete")
        self.assertLess(took, 20_000)
        self.shot("report-400")


if __name__ == "__main__":
    main()
