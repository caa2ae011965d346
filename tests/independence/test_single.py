"""cf.test: the figures of other systems, and the right answer for every degenerate table."""

from __future__ import annotations

import csv
import json
import math
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import climbfast as cf
from tests import incomplete, reference
from tests.factories import quiet, quiet_codes, random_gaps
from tests.shared_data import SHARED, needs_golden

GOLDEN = Path(__file__).parents[1] / "golden"
TESTS = ("sci", "g2", "x2", "cmi")
BNLEARN = {
    "mi": cf.G2(df="nominal"),
    "mi-adf": cf.G2(df="adjusted"),
    "x2": cf.X2(df="nominal"),
    "x2-adf": cf.X2(df="adjusted"),
}


@cache
def alarm(path: Path, rows: int) -> cf.Dataset:
    """The first rows of the Alarm data; levels are those that occur in them."""
    return quiet(pl.read_csv(path, n_rows=rows, infer_schema=False))


def compare(golden: Path, data: Path, compare_row) -> None:
    """Compare the result of a test with each row of a golden file."""
    with golden.open() as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        dataset = alarm(data, int(row["rows"]))
        given = row["given"].split(";") if row["given"] else []
        option = BNLEARN[row["test"]] if "test" in row else "sci"
        compare_row(cf.test(dataset, row["x"], row["y"], given, option), row)


def compare_sci(result: cf.TestResult, row: dict[str, str]) -> None:
    for key in ("sc_x", "sc_x_given_y", "sc_y", "sc_y_given_x", "sci"):
        assert getattr(result, key) == pytest.approx(float(row[key]), abs=1e-6), row


def compare_chi2(result: cf.TestResult, row: dict[str, str]) -> None:
    assert result.statistic == pytest.approx(float(row["statistic"]), rel=1e-6), row
    assert result.df == float(row["df"]), row
    assert result.p_value == pytest.approx(float(row["p_value"]), rel=1e-6, abs=1e-300), row


@pytest.mark.parametrize(("kind", "comparison"), [("sci", compare_sci), ("ci_tests", compare_chi2)])
def test_golden_values(kind, comparison):
    compare(GOLDEN / f"{kind}_alarm_500.csv", GOLDEN / "alarm_500.csv.gz", comparison)


@needs_golden
@pytest.mark.parametrize(("kind", "comparison"), [("sci", compare_sci), ("ci_tests", compare_chi2)])
def test_golden_values_of_all_rows(kind, comparison):
    compare(SHARED / "golden" / f"{kind}_alarm_20000.csv", SHARED / "datasets" / "alarm.csv.gz", comparison)


def test_names_are_those_of_the_columns():
    data = quiet({("b", 1): [0, 1, 1, 0], "b": [0, 0, 1, 1], 1: [0, 1, 0, 1], 0: [0, 1, 1, 1]})
    found = cf.test(data, np.int64(0), "b", ("b", 1))
    assert (found.x, found.y, found.given) == (0, "b", (("b", 1),))
    assert cf.test(data, True, "b", (0,)).to_dict()["x"] == 1
    assert json.loads(cf.neighbors(data, np.int64(1)).to_json())["target"] == 1
    without = quiet({"a": [0, 1, 1, 0], "b": [0, 0, 1, 1], 1: [0, 1, 0, 1]})
    assert cf.test(without, "a", 1, ("b",)).given == ("b",)


def test_a_result_holds_every_figure(data):
    result = cf.test(data, "x", "y", given=["z"])
    assert (result.test, result.x, result.y, result.given, result.rows) == ("sci", "x", "y", ("z",), 500)
    assert (result.strata, result.levels_x, result.levels_y) == (2, 3, 3)
    assert result.sci == max(result.sc_x - result.sc_x_given_y, result.sc_y - result.sc_y_given_x)
    assert result.strength == pytest.approx(result.sci - 1e-6)
    assert result.information == pytest.approx(
        result.sc_x - result.regret_x - result.sc_x_given_y + result.regret_x_given_y
    )
    assert not result.independent
    assert result.statistic is result.p_value is None
    assert cf.test(data, "x", "z").independent


