"""The selector for scikit-learn: what it selects, how it takes tables, and scikit-learn's own checks."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import climbfast as cf
from climbfast.sklearn import MarkovBlanketSelector

SELECTORS = [
    MarkovBlanketSelector(),
    MarkovBlanketSelector(method="climb", numbers="mdlp", missing="refuse", min_features=0),
]


# Random numbers that scikit-learn fits have empty blankets; with min_features=0 nothing is selected.
@pytest.mark.filterwarnings("ignore:the blanket of:climbfast.ClimbfastWarning")
@pytest.mark.filterwarnings("ignore:the target has integers:climbfast.ClimbfastWarning")
@pytest.mark.filterwarnings("ignore:No features were selected:UserWarning")
@pytest.mark.filterwarnings("ignore:SCIPY_ARRAY_API:sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(SELECTORS)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def wine() -> tuple[pd.DataFrame, pd.Series]:
    return load_wine(return_X_y=True, as_frame=True)


def numbers(rows: int = 400, columns: int = 12, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Columns of which the first two decide two classes."""
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(rows, columns))
    return cells, (cells[:, 0] + cells[:, 1] + 0.3 * rng.normal(size=rows) > 0).astype(int)


def quiet(selector: MarkovBlanketSelector, *table) -> MarkovBlanketSelector:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.ClimbfastWarning)
        return selector.fit(*table)


def selected(selector: MarkovBlanketSelector) -> set[int]:
    return {*selector.get_support(indices=True).tolist()}


@pytest.mark.parametrize("options", [{}, {"method": "climb"}, {"numbers": "mdlp"}, {"numbers": "quantile:3"}])
def test_columns_that_decide_are_selected(options):
    cells, classes = numbers()
    selector = MarkovBlanketSelector(**options).fit(cells, classes)
    assert selected(selector) == {0, 1}
    assert selector.blanket_.target == "target"
    assert selector.blanket_.members == ("x0", "x1")
    assert selector.get_feature_names_out().tolist() == ["x0", "x1"]
    assert selector.added_ == ()
    assert (selector.transform(cells) == cells[:, :2]).all()
    assert (selector.inverse_transform(cells[:, :2])[:, :2] == cells[:, :2]).all()
    assert (np.flatnonzero(selector.strengths_ > 0)[:2] == [0, 1]).all()


def test_the_blanket_is_that_of_the_same_table(wine):
    columns, classes = wine
    selector = MarkovBlanketSelector(method="climb").fit(columns, classes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.ClimbfastWarning)
        frame = columns.assign(target=classes)
        found = cf.markov_blanket(frame, "target", numbers={None: "auto", "target": "levels"})
    assert selector.blanket_.to_dict() | {"seconds": 0} == found.to_dict() | {"seconds": 0}


def test_results_do_not_depend_on_the_order_of_rows_and_columns_or_on_names(wine):
    columns, classes = wine
    first = MarkovBlanketSelector().fit(columns, classes)
    rng = np.random.default_rng(0)
    rows, order = rng.permutation(len(columns)), rng.permutation(columns.shape[1])
    other = MarkovBlanketSelector().fit(columns.iloc[rows, order], classes.iloc[rows])
    assert {*other.get_feature_names_out()} == {*first.get_feature_names_out()}
    assert (other.strengths_ == first.strengths_[order]).all()
    unnamed = MarkovBlanketSelector().fit(columns.to_numpy(), classes.to_numpy())
    assert (unnamed.support_ == first.support_).all()


def test_a_pipeline_in_a_grid_search(wine):
    pipeline = make_pipeline(StandardScaler(), MarkovBlanketSelector(), LogisticRegression())
    grid = {"markovblanketselector__method": ["climb", "best"], "markovblanketselector__min_features": [1, 3]}
    found = GridSearchCV(pipeline, grid, cv=2).fit(*wine)
    assert found.best_score_ > 0.9


def test_parameters_are_left_as_they_are():
    options = {
        "test": cf.SCI(min_bits=2), "knowledge": cf.Knowledge(tiers=[["x0"], ["target"]]),
        "numbers": {"x0": [0.0], None: "auto"}, "target_numbers": [0.5],
    }  # fmt: skip
    selector = MarkovBlanketSelector(**options)
    assert all(getattr(selector, name) is value for name, value in options.items())
    assert clone(selector).get_params()["test"] == cf.SCI(min_bits=2)


