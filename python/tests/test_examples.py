"""The examples: a model's proposer against a stand-in server, one without a model, the notebook, and their types."""

import html.parser
import http.server
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import arcloom

EXAMPLES = pathlib.Path(os.environ.get("ARCLOOM_EXAMPLES", pathlib.Path(__file__).resolve().parents[2] / "examples/python"))


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Server(http.server.BaseHTTPRequestHandler):
    """Answers as an endpoint for chats does: first nonsense, then what it was told to mend."""

    asked = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = body["messages"][-1]["content"]
        Server.asked.append((self.path, self.headers["Authorization"], body))
        good = "did you mean `cmirror`" in question
        text = "Sorry! Now:\n```python\ndef solve(I):\n    return cmirror(I)\n```" if good else "<think>a mirror</think>\n```python\ndef solve(I):\n    return cmiror(I)\n```"
        answer = json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}] * body["n"]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *words):
        pass


class Examples(unittest.TestCase):
    def test_a_model_behind_an_endpoint(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        model = load("model_proposer").Model(f"http://127.0.0.1:{server.server_address[1]}/v1", "stand-in", answers=1)
        run = arcloom.Engine(threads=1).evolve(["O = I"], "anti_diagonal", generations=3, children=1, proposers=[model], at_once=0)
        result = run.result()
        # The first answer was misspelt; it was told so, and mended it.
        self.assertEqual((result.fits, result.found["anti_diagonal"].size), (1, 1))
        path, key, body = Server.asked[0]
        self.assertEqual((path, key[:7], body["model"]), ("/v1/chat/completions", "Bearer ", "stand-in"))
        self.assertIn("rot90", body["messages"][0]["content"])
        self.assertIn("Demo 1:", body["messages"][1]["content"])
        self.assertIn("not a program: line 4, column 12: unknown function `cmiror`", Server.asked[1][2]["messages"][1]["content"])
        [fault] = run.faults
        self.assertEqual((fault.name, fault.times), ("model", 1))

    def test_a_proposer_without_a_model(self):
        done = subprocess.run([sys.executable, EXAMPLES / "plain_proposer.py", "anti_diagonal"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"1 of 1 tasks fit.*the proposer gave \d+ texts, \d+ of them new, [1-9]")

    def test_judging_a_file_of_answers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "answers.jsonl")
            texts = ["```\nO = cmirror(I)\n```", "no idea", "O = rot90(I)"]
            path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
            done = subprocess.run([sys.executable, EXAMPLES / "judge.py", "anti_diagonal", path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?s)^answer 0: lines fits (\d)/\1, similarity 1.000.*answer 1: no program: line 1")

    def test_types(self):
        """pyright and mypy, both strict, have nothing to say of the examples, and everything public has a type."""
        if not shutil.which("pyright") and importlib.util.find_spec("pyright") is None:
            self.skipTest("pyright is not installed")
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        files = [str(path) for path in sorted(EXAMPLES.glob("*.py"))]
        self.assertTrue(all("# pyright: strict" in path.read_text() for path in EXAMPLES.glob("*.py")))
        with tempfile.TemporaryDirectory() as folder:
            for words in (["pyright", "--pythonpath", sys.executable, *files], ["mypy", "--strict", *files]):
                done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=folder)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            # This check looks along PYTHONPATH, and not where the interpreter finds packages.
            where = os.environ | {"PYTHONPATH": str(pathlib.Path(arcloom.__file__).parent.parent)}
            words = ["pyright", "--pythonpath", sys.executable, "--verifytypes", "arcloom", "--ignoreexternal"]
            done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=folder, env=where)
            self.assertIn("Type completeness score: 100%", done.stdout, done.stdout[-2000:])

    def test_the_notebook(self):
        try:
            import nbclient
            import nbformat
        except ImportError:
            self.skipTest("nbclient is not installed")
        book = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
        with tempfile.TemporaryDirectory() as folder:
            nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": folder}}).execute()
            shown = {}
            for cell in book.cells:
                if cell.cell_type == "code":
                    outputs = [one.get("data", {}) for one in cell.outputs]
                    self.assertFalse([one for one in cell.outputs if one.output_type == "error"], cell.source)
                    shown[cell.source] = "".join(data.get("text/html", "") + data.get("image/svg+xml", "") for data in outputs)
            for part in ("tasks\n", "task.demos[0]", "library\n", "engine.trace", "engine.check", "rows = engine.eval", "run = engine.run", "first.beside", "evolution.watch", "archive.curves", "archive.lineage", "change.task", "engine.card"):
                [drawn] = [text for source, text in shown.items() if part in source + "\n"][:1]
                self.assertGreater(len(drawn), 100, part)
                # What is drawn is as wide as the notebook at most, fetches nothing, and is well formed.
                self.assertFalse(re.search(r"(src|href)=.http", drawn), part)
                Balanced(part).feed(drawn)
            keep = os.environ.get("ARCLOOM_NOTEBOOK_HTML")
            if keep:
                import nbconvert

                pathlib.Path(keep).write_text(nbconvert.HTMLExporter().from_notebook_node(book)[0])


class Balanced(html.parser.HTMLParser):
    """Fails where tags do not match."""

    def __init__(self, part):
        super().__init__()
        self.part, self.open = part, []

    def handle_starttag(self, tag, attributes):
        if tag not in ("br", "img", "hr", "path", "rect", "circle", "line", "polyline", "use"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open and tag == self.open[-1]:
            self.open.pop()
        elif tag not in ("path", "rect", "circle", "line", "polyline", "use"):
            raise AssertionError(f"{self.part}: </{tag}> closes {self.open[-1:]}")


if __name__ == "__main__":
    unittest.main()
