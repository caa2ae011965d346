"""`climbfast sample`: what it prints is what the function returns."""

from __future__ import annotations

import gzip
import json

import polars as pl
import pytest

import climbfast as cf
from climbfast.networks.examples import EXAMPLE_TARGET, load_example


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("network") / "health.bif"
    cf.write_bif(load_example(), path)
    return path


def decoded(data):
    """Every cell by name: the order of levels is alphabetical in text files, that of the network in others."""
    return {name: [data.levels[name][code] for code in data.codes[data.index(name)]] for name in data.names}


class TestSample:
    @pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "TSV.gz", "parquet", "arrow", "feather"])
    def test_reads_back_as_what_was_drawn(self, run, network, tmp_path, suffix):
        out = tmp_path / f"data.{suffix}"
        assert run("sample", network, "--rows", 500, "--seed", 7, "--out", out) == (0, "", "")
        assert decoded(cf.read(out)) == decoded(load_example().sample(500, 7))
        assert list(tmp_path.iterdir()) == [out]

    def test_equal_seeds_give_equal_files(self, run, network, tmp_path):
        for name in ("a.csv.gz", "b.csv.gz"):
            run("sample", network, "--rows", 50, "--seed", 7, "--out", tmp_path / name)
        assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()
        assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()).count(b"\n") == 51

    def test_then_blanket(self, run, network, tmp_path):
        run("sample", network, "--rows", 20_000, "--seed", 1, "--out", tmp_path / "data.parquet")
        _, out, _ = run("blanket", tmp_path / "data.parquet", "--target", EXAMPLE_TARGET, "--json")
        found, truth = json.loads(out), load_example().blanket(EXAMPLE_TARGET)
        assert [found[side] for side in ("parents", "children", "spouses")] == [
            list(truth.parents),
            list(truth.children),
            list(truth.spouses),
        ]

    def test_says_which_states_look_missing_and_how_to_read_them(self, run, tmp_path):
        path = tmp_path / "markers.bif"
        states = {"a": ("NA", "some"), "b": ("no", "yes")}
        tables = {"a": [0.5, 0.5], "b": [[0.9, 0.1], [0.2, 0.8]]}
        cf.write_bif(cf.Network("markers", states, {"b": ("a",)}, tables), path)
        code, _, err = run("sample", path, "--rows", 100, "--seed", 1, "--out", tmp_path / "data.csv")
        assert code == 0
        assert err.startswith("note: some states of 'a' look like missing values in a text file; ")
        assert err.endswith("--missing-markers ''\n")
        code, out, _ = run("blanket", tmp_path / "data.csv", "--target", "b", "--missing-markers", "", "--json")
        assert (code, json.loads(out)["rows"]) == (0, 100)
        assert run("sample", path, "--rows", 100, "--seed", 1, "--out", tmp_path / "data.parquet").err == ""
        assert pl.read_parquet(tmp_path / "data.parquet").height == 100

    def test_replaces_the_old_file_only_when_the_new_one_is_whole(self, refused, network, tmp_path, monkeypatch):
        out = tmp_path / "data.csv"
        out.write_text("old")

        def half(frame: pl.DataFrame, file, **_: object) -> None:
            file.write(b"half")
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(pl.DataFrame, "write_csv", half)
        assert "No space left on device" in refused("sample", network, "--rows", 5, "--seed", 1, "--out", out)
        assert out.read_text() == "old"
        assert list(tmp_path.iterdir()) == [out]

    def test_what_cannot_be_written_is_refused(self, refused, network, tmp_path):
        arguments = ["sample", network, "--rows", 5, "--seed", 1, "--out"]
        assert ".csv, .tsv" in refused(*arguments, tmp_path / "data.xlsx")
        assert "No such file or directory" in refused(*arguments, tmp_path / "none" / "data.csv")
        (tmp_path / "folder.csv").mkdir()
        assert "it is a directory" in refused(*arguments, tmp_path / "folder.csv")
        assert "--rows is 0" in refused("sample", network, "--rows", 0, "--seed", 1, "--out", tmp_path / "data.csv")
        assert "--seed is -1" in refused("sample", network, "--rows", 1, "--seed", -1, "--out", tmp_path / "data.csv")
        assert "missing option '--seed'" in refused("sample", network, "--rows", 1, "--out", tmp_path / "data.csv")
        assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]

    def test_what_is_no_network_is_refused(self, refused, tmp_path):
        out = tmp_path / "data.csv"
        assert "none.bif" in refused("sample", tmp_path / "none.bif", "--rows", 5, "--seed", 1, "--out", out)
        (tmp_path / "odd.bif").write_text("network x {\n}\nvariables")
        assert "line 3" in refused("sample", tmp_path / "odd.bif", "--rows", 5, "--seed", 1, "--out", out)