def test_a_fitted_selector_is_pickled(wine):
    selector = MarkovBlanketSelector().fit(*wine)
    again = pickle.loads(pickle.dumps(selector))
    assert (again.transform(wine[0]) == selector.transform(wine[0])).all()
    assert again.blanket_ == selector.blanket_


def mixed(rows: int = 300) -> tuple[dict[str, list], list[str]]:
    """Columns of several types, of which "smoker" and "dose" decide."""
    rng = np.random.default_rng(3)
    smoker, dose = rng.choice(["no", "yes"], rows), rng.normal(size=rows)
    ill = np.where((smoker == "yes") ^ (rng.random(rows) < 0.1) | (dose > 1.2), "ill", "well")
    columns = {
        "smoker": smoker.tolist(), "dose": dose.tolist(), "noise": rng.choice(["a", "b", "c"], rows).tolist(),
        "group": rng.integers(0, 3, rows).tolist(),
    }  # fmt: skip
    return columns, ill.tolist()


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames_stay_frames_with_set_output(kind):
    columns, ill = mixed()
    frame = pd.DataFrame(columns) if kind == "pandas" else pl.DataFrame(columns)
    frame = frame.astype({"noise": "category"}) if kind == "pandas" else frame.cast({"noise": pl.Categorical})
    selector = MarkovBlanketSelector().set_output(transform=kind).fit(frame, ill)
    kept = selector.transform(frame)
    assert list(kept.columns) == ["smoker", "dose"] == selector.get_feature_names_out().tolist()
    assert all(kept[name].dtype == frame[name].dtype for name in kept.columns)
    assert MarkovBlanketSelector().fit(frame, ill).transform(frame).shape == (300, 2)


def test_text_goes_on_to_an_encoder():
    columns, ill = mixed()
    pipeline = make_pipeline(
        MarkovBlanketSelector().set_output(transform="pandas"), OneHotEncoder(handle_unknown="ignore"),
        LogisticRegression(),
    )  # fmt: skip
    assert cross_val_score(pipeline, pd.DataFrame(columns), ill, cv=3).mean() > 0.8


def test_names_that_are_no_text(wine):
    columns, classes = wine
    plain = MarkovBlanketSelector().fit(columns, classes)
    numbered = columns.set_axis(range(100, 113), axis=1)
    selector = MarkovBlanketSelector().fit(numbered, classes)
    assert (selector.support_ == plain.support_).all()
    assert {*selector.blanket_.members} <= {*range(100, 113)}
    assert not hasattr(selector, "feature_names_in_")


def test_odd_names_and_a_target_of_the_same_name():
    cells, classes = numbers(columns=4)
    names = ["target", "<script>alert(1)</script>", 'a "b" c', "a\nb"]
    selector = MarkovBlanketSelector().fit(pd.DataFrame(cells, columns=names), pd.Series(classes, name="target"))
    assert selector.blanket_.target == "target_1"
    assert selector.get_feature_names_out().tolist() == names[:2]


def test_constants_ids_and_copies():
    cells, classes = numbers(columns=3)
    frame = pd.DataFrame(cells, columns=["a", "b", "c"]).assign(
        constant=1, id=[f"person {i}" for i in range(len(cells))], copy_of_a=cells[:, 0]
    )
    selector = MarkovBlanketSelector(method="climb").fit(frame, classes)
    assert selector.get_feature_names_out().tolist() == ["a", "b"]
    assert selector.blanket_.copies == {"a": ("copy_of_a",)}


def test_a_copy_of_the_target_is_selected():
    cells, classes = numbers()
    frame = pd.DataFrame(cells).add_prefix("c").assign(twin=np.where(classes == 1, "ill", "well"))
    selector = MarkovBlanketSelector().fit(frame, classes)
    assert selector.added_ == ("twin",)
    assert selector.get_feature_names_out().tolist() == ["c0", "c1", "twin"]


