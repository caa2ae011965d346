"""Forked child processes of one that has used polars."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import climbfast as cf

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

# Prints the message of the error, "done", or nothing if the child does not return.
SCRIPT = """
import os, signal, sys, time, warnings
from pathlib import Path
import polars as pl
import climbfast as cf
warnings.simplefilter("ignore")
path = Path(sys.argv[1])
network = cf.load_example()
if {used}:
    data = cf.Dataset.from_frame(pl.read_csv(path))
    frame = pl.DataFrame({{"a": ["x", "y"] * 4, "b": [0, 1] * 4}})
    blankets = cf.markov_blankets(data, n_jobs=1, progress=False)
child = os.fork()
if child == 0:
    try:
        {work}
        print("done", flush=True)
    except cf.ClimbfastError as error:
        print(error, flush=True)
    finally:
        os._exit(0)
for _ in range(600):
    if os.waitpid(child, os.WNOHANG) != (0, 0):
        break
    time.sleep(.1)
else:
    os.kill(child, signal.SIGKILL)
"""


def outcome(work: str, tmp_path: Path, *, used: bool = True) -> str:
    """What a child prints in which this line runs."""
    path = tmp_path / "data.csv"
    path.write_text("a,b,c\n" + "0,0,x\n1,1,x\n0,1,y\n1,1,y\n" * 3)
    script = SCRIPT.format(work=work, used=used)
    arguments = [sys.executable, "-W", "ignore", "-c", script, str(path)]
    return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize(
    ("work", "what"),
    [
        ("cf.read(path)", "reading a file"),
        ("cf.Dataset.from_frame(frame)", "reading a frame"),
        ("network.sample(100, seed=1)", "sampling a network"),
        ("blankets.save(path.with_name('out.parquet'))", "writing Parquet"),
        ("blankets.to_frame()", "a polars frame"),
    ],
)
def test_what_never_returns_is_refused(work: str, what: str, tmp_path: Path) -> None:
    message = outcome(work, tmp_path)
    assert message.startswith(what)
    assert 'multiprocessing.get_context("spawn")' in message


@pytest.mark.parametrize(
    "work",
    [
        "cf.markov_blanket(data, 'a')",
        "cf.markov_blankets(data, n_jobs=1, progress=False).save(path.with_name('out.csv'))",
        "cf.pc(data); cf.fges(data)",
        "cf.Dataset.from_frame({'a': [0, 1] * 4, 'b': [0, 1] * 4})",
    ],
)
def test_searches_in_data_that_were_read_before_the_fork(work: str, tmp_path: Path) -> None:
    assert outcome(work, tmp_path) == "done"


def test_a_parent_that_has_not_used_polars(tmp_path: Path) -> None:
    assert outcome("cf.read(path)", tmp_path, used=False) == "done"


def test_this_process_is_no_forked_child() -> None:
    assert len(cf.load_example().sample(10, seed=1).names) > 0
