"""Where the published networks are looked for."""

from __future__ import annotations

import sys

import pytest

import climbfast as cf
from bench.shared import networks


def test_a_network_that_is_nowhere_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(networks, "find_spec", lambda name: None)
    monkeypatch.setattr(networks, "FOLDER", tmp_path)
    with pytest.raises(FileNotFoundError, match="no network alarm: pip install"):
        networks.bif_file("alarm")


def test_networks_are_found_inside_pgmpy(monkeypatch, tmp_path):
    path = tmp_path / "pgmpy" / "utils" / "example_models" / "tiny.bif.gz"
    path.parent.mkdir(parents=True)
    cf.write_bif(cf.load_example(), path)
    (tmp_path / "pgmpy" / "__init__.py").write_text("raise ImportError('it takes ten seconds')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pgmpy", raising=False)  # another test of this process may have imported it
    assert networks.network("tiny").arcs == cf.load_example().arcs
