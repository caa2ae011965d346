"""The command that writes a sample of a sparse network."""

from __future__ import annotations

import sys

import polars as pl

import climbfast as cf
from bench.shared.sparse_networks import simulated
from bench.simulate import main


def test_command_writes_sample_and_arcs(tmp_path, monkeypatch):
    network, data = simulated(300, 2_000, levels=(2, 4), in_degree=(1, 4), seed=5)
    out, arcs = tmp_path / "data.parquet", tmp_path / "arcs.csv"
    options = ["--columns", "300", "--rows", "2000", "--levels", "2-4", "--seed", "5"]
    monkeypatch.setattr(sys, "argv", ["simulate", *options, "--out", str(out), "--arcs", str(arcs)])
    main()
    assert cf.read(out).fingerprint == data.fingerprint
    assert pl.read_csv(arcs).rows() == list(network.arcs)
