"""Forked child processes of one that has used polars."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import climbfast as cf

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

# For each line of work, in a child of its own: prints the message of the error, "done", or that it does not return.
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
for work in {works}:
    child = os.fork()
    if child == 0:
        try:
            exec(work)
            print("done", flush=True)
        except cf.ClimbfastError as error:
            print(error, flush=True)
        except Exception as error:
            print(repr(error), flush=True)
        finally:
            os._exit(0)
    for _ in range(6000):
        if os.waitpid(child, os.WNOHANG) != (0, 0):
            break
        time.sleep(.01)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        print("it does not return", flush=True)
"""
REFUSED = {
    "cf.read(path)": "reading a file",
    "cf.Dataset.from_frame(frame)": "reading a frame",
    "network.sample(100, seed=1)": "sampling a network",
    "blankets.save(path.with_name('out.parquet'))": "writing Parquet",
    "blankets.to_frame()": "a polars frame",
}
SEARCHES = (
    "cf.markov_blanket(data, 'a')",
    "cf.markov_blankets(data, n_jobs=1, progress=False).save(path.with_name('out.csv'))",
    "cf.pc(data); cf.fges(data)",
    "cf.Dataset.from_frame({'a': [0, 1] * 4, 'b': [0, 1] * 4})",
)


def outcomes(works: Sequence[str], folder: Path, *, used: bool = True) -> dict[str, str]:
    """What each child prints in which one of these lines runs."""
    path = folder / "data.csv"
    path.write_text("a,b,c\n" + "0,0,x\n1,1,x\n0,1,y\n1,1,y\n" * 3)
    script = SCRIPT.format(works=list(works), used=used)
    arguments = [sys.executable, "-W", "ignore", "-c", script, str(path)]
    printed = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    return dict(zip(works, printed.splitlines(), strict=True))


@pytest.fixture(scope="module")
def of_one_parent(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return outcomes([*REFUSED, *SEARCHES], tmp_path_factory.mktemp("forks"))


@pytest.mark.parametrize(("work", "what"), REFUSED.items())
def test_what_never_returns_is_refused(work: str, what: str, of_one_parent: dict[str, str]) -> None:
    message = of_one_parent[work]
    assert message.startswith(what)
    assert 'multiprocessing.get_context("spawn")' in message


@pytest.mark.parametrize("work", SEARCHES)
def test_searches_in_data_that_were_read_before_the_fork(work: str, of_one_parent: dict[str, str]) -> None:
    assert of_one_parent[work] == "done"


def test_a_parent_that_has_not_used_polars(tmp_path: Path) -> None:
    assert outcomes(["cf.read(path)"], tmp_path, used=False) == {"cf.read(path)": "done"}


def test_this_process_is_no_forked_child() -> None:
    assert len(cf.load_example().sample(10, seed=1).names) > 0
