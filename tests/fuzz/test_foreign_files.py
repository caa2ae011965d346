"""Mutants of ARFF files and of files of R: each is read, or refused in one line, in little time and memory."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path

import climbfast as cf
from climbfast.dataset.foreign import read_here
from tests.dataset.r_objects import saved_by_name, saved_rds
from tests.dataset.test_arff import HEADER, ROWS
from tests.dataset.test_r_files import PATIENTS
from tests.fuzz.outcomes import outcomes

SPARSE = "@relation r\n@attribute a {x,'y z'}\n@attribute n real\n@data\n{0 'y z', 1 2}\n{1 3}\n{}\n{0 ?}\n"


def read(path: Path) -> cf.Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cf.read(path, missing="level", numbers="levels", keep_ids=True)


def test_arff(tmp_path):
    samples = [(HEADER + ROWS).encode(), SPARSE.encode()]
    tokens = [b"@data\n", b"@attribute", b"{", b"}", b"?", b"%", b"'", b"\\'", b",,", b"{0 1}", b"date", b"real"]
    for _, _, data in outcomes(read, tmp_path / "data.arff", samples, tokens):
        assert data.rows > 0


def test_r(tmp_path, monkeypatch):
    """In this process: a crash of another one would be refused, too."""
    monkeypatch.setattr("climbfast.dataset.foreign.read_foreign", read_here)
    by_name = saved_by_name({"patients": PATIENTS})
    for _, _, data in outcomes(read, tmp_path / "data.rds", [saved_rds(PATIENTS), by_name, gzip.compress(by_name)]):
        assert data.rows > 0
