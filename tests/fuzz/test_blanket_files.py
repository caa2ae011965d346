"""Mutants of blanket files: each is refused in one line, or read as an independent reader reads it."""

from __future__ import annotations

import csv
import io
import json
import warnings
from collections.abc import Callable
from typing import Any

import pyarrow.parquet
import pytest

import climbfast as cf
from tests.fuzz.outcomes import outcomes

Found = dict[Any, tuple[frozenset, frozenset, frozenset]]  # parents, children and spouses by target

RUN = {"method": "climb", "workers": 2, "seconds": 1.5, "tests": 12}
SAMPLES = [
    [
        cf.Blanket("a", parents=("b",), children=("c", "=d"), spouses=("e",), margins={"b": 1.5}, strengths={"c": 2.0},
                   common_children={"e": ("c",)}, spouse_strengths={"e": 0.5}, tests_by_size=(3, 2), rows=10),
        cf.Blanket("b", children=("a",), undecided=("x y",), margins={"a": 0.25}),
        cf.Blanket("c"),
    ],
    [cf.Blanket(1, parents=(2,), children=(30,), margins={2: 1.5}), cf.Blanket(2, children=(1,)), cf.Blanket(-3)],
    [cf.Blanket(("x", 1), parents=("y",)), cf.Blanket("y", children=(("x", 1),), spouses=(2.5,))],
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


def saved(folder, suffix, **options):
    """The content of files with the samples, as climbfast writes them."""
    file = folder / f"sample{suffix}"
    contents = []
    for found in SAMPLES:
        cf.Blankets(found, RUN).save(file, **options)
        contents.append(file.read_bytes())
    return contents


def parts(found: cf.Blankets) -> Found:
    return {
        target: (frozenset(blanket.parents), frozenset(blanket.children), frozenset(blanket.spouses))
        for target, blanket in found.items()
    }


def read(file):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.ClimbfastWarning)  # blankets of the run are missing
        return cf.read_blankets(file)


def compare(folder, suffix, samples, tokens, independent: Callable[[bytes], Found | None]):
    read_ = compared = 0
    for seed, content, found in outcomes(read, folder / f"mutant{suffix}", samples, tokens):
        read_ += 1
        expected = independent(content)
        if expected is not None:
            assert parts(found) == expected, f"seed {seed}: {content!r}"
            compared += 1
    assert compared
    print(f"{suffix}: {compared:,} of {read_:,} compared")


def as_name(value):
    return tuple(map(as_name, value)) if isinstance(value, list) else value


def jsonl_reader(content: bytes) -> Found:
    plain = [json.loads(line) for line in content.split(b"\n") if line.strip()]
    return {
        as_name(fields["target"]): tuple(
            frozenset(map(as_name, fields[key])) for key in ("parents", "children", "spouses")
        )
        for fields in plain
    }


def test_jsonl(folder):
    tokens = [b'"target"', b'"parents"', b'"how"', b'"by_name"', b"[[]]", b'["a"]', b"1e999", b'"\\ud800"', b"-0"]
    compare(folder, ".jsonl", saved(folder, ".jsonl", separating_sets=True), tokens, jsonl_reader)


def csv_reader(content: bytes) -> Found:
    rows = [row for row in csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")) if row]
    run = json.loads(rows[0].get("run") or "{}")
    decode = {
        "integer": int,
        "json": lambda cell: as_name(json.loads(cell)),
        "quoted": lambda cell: cell[1:] if cell.startswith("'") else cell,
    }.get(run.get("names"), str)
    found: dict[Any, dict[str, set]] = {}
    for row in rows:
        members = found.setdefault(decode(row["target"]), {"parent": set(), "child": set(), "spouse": set()})
        if row["role"] in members:
            members[row["role"]].add(decode(row["member"]))
    return {target: tuple(map(frozenset, members.values())) for target, members in found.items()}


@pytest.mark.parametrize("quote_formulas", [False, True])
def test_csv(folder, quote_formulas):
    tokens = [b"parent", b"child", b"spouse", b'""names"": ""integer""', b'""names"": ""json""', b"run", b'[""a""]']
    compare(folder, ".csv", saved(folder, ".csv", quote_formulas=quote_formulas), tokens, csv_reader)


def parquet_reader(content: bytes) -> Found | None:
    try:
        rows = pyarrow.parquet.read_table(io.BytesIO(content)).to_pylist()
    except (OSError, pyarrow.ArrowException, UnicodeDecodeError):
        return None
    kind = rows[0]["names"]
    decode = (lambda cell: as_name(json.loads(cell))) if kind == "json" else int if kind == "integer" else str
    return {
        decode(row["target"]): tuple(
            frozenset(map(decode, row[key] or ())) for key in ("parents", "children", "spouses")
        )
        for row in rows
    }


def test_parquet(folder, capfd):
    compare(folder, ".parquet", saved(folder, ".parquet"), [b"PAR1", b"PAR1" * 2, b"\0" * 8], parquet_reader)
    assert not capfd.readouterr().err