def test_the_cuts_are_those_of_the_training_rows():
    cells, classes = numbers()
    selector = MarkovBlanketSelector(numbers="quantile:2").fit(cells[:200], classes[:200])
    assert selector.discretizer_.cuts["x0"] == (np.median(cells[:200, 0]),)
    own = MarkovBlanketSelector(numbers="mdlp").fit(cells, classes)
    assert len(own.discretizer_.cuts["x0"]) > 0
    assert own.discretizer_.cuts["x5"] == ()
    of_one = MarkovBlanketSelector(numbers={"x0": [0.0], "x1": "mdlp", None: "quantile:3"}).fit(cells, classes)
    assert of_one.discretizer_.cuts["x0"] == (0.0,)
    assert len(of_one.discretizer_.cuts["x2"]) == 2


def test_targets_of_numbers():
    cells, _ = numbers()
    measured = cells[:, 0] + cells[:, 1]
    selector = MarkovBlanketSelector().fit(cells, measured)
    assert selected(selector) == {0, 1}
    assert len(selector.discretizer_.cuts["target"]) == 2
    chosen = MarkovBlanketSelector(target_numbers=[0.0]).fit(cells, measured)
    assert chosen.discretizer_.cuts["target"] == (0.0,)
    own = MarkovBlanketSelector(numbers="mdlp").fit(cells, measured)
    assert selected(own) == {0, 1}
    whole = MarkovBlanketSelector().fit(cells, np.round(10 * measured))
    assert len(whole.discretizer_.cuts["target"]) == 2
    classes = np.digitize(measured, [-1, 0, 1])
    assert "target" not in MarkovBlanketSelector().fit(cells, classes).discretizer_.cuts
    assert "target" not in MarkovBlanketSelector().fit(cells, classes.astype(float)).discretizer_.cuts
    assert len(MarkovBlanketSelector(target_numbers="quantile:2").fit(cells, classes).discretizer_.cuts["target"]) == 1


def test_integers_of_many_values_as_target_are_cut_with_a_warning():
    cells, _ = numbers()
    many = np.digitize(cells[:, 0], np.linspace(-2, 2, 24))
    with pytest.warns(cf.ClimbfastWarning, match="integers of more than 20 values.*target_numbers='levels'"):
        selector = MarkovBlanketSelector().fit(cells, many)
    assert selected(selector) == {0}
    as_classes = MarkovBlanketSelector(target_numbers="levels").fit(cells, many)
    assert "target" not in as_classes.discretizer_.cuts


def test_an_empty_blanket_is_filled_with_the_strongest_columns():
    rng = np.random.default_rng(0)
    cells, classes = rng.normal(size=(200, 5)), rng.integers(0, 2, 200)
    says = (
        "the blanket of 'target' has 0 columns, and 0 are selected, fewer than min_features=2; added are the strongest"
    )
    with pytest.warns(cf.ClimbfastWarning, match=says):
        selector = MarkovBlanketSelector(min_features=2).fit(cells, classes)
    assert selector.blanket_.members == ()
    assert selected(selector) == {*np.argsort(-selector.strengths_)[:2].tolist()}
    assert len(selector.added_) == 2
    nothing = MarkovBlanketSelector(min_features=0).fit(cells, classes)
    with pytest.warns(UserWarning, match="No features were selected"):
        assert nothing.transform(cells).shape == (200, 0)


def test_what_is_added_is_no_copy_of_what_is_there():
    rng = np.random.default_rng(0)
    cells, classes = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    strongest = int(np.argmax(quiet(MarkovBlanketSelector(), cells, classes).strengths_))
    frame = pd.DataFrame(np.column_stack([cells, cells[:, strongest]]), columns=["a", "b", "c", "d"])
    added = quiet(MarkovBlanketSelector(min_features=4), frame, classes).added_
    assert {*added} == {"a", "b", "c", "d"}
    assert {added[0], added[-1]} == {"abc"[strongest], "d"}