def test_a_result_as_json(data):
    sci = json.loads(cf.test(data, "x", "y", ["z"]).to_json())
    g2 = json.loads(cf.test(data, "x", "y", ["z"], "g2").to_json())
    common = {"test", "x", "y", "given", "rows", "strength", "independent", "information"}
    assert common | {"sci", "sc_x", "sc_x_given_y", "sc_y", "sc_y_given_x"} <= sci.keys()
    assert common | {"statistic", "df", "p_value", "log10_p"} <= g2.keys()
    assert "sci" not in g2
    assert "df" not in sci
    assert sci["given"] == ["z"]


def test_a_result_prints_its_verdict(data):
    assert str(cf.test(data, "x", "y", ["z"])).startswith("x, y | z: dependent by sci, strength ")
    assert str(cf.test(data, "x", "z", test="g2")).startswith("x, z: independent by g2")


@pytest.mark.parametrize(
    ("test", "options"),
    [
        ("sci", {"min_bits": 0.0}),
        (cf.SCI("auto"), {"min_bits": "auto"}),
        (cf.X2(alpha=0.05), {"alpha": 0.05, "df": "adjusted", "min_rows_per_df": 0.0}),
        (cf.CMI(0.1), {"cutoff": 0.1}),
    ],
)
def test_a_result_has_the_options_of_its_test(data, test, options):
    result = cf.test(data, "x", "y", test=test)
    assert result.options == result.to_dict()["options"] == json.loads(result.to_json())["options"] == options
    assert len({result, cf.test(data, "x", "y", test=test)}) == 1


def test_a_result_is_short_to_look_at(data):
    result = cf.test(data, "x", "y", ["z"], "g2")
    assert repr(result) == f"<TestResult: x, y | z: dependent by g2, strength {result.strength:.6g}>"


@pytest.mark.parametrize("test", TESTS)
def test_dependent_is_a_strength_above_0(data, test):
    for y in "yz":
        result = cf.test(data, "x", y, test=test)
        assert result.independent == (result.strength <= 0)


@pytest.mark.parametrize("test", [cf.SCI(), cf.G2(), cf.X2(df="nominal"), cf.CMI(cutoff=0.1)])
@pytest.mark.parametrize("given", [[], ["z"]])
def test_every_counting_strategy_gives_the_same_result(data, test, given):
    results = {
        cf.test(data, "x", "y", given, test, counting=strategy) for strategy in ("auto", "bitmaps", "dense", "sparse")
    }
    assert len(results) == 1


@pytest.mark.parametrize("test", TESTS)
def test_x_and_y_may_change_places(data, test):
    straight, mirrored = cf.test(data, "x", "y", ["z"], test), cf.test(data, "y", "x", ["z"], test)
    assert straight.strength == mirrored.strength
    assert straight.sc_x == mirrored.sc_y


def test_given_may_be_one_name(data):
    assert cf.test(data, "x", "y", "z") == cf.test(data, "x", "y", ["z"])


@pytest.mark.parametrize("test", [*TESTS, cf.G2(df="nominal"), cf.X2(df="nominal")])
@pytest.mark.parametrize(("x", "y", "given"), [("c", "x", []), ("x", "c", ["y"]), ("c", "d", []), ("c", "x", ["d"])])
def test_a_constant_column_is_independent_of_everything(test, x, y, given):
    rng = np.random.default_rng(0)
    data = quiet({"x": rng.integers(0, 3, 50), "y": rng.integers(0, 2, 50), "c": [0] * 50, "d": ["a"] * 50})
    result = cf.test(data, x, y, given, test)
    assert result.independent
    assert result.strength <= 0
    assert not any(math.isnan(v) for v in result.to_dict().values() if isinstance(v, float))
    if result.p_value is not None:
        assert (result.p_value, result.log10_p, result.df) == (1, 0, 0)


@pytest.mark.parametrize("test", [*TESTS, cf.G2(df="nominal"), cf.X2(df="nominal")])
def test_one_row(test):
    result = cf.test(quiet({"x": [1], "y": [2]}), "x", "y", test=test)
    assert result.independent
    assert result.information == 0


