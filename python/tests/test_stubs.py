"""The stub of the extension module says what is in the module: no more, no less, with the same arguments."""

import ast
import dataclasses
import inspect
import pathlib
import unittest

import arcloom
from arcloom import _native

STUB = ast.parse((pathlib.Path(arcloom.__file__).parent / "_native.pyi").read_text())
#: What Python gives every class, or asks of one, and stubs leave out.
USUAL = {"__new__", "__repr__", "__str__", "__eq__", "__ne__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__", "__doc__", "__module__", "__reduce__", "__bool__", "__qualname__", "__radd__"}  # fmt: skip
SPECIAL = {"__init__", "__name__", "__iter__", "__signature__", "__code__", "__getnewargs__"}
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def is_public(name):
    return not name.startswith("_") or name.startswith("__") and name.endswith("__")


def declared(body):
    """Functions and attributes of a stub's body, by name; of overloads the last."""
    found = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            # A property is an attribute.
            is_property = any(isinstance(one, ast.Name) and one.id == "property" for one in node.decorator_list)
            found[node.name] = ast.AnnAssign(ast.Name(node.name), node.returns) if is_property else node
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = node
    return found


def parameters(function):
    """Names of the parameters of a stub's function with their defaults as text."""
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
    pairs = [*zip(plain, defaults), *zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return {one.arg: None if default is None else ast.literal_eval(default) for one, default in pairs if one.arg != "self"}


def runtime_parameters(function):
    """The same of what is there, and whether it takes further keywords."""
    found = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    more = any(p.kind is p.VAR_KEYWORD for p in found)
    plain = {p.name: None if p.default is p.empty else p.default for p in found if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)}
    return plain, more


class Stubs(unittest.TestCase):
    def compare(self, place, stub, function):
        wanted, (found, more) = parameters(stub), runtime_parameters(function)
        if more:
            # Words of figures, which the stub spells out.
            self.assertTrue(found.items() <= wanted.items(), place)
            self.assertIn("dark", wanted, place)
        else:
            self.assertEqual(wanted, found, place)

    def test_the_module(self):
        names = {name for name in vars(_native) if is_public(name) and not name.startswith("__")}
        stubbed = {name for name in [*CLASSES, *declared(STUB.body)] if is_public(name)}
        self.assertEqual(stubbed, names)
        for name, node in declared(STUB.body).items():
            if isinstance(node, ast.FunctionDef):
                self.compare(name, node, getattr(_native, name))

    def test_the_classes(self):
        compared = 0
        for name, node in CLASSES.items():
            own = getattr(_native, name)
            if issubclass(own, Exception):
                continue
            stub = declared(node.body)
            there = {n for n in vars(own) if is_public(n)} - USUAL
            # What can be indexed can be walked over without a method for it.
            self.assertEqual({n for n in stub if is_public(n)} - SPECIAL - USUAL, there - SPECIAL, name)
            if "__init__" in stub:
                self.compare(name, stub["__init__"], own)
                compared += 1
            for method, declaration in stub.items():
                if isinstance(declaration, ast.FunctionDef) and not method.startswith("__"):
                    self.compare(f"{name}.{method}", declaration, getattr(own, method))
                    compared += 1
        self.assertGreater(compared, 30)

    def test_everything_public_is_documented(self):
        for name in arcloom.__all__:
            # A primitive's documentation is that of each.
            if name in ("__version__", "Primitive"):
                continue
            own = getattr(arcloom, name)
            self.assertTrue(inspect.getdoc(own), name)
            if dataclasses.is_dataclass(own):
                lines = [line.strip() for line in inspect.getsource(own).split("\n")]
                for field in dataclasses.fields(own):
                    [at] = [n for n, line in enumerate(lines) if line.startswith(f"{field.name}: ")]
                    self.assertTrue(lines[at - 1].startswith("#:"), f"{name}.{field.name}")
            elif inspect.isclass(own) and not issubclass(own, Exception):
                for method, value in vars(own).items():
                    if not method.startswith("_"):
                        self.assertTrue(inspect.getdoc(value), f"{name}.{method}")


if __name__ == "__main__":
    unittest.main()