def test_complete_adds_what_the_blanket_leaves_unexplained():
    columns, classes = load_breast_cancer(return_X_y=True, as_frame=True)
    plain = MarkovBlanketSelector(method="climb", complete=False).fit(columns, classes)
    assert len(plain.blanket_.unexplained) > 10
    assert plain.added_ == ()
    complete = MarkovBlanketSelector(method="climb").fit(columns, classes)
    assert complete.added_[0] == next(iter(complete.blanket_.unexplained))
    assert {*complete.get_feature_names_out()} == {*complete.blanket_.members, *complete.added_}
    # Given all that is selected nothing depends on the target any more, as far as there are rows to see it.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.ClimbfastWarning)
        data = cf.Dataset.from_frame(columns.assign(target=classes), numbers={None: "auto", "target": "levels"})
    given = complete.get_feature_names_out().tolist()
    left = [name for name in complete.blanket_.unexplained if name not in given]
    dependent = [name for name in left if cf.test(data, "target", name, given=given).strength > 12]
    assert not dependent or data.rows / len({*map(tuple, data.codes[[data.index(x) for x in given]].T)}) < 10


def test_missing_cells():
    cells, classes = numbers()
    gaps = cells.copy()
    gaps[np.random.default_rng(2).random(cells.shape) < 0.1] = np.nan
    for missing in ("test-wise", "level"):
        found = quiet(MarkovBlanketSelector(missing=missing, method="climb"), gaps, classes)
        assert selected(found) == {0, 1}
    with pytest.raises(ValueError, match="NaN"):
        MarkovBlanketSelector(missing="refuse").fit(gaps, classes)
    with pytest.raises(cf.DataError, match="missing values in"):
        MarkovBlanketSelector(missing="refuse").fit(pd.DataFrame(gaps), classes)
    marked = np.where(np.isnan(gaps), -99.0, gaps)
    found = MarkovBlanketSelector(missing_markers=[-99]).fit(marked, classes)
    assert (found.support_ == MarkovBlanketSelector().fit(gaps, classes).support_).all()
    with pytest.raises(ValueError, match="NaN"):
        MarkovBlanketSelector().fit(pd.DataFrame(cells), np.where(classes == 0, np.nan, 1.0))


@pytest.mark.parametrize("missing", [None, pd.NA, "", np.nan])
@pytest.mark.parametrize("as_frame", [pd.DataFrame, pl.DataFrame, np.asarray])
def test_a_class_that_is_missing_is_refused(missing, as_frame):
    cells, classes = numbers(rows=50)
    words = pd.Series(np.where(classes == 0, "no", "yes"), dtype=object)
    words[0] = missing
    with pytest.raises(ValueError, match=r"y has 1 missing cells|NaN"):
        MarkovBlanketSelector(missing="level", method="climb").fit(as_frame(cells), words)


def test_a_date_that_is_missing_is_no_class():
    cells, classes = numbers(rows=50)
    days = np.datetime64("2020-01-01") + classes
    days[0] = np.datetime64("NaT")
    with pytest.raises(cf.DataError, match="y has 1 missing cells; leave out their rows"):
        MarkovBlanketSelector(method="climb").fit(cells, days)


def test_copies_in_common_rows_are_named():
    cells, classes = numbers(columns=3)
    frame = pd.DataFrame(cells, columns=["a", "b", "c"]).assign(d=cells[:, 2])
    frame.loc[:20, "d"] = np.nan
    frame["c"] = frame["c"].round()
    frame["d"] = frame["d"].round()
    with pytest.warns(cf.ClimbfastWarning, match="one to one in the rows where both are observed: 'c' = 'd'"):
        MarkovBlanketSelector(missing="test-wise", method="climb").fit(frame, classes)


def test_weights_are_rows_repeated():
    cells, classes = numbers(rows=150)
    weights = np.random.default_rng(4).integers(0, 4, 150)
    weighted = MarkovBlanketSelector().fit(cells, classes, sample_weight=weights)
    repeated = MarkovBlanketSelector().fit(np.repeat(cells, weights, axis=0), np.repeat(classes, weights))
    assert (weighted.support_ == repeated.support_).all()
    assert (weighted.strengths_ == repeated.strengths_).all()
    assert weighted.discretizer_.cuts == repeated.discretizer_.cuts


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        (np.full(400, 0.5), "sample_weight has 0.5; the tests count rows"),
        (np.full(400, -1), "sample_weight has -1; "),
        (np.ones(399), r"the shape \(399,\); it has to be that of y, \(400,\)"),
        (np.zeros(400), "the weights of all samples are zero"),
        (np.full(400, "1"), "sample_weight has cells of type"),
        (np.full(400, 1e19), r"sample_weight has 1e\+19; .* below 2\^63"),
    ],
)
def test_other_weights_are_refused(weights, says):
    with pytest.raises(cf.DataError, match=says):
        MarkovBlanketSelector().fit(*numbers(), sample_weight=weights)


