"""The methods import the packages when they are called; without one they say which to install."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

import climbfast as cf

GRAPH = cf.Graph("ab", [("a", "b")])


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("pgmpy", GRAPH.to_pgmpy),
        ("pgmpy", lambda: cf.Graph.from_pgmpy(None)),
        ("pyagrum", GRAPH.to_pyagrum),
        ("pyagrum", lambda: cf.Graph.from_pyagrum(None)),
        ("causallearn", GRAPH.to_causal_learn),
    ],
)
def test_a_package_that_is_not_installed(package, call, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == package else find(name, *more))
    with pytest.raises(ImportError, match=rf'needs the package {package}; pip install "climbfast\[exchange\]"'):
        call()


def test_importing_climbfast_imports_none_of_them():
    code = (
        "import sys, climbfast; climbfast.Graph('ab'); "
        "print([name for name in sys.modules if name.split('.')[0] in ('pgmpy', 'pyagrum', 'causallearn') "
        "or name.startswith('climbfast.exchange')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "there",
    [
        ("to_pgmpy", "from_pgmpy"),
        ("to_pyagrum", "from_pyagrum"),
        ("to_causal_learn", "from_causal_learn"),
        ("to_dagitty", "from_dagitty"),
        ("to_cytoscape", "from_cytoscape"),
        ("to_lavaan", "from_lavaan"),
        ("to_dowhy", "from_networkx"),
        ("to_networkx", "from_networkx"),
    ],
)
def test_every_method_has_its_way_back(there):
    graph = cf.Graph("xyz", [("x", "y"), ("z", "y")])
    back = getattr(cf.Graph, there[1])(getattr(graph, there[0])())
    assert set(back.directed) == set(graph.directed)