@pytest.mark.parametrize("test", [cf.G2(df="adjusted"), cf.X2(df="adjusted")])
def test_no_degree_of_freedom_in_some_strata_or_in_all(test):
    """In stratum 0 x is constant, in stratum 1 it is not."""
    x, y, z = [0, 0, 0, 0, 0, 1, 1, 0], [0, 1, 0, 1, 0, 1, 1, 0], [0, 0, 0, 0, 1, 1, 1, 1]
    data = quiet({"x": x, "y": y, "z": z, "same": x})
    alone = quiet({"x": x[4:], "y": y[4:]})
    result, expected = cf.test(data, "x", "y", ["z"], test), cf.test(alone, "x", "y", [], test)
    assert (result.df, result.statistic) == (1, pytest.approx(expected.statistic))
    nothing = cf.test(data, "x", "y", ["same"], test)
    assert (nothing.df, nothing.p_value, nothing.independent) == (0, 1, True)


@pytest.mark.parametrize("test", TESTS)
def test_configurations_that_do_not_occur_contribute_nothing(test):
    """Two columns of two levels that show three configurations, and the same as one column of three."""
    rng = np.random.default_rng(3)
    z = rng.integers(0, 3, 200)
    x, y = (z + rng.integers(0, 2, 200)) % 3, (z + rng.integers(0, 2, 200)) % 2
    data = quiet({"x": x, "y": y, "z": z, "z1": z // 2, "z2": z % 2})
    one, two = cf.test(data, "x", "y", ["z"], test), cf.test(data, "x", "y", ["z1", "z2"], test)
    assert one.strata == two.strata == 3
    assert (one.information, one.sci, one.statistic) == (two.information, two.sci, two.statistic)


def test_pearson_counts_cells_of_no_rows():
    """Rows (10, 20) and (30, 0): the empty cell is a quarter of the statistic's terms."""
    data = quiet({"x": [0] * 30 + [1] * 30, "y": [0] * 10 + [1] * 20 + [0] * 30})
    assert cf.test(data, "x", "y", test="x2").statistic == pytest.approx(5 + 10 + 5 + 10)


@pytest.mark.parametrize("test", ["g2", "x2"])
def test_p_that_underflows_still_ranks(test):
    rng = np.random.default_rng(4)
    x = rng.integers(0, 4, 20_000)
    weak, strong = (np.where(rng.random(20_000) < p, x, rng.integers(0, 4, 20_000)) for p in (0.5, 0.6))
    data = quiet({"x": x, "weak": weak, "strong": strong})
    results = [cf.test(data, "x", name, test=test) for name in ("weak", "strong")]
    assert [r.p_value for r in results] == [0, 0]
    assert results[1].log10_p < results[0].log10_p < -300
    assert results[1].strength > results[0].strength


@pytest.mark.parametrize("given", [[], ["z"]])
def test_all_rows_doubled_doubles_the_information(data, given):
    columns = {name: np.tile(data.codes[data.index(name)], 2) for name in "xyz"}
    doubled = cf.test(quiet(columns), "x", "y", given)
    assert doubled.information == pytest.approx(2 * cf.test(data, "x", "y", given).information, rel=1e-12)
    assert doubled.strata == cf.test(data, "x", "y", given).strata


@pytest.mark.parametrize("counting", ["bitmaps", "dense", "sparse"])
def test_a_functional_relation_is_independence_by_exactly_0(counting):
    """y is a function of z: nothing is left for x to say."""
    rng = np.random.default_rng(5)
    z = rng.integers(0, 4, 3000)
    data = quiet({"x": (z + rng.integers(0, 2, 3000)) % 4, "y": z // 2, "xor": z % 2, "z": z})
    for y in ("y", "xor"):
        result = cf.test(data, "x", y, ["z"], counting=counting)
        assert (result.sci, result.information, result.independent) == (0.0, 0.0, True)
        assert cf.test(data, "x", y, ["z"], "cmi", counting=counting).independent


def test_an_id_given_makes_every_pair_0():
    rng = np.random.default_rng(6)
    x = rng.integers(0, 2, 100)
    data = quiet({"x": x, "y": x, "id": np.arange(100)}, keep_ids=True)
    assert cf.test(data, "x", "y").sci > 50
    assert cf.test(data, "x", "y", ["id"]).sci == 0


@pytest.mark.parametrize("given", [[], ["z"]])
def test_a_column_of_more_levels_than_a_byte_holds(given):
    rng = np.random.default_rng(8)
    x = rng.permutation(np.arange(2_000) % 300)
    codes = {"x": x, "y": (x // 100 + rng.integers(0, 2, 2_000)) % 3, "z": rng.integers(0, 2, 2_000)}
    data = quiet(codes)
    assert data.codes.dtype == np.uint16
    result = cf.test(data, "x", "y", given)
    expected = reference.sci(codes["x"], 300, codes["y"], 3, [codes[name] for name in given])
    assert result.information == pytest.approx(expected.information, abs=1e-6)
    assert result.sci == pytest.approx(max(expected.sci, 0.0), abs=1e-6)
    assert result.sc_x_given_y == pytest.approx(expected.sc_x_given_y, abs=1e-6)


@pytest.mark.parametrize("size", [17, 33, 40, 65])
@pytest.mark.parametrize("test", [*TESTS, cf.G2(df="nominal"), cf.X2(df="nominal")])
def test_many_columns_given(size, test):
    """As many copies of one column are given as one: they make no stratum more."""
    rng = np.random.default_rng(7)
    z = rng.integers(0, 4, 300)
    x, y = ((z + rng.integers(0, 2, 300)) % 3 for _ in range(2))
    data = quiet_codes(np.array([x, y, *[z] * size], np.uint8))
    names = [f"c{i:02}" for i in range(2, size + 2)]
    one, many = cf.test(data, "c00", "c01", names[:1], test), cf.test(data, "c00", "c01", names, test)
    assert (one.information, one.sci, one.statistic) == (many.information, many.sci, many.statistic)
    assert (one.df, one.log10_p, one.strength, one.strata) == (many.df, many.log10_p, many.strength, many.strata)


def copied_causes(rows: int = 1_000) -> cf.Dataset:
    """x and y depend on each other given a; a2, a3 and a4 are a under other names of its levels, b is no copy."""
    rng = np.random.default_rng(4)
    a, x, b = (rng.integers(0, 4, rows), rng.integers(0, 2, rows), rng.integers(0, 2, rows))
    y = np.where(rng.random(rows) < 0.15, x, rng.integers(0, 2, rows))
    levels = np.array(["d", "c", "b", "a"])
    return quiet({"x": x, "y": y, "a": a, "a2": 3 - a, "a3": levels[a], "a4": a, "b": b})


@pytest.mark.parametrize("test", [cf.G2, cf.X2])
def test_copies_do_not_multiply_nominal_degrees_of_freedom(test):
    data = copied_causes()
    one = cf.test(data, "x", "y", ["a"], test(df="nominal"))
    assert (one.df, one.independent) == (4, False)
    assert cf.test(data, "x", "y", ["a", "a2", "a3", "a4"], test(df="nominal")).df == 4
    assert cf.test(data, "x", "y", ["a4", "b", "a2"], test(df="nominal")).df == 8
    assert cf.test(data, "x", "y", ["a2", "a3"], test(df="nominal")).strength == one.strength


def test_degrees_of_freedom_are_adjusted_by_default():
    data = quiet({"x": [0, 1, 2, 0, 1, 1], "y": [0, 1, 0, 1, 1, 0], "z": [0, 0, 0, 1, 1, 1]})
    assert cf.test(data, "x", "y", ["z"], "g2").df == 3
    assert cf.test(data, "x", "y", ["z"], cf.G2(df="nominal")).df == 4


@pytest.mark.parametrize(
    "test", [*TESTS, cf.G2(df="nominal"), cf.X2(df="nominal"), cf.G2(df="nominal", min_rows_per_df=5)]
)
def test_many_columns_of_many_levels_given(test):
    """The product of the levels passes the largest float; in every stratum are two rows."""
    rows = 400
    rng = np.random.default_rng(8)
    pairs = np.arange(rows) // 2
    given = {f"z{i}": rng.integers(0, 150, rows // 2)[pairs] for i in range(170)}
    data = quiet({"x": rng.integers(0, 2, rows), "y": rng.integers(0, 2, rows), **given})
    result = cf.test(data, "x", "y", list(given), test)
    assert result.strata == rows // 2
    assert not math.isnan(result.strength)
    if getattr(test, "df", "") == "nominal":
        assert (result.independent, result.p_value, result.df) == (True, 1, math.inf)


@pytest.mark.parametrize(("x", "y", "given"), [("x", "x", []), ("x", "y", ["x"]), ("x", "y", ["z", "z"])])
def test_a_column_named_twice(data, x, y, given):
    with pytest.raises(cf.OptionError, match="named twice"):
        cf.test(data, x, y, given)


def test_a_column_that_does_not_exist(data):
    with pytest.raises(cf.UnknownColumnError, match="no column named 'Z'; the nearest are 'z'"):
        cf.test(data, "x", "y", ["Z"])


ARITIES = [3, 2, 4, 3, 2, 5]
INCOMPLETE = [
    incomplete.table(kind, rows, ARITIES, seed=seed)
    for seed, (kind, rows) in enumerate(product(incomplete.KINDS, (12, 70, 400)))
]


@pytest.fixture(scope="module")
def cut_tables():
    """Tables with missing cells, names of some columns, and the table of the rows that are complete in these."""
    found = []
    for cells in INCOMPLETE:
        data = incomplete.encoded(cells)
        found += [
            (data, names, incomplete.cut_down(data, cells, names)) for names in ("ab", "fa", "bca", "cdbe", "feabc")
        ]
    return found


@pytest.mark.parametrize(
    "test", [cf.SCI(), cf.SCI(3), cf.G2(), cf.G2(df="nominal", min_rows_per_df=5), cf.X2(), cf.CMI(0.01)], ids=repr
)
def test_missing_cells_leave_their_rows_out_of_a_test(cut_tables, test):
    """By every way of counting the figures of the table that is cut down to the rows of the test."""
    for data, names, cut in cut_tables:
        first, second, *given = names
        found = cf.test(data, first, second, given, test)
        for counting in ("bitmaps", "dense", "sparse"):
            assert cf.test(data, first, second, given, test, counting=counting) == found
        if cut is None:
            assert (found.rows, found.independent, found.skipped) == (0, True, True)
            continue
        assert found.rows == cut.rows
        if getattr(test, "df", "") == "nominal" and cut.one_to_one:
            continue  # of columns that are copies where they are complete one is left out only in the table cut down
        expected = cf.test(cut, first, second, given, test).to_dict()
        expected["options"] = found.options
        assert found.to_dict() == {
            name: pytest.approx(figure, rel=1e-7, abs=1e-7) if isinstance(figure, float) else figure
            for name, figure in expected.items()
        }


def test_given_seventeen_columns_and_columns_of_many_levels_with_missing_cells():
    arities = [3, 2, 70, 300, *[2, 3] * 8]
    cells = incomplete.cells_of(random_gaps(arities, 900, share=0.03), arities)
    names = list(cells)
    data = incomplete.encoded(cells)
    for columns in (names, names[:4], [names[3], names[0], names[2]], [names[2], names[3]]):
        for test in ("sci", "g2", "x2", "cmi"):
            first, second, *given = columns
            found = cf.test(data, first, second, given, test)
            assert all(cf.test(data, first, second, given, test, counting=c) == found for c in ("dense", "sparse"))
            expected = cf.test(incomplete.cut_down(data, cells, columns), first, second, given, test)
            assert (found.rows, found.strata) == (expected.rows, expected.strata)
            assert found.strength == pytest.approx(expected.strength, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("levels", [254, 255, 256, 257])
def test_missing_cells_of_a_column_at_the_edge_of_a_byte(levels):
    rng = np.random.default_rng(levels)
    x = [*range(levels), *rng.integers(0, levels, 600).tolist(), *[None] * 40]
    cells = {"x": x, "y": [v % 3 if v is not None else 1 for v in x], "z": rng.integers(0, 2, len(x)).tolist()}
    data = incomplete.encoded(cells)
    assert (data.arity[0], data.missing["x"]) == (levels, 40)
    assert data.codes.dtype == (np.uint8 if levels < 256 else np.uint16)
    for names in ("xy", "yx", "yzx"):
        cut = incomplete.cut_down(data, cells, names)
        first, second, *given = names
        found, expected = cf.test(data, first, second, given), cf.test(cut, first, second, given)
        assert found.rows == expected.rows == levels + 600
        assert found.sci == pytest.approx(expected.sci, abs=1e-6)
