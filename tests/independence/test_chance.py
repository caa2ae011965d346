"""The expected number of pairs that are dependent by chance, and its warning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import climbfast as cf
from climbfast.independence.chance import expected_chance_pairs, warn_of_chance_pairs
from climbfast.knowledge import as_knowledge
from climbfast.local.find import searched_columns
from tests.factories import quiet

TESTS = [cf.SCI(), cf.SCI(min_bits=2), cf.G2(), cf.X2(df="nominal"), cf.CMI(cutoff=0.02)]


def noise(columns: int, rows: int, *, skewed: bool = False, seed: int = 1) -> dict[str, np.ndarray]:
    """Independent columns of two to four levels, all about equally frequent or most of them rare."""
    rng = np.random.default_rng(seed)
    shares = [rng.dirichlet(np.full(2 + x % 3, 0.4 if skewed else 20.0)) for x in range(columns)]
    return {f"x{x:03}": rng.choice(len(each), size=rows, p=each) for x, each in enumerate(shares)}


def dependent_pairs(data: cf.Dataset, test: object) -> int:
    tester = cf.Tester(data, test)
    others = [range(x + 1, data.columns) for x in range(data.columns - 1)]
    return sum(int((tester.sweep(x, each, ()) > 0).sum()) for x, each in enumerate(others))


@pytest.mark.parametrize("test", TESTS, ids=str)
@pytest.mark.parametrize("skewed", [False, True])
def test_it_is_near_the_number_among_independent_columns(test, skewed):
    data = quiet(noise(150, 100, skewed=skewed))
    found = dependent_pairs(data, test)
    expected = expected_chance_pairs(data, test)
    # 34 of the 150 columns are shuffled: 561 of 11,175 pairs.
    noise_of_the_sample = 4 * np.sqrt(max(found, 20) * 11_175 / 561)
    assert found > 20
    assert abs(expected - found) < noise_of_the_sample


def test_without_independence_it_is_the_same():
    """What depends on each other is shuffled: only how often each level occurs counts."""
    independent = noise(120, 80)
    rng = np.random.default_rng(3)
    first = next(iter(independent.values()))
    copies = {name: np.where(rng.random(80) < 0.7, first, cells) for name, cells in independent.items()}
    data = quiet(copies)
    assert dependent_pairs(data, cf.SCI()) > 4 * expected_chance_pairs(data, cf.SCI()) > 0


def test_rows_and_names_and_weights_do_not_matter():
    columns = noise(120, 60)
    expected = expected_chance_pairs(quiet(columns), cf.G2())
    order = np.random.default_rng(1).permutation(60)
    renamed = {f"z{999 - int(name[1:])}": cells[order] for name, cells in columns.items()}
    assert expected_chance_pairs(quiet(renamed), cf.G2()) == expected > 0
    twice = quiet({name: np.repeat(cells, 2) for name, cells in columns.items()})
    weighted = quiet({**columns, "w": np.full(60, 2)}, weights="w")
    assert expected_chance_pairs(weighted, cf.G2()) == expected_chance_pairs(twice, cf.G2())


def test_pairs_that_knowledge_forbids_are_not_expected():
    data = quiet(noise(120, 60))
    names = sorted(data.names)
    tiers = cf.Knowledge(tiers=[names[:60], names[60:]], closed=[0, 1])
    allowed = searched_columns(data, cf.CMI(), as_knowledge(tiers, data.names))[1].allowed
    # CMI without a cutoff takes nearly every pair for dependent, and half of them are in one tier.
    assert 0.9 < expected_chance_pairs(data, cf.CMI()) / (120 * 119 / 2) <= 1
    assert 0.4 < expected_chance_pairs(data, cf.CMI(), allowed) / (120 * 119 / 2) < 0.6


def test_missing_cells():
    columns = noise(120, 200)
    rng = np.random.default_rng(2)
    gaps = {name: [None if gap else int(x) for x, gap in zip(cells, rng.random(200) < 0.3, strict=True)]
            for name, cells in columns.items()}  # fmt: skip
    data = quiet(gaps, missing="test-wise")
    found = dependent_pairs(data, cf.G2())
    assert abs(expected_chance_pairs(data, cf.G2()) - found) < 4 * np.sqrt(found * 7140 / 465)


def test_constants_and_one_column():
    assert expected_chance_pairs(quiet({"a": [0, 1, 0], "b": [1, 1, 1]}), cf.CMI()) == 0


@pytest.mark.parametrize(
    ("test", "mended"),
    [
        (cf.SCI(), r"min_bits='auto' excludes nearly all of them"),
        (cf.G2(alpha=0.2), "a smaller alpha excludes nearly all of them"),
        (cf.CMI(), "a larger cutoff excludes nearly all of them"),
    ],
)
def test_the_warning(test, mended):
    data = quiet(noise(150, 30, skewed=True))
    with pytest.warns(cf.ClimbfastWarning, match=rf"of 150 columns with 30 rows, about [\d,]+ pairs .*{mended}"):
        warn_of_chance_pairs(data, test)


@pytest.mark.parametrize(
    ("columns", "rows", "test"),
    [(150, 2_000, cf.SCI()), (90, 30, cf.CMI()), (150, 30, cf.SCI(min_bits="auto")), (150, 30, cf.SCI(min_bits=30))],
)
def test_no_warning_where_they_are_few(columns, rows, test):
    data = quiet(noise(columns, rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_chance_pairs(data, test)


def test_a_run_warns_once_before_its_work():
    data, begun = quiet(noise(150, 30, skewed=True)), []

    class Reporter:
        def begin(self, name: str, done: int, total: int) -> None:
            begun.append((name, len(caught)))

        def advance(self, done: int, tests: int) -> None: ...

        def end(self) -> None: ...

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cf.markov_blankets(data, n_jobs=1, progress=Reporter())
    assert len(caught) == 1
    assert "pairs will be dependent by chance alone" in str(caught[0].message)
    assert caught[0].filename == __file__
    assert begun[0] == ("screen", 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cf.markov_blankets(data, n_jobs=1, progress=False, min_bits="auto")
        cf.markov_blankets(data, targets=["x001", "x002"], n_jobs=1, progress=False)


def test_a_run_that_goes_on_does_not_warn_again(tmp_path):
    data, journal = quiet(noise(150, 30, skewed=True)), tmp_path / "run.journal"
    with pytest.warns(cf.ClimbfastWarning, match="by chance alone"):
        first = cf.markov_blankets(data, n_jobs=1, progress=False, journal=journal)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cf.markov_blankets(data, n_jobs=1, progress=False, journal=journal) == first
