"""The examples in docstrings run as they are written, and every function that one begins with has some."""

from __future__ import annotations

import doctest
import importlib
import inspect
import io
import pkgutil
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

import climbfast as cf

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
SHOWN_BY_EXAMPLE = (
    cf.read,
    cf.Dataset.from_frame,
    cf.load_example,
    cf.read_bif,
    cf.test,
    cf.markov_blanket,
    cf.markov_blankets,
    cf.neighbors,
    cf.pc,
    cf.fges,
    cf.causal_graph,
    cf.orient,
    cf.compare,
    cf.inspect,
    cf.read_graph,
    cf.read_network,
    cf.Graph.fit,
    cf.Blanket,
    cf.Blankets,
    cf.Comparison,
    cf.Graph,
    cf.Inspection,
    cf.LocalScores,
    cf.Network,
    cf.Score,
    cf.Test,
    cf.Tester,
)


class ExampleFinder(doctest.DocTestFinder):
    """Finds the examples of decorated functions too, whose wrappers are of the decorator's module."""

    def _from_module(self, module, object):  # noqa: A002  # doctest's name
        unwrapped = inspect.unwrap(object) if inspect.isroutine(object) else object
        return super()._from_module(module, unwrapped)


def examples_in(module: ModuleType) -> list[doctest.DocTest]:
    """The docstrings of a module that have examples."""
    return [found for found in ExampleFinder().find(module, module.__name__) if found.examples]


def modules_with_examples() -> Iterator[str]:
    """Names of the modules of climbfast whose text has a prompt; none is imported but packages."""
    for module in pkgutil.walk_packages(cf.__path__, "climbfast."):
        spec = find_spec(module.name)
        if spec and spec.origin and ">>> " in Path(spec.origin).read_text(encoding="utf-8"):
            yield module.name


@pytest.mark.parametrize("name", [*modules_with_examples()])
def test_examples(name, tmp_path, monkeypatch):
    """In an empty folder, since an example may write a file."""
    found = examples_in(importlib.import_module(name))
    assert found
    monkeypatch.chdir(tmp_path)
    said, runner = io.StringIO(), doctest.DocTestRunner(optionflags=FLAGS)
    for examples in found:
        runner.run(examples, out=said.write)
    assert not said.getvalue(), said.getvalue()


@pytest.mark.parametrize("function", SHOWN_BY_EXAMPLE, ids=lambda function: function.__qualname__)
def test_a_function_that_one_begins_with_has_examples(function):
    """They stand under a heading, and are among those that run."""
    name = f"{function.__module__}.{function.__qualname__}"
    has_heading = bool(re.search(r"^Examples\n--------$", inspect.getdoc(function), re.MULTILINE))
    assert has_heading, f"the docstring of {name} has no section Examples"
    assert name in [found.name for found in examples_in(importlib.import_module(function.__module__))]
