"""A column of counts is the table with its rows repeated, to the bit, and needs no memory for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

import climbfast as cf
from climbfast.dataset.weights import LARGEST_SUM
from climbfast.local.methods import METHODS
from tests.factories import draw_net, quiet

MODES = ("refuse", "test-wise", "drop-rows", "level")
COUNTING = ("auto", "bitmaps", "dense", "sparse")
TESTS = (cf.SCI(), cf.G2(), cf.G2(df="nominal", min_rows_per_df=5), cf.X2(), cf.CMI(0.01))

# Passengers of the Titanic as R's as.data.frame(Titanic) has them.
CLASSES, SEXES, AGES, SURVIVED = ("1st", "2nd", "3rd", "Crew"), ("Male", "Female"), ("Child", "Adult"), ("No", "Yes")
PASSENGERS = [
    0, 0, 35, 0, 0, 0, 17, 0, 118, 154, 387, 670, 4, 13, 89, 3, 5, 11, 13, 0, 1, 13, 14, 0, 57, 14, 75, 192, 140, 80,
    76, 20,
]  # fmt: skip


def titanic(times: int) -> cf.Dataset:
    cells = [(c, s, a, y) for y in SURVIVED for a in AGES for s in SEXES for c in CLASSES]
    columns = dict(zip(("class", "sex", "age", "survived"), map(list, zip(*cells, strict=True)), strict=True))
    return quiet({**columns, "Freq": [times * count for count in PASSENGERS]}, weights="Freq")


def tables(mode: str, rows: int = 60, seed: int = 0) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """A table with a column n of counts, some of them 0, and the same table with its rows repeated."""
    rng = np.random.default_rng(seed)
    cells = {f"c{x}": column for x, column in enumerate(draw_net(seed, 6, rows).tolist())}
    if mode != "refuse":
        for name in ("c1", "c3"):
            cells[name] = [None if u < 0.15 else v for u, v in zip(rng.random(rows), cells[name], strict=True)]
    counts = rng.integers(0, 9, rows).tolist()
    cells["c4"][0], counts[0] = 7, 0  # a level of which no row is left
    repeated = {
        name: [v for v, n in zip(column, counts, strict=True) for _ in range(n)] for name, column in cells.items()
    }
    return {**cells, "n": counts}, repeated


def both(mode: str, seed: int = 0) -> tuple[cf.Dataset, cf.Dataset]:
    weighted, repeated = tables(mode, seed=seed)
    options = {"missing": mode, "keep_ids": True}
    return (quiet(weighted, weights="n", **options), quiet(repeated, **options))


@pytest.fixture(scope="module", params=MODES)
def data(request: pytest.FixtureRequest) -> tuple[cf.Dataset, cf.Dataset]:
    return both(request.param, seed=MODES.index(request.param))


def test_the_same_data(data: tuple[cf.Dataset, cf.Dataset]) -> None:
    one, other = data
    assert one.codes.shape[1] < other.codes.shape[1]
    for name in ("names", "levels", "canonical", "rows", "missing", "constant", "nearly_unique", "one_to_one", "ids"):
        assert getattr(one, name) == getattr(other, name)
    assert one.arity.tolist() == other.arity.tolist()
    assert np.repeat(one.codes, one.weights, axis=1).tolist() == other.codes.tolist()
    assert [c.tolist() for c in one.level_counts] == [c.tolist() for c in other.level_counts]
    assert one.fewest_rows_of_pairs.tolist() == other.fewest_rows_of_pairs.tolist()
    assert (other.weights, "n" in one.names, 7 in one.levels["c4"]) == (None, False, False)


@pytest.mark.parametrize("test", TESTS, ids=repr)
def test_the_same_tests(data: tuple[cf.Dataset, cf.Dataset], test: Any) -> None:
    one, other = data
    for x, y, *given in ("01", "130", "2405", "54132"):
        columns = f"c{x}", f"c{y}", [f"c{z}" for z in given]
        expected = cf.test(other, *columns, test)
        assert all(cf.test(one, *columns, test, counting=counting) == expected for counting in COUNTING)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_blankets(data: tuple[cf.Dataset, cf.Dataset], method: str) -> None:
    one, other = data
    find = cf.neighbors if METHODS[method].finds == "neighbors" else cf.markov_blanket
    for target in ("c0", "c3"):
        expected = find(other, target, method)
        assert all(find(one, target, method, counting=counting) == expected for counting in COUNTING)


@pytest.mark.parametrize("score", ["bic", "aic", "bdeu", "fnml", "qnml"])
def test_the_same_graphs_by_score(data: tuple[cf.Dataset, cf.Dataset], score: str) -> None:
    one, other = data
    expected = cf.fges(other, score)
    assert all(cf.fges(one, score, counting=counting) == expected for counting in COUNTING)


def test_the_same_causal_graphs(data: tuple[cf.Dataset, cf.Dataset]) -> None:
    one, other = data
    expected = cf.pc(other)
    assert all(cf.pc(one, counting=counting) == expected for counting in COUNTING)
    assert cf.pc(one, "g2", n_jobs=2) == cf.pc(other, "g2")
    assert cf.causal_graph(one) == cf.causal_graph(other)
    assert cf.orient(expected, one) == cf.orient(expected, other)


@pytest.mark.parametrize("test", ["sci", "x2"])
def test_the_same_blankets_of_all_columns(data: tuple[cf.Dataset, cf.Dataset], test: str) -> None:
    one, other = (cf.markov_blankets(each, test=test, progress=False, n_jobs=1) for each in data)
    assert dict(one) == dict(other)
    assert one.how["tests"] == other.how["tests"]


def test_weights_in_threads_and_processes() -> None:
    one, other = both("test-wise")
    expected = dict(cf.markov_blankets(other, progress=False, n_jobs=1))
    assert dict(cf.markov_blankets(one, progress=False, n_jobs=2)) == expected
    with joblib.parallel_config(backend="loky", n_jobs=2):
        found = cf.markov_blankets(one, progress=False)
    assert (dict(found), found.how["backend"]) == (expected, "processes")


def test_rows_that_occur_once() -> None:
    cells, _ = tables("test-wise")
    cells["n"] = [1] * 60
    one, other = (quiet(cells, weights="n", missing="test-wise"), quiet(cells, leave_out=["n"], missing="test-wise"))
    for counting in COUNTING:
        assert cf.markov_blanket(one, "c1", counting=counting) == cf.markov_blanket(other, "c1")
        assert cf.test(one, "c0", "c1", ["c3"], counting=counting) == cf.test(other, "c0", "c1", ["c3"])


def test_a_journal_tells_weights_apart() -> None:
    cells, _ = tables("refuse")
    more = {**cells, "n": [n + 1 if i == 30 else n for i, n in enumerate(cells["n"])]}
    prints = {quiet(each, weights="n").fingerprint for each in (cells, more)}
    assert len({*prints, quiet(tables("refuse")[1]).fingerprint}) == 3


def test_counts_from_a_file(save: Callable[..., Path]) -> None:
    data = cf.read(save("x,y,n\na,p,3\nc,p,0\na,q,2\nb,q,1\n"), weights="n")
    assert (data.rows, data.names, data.levels["x"], data.weights.tolist()) == (6, ("x", "y"), ("a", "b"), [3, 2, 1])


# Many rows


@pytest.mark.parametrize("times", [10**6, 4 * 10**8])
def test_billions_of_rows(times: int) -> None:
    """The information of n·t rows is t times that of n."""
    small, large = titanic(1), titanic(times)
    assert (small.rows, large.rows, large.codes.shape[1]) == (2201, 2201 * times, 24)
    for x, y, *given in (["sex", "survived"], ["class", "survived", "sex"], ["age", "survived", "class", "sex"]):
        first = None
        for counting in COUNTING:
            one, many = (cf.test(each, x, y, given, "x2", counting=counting) for each in (small, large))
            assert many.information == pytest.approx(times * one.information, rel=1e-6)
            assert many.statistic == pytest.approx(times * one.statistic, rel=1e-6)
            assert (many.df, many.strata, many.rows) == (one.df, one.strata, times * one.rows)
            assert (first or many) == many
            first = many


def test_searches_of_billions_of_rows() -> None:
    data = titanic(10**6)
    everything = ("age", "class", "sex", "survived")
    for counting in COUNTING:
        for test in ("sci", "g2", "x2"):
            found = cf.markov_blanket(data, "survived", "iamb", test, counting=counting)
            assert found.members == ("age", "class", "sex")
            assert found.fewest_rows == 2_201_000_000
        for score in ("bic", "aic", "bdeu", "fnml", "qnml"):
            graph = cf.fges(data, score, counting=counting)
            assert len(graph.directed) + len(graph.undirected) >= 5, everything
    assert cf.causal_graph(data).rows == cf.pc(data).rows == data.rows
    assert set(cf.markov_blankets(data, progress=False)) == {*everything}


# Refusals


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ([1, None, 2, 3], "column 'n' have 1 missing cells; every row needs its count"),
        ([1, 0.5, 2, 3], "column 'n' have to be whole numbers, 0 or more; 0.5 is none"),
        ([1, -1, 2, 3], "column 'n' have to be whole numbers, 0 or more; -1 is negative"),
        ([1, "two", 2, 3], "column 'n' have to be whole numbers, 0 or more; 'two' is none"),
        ([0, 0, 0, 0], "column 'n' are all 0: the table has no rows"),
        ([LARGEST_SUM, 1, 0, 0], "column 'n' stand for more than 1,000,000,000,000 rows"),
        ([10**25, 1, 1, 1], "column 'n' stand for more than 1,000,000,000,000 rows"),
        ([2**62] * 4, "column 'n' stand for more than 1,000,000,000,000 rows"),
    ],
)
def test_counts_that_are_none(save: Callable[..., Path], counts: list[Any], says: str) -> None:
    frame = {"x": [0, 1, 1, 0], "y": list("abba"), "n": counts}
    if "two" not in counts:  # a column has cells of one type
        with pytest.raises(cf.DataError, match=says) as raised:
            cf.Dataset.from_frame(frame, weights="n")
        assert str(raised.value).count("\n") == 0
    rows = zip(*frame.values(), strict=True)
    path = save("x,y,n\n" + "".join(f"{x},{y},{'' if n is None else n}\n" for x, y, n in rows))
    with pytest.raises(cf.DataError, match=says) as raised:
        cf.read(path, weights="n")
    assert str(path) in str(raised.value)


def test_a_column_of_counts_that_does_not_exist() -> None:
    frame = {"x": [0, 1], "count": [1, 2]}
    with pytest.raises(cf.UnknownColumnError, match=r"no column named 'cuont'.*'count'"):
        cf.Dataset.from_frame(frame, weights="cuont")
    with pytest.raises(cf.OptionError, match=r"weights is \['count'\]"):
        cf.Dataset.from_frame(frame, weights=["count"])  # type: ignore[arg-type]
    with pytest.raises(cf.DataError, match="no columns are left"):
        cf.Dataset.from_frame({"count": [1, 2]}, weights="count")


def test_only_zeros_after_missing_cells() -> None:
    frame = {"x": [None, 1, 1], "n": [3, 0, 0]}
    with pytest.raises(cf.DataError, match="no rows are left"):
        cf.Dataset.from_frame(frame, weights="n", missing="drop-rows")
