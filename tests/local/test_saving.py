"""A blanket as a file."""

from __future__ import annotations

import json

import pytest

import climbfast as cf

BLANKET = cf.Blanket("t", ("p",), ("c",), ("s",), common_children={"s": ("c",)}, margins={"p": 1.5})


def test_json_is_what_to_json_says(tmp_path):
    BLANKET.save(tmp_path / "a.json")
    content = (tmp_path / "a.json").read_text("utf-8")
    assert content == BLANKET.to_json() + "\n"
    assert json.loads(content)["parents"] == ["p"]


@pytest.mark.parametrize(("suffix", "begins"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".PDF", b"%PDF")])
def test_pictures(tmp_path, suffix, begins):
    BLANKET.save(tmp_path / f"a{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes().startswith(begins)


def test_files_that_cannot_be_written(tmp_path):
    with pytest.raises(cf.OptionError, match=r"a\.csv: unknown suffix; a blanket is saved as \.svg, .* or \.json"):
        BLANKET.save(tmp_path / "a.csv")
    with pytest.raises(cf.OptionError, match=r"a\.json cannot be written: "):
        BLANKET.save(tmp_path / "missing" / "a.json")
    with pytest.raises(cf.OptionError, match="cannot be written: it is a directory"):
        (tmp_path / "b.svg").mkdir()
        BLANKET.save(tmp_path / "b.svg")
