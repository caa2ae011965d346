"""``climbfast schema``."""

from __future__ import annotations

import json

import climbfast as cf
from climbfast.schemas import SCHEMAS


def test_the_list(run):
    code, page, err = run("schema")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in page.splitlines()[2:-2]] == list(SCHEMAS)
    assert json.loads(run("schema", "--json").out) == {"schemas": SCHEMAS}


def test_one(run, tmp_path):
    assert json.loads(run("schema", "blanket").out) == cf.schema("blanket")
    for name in ("blanket.json", "blanket.txt"):  # the page that is printed is the schema, too
        assert run("schema", "blanket", "--out", tmp_path / name).code == 0
        assert json.loads((tmp_path / name).read_text("utf-8")) == cf.schema("blanket")


def test_refused(refused):
    assert "NAME is 'blankett'; it is one of blanket, neighbors, graph" in refused("schema", "blankett")
