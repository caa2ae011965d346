"""The tests of conditional independence with their options, and what a search asks of any test.

A test answers with one number, its strength: > 0 is dependent, ≤ 0 independent, larger is stronger. Searches ask
in two patterns only, ``sweep`` and ``weakest``, so that their loops run in compiled code; anything with these two
methods is a test to them.

Source: Marx and Vreeken, "Causal Discovery by Telling Apart Parents and Children", arXiv 1808.06356 (2018), for
SCI; Neyman-Pearson theory for G² and X².
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from climbfast.errors import Legal, Option, OptionError
from climbfast.options import is_number, number, whole_number

__all__ = [
    "CMI",
    "G2",
    "SCI",
    "TESTS",
    "X2",
    "Separator",
    "Test",
    "TestCounts",
    "TestOptions",
    "as_test",
    "is_custom",
    "log2_regret",
    "options_of_test",
    "rounding",
    "test_name",
]

Separator = tuple[int, ...]


class Test(Protocol):
    """What a search asks of a test. Columns are numbers, their positions in canonical order.

    Attributes
    ----------
    tests_by_size : list of int
        ``tests_by_size[s]`` is the number of tests made so far with s given columns. A custom test may leave it out.

    Examples
    --------
    A test that keeps what it was asked, and has a ``Tester`` answer it:

    >>> import climbfast as cf
    >>> class AskedAndAnswered:
    ...     def __init__(self, data):
    ...         self.tester, self.asked = cf.Tester(data), []
    ...
    ...     def sweep(self, target, candidates, given):
    ...         self.asked.append(tuple(given))
    ...         return self.tester.sweep(target, candidates, given)
    ...
    ...     def weakest(self, target, candidates, pool, fixed, sizes, known):
    ...         return self.tester.weakest(target, candidates, pool, fixed, sizes, known)
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> test = AskedAndAnswered(data)
    >>> blanket = cf.markov_blanket(data, "heart_disease", "iamb", test)
    >>> [[data.canonical[z] for z in given] for given in test.asked[:3]]
    [[], ['chest_pain'], ['chest_pain', 'ecg']]
    """

    tests_by_size: list[int]

    def sweep(self, target: int, candidates: Sequence[int], given: Sequence[int]) -> NDArray[np.float64]:
        """Test every candidate given the same columns.

        Parameters
        ----------
        target : int
        candidates, given : sequence of int
            Columns other than the target.

        Returns
        -------
        float64 array
            strength(target, candidate | given) for every candidate.
        """

    def weakest(
        self,
        target: int,
        candidates: Sequence[int],
        pool: Sequence[int],
        fixed: Sequence[int],
        sizes: range,
        known: Sequence[float] | NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], list[Separator | None]]:
        """Find for every candidate its weakest strength given ``fixed`` and any subset of a pool.

        Sizes ascend, and subsets of one size come in lexicographic order. A candidate is never given itself, and is not
        tested again after its first strength ≤ 0.

        Parameters
        ----------
        target : int
        candidates, pool, fixed : sequence of int
            Columns other than the target.
        sizes : range
            Sizes of the subsets.
        known : sequence of float
            Minima of earlier calls, from which the new ones begin.

        Returns
        -------
        float64 array
            min strength(target, candidate | fixed ∪ S) over all S ⊆ pool of a size in ``sizes``, for every candidate.
        list of tuple of int or None
            For every candidate fixed ∪ S, sorted, of its first strength ≤ 0; None if there was none.
        """


Test.__test__ = False  # type: ignore[attr-defined]  # pytest collects classes of this name


class TestCounts(NamedTuple):
    """Tests made, by the number of given columns, and tests skipped.

    A test is skipped for too few rows per degree of freedom, or for none. ``fewest_rows`` is the smallest number of
    rows of a test made since ``start``; None if that is not known.
    """

    by_size: tuple[int, ...] = ()
    skipped: int = 0
    fewest_rows: int | None = None

    @classmethod
    def of(cls, test: Test) -> TestCounts:
        """Return what a test counted so far; a custom test need not count."""
        return cls(
            tuple(getattr(test, "tests_by_size", ())), getattr(test, "skipped", 0), getattr(test, "fewest_rows", None)
        )

    @classmethod
    def start(cls, test: Test) -> TestCounts:
        """Return what a test counted so far, and let it forget its smallest number of rows."""
        if hasattr(test, "forget_rows"):
            test.forget_rows()
        return cls.of(test)

    def since(self, before: TestCounts) -> TestCounts:
        """Return what was counted after ``before``."""
        made = [now - then for now, then in zip_longest(self.by_size, before.by_size, fillvalue=0)]
        while made and not made[-1]:
            made.pop()
        return TestCounts(tuple(made), self.skipped - before.skipped, self.fewest_rows)

    def plus(self, other: TestCounts) -> TestCounts:
        """Return the sum of both."""
        sizes = zip_longest(self.by_size, other.by_size, fillvalue=0)
        fewest = [counts.fewest_rows for counts in (self, other) if counts.fewest_rows is not None]
        return TestCounts(tuple(a + b for a, b in sizes), self.skipped + other.skipped, min(fewest, default=None))

    @property
    def made(self) -> int:
        """Tests of all sizes."""
        return sum(self.by_size)


TestCounts.__test__ = False  # type: ignore[attr-defined]


@dataclass(frozen=True)
class SCI:
    """Stochastic complexity based test: dependent when the fNML gain exceeds a number of bits.

    Parameters
    ----------
    min_bits : float or "auto"
        Bits that the gain has to exceed, at least ε = max(1e-6, 1e-9·rows). Under independence the gain reaches b
        bits with probability at most 2^−b per direction. "auto" is for wide data: log2(m/α) for marginal tests, where
        m is the number of columns tested against a target and α = 0.01, so that at most about one target in fifty
        keeps a column that is independent of it; and 0 for conditional tests.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> round(cf.test(data, "smoking", "heart_disease").strength, 1)
    59.9
    >>> cf.test(data, "smoking", "heart_disease", test=cf.SCI(min_bits=100)).independent
    True
    >>> cf.markov_blanket(data, "heart_disease", test=cf.SCI(min_bits="auto")).neighbors
    ('breathlessness', 'chest_pain', 'cholesterol', 'ecg', 'fatigue', 'smoking')
    """

    min_bits: float | Literal["auto"] = 0.0
    name: ClassVar[str] = "sci"

    def __post_init__(self) -> None:
        if self.min_bits != "auto":
            object.__setattr__(self, "min_bits", number("min_bits", self.min_bits, otherwise=', or "auto"'))

    def _rule(self, rows: int) -> tuple[float, float, int, float]:
        bits = 0.0 if self.min_bits == "auto" else self.min_bits
        return max(rounding(rows), bits), bits, 0, 0.0


@dataclass(frozen=True)
class _ChiSquared:
    """Options that G² and X² share."""

    alpha: float = 0.01
    df: Literal["adjusted", "nominal"] = "adjusted"
    min_rows_per_df: float = 0.0

    def __post_init__(self) -> None:
        if not (is_number(self.alpha) and 0 < float(self.alpha) < 1):
            raise OptionError(
                Option("alpha"), f" is {self.alpha!r}; it has to lie ", Legal("between 0 and 1"), ", as 0.01 does"
            )
        if not isinstance(self.df, str) or self.df not in ("nominal", "adjusted"):
            raise OptionError(
                Option("df"), f" is {self.df!r}; it is one of ", Legal(("adjusted", "nominal"), quoted=True)
            )
        object.__setattr__(self, "alpha", float(self.alpha))
        object.__setattr__(self, "min_rows_per_df", number("min_rows_per_df", self.min_rows_per_df))

    def _rule(self, rows: int) -> tuple[float, float, int, float]:
        return math.log10(self.alpha), 0.0, int(self.df == "adjusted"), self.min_rows_per_df


@dataclass(frozen=True)
class G2(_ChiSquared):
    """Likelihood ratio test, G² = 2·ln 2·n·I.

    Parameters
    ----------
    alpha : float
        Significance level, between 0 and 1.
    df : {"adjusted", "nominal"}
        Degrees of freedom. "adjusted": (rows that occur − 1)(columns that occur − 1) in each stratum, summed.
        "nominal": (k_x−1)(k_y−1)·Π k_z of all levels, as in bnlearn, pcalg and ramBLe; a copy of an earlier given
        column does not count.
    min_rows_per_df : float
        With fewer rows per degree of freedom a test is skipped: independent, and counted apart.
        Where strata have only a few rows each, p-values are far too small; 10 skips most of these tests.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> found = cf.test(data, "smoking", "heart_disease", given=["age"], test=cf.G2(alpha=0.001))
    >>> found.df, f"{found.p_value:.1e}", found.independent
    (6.0, '3.6e-18', False)
    """

    name: ClassVar[str] = "g2"


@dataclass(frozen=True)
class X2(_ChiSquared):
    """Pearson's test, X² = Σ (observed − expected)²/expected, cells of no rows included.

    Parameters
    ----------
    alpha : float
        Significance level, between 0 and 1.
    df : {"adjusted", "nominal"}
        Degrees of freedom. "adjusted": (rows that occur − 1)(columns that occur − 1) in each stratum, summed.
        "nominal": (k_x−1)(k_y−1)·Π k_z of all levels, as in bnlearn, pcalg and ramBLe; a copy of an earlier given
        column does not count.
    min_rows_per_df : float
        With fewer rows per degree of freedom a test is skipped: independent, and counted apart.
        Where strata have only a few rows each, p-values are far too small; 10 skips most of these tests.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> found = cf.test(data, "smoking", "sleep", test=cf.X2(alpha=0.05))
    >>> found.df, round(found.p_value, 2), found.independent
    (4.0, 0.92, True)
    """

    name: ClassVar[str] = "x2"


@dataclass(frozen=True)
class CMI:
    """Conditional mutual information with a cut-off.

    Parameters
    ----------
    cutoff : float
        Bits per row that the information has to exceed.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> found = cf.test(data, "smoking", "heart_disease", test=cf.CMI(cutoff=0.01))
    >>> round(found.information / found.rows, 3), found.independent
    (0.133, False)
    """

    cutoff: float = 0.0
    name: ClassVar[str] = "cmi"

    def __post_init__(self) -> None:
        object.__setattr__(self, "cutoff", number("cutoff", self.cutoff))

    def _rule(self, rows: int) -> tuple[float, float, int, float]:
        return self.cutoff, 0.0, 0, 0.0


TestOptions = SCI | G2 | X2 | CMI
TESTS: dict[str, type[SCI] | type[G2] | type[X2] | type[CMI]] = {t.name: t for t in (SCI, G2, X2, CMI)}


def as_test(test: object, *, min_bits: float | str | None = None) -> TestOptions:
    """Return the test of that name with its default options, or the test itself.

    Parameters
    ----------
    test : str or SCI or G2 or X2 or CMI
    min_bits : float, "auto" or None
        Short for ``SCI(min_bits=...)``; None leaves the test as it is.

    Raises
    ------
    OptionError
        For an unknown name, and for ``min_bits`` of another test than SCI, or of one that has it already.
    """
    chosen = test
    if isinstance(test, str) and test.lower() in TESTS:
        chosen = TESTS[test.lower()]()
    if not isinstance(chosen, SCI | G2 | X2 | CMI):
        raise OptionError("no ", Option("test"), f" named {test!r}; the tests are ", Legal(tuple(TESTS)))
    if min_bits is None:
        return chosen
    if not isinstance(chosen, SCI):
        raise OptionError(Option("min_bits"), f" is an option of sci, not of {chosen.name}")
    if chosen.min_bits != 0:
        raise OptionError(
            Option("min_bits"), f" is given twice, in test=SCI(min_bits={chosen.min_bits!r}) and as ",
            Option("min_bits", min_bits),
        )  # fmt: skip
    return SCI(min_bits=min_bits)  # type: ignore[arg-type]  # SCI checks it


def is_custom(test: object) -> bool:
    """Whether this is an object with ``sweep`` and ``weakest``, not a name or options of a test."""
    return hasattr(test, "sweep") and hasattr(test, "weakest") and not isinstance(test, type)


def test_name(test: Test | TestOptions) -> str:
    """Return the name of a test, or of the class of a custom test."""
    options = _options(test)
    return type(test).__name__ if options is None else options.name


def options_of_test(test: Test | TestOptions) -> dict[str, Any]:
    """Return the options of a test; none are known of a custom test."""
    options = _options(test)
    return {} if options is None else asdict(options)


def _options(test: object) -> TestOptions | None:
    options = getattr(test, "test", test)  # of a Tester, or the options themselves
    return options if isinstance(options, SCI | G2 | X2 | CMI) else None


test_name.__test__ = False  # type: ignore[attr-defined]


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

    Examples
    --------
    >>> import climbfast as cf
    >>> round(cf.log2_regret(2, 100), 3)
    3.724
    """
    from climbfast_kernels.regret import log2_regret as kernel

    return float(kernel(whole_number("k", k, least=1), whole_number("n", n)))
