"""Tests of conditional independence, and the evidence that one of them gives on one data set.

A test answers with one number, its strength: > 0 is dependent, ≤ 0 independent, larger is stronger. Searches ask
in two patterns only, ``sweep`` and ``weakest``, so that their loops run in compiled code; anything with these two
methods is a test to them.

Source: Marx and Vreeken, "Causal Discovery by Telling Apart Parents and Children", arXiv 1808.06356 (2018), for
SCI; Neyman-Pearson theory for G² and X².
"""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from climbfast.compiling import announce_compilation
from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import OptionError
from climbfast.interrupts import interruptible, raise_if_interrupted
from climbfast.options import is_number, number, whole_number

if TYPE_CHECKING:
    from climbfast_kernels.counts import Strata
    from climbfast_kernels.evidence import Rule
    from climbfast_kernels.partition import Sides
    from climbfast_kernels.records import Records

__all__ = [
    "CMI",
    "COUNTING",
    "G2",
    "SCI",
    "X2",
    "Evidence",
    "Test",
    "TestResult",
    "as_test",
    "log2_regret",
    "rounding",
    "test",
]

Separator = tuple[int, ...]
CHANCE = 0.01  # probability with which SCI(min_bits="auto") lets a target keep some independent column, per direction
COUNTING = ("auto", "bitmaps", "dense", "sparse")


class Test(Protocol):
    """What a search asks of a test. Columns are numbers in canonical order, by name.

    ``tests_by_size[s]`` is the number of tests made so far with s given columns; ``skipped`` were not made.
    """

    tests_by_size: list[int]

    def sweep(self, target: int, candidates: Sequence[int], given: Sequence[int]) -> NDArray[np.float64]:
        """Return strength(target, candidate | given) for every candidate."""

    def weakest(
        self,
        target: int,
        candidates: Sequence[int],
        pool: Sequence[int],
        fixed: Sequence[int],
        sizes: range,
        known: Sequence[float] | NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], list[Separator | None]]:
        """Return for every candidate min strength(target, candidate | fixed ∪ S) over S ⊆ pool, |S| in sizes.

        The minima begin with ``known``. Sizes ascend, subsets come in lexicographic order, a candidate is never
        given itself, and it leaves at its first strength ≤ 0: then its separating set is fixed ∪ S, sorted.
        """


@dataclass(frozen=True)
class SCI:
    """Stochastic complexity based test: dependent when the fNML gain exceeds a number of bits.

    Parameters
    ----------
    min_bits : float or "auto"
        Bits that the gain has to exceed, at least ε = max(1e-6, 1e-9·rows). Under independence the gain reaches b
        bits with probability at most 2^−b per direction. "auto" is for wide data: log2(m/α) with nothing given, m the
        columns that there are to test a target against and α = 0.01, so that at most about one target in fifty keeps
        a column that is independent of it; and 0 for tests given other columns.
    """

    min_bits: float | Literal["auto"] = 0.0
    name: ClassVar[str] = "sci"

    def __post_init__(self) -> None:
        if self.min_bits != "auto":
            object.__setattr__(self, "min_bits", number("min_bits", self.min_bits, otherwise=', or "auto"'))

    def _rule(self, rows: int) -> tuple[float, float, int, float]:
        bits = 0.0 if self.min_bits == "auto" else self.min_bits
        return max(rounding(rows), bits), rounding(rows), 0, 0.0


@dataclass(frozen=True)
class _ChiSquared:
    """Options that G² and X² share."""

    alpha: float = 0.01
    df: Literal["nominal", "adjusted"] = "nominal"
    min_rows_per_df: float = 0.0

    def __post_init__(self) -> None:
        if not (is_number(self.alpha) and 0 < float(self.alpha) < 1):
            raise OptionError(f"alpha is {self.alpha!r}; it has to lie between 0 and 1, as 0.01 does")
        if not isinstance(self.df, str) or self.df not in ("nominal", "adjusted"):
            raise OptionError(f"df is {self.df!r}; it is 'nominal' or 'adjusted'")
        object.__setattr__(self, "alpha", float(self.alpha))
        object.__setattr__(self, "min_rows_per_df", number("min_rows_per_df", self.min_rows_per_df))

    def _rule(self, rows: int) -> tuple[float, float, int, float]:
        return math.log10(self.alpha), rounding(rows), int(self.df == "adjusted"), self.min_rows_per_df


