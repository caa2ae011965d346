"""A notebook in a real kernel: results show themselves, and progress leaves nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.notebook.results import check_html

BARS = """
import time
import climbfast as cf
from climbfast.batch import progress
from climbfast.dataset.reading_progress import announce_reading, count_bytes

progress.seconds_without_bars = 0.2
data = cf.load_example().sample(200, seed=1)

def slow(data):
    time.sleep(0.1)
    return cf.Graph(data.names, [("age", "ecg")])

found = cf.bootstrap(data, slow, replicates=20, n_jobs=1)
"""
READING = """
from climbfast.dataset import reading_progress

reading_progress.seconds_of_silence = 0.0
with announce_reading("reading a.csv", 8_000_000, counts_bytes=True):
    count_bytes(6_000_000)
    time.sleep(1)
"""
SEARCH = """
from climbfast import activity

activity.SECONDS_TO_FIRST_LINE = 0.1
with activity.show_activity("pc"):
    time.sleep(1.5)
"""


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """A process of its own: Jupyter warns of itself, and leaves threads and event loops behind."""
    home = str(tmp_path_factory.mktemp("home"))
    paths = {"IPYTHONDIR": home, "JUPYTER_CONFIG_DIR": home, "JUPYTER_DATA_DIR": home, "JUPYTER_RUNTIME_DIR": home}
    environment = {**os.environ, **paths, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    environment.pop("CLIMBFAST_PROGRESS", None)
    cells = [BARS, READING, SEARCH, "found", 'cf.markov_blanket(data, "ecg")']
    run = subprocess.run(
        [sys.executable, "-W", "ignore", str(Path(__file__).with_name("executed.py"))],
        input=json.dumps(cells), capture_output=True, text=True, env=environment, timeout=500, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def shown_in(executed, cell: int) -> list[str]:
    return [text for place, text in executed["shown"] if place == cell]


def test_progress_was_shown_and_is_gone(executed):
    bars, reading, search = (shown_in(executed, cell) for cell in range(3))
    done = [int(text.partition(", ")[2].partition(" of 20")[0]) for text in bars[:-1]]
    assert len(done) > 1
    assert done == sorted(done)
    assert bars[0].startswith("replicates ")
    assert reading[-2] == "reading a.csv 75 %, 6.0 MB of 8.0 MB"
    assert search[0].startswith("searching a graph by pc, ")
    for cell, texts in enumerate((bars, reading, search)):
        assert texts[-1] == ""
        displays = [each for each in executed["outputs"][cell] if each["output_type"] == "display_data"]
        assert [each["data"] for each in displays] == [{"text/html": "", "text/plain": ""}]
        errors = [each["text"] for each in executed["outputs"][cell] if each["output_type"] == "stream"]
        assert all("compiling" in text for text in errors)  # by the first test that runs alone


def test_results_show_themselves(executed):
    for cell, start in ((3, "Bootstrap : 20 replicates"), (4, "Markov blanket of ecg : ")):
        [output] = [each for each in executed["outputs"][cell] if each["output_type"] == "execute_result"]
        assert check_html(output["data"]["text/html"]).text.startswith(start)
        assert output["data"]["text/plain"].startswith("<")
