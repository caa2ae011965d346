"""The examples in the docstrings of graphs."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest

from climbfast import graphs

MODULES = [f"{graphs.__name__}.{module.name}" for module in iter_modules(graphs.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_they_print_what_they_say(name):
    assert doctest.testmod(import_module(name)).failed == 0


def test_every_public_function_has_one():
    for name in ("causal", "compare", "fges", "formats", "graph", "orient", "pc"):
        assert doctest.testmod(import_module(f"{graphs.__name__}.{name}")).attempted > 0