@dataclass(frozen=True)
class G2(_ChiSquared):
    """Likelihood ratio test, G² = 2·ln 2·n·I.

    Parameters
    ----------
    alpha : float
        Significance level, between 0 and 1.
    df : {"nominal", "adjusted"}
        (k_x−1)(k_y−1)·Π k_z, or per stratum only the rows and columns that occur in it.
    min_rows_per_df : float
        With fewer rows per degree of freedom a test is skipped: independent, and counted apart.
    """

    name: ClassVar[str] = "g2"


@dataclass(frozen=True)
class X2(_ChiSquared):
    """Pearson's test, X² = Σ (observed − expected)²/expected, cells of no rows included.

    Parameters
    ----------
    alpha : float
        Significance level, between 0 and 1.
    df : {"nominal", "adjusted"}
        (k_x−1)(k_y−1)·Π k_z, or per stratum only the rows and columns that occur in it.
    min_rows_per_df : float
        With fewer rows per degree of freedom a test is skipped: independent, and counted apart.
    """

    name: ClassVar[str] = "x2"


@dataclass(frozen=True)
class CMI:
    """Conditional mutual information with a cut-off.

    Parameters
    ----------
    cutoff : float
        Bits per row that the information has to exceed.
    """

    cutoff: float = 0.0
    name: ClassVar[str] = "cmi"

    def __post_init__(self) -> None:
        object.__setattr__(self, "cutoff", number("cutoff", self.cutoff))

    def _rule(self, rows: int) -> tuple[float, float, int, float]:
        return self.cutoff, rounding(rows), 0, 0.0


TestOptions = SCI | G2 | X2 | CMI
TESTS: dict[str, type[SCI] | type[G2] | type[X2] | type[CMI]] = {t.name: t for t in (SCI, G2, X2, CMI)}


def as_test(test: str | TestOptions) -> TestOptions:
    """Return the test of that name with its default options, or the test itself.

    Raises
    ------
    OptionError
        For an unknown name; the message lists the names.
    """
    if isinstance(test, SCI | G2 | X2 | CMI):
        return test
    if isinstance(test, str) and test.lower() in TESTS:
        return TESTS[test.lower()]()
    raise OptionError(f"no test named {test!r}; the tests are {', '.join(TESTS)}")


def rounding(rows: int) -> float:
    """ε: bits that are taken for 0."""
    return max(1e-6, 1e-9 * rows)


def log2_regret(k: int, n: int) -> float:
    """Return log2 R(k, n), the regret of the multinomial NML code.

    Parameters
    ----------
    k : int
        Number of levels, at least 1.
    n : int
        Number of rows, at least 0.

    Returns
    -------
    float
        Bits.

    References
    ----------
    Kontkanen and Myllymäki (2007), "A linear-time algorithm for computing the multinomial stochastic complexity";
    Mononen and Myllymäki (2008), "Computing the multinomial stochastic complexity in sub-linear time".
    """
    from climbfast_kernels.regret import log2_regret as kernel

    return float(kernel(whole_number("k", k, least=1), whole_number("n", n)))


class Grown(NamedTuple):
    """What ``Evidence.getpcd`` returns: arrays over the candidates, and over the targets.

    Attributes
    ----------
    state : int64 array, shape (candidates,)
        See ``climbfast_kernels.pcd``.
    strengths : float64 array, shape (candidates,)
        The weakest of each.
    separators : int64 array, shape (candidates, most given)
        Of those that are no members, filled up with -1.
    tests : int64 array, shape (targets, most given + 1)
        By the number of given columns.
    skipped : int64 array, shape (targets,)
    """

    state: NDArray[np.int64]
    strengths: NDArray[np.float64]
    separators: NDArray[np.int64]
    tests: NDArray[np.int64]
    skipped: NDArray[np.int64]