def refused() -> Iterator[tuple[dict, type[Exception], str]]:
    yield {"method": "climbs"}, cf.OptionError, "no method named 'climbs'"
    yield {"method": "best", "max_given": 2}, cf.OptionError, "the method best does not take max_given"
    yield {"test": "chi"}, cf.OptionError, "no test named 'chi'"
    yield {"numbers": "quantile"}, cf.OptionError, "numbers is 'quantile'; the rules are"
    yield {"numbers": {"y": "auto"}}, cf.UnknownColumnError, "no column named 'y'"
    yield (
        {"numbers": {"target": [0]}},
        cf.OptionError,
        "numbers has a rule for the target, 'target'; give it as target_",
    )
    yield {"numbers": cf.Discretizer("auto")}, cf.OptionError, "numbers is a Discretizer"
    yield {"target_numbers": "thirds"}, cf.OptionError, "numbers for column 'target' is 'thirds'"
    yield {"missing": "drop"}, cf.OptionError, "missing='drop' does not exist"
    yield {"min_features": -1}, cf.OptionError, "min_features is -1"
    yield {"min_features": 13}, cf.OptionError, "min_features=13 is more than the 12 columns of X"
    yield {"complete": 1}, cf.OptionError, "complete is 1; it is True or False"
    yield {"knowledge": cf.Knowledge(required=[("q", "target")])}, cf.UnknownColumnError, "no column named 'q'"


@pytest.mark.parametrize(("options", "error", "says"), [*refused()], ids=lambda value: str(value)[:40])
def test_what_cannot_be_is_refused_by_name(options, error, says):
    with pytest.raises(error, match=says):
        MarkovBlanketSelector(**options).fit(*numbers())


def test_tables_that_cannot_be_are_refused():
    cells, classes = numbers()
    with pytest.raises(TypeError, match="Sparse data was passed"):
        MarkovBlanketSelector().fit(csr_array(cells), classes)
    with pytest.raises(ValueError, match="1 sample"):
        MarkovBlanketSelector().fit(pd.DataFrame(cells[:1]), classes[:1])
    with pytest.raises(cf.DataError, match="the table has no columns"):
        MarkovBlanketSelector().fit(pd.DataFrame(index=range(400)), classes)
    with pytest.raises(cf.DataError, match="more than once"):
        MarkovBlanketSelector().fit(pd.DataFrame(cells[:, :2], columns=["a", "a"]), classes)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        MarkovBlanketSelector().fit(pd.DataFrame(cells), classes[:-1])
    with pytest.raises(ValueError, match="infinite"):
        MarkovBlanketSelector().fit(pd.DataFrame(cells).replace(cells[0, 0], np.inf), classes)


def test_knowledge_names_the_target_as_the_series_does(wine):
    columns, classes = wine
    known = cf.Knowledge(forbidden=[("alcohol", "class"), ("class", "alcohol")])
    selector = MarkovBlanketSelector(knowledge=known, complete=False).fit(columns, classes.rename("class"))
    assert "alcohol" in MarkovBlanketSelector(complete=False).fit(columns, classes).blanket_.neighbors
    assert "alcohol" not in selector.blanket_.neighbors


def test_regression_of_a_real_table():
    columns, progression = load_diabetes(return_X_y=True, as_frame=True)
    assert {"bmi", "s5"} <= {*MarkovBlanketSelector().fit(columns, progression).get_feature_names_out()}


def test_climbfast_does_not_import_scikit_learn():
    code = "import sys, climbfast; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_scikit_learn_the_error_says_what_to_install():
    code = (
        "import sys, importlib.util as u\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'sklearn' else find(name, *more)\n"
        "import climbfast.sklearn"
    )
    found = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert 'climbfast.sklearn needs the package sklearn; pip install "climbfast[sklearn]"' in found.stderr
