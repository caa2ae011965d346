"""The place of a warning is the line of the caller, whatever function reads the data."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import climbfast as cf

FRAME = {"a": [0, 0, 1, 1] * 5, "b": [0, 1, 1, 1] * 5, "c": [7] * 20}
GRAPH = cf.Graph(("a", "b", "c"), undirected=[("a", "b")])


def read_text(tmp_path: Path) -> Any:
    path = tmp_path / "data.csv"
    path.write_text("a,b,\n" + "0,7,\n1,7,\n" * 3)
    return cf.read(path)


READERS: dict[str, Callable[[Path], Any]] = {
    "read": read_text,
    "from_frame": lambda _: cf.Dataset.from_frame(FRAME),
    "markov_blanket": lambda _: cf.markov_blanket(FRAME, "a"),
    "markov_blankets": lambda _: cf.markov_blankets(FRAME, n_jobs=1, progress=False),
    "neighbors": lambda _: cf.neighbors(FRAME, "a"),
    "test": lambda _: cf.test(FRAME, "a", "b"),
    "pc": lambda _: cf.pc(FRAME),
    "fges": lambda _: cf.fges(FRAME),
    "causal_graph": lambda _: cf.causal_graph(FRAME),
    "orient": lambda _: cf.orient(GRAPH, FRAME),
}


@pytest.mark.parametrize("name", READERS)
def test_the_place_of_a_warning(name: str, tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        READERS[name](tmp_path)
    places = {warning.filename for warning in caught if issubclass(warning.category, cf.ClimbfastWarning)}
    assert places == {__file__}
    assert any("constant" in str(warning.message) for warning in caught)


def test_a_filter_of_the_callers_module_is_obeyed() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=cf.ClimbfastWarning, module=__name__)
        cf.markov_blanket(FRAME, "a")
