"""The examples run, write their files, and print what they say."""

import math
import re
import runpy
import shlex
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import polars as pl
import pytest

import climbfast as cf
from climbfast.batch import pool
from climbfast.cli import main

EXAMPLES = Path(__file__).parents[1] / "examples"
README = (EXAMPLES / "README.md").read_text("utf-8")
FILES = {
    "picture": {"heart_disease.svg": "<svg", "graph.svg": "<svg"},
    "page": {"heart_disease.html": "blood_pressure", "all_columns.html": "blood_pressure"},
    "selection": {},
    "network": {"patients.bif": "variable blood_pressure {"},
    "election": {"election.svg": "<svg"},
    "health_insurance": {"health_insurance.svg": "<svg"},
    "affairs": {"affairs.html": "rate_marriage"},
    "tumors": {"tumor.svg": "<svg"},
    "job_training": {"job_training.svg": "<svg"},
    "effect": {"graph.dot": '"smoking" -> "heart_disease"'},
}
"""The files that each example writes, and what is in them."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The table in an empty folder, and a reader who takes climbfast's warnings as they are."""
    shutil.copytree(EXAMPLES / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pool, "SECONDS_FOR_PROCESSES", math.inf)  # which a busy machine expects sooner
    monkeypatch.setitem(sys.modules, "dowhy", None)  # its absence is tested, whether it is there or not
    mpl.use("agg")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.ClimbfastWarning)
        yield tmp_path
    plt.close("all")


def outputs(text: str) -> list[str]:
    """Return the lines that an example says it prints."""
    return re.findall(r"^# -> (.*)$", text, re.MULTILINE)


def test_all_examples_are_listed() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(FILES)
    for name in FILES:
        assert f"| [{name}.py]({name}.py) |" in README
        assert f"`python {name}.py`" in README


@pytest.mark.parametrize("name", [name for name in FILES if name != "effect"])
def test_prints_what_it_says(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / f"{name}.py"))
    assert capsys.readouterr().out.splitlines() == outputs((EXAMPLES / f"{name}.py").read_text("utf-8"))
    check_files(name, folder)


def test_without_dowhy(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The example ends where DoWhy is needed; ``python -m bench.exchange`` runs the rest."""
    with pytest.raises(SystemExit, match="pip install climbfast dowhy"):
        runpy.run_path(str(EXAMPLES / "effect.py"))
    before = (EXAMPLES / "effect.py").read_text("utf-8").split("from dowhy import")[0]
    assert capsys.readouterr().out.splitlines() == outputs(before)
    check_files("effect", folder)


def check_files(name: str, folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} - {"data"} == set(FILES[name])
    for file, content in FILES[name].items():
        assert content in (folder / file).read_text("utf-8")


@pytest.mark.parametrize("number", range(len(re.findall("```python\n", README))))
def test_one_cell(number: int) -> None:
    exec(re.findall(r"```python\n(.*?)```", README, re.DOTALL)[number], {})


def test_one_command(folder: Path) -> None:
    commands = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]
    in_page = re.findall(r"^#     (climbfast .*)$", (EXAMPLES / "page.py").read_text("utf-8"), re.MULTILINE)
    for command in commands + in_page:
        program, *arguments = shlex.split(command)
        assert program == "climbfast"
        assert main(arguments) == 0, command
    written = {path.name for path in folder.iterdir()} - {"data"}
    assert written == {
        "graph.csv",
        "graph.svg",
        "heart_disease.html",
        "all_columns.html",
        "patients.bif",
        "graph.dagitty",
    }


def test_table_is_made_again(folder: Path) -> None:
    """It is what its script makes, and small."""
    made = runpy.run_path(str(folder / "data" / "make_patients.py"))["table"]()
    text = (EXAMPLES / "data" / "patients.csv").read_text("utf-8")
    assert made.write_csv() == text
    assert len(text) < 200_000
    assert pl.read_csv(EXAMPLES / "data" / "patients.csv").null_count().sum_horizontal().item() == 85