class Evidence:
    """One test on one data set, with counters. One object serves one thread.

    Parameters
    ----------
    data : Dataset
    test : str or SCI or G2 or X2 or CMI
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The way of counting; all give the same integers, "auto" takes the cheapest for each table.
    """

    def __init__(self, data: Dataset, test: str | TestOptions = "sci", *, counting: str = "auto") -> None:
        if counting not in COUNTING:
            raise OptionError(f"counting is {counting!r}; the ways are {', '.join(COUNTING)}")
        self.data = data
        self.test = as_test(test)
        self.way = COUNTING.index(counting)
        self.tests_by_size: list[int] = []
        self.skipped = 0
        self._strata: Strata | None = None
        announce_compilation()

    @cached_property
    def rule(self) -> Rule:
        """The test as the kernels know it."""
        from climbfast_kernels import evidence as kernels

        kind = getattr(kernels, self.test.name.upper())
        threshold, tiny, adjusted, min_rows_per_df = self.test._rule(self.data.rows)
        # numba compiles everything again for a rule that holds an int where others have a float.
        return kernels.Rule(kind, float(threshold), tiny, adjusted, float(min_rows_per_df))

    @cached_property
    def marginal_rule(self) -> Rule:
        """The test with nothing given; another one only for ``SCI(min_bits="auto")``."""
        if getattr(self.test, "min_bits", 0.0) != "auto":
            return self.rule
        return self.rule._replace(threshold=math.log2(max(self.data.columns - 1, 1) / CHANCE))

    def workspace(self, most_given: int) -> Strata:
        """Return room for the strata of up to ``most_given`` columns, kept between calls."""
        from climbfast_kernels.counts import room

        if self._strata is None or self._strata.columns.shape[1] < most_given + 2:
            self._strata = room(self.data.bits, max(most_given, 8))
        return self._strata

    def sweep(self, target: int, candidates: Sequence[int], given: Sequence[int]) -> NDArray[np.float64]:
        """See ``Test.sweep``."""
        from climbfast_kernels.patterns import sweep

        rule = self.rule if len(given) else self.marginal_rule
        strengths, skipped = sweep(
            self.data.codes, self.data.bits, self.data.tables, self.workspace(len(given)), rule, self.way, target,
            _columns(candidates), _columns(given),
        )  # fmt: skip
        self.count(len(given), len(candidates) - skipped)
        self.skipped += skipped
        return np.asarray(strengths)

    def sweep_each(self, sweeps: Sequence[tuple[int, Sequence[int], Sequence[int]]]) -> list[NDArray[np.float64]]:
        """Run many sweeps in one call.

        Parameters
        ----------
        sweeps : sequence of (int, sequence of int, sequence of int)
            Target, candidates, and given columns, at least one in each.

        Returns
        -------
        list of float64 arrays
            What ``sweep`` would return for each.
        """
        from climbfast_kernels.patterns import Sweeps, sweep_each

        targets, candidates, given = zip(*sweeps, strict=True)
        first, first_given = (_ends(lists) for lists in (candidates, given))
        asked = Sweeps(
            _columns(targets), first, _columns(list(chain(*candidates))), first_given, _columns(list(chain(*given)))
        )
        data, room = self.data, self.workspace(max(map(len, given)))
        strengths, made = sweep_each(data.codes, data.bits, data.tables, room, self.rule, self.way, asked)
        sizes = np.repeat(np.diff(first_given), np.diff(first))
        for size, tests in enumerate(np.bincount(sizes, weights=made)):
            self.count(size, int(tests))
        self.skipped += len(made) - int(made.sum())
        return [strengths[begin:end] for begin, end in pairwise(first.tolist())]

    def weakest(
        self,
        target: int,
        candidates: Sequence[int],
        pool: Sequence[int],
        fixed: Sequence[int],
        sizes: range,
        known: Sequence[float] | NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], list[Separator | None]]:
        """See ``Test.weakest``."""
        from climbfast_kernels.patterns import weakest

        minima = np.asarray(known, dtype=np.float64)
        if not len(candidates) or not len(sizes):
            return minima.copy(), [None] * len(candidates)
        if self.marginal_rule is not self.rule and sizes[0] == 0 and not len(fixed):
            return self._weakest_from_nothing(target, candidates, pool, sizes, minima)
        data, largest = self.data, min(sizes[-1], len(pool))
        strengths, separated, separators, tests, skipped = weakest(
            data.codes, data.bits, data.tables, self.workspace(len(fixed) + largest), self.rule, self.way, target,
            _columns(candidates), _columns(pool), _columns(fixed), sizes[0], largest, minima,
        )  # fmt: skip
        for size in np.flatnonzero(tests):
            self.count(int(size), int(tests[size]))
        self.skipped += skipped
        return np.asarray(strengths), [
            tuple(sorted([*fixed, *(int(s) for s in row if s >= 0)])) if left else None
            for left, row in zip(separated, separators, strict=True)
        ]

    def _weakest_from_nothing(
        self, target: int, candidates: Sequence[int], pool: Sequence[int], sizes: range, known: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], list[Separator | None]]:
        """Take the test with nothing given by its own rule, then those given others."""
        minima = np.minimum(known, self.sweep(target, candidates, ()))
        separators: list[Separator | None] = [None if strength > 0 else () for strength in minima]
        left = [i for i, separator in enumerate(separators) if separator is None]
        further, found = self.weakest(
            target, [candidates[i] for i in left], pool, (), range(1, sizes.stop), minima[left]
        )
        minima[left] = further
        for i, separator in zip(left, found, strict=True):
            separators[i] = separator
        return minima, separators

    def getpcd(
        self,
        targets: Sequence[int],
        first: NDArray[np.int64],
        candidates: NDArray[np.int64],
        strengths: NDArray[np.float64],
        most_given: int,
    ) -> Grown:
        """Run GetPCD of many targets compiled; ``climbfast_kernels.pcd.getpcd`` says what the arguments are.

        `strengths` is left as it is.
        """
        from climbfast_kernels.pcd import getpcd

        weakest, data = strengths.copy(), self.data
        state, separators, tests, skipped = getpcd(
            data.codes, data.bits, data.tables, self.workspace(most_given), self.rule, self.way, _columns(targets),
            first.astype(np.int64), candidates.astype(np.int64), weakest, most_given,
        )  # fmt: skip
        for size, made in enumerate(tests.sum(axis=0).tolist()):
            self.count(size, made)
        self.skipped += int(skipped.sum())
        return Grown(state, weakest, separators, tests, skipped)

    def tell_apart(self, targets: Sequence[int], neighbors: Sequence[Sequence[int]], node_budget: int) -> Sides:
        """Tell the parents of many targets from their children, see ``climbfast.local.partition``.

        Parameters
        ----------
        targets : sequence of int
        neighbors : sequence of sequences of int
            Those of each target.
        node_budget : int

        Returns
        -------
        Sides
        """
        from climbfast_kernels.partition import examine_neighbors, tell_apart

        data, strata = self.data, self.workspace(max(map(len, neighbors)))
        first = _ends(neighbors)
        asked = _columns(targets), first, _columns([x for columns in neighbors for x in columns])
        figures = examine_neighbors(data.codes, data.bits, data.tables, strata, self.way, *asked)
        return tell_apart(data.codes, data.bits, data.tables, strata, self.way, *asked, figures, node_budget)

    def climb(
        self,
        targets: Sequence[int],
        known: tuple[NDArray[Any], ...],
        sides: Sides,
        *,
        mutual: bool,
        min_margin: float,
        most_given: int | None,
    ) -> Records:
        """Run the loop of ``climbfast.local.climb`` compiled, from records of the neighbors of all columns.

        Parameters
        ----------
        targets : sequence of int
        known : tuple of arrays
            The four of ``climbfast_kernels.records.Records``, read-only.
        sides : Sides
            Of the neighbors of each target.
        mutual : bool
            Whether a child counts if its own search found the target alone.
        min_margin : float
            Bits below which a neighbor is undecided.
        most_given : int or None
            Columns in the largest separating set; None if that is not known.

        Returns
        -------
        climbfast_kernels.records.Records
            What was found for each target.
        """
        from climbfast_kernels.climb import ask, write_blankets
        from climbfast_kernels.patterns import sweep_each
        from climbfast_kernels.records import Records

        data, columns, asked_for = self.data, self.data.columns, (_columns(targets), Records(*known))
        asked = ask(*asked_for, sides.is_parent, int(mutual))
        strengths, tested = sweep_each(
            data.codes, data.bits, data.tables, self.workspace(columns), self.rule, self.way, asked.sweeps
        )
        written, tests, skipped = write_blankets(
            *asked_for, sides, asked, strengths, tested, int(mutual), data.tables.units, min_margin,
            columns if most_given is None else most_given,
        )  # fmt: skip
        for size, made in enumerate(tests.tolist()):
            self.count(size, made)
        self.skipped += skipped
        return written

    def rows_per_cell(self, target: int, candidate: int, given: Sequence[int]) -> float:
        """Return the rows of data over the cells of the table of one test, occupied or not."""
        return self.data.rows / math.prod(float(self.data.arity[x]) for x in (target, candidate, *given))

    @property
    def log10_alpha(self) -> float:
        """Significance level that a search with many tests controls; 0.01 for SCI, which has none."""
        return math.log10(getattr(self.test, "alpha", 0.01))

    def log10_p(self, strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log10 p for strengths of this test; for SCI the bound 2·2^−bits of no-hypercompression.

        Raises
        ------
        OptionError
            For CMI, which knows no p-value, and for SCI with a bar that depends on what is given.
        """
        if isinstance(self.test, CMI):
            raise OptionError("cmi has no p-value; take sci, g2 or x2")
        if isinstance(self.test, SCI):
            if self.test.min_bits == "auto":
                raise OptionError('a search that guards against chance itself takes no min_bits="auto"')
            return np.minimum(0.0, (1 - (strengths + self.rule.threshold)) * math.log10(2))
        return self.rule.threshold - strengths

    def count(self, size: int, tests: int) -> None:
        """Count tests of a size of given columns, which a kernel has made."""
        if tests:
            self.tests_by_size.extend([0] * (size + 1 - len(self.tests_by_size)))
            self.tests_by_size[size] += tests
        raise_if_interrupted()


def _columns(columns: Sequence[int]) -> NDArray[np.int64]:
    return np.array(columns, dtype=np.int64)


def _ends(lists: Iterable[Sequence[int]]) -> NDArray[np.int64]:
    """Return where each begins when they are joined, and the end."""
    return np.cumsum([0, *map(len, lists)], dtype=np.int64)


@dataclass(frozen=True)
class TestResult:
    """One test of conditional independence with every figure behind it.

    Attributes
    ----------
    test : str
    x, y : Hashable
    given : tuple
        Names of the columns.
    rows : int
    strength : float
        > 0 dependent, ≤ 0 independent.
    independent : bool
    information : float
        n·I(x; y | given), bits.
    strata, levels_x, levels_y : int
        Size of the table: configurations of ``given`` that occur, levels of x and y in the whole column.
    sci, sc_x, sc_x_given_y, sc_y, sc_y_given_x : float or None
        SCI before any cut-off and the stochastic complexities it is made of, all given ``given``, bits.
    regret_x, regret_x_given_y, regret_y, regret_y_given_x : float or None
        The regrets in them, bits.
    statistic, df, p_value, log10_p : float or None
        Of G² and X². ``log10_p`` does not underflow.
    skipped : bool
        Independent for want of rows per degree of freedom.
    """

    test: str
    x: Hashable
    y: Hashable
    given: tuple[Hashable, ...]
    rows: int
    strength: float
    independent: bool
    information: float
    strata: int
    levels_x: int
    levels_y: int
    sci: float | None = None
    sc_x: float | None = None
    sc_x_given_y: float | None = None
    sc_y: float | None = None
    sc_y_given_x: float | None = None
    regret_x: float | None = None
    regret_x_given_y: float | None = None
    regret_y: float | None = None
    regret_y_given_x: float | None = None
    statistic: float | None = None
    df: float | None = None
    p_value: float | None = None
    log10_p: float | None = None
    skipped: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the figures that belong to this test."""
        return {key: value for key, value in asdict(self).items() if value is not None}

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON."""
        return json.dumps(self.to_dict(), default=str)

    def __str__(self) -> str:
        given = f" | {', '.join(map(str, self.given))}" if self.given else ""
        verdict = "independent" if self.independent else "dependent"
        return f"{self.x}, {self.y}{given}: {verdict} by {self.test}, strength {self.strength:.6g}"


@interruptible
def test(
    data: Dataset | Any,
    x: Hashable,
    y: Hashable,
    given: Iterable[Hashable] | Hashable = (),
    test: str | TestOptions = "sci",
    *,
    counting: str = "auto",
) -> TestResult:
    """Test whether two columns are independent given others.

    Parameters
    ----------
    data : Dataset or frame
        A frame goes through ``Dataset.from_frame``.
    x, y : Hashable
        Column names.
    given : sequence of Hashable
        Names of the columns to condition on, any number; a single name may stand alone.
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The way of counting; the figures are the same.

    Returns
    -------
    TestResult

    Raises
    ------
    DataError
        If a frame cannot be read as discrete data.
    UnknownColumnError
        For a name that the data do not have.
    OptionError
        For an unknown test or way of counting, or a column named twice.
    """
    data = as_dataset(data)
    evidence = Evidence(data, test, counting=counting)
    columns = [data.index(name) for name in (x, y, *_listed(data, given))]
    names = [data.canonical[column] for column in columns]
    for name, column in zip(names, columns, strict=True):
        if columns.count(column) > 1:
            raise OptionError(f"column {str(name)!r} is named twice; x, y and the given columns have to differ")
    return _examine(evidence, columns, names)


def _listed(data: Dataset, given: Any) -> tuple[Hashable, ...]:
    """Return the names: one may stand alone, as people write it, and a tuple may be a name."""
    if given is None:
        return ()
    if isinstance(given, str) or not isinstance(given, Iterable):
        return (given,)
    try:
        return (given,) if isinstance(given, tuple) and given in data.positions else tuple(given)
    except TypeError:  # a tuple of what cannot be a name
        return tuple(given)


test.__test__ = False  # type: ignore[attr-defined]  # pytest collects functions of this name
Test.__test__ = TestResult.__test__ = False  # type: ignore[attr-defined]  # and classes


def _examine(evidence: Evidence, columns: list[int], names: Sequence[Hashable]) -> TestResult:
    from climbfast_kernels import evidence as kernels
    from climbfast_kernels.patterns import examine

    data, tables = evidence.data, evidence.data.tables
    rule = evidence.rule if len(columns) > 2 else evidence.marginal_rule
    strata = evidence.workspace(len(columns) - 2)
    chi2_unit = examine(
        data.codes, data.bits, tables, strata, evidence.way, columns[0], columns[1],
        _columns(columns[2:]),
    )  # fmt: skip
    figures = strata.figures
    levels = [int(data.arity[c]) for c in columns]
    nominal_df = math.prod([levels[0] - 1.0, levels[1] - 1.0, *levels[2:]])
    strength, made = kernels.strength(figures, rule, nominal_df, tables.units, chi2_unit, data.rows)
    return TestResult(
        test=evidence.test.name,
        x=names[0],
        y=names[1],
        given=tuple(names[2:]),
        rows=data.rows,
        strength=float(strength),
        independent=not strength > 0,
        information=float(kernels.information(figures) / tables.units),
        strata=int(figures[kernels.STRATA]),
        levels_x=levels[0],
        levels_y=levels[1],
        **_complexities(figures, tables.units) if rule.kind == kernels.SCI else {},
        **_chi2_figures(evidence, figures, nominal_df, chi2_unit) if rule.kind in (kernels.G2, kernels.X2) else {},
        skipped=not made,
    )


def _complexities(figures: NDArray[np.int64], units: float) -> dict[str, float]:
    """SCI and its parts in bits; SC(X|·) = n·H(X|·) + Δ(X|·)."""
    from climbfast_kernels import evidence as kernels

    z, x, y, xy = (int(figures[f]) for f in (kernels.F_Z, kernels.F_X, kernels.F_Y, kernels.F_XY))
    regrets = [kernels.R_X, kernels.R_X_GIVEN_Y, kernels.R_Y, kernels.R_Y_GIVEN_X]
    names = ["x", "x_given_y", "y", "y_given_x"]
    entropies = [z - x, y - xy, z - y, x - xy]
    result = {"sci": int(kernels.sci(figures)) / units}
    for name, entropy, regret in zip(names, entropies, regrets, strict=True):
        result[f"sc_{name}"] = (entropy + int(figures[regret])) / units
        result[f"regret_{name}"] = int(figures[regret]) / units
    return result


def _chi2_figures(
    evidence: Evidence, figures: NDArray[np.int64], nominal_df: float, chi2_unit: float
) -> dict[str, float]:
    from climbfast_kernels import evidence as kernels
    from climbfast_kernels.chi2 import chi2_log10_tail

    rule = evidence.rule
    statistic = kernels.chi2_statistic(figures, rule.kind, evidence.data.tables.units, chi2_unit, evidence.data.rows)
    df = float(figures[kernels.DF]) if rule.adjusted else nominal_df
    log10_p = chi2_log10_tail(float(statistic), df)
    return {"statistic": float(statistic), "df": df, "p_value": 10.0**log10_p, "log10_p": float(log10_p)}
