"""A sample as a file: what was drawn, whole or not at all."""

from __future__ import annotations

import os

import polars as pl
import pytest

import climbfast as cf
from climbfast.errors import OptionError
from climbfast.networks.examples import load_example
from climbfast.networks.network import Network
from climbfast.networks.saving import read_as_missing, save_sample

SUFFIXES = [".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".arrow", ".feather"]


def cells(data):
    """The values of every column; text files do not keep the order of the levels, so fingerprints may differ."""
    columns = zip(data.canonical, data.codes.tolist(), strict=True)
    return {name: [data.levels[name][code] for code in codes] for name, codes in columns}


@pytest.fixture(scope="module")
def network():
    return load_example()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_reads_back_as_what_was_drawn(network, tmp_path, suffix):
    save_sample(network, 300, 7, tmp_path / f"data{suffix}")
    assert cells(cf.read(tmp_path / f"data{suffix}")) == cells(network.sample(300, 7))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_equal_seeds_give_equal_files_under_any_name(network, tmp_path, suffix):
    first, again, other = (tmp_path / f"{name}{suffix}" for name in ("first", "again", "other"))
    for file, seed in ((first, 7), (again, 7), (other, 8)):
        save_sample(network, 300, seed, file)
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()


def test_names_and_states_that_text_files_quote(tmp_path):
    states = {"a,b": ("x,y", 'say "so"'), "t\tab": ("line\nbreak", "é"), " sp ": ("1", "02 ")}
    odd = Network("odd", states, {}, {node: [0.5, 0.5] for node in states})
    for suffix in SUFFIXES:
        save_sample(odd, 100, 1, tmp_path / f"odd{suffix}")
        assert cells(cf.read(tmp_path / f"odd{suffix}")) == cells(odd.sample(100, 1)), suffix


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), pl.exceptions.ComputeError("no space\nat 1")]
)
@pytest.mark.parametrize(("suffix", "writer"), [(".csv", "write_csv"), (".parquet", "write_parquet")])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(network, tmp_path, monkeypatch, suffix, writer, error):
    def half(_frame, out, **_options):
        out.write(b"half")
        raise error

    file = tmp_path / f"data{suffix}"
    file.write_text("old")
    monkeypatch.setattr(pl.DataFrame, writer, half)
    with pytest.raises(OptionError, match=r"data\.\w+ cannot be written: [Nn]o space[^\n]*$"):
        save_sample(network, 5, 1, file)
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == [file.name]  # noqa: PTH208


def test_an_interrupted_write_leaves_nothing(network, tmp_path, monkeypatch):
    def interrupted(_frame, out, **_options):
        out.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(pl.DataFrame, "write_csv", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_sample(network, 5, 1, tmp_path / "data.csv")
    assert not list(tmp_path.iterdir())


def test_a_suffix_that_is_none_lists_those_that_are(network, tmp_path):
    with pytest.raises(OptionError, match=r"data\.xlsx: unknown suffix; known are \.csv, "):
        save_sample(network, 5, 1, tmp_path / "data.xlsx")
    with pytest.raises(OptionError, match="unknown suffix"):
        save_sample(network, 5, 1, tmp_path / "csv")


def test_states_spelled_like_a_missing_cell():
    states = {"a": ("NA", "some"), "b": ("no", "yes"), "c": ("", "x"), "d": (" NA ", "some")}
    network = Network("markers", states, {}, {node: [0.5, 0.5] for node in states})
    assert read_as_missing(network, "csv.gz") == ("a", "c", "d")
    assert read_as_missing(network, "parquet") == ()
