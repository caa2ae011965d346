"""What climbfast computes, a second time: slow, short, written to be read, and sharing no code with it.

A column is a sequence of integer codes 0, 1, …, arity − 1; its arity travels beside it, because the number
of levels is a property of the whole column and not of the rows that happen to be looked at. Columns are
numbered from 0 where a search is concerned. Logarithms are base 2 and scores are in bits, except ``log10_p``.

Every sum of floats is an ``fsum``, whose result does not depend on the order of its terms, and each logarithm
is taken of one correctly rounded ratio of integers, so that what is exactly independent scores exactly zero.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, log_ndtr, logsumexp
from scipy.stats import chi2

Codes = Sequence[int] | NDArray[np.integer[Any]]
Stratum = tuple[int, ...]
Table = Counter[tuple[Stratum, int, int]]
DegreesOfFreedom = Literal["nominal", "adjusted"]
Strength = Callable[[int, int, Sequence[int]], float]
"""Of target, candidate and conditioning set (column numbers): > 0 dependent, larger is stronger."""

TIE = 1e-9
"""Scores of partitions closer than this, in bits, are equal."""


# Counting


def integers(column: Codes) -> list[int]:
    """The codes as integers of Python, which zip and Counter go through fast."""
    return np.asarray(column).tolist()  # type: ignore[no-any-return]  # numpy gives tolist() the type Any


def strata(columns: Sequence[Codes], rows: int) -> list[Stratum]:
    """For each row, the configuration of the columns; the empty one everywhere when there are no columns."""
    return list(zip(*map(integers, columns), strict=True)) if columns else [()] * rows


def table(x: Codes, y: Codes, strata: Sequence[Stratum]) -> Table:
    """Counts keyed (z, x, y). Cells that do not occur have no key, and read as 0."""
    return Counter(zip(strata, integers(x), integers(y), strict=True))


class Margins(NamedTuple):
    """The sums of a table that every formula below needs."""

    z: Counter[Stratum]
    zx: Counter[tuple[Stratum, int]]
    zy: Counter[tuple[Stratum, int]]


def margins(counts: Table) -> Margins:
    """Sum a table over x and y, over y, and over x."""
    z: Counter[Stratum] = Counter()
    zx: Counter[tuple[Stratum, int]] = Counter()
    zy: Counter[tuple[Stratum, int]] = Counter()
    for (stratum, a, b), count in counts.items():
        z[stratum] += count
        zx[stratum, a] += count
        zy[stratum, b] += count
    return Margins(z, zx, zy)


# The regret of the multinomial


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to write total as an ordered sum of that many parts ≥ 0."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def regret_by_definition(k: int, n: int) -> Fraction:
    """R(k, n) = Σ_{h1+…+hk=n} n!/Πh! · Π(h/n)^h, exactly. Only for tiny k and n."""
    total = Fraction(0)
    for counts in compositions(n, k):
        ways = math.factorial(n) // math.prod(math.factorial(h) for h in counts)
        total += ways * math.prod((Fraction(h, n) ** h for h in counts if h > 0), start=Fraction(1))
    return total


@cache
def log2_regret(k: int, n: int) -> float:
    """log2 R(k, n) for k ≥ 1, n ≥ 0, correct to the last digits of a float.

    R(2, n) = Σ_j n!/((n−j)!·n^j) and R(k+2, n) = R(k+1, n) + n/k·R(k, n), in fifty decimal digits.
    """
    with localcontext(prec=50):
        regret_1 = term = regret_2 = Decimal(1)
        for j in range(1, n + 1):
            term *= Decimal(n - j + 1) / n
            regret_2 += term
            if term < Decimal("1e-45"):  # the terms fall faster than geometrically from here
                break
        earlier, regret = regret_1, regret_2
        if k == 1:
            regret = regret_1
        for level in range(1, k - 1):
            earlier, regret = regret, regret + Decimal(n) / level * earlier
        return float(regret.ln() / Decimal(2).ln())


# Entropy, stochastic complexity and its test of independence


def entropy_bits(column: Codes, given: Sequence[Codes]) -> float:
    """n·H(X | Z), empirical, in bits."""
    rows = strata(given, len(column))
    of_stratum = Counter(rows)
    of_cell = Counter(zip(rows, integers(column), strict=True))
    return math.fsum(count * math.log2(of_stratum[z] / count) for (z, _), count in of_cell.items())


def conditional_regret(arity: int, given: Sequence[Codes], rows: int) -> float:
    """Δ(X | Z) = Σ_z log2 R(k_X, h_z) over the strata that occur."""
    return math.fsum(log2_regret(arity, count) for count in Counter(strata(given, rows)).values())


def stochastic_complexity(x: Codes, arity: int, given: Sequence[Codes]) -> float:
    """SC(X | Z) = n·H(X | Z) + Δ(X | Z), factorised NML."""
    return entropy_bits(x, given) + conditional_regret(arity, given, len(x))


def information(x: Codes, y: Codes, given: Sequence[Codes]) -> float:
    """n·I(X; Y | Z), empirical, in bits."""
    counts = table(x, y, strata(given, len(x)))
    of = margins(counts)
    return math.fsum(
        count * math.log2((count * of.z[z]) / (of.zx[z, a] * of.zy[z, b])) for (z, a, b), count in counts.items()
    )


class Sci(NamedTuple):
    """SCI and its parts, in bits, each given Z besides; `sci` is not clipped at 0."""

    information: float
    sc_x: float
    sc_x_given_y: float
    sc_y: float
    sc_y_given_x: float
    sci: float


def sci(x: Codes, kx: int, y: Codes, ky: int, given: Sequence[Codes]) -> Sci:
    """SCI and its parts."""
    return Sci(
        information=information(x, y, given),
        sc_x=stochastic_complexity(x, kx, given),
        sc_x_given_y=stochastic_complexity(x, kx, [*given, y]),
        sc_y=stochastic_complexity(y, ky, given),
        sc_y_given_x=stochastic_complexity(y, ky, [*given, x]),
        sci=sci_alone(x, kx, y, ky, given),
    )


def sci_alone(x: Codes, kx: int, y: Codes, ky: int, given: Sequence[Codes]) -> float:
    """SCI = max{ n·I + Δ(X|Z) − Δ(X|Z,Y), n·I + Δ(Y|Z) − Δ(Y|Z,X) }."""
    n = len(x)
    shared = information(x, y, given)
    x_explained = math.fsum([shared, conditional_regret(kx, given, n), -conditional_regret(kx, [*given, y], n)])
    y_explained = math.fsum([shared, conditional_regret(ky, given, n), -conditional_regret(ky, [*given, x], n)])
    return max(x_explained, y_explained)


# The χ² tests


class Chi2Test(NamedTuple):
    """What G² and X² report."""

    statistic: float
    df: int
    p: float
    log10_p: float


def log10_chi2_sf(statistic: float, df: int) -> float:
    """log10 P(χ²_df ≥ statistic), also where the probability itself underflows and scipy's logsf is −∞.

    With h = statistic/2 the probability is e^−h·Σ_{j<df/2} h^j/j! for even df, and for odd df
    erfc(√h) + e^−h·Σ_{1≤j<df/2} h^(j−1/2)/Γ(j+1/2): sums of positive terms, added in log space.
    """
    p = float(chi2.sf(statistic, df))
    if p > 1e-290:
        return math.log10(p)
    half = statistic / 2
    if df % 2 == 0:
        powers = np.arange(df // 2, dtype=float)
        tail: list[float] = []
    else:
        powers = np.arange(1, (df + 1) // 2, dtype=float) - 0.5
        tail = [math.log(2) + float(log_ndtr(-math.sqrt(statistic)))]  # erfc(√h) = 2·Φ(−√statistic)
    terms = -half + powers * math.log(half) - gammaln(powers + 1)
    return float(logsumexp([*tail, *terms])) / math.log(10)


def nominal_df(kx: int, ky: int, given_arities: Sequence[int]) -> int:
    """(k_X − 1)(k_Y − 1)·Π k_Z, from the arities of the whole columns."""
    return (kx - 1) * (ky - 1) * math.prod(given_arities)


def adjusted_df(counts: Table) -> int:
    """Per stratum, (rows that occur − 1)(columns that occur − 1), summed."""
    of = margins(counts)
    rows_that_occur = Counter(z for z, _ in of.zx)
    columns_that_occur = Counter(z for z, _ in of.zy)
    return sum((rows_that_occur[z] - 1) * (columns_that_occur[z] - 1) for z in of.z)


def chi2_test(
    statistic: float, counts: Table, kx: int, ky: int, given_arities: Sequence[int], df: DegreesOfFreedom
) -> Chi2Test:
    """The statistic with its degrees of freedom and p; without any degree of freedom p is 1."""
    degrees = nominal_df(kx, ky, given_arities) if df == "nominal" else adjusted_df(counts)
    if degrees == 0:
        return Chi2Test(statistic, 0, 1.0, 0.0)
    return Chi2Test(statistic, degrees, float(chi2.sf(statistic, degrees)), log10_chi2_sf(statistic, degrees))


def g2(
    x: Codes,
    kx: int,
    y: Codes,
    ky: int,
    given: Sequence[Codes],
    given_arities: Sequence[int],
    df: DegreesOfFreedom = "nominal",
) -> Chi2Test:
    """G² = 2·ln 2·n·I(X; Y | Z)."""
    counts = table(x, y, strata(given, len(x)))
    return chi2_test(2 * math.log(2) * information(x, y, given), counts, kx, ky, given_arities, df)


def x2(
    x: Codes,
    kx: int,
    y: Codes,
    ky: int,
    given: Sequence[Codes],
    given_arities: Sequence[int],
    df: DegreesOfFreedom = "nominal",
) -> Chi2Test:
    """Pearson's X² = Σ (O − E)²/E over all cells whose row and column occur in the stratum, O = 0 too."""
    counts = table(x, y, strata(given, len(x)))
    of = margins(counts)
    terms = []
    for z, in_stratum in of.z.items():
        for a in range(kx):
            for b in range(ky):
                expected = of.zx[z, a] * of.zy[z, b] / in_stratum
                if expected > 0:
                    terms.append((counts[z, a, b] - expected) ** 2 / expected)
    return chi2_test(math.fsum(terms), counts, kx, ky, given_arities, df)


# Strength: the one number that a search sees


def strength_sci(columns: Sequence[Codes], arities: Sequence[int], *, min_bits: float = 0.0) -> Strength:
    """SCI − max(ε, min_bits) with ε = max(1e-6, 1e-9·n)."""
    epsilon = max(1e-6, 1e-9 * len(columns[0]))

    def strength(x: int, y: int, given: Sequence[int]) -> float:
        found = sci_alone(columns[x], arities[x], columns[y], arities[y], [columns[z] for z in given])
        return found - max(epsilon, min_bits)

    return strength


def strength_g2(
    columns: Sequence[Codes],
    arities: Sequence[int],
    *,
    alpha: float = 0.01,
    df: DegreesOfFreedom = "nominal",
    min_rows_per_df: float = 0.0,
) -> Strength:
    """log10 α − log10 p of G²."""
    return _strength_chi2(g2, columns, arities, alpha, df, min_rows_per_df)


def strength_x2(
    columns: Sequence[Codes],
    arities: Sequence[int],
    *,
    alpha: float = 0.01,
    df: DegreesOfFreedom = "nominal",
    min_rows_per_df: float = 0.0,
) -> Strength:
    """log10 α − log10 p of X²."""
    return _strength_chi2(x2, columns, arities, alpha, df, min_rows_per_df)


def _strength_chi2(
    test: Callable[..., Chi2Test],
    columns: Sequence[Codes],
    arities: Sequence[int],
    alpha: float,
    df: DegreesOfFreedom,
    min_rows_per_df: float,
) -> Strength:
    """With fewer rows than min_rows_per_df·df the answer is independence, as if p were 1."""
    rows = len(columns[0])

    def strength(x: int, y: int, given: Sequence[int]) -> float:
        conditions = [columns[z] for z in given]
        condition_arities = [arities[z] for z in given]
        result = test(columns[x], arities[x], columns[y], arities[y], conditions, condition_arities, df)
        if rows < min_rows_per_df * result.df:
            return math.log10(alpha)
        return math.log10(alpha) - result.log10_p

    return strength


def strength_cmi(columns: Sequence[Codes], *, cutoff: float = 0.0) -> Strength:
    """I − δ, in bits per row."""
    rows = len(columns[0])

    def strength(x: int, y: int, given: Sequence[int]) -> float:
        return information(columns[x], columns[y], [columns[z] for z in given]) / rows - cutoff

    return strength


# The two patterns of which every search is made


def sweep(strength: Strength, target: int, candidates: Sequence[int], given: Sequence[int]) -> NDArray[np.float64]:
    """The strength of each candidate with the target, given one conditioning set."""
    return np.array([strength(target, candidate, given) for candidate in candidates], dtype=np.float64)


class Weakest(NamedTuple):
    """Per candidate the weakest strength and the set that separated it, or None; tests by size of S."""

    minima: list[float]
    separating_sets: list[tuple[int, ...] | None]
    tests_by_size: Counter[int]


def weakest(
    strength: Strength,
    target: int,
    candidates: Sequence[int],
    pool: Sequence[int],
    fixed: Sequence[int],
    sizes: Iterable[int],
    known: Sequence[float] | NDArray[np.float64] | None = None,
    stop: float = 0.0,
) -> Weakest:
    """For each candidate the weakest strength over S = subset ∪ fixed, for subsets of the pool.

    Sizes are those of the subset, ascending; subsets of one size come in lexicographic order of their
    positions in the pool. An S with the candidate or the target in it is passed over. A candidate leaves at
    its first S with strength ≤ stop, and that S, sorted, is its separating set. The minima start from
    `known`, or from +∞; a known minimum is no test, and never makes a candidate leave.
    """
    if set(pool) & set(fixed):
        raise ValueError(f"pool {pool} and fixed {fixed} overlap: the same set would be tested twice")
    conditioning_sets = sets_given(tuple(pool), tuple(fixed), tuple(sorted(set(sizes))))
    minima: list[float] = []
    separating_sets: list[tuple[int, ...] | None] = []
    tests_by_size: Counter[int] = Counter()
    for position, candidate in enumerate(candidates):
        minimum = math.inf if known is None else float(known[position])
        separating_set = None
        for given in conditioning_sets:
            if candidate in given or target in given:
                continue
            tests_by_size[len(given)] += 1
            found = strength(target, candidate, given)
            minimum = min(minimum, found)
            if found <= stop:
                separating_set = given
                break
        minima.append(minimum)
        separating_sets.append(separating_set)
    return Weakest(minima, separating_sets, tests_by_size)


@lru_cache(2**10)
def sets_given(pool: Sequence[int], fixed: Sequence[int], sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Every S = subset ∪ fixed, sorted, in the order of ``weakest``; searches ask for the same ones again."""
    return [tuple(sorted({*subset, *fixed})) for size in sizes for subset in combinations(pool, size)]


class NaiveTester:
    """A test as the searches know it (sweep and weakest), made of any strength function.

    Attributes
    ----------
    tests_by_size
        How many tests were made so far with 0, 1, 2, … columns to condition on.
    """

    def __init__(self, strength: Strength) -> None:
        self.strength = strength
        self.tests_by_size: list[int] = []

    def sweep(self, target: int, candidates: Sequence[int], given: Sequence[int]) -> NDArray[np.float64]:
        """The strength of each candidate with the target, given one conditioning set."""
        self._count(len(given), len(candidates))
        return sweep(self.strength, target, candidates, given)

    def weakest(
        self,
        target: int,
        candidates: Sequence[int],
        pool: Sequence[int],
        fixed: Sequence[int],
        sizes: Iterable[int],
        known: Sequence[float] | NDArray[np.float64] | None = None,
    ) -> tuple[NDArray[np.float64], list[tuple[int, ...] | None]]:
        """The weakest strength of each candidate, and the set that separated it from the target."""
        found = weakest(self.strength, target, candidates, pool, fixed, sizes, known)
        for size, tests in found.tests_by_size.items():
            self._count(size, tests)
        return np.array(found.minima, dtype=np.float64), found.separating_sets

    def _count(self, size: int, tests: int) -> None:
        if tests == 0:
            return
        while len(self.tests_by_size) <= size:
            self.tests_by_size.append(0)
        self.tests_by_size[size] += tests


def nearest(strength: Strength, x: int, columns: Iterable[int], most: int) -> list[int]:
    """The columns on which x depends most, marginally; all on which it does not depend are equally far."""
    return sorted(columns, key=lambda z: (-max(strength(x, z, ()), 0.0), z))[:most]


def given_around_a_hub(
    strength: Strength, x: int, columns: Collection[int], size: int, max_pool: int | None
) -> list[int]:
    """The columns out of which sets of a size are given to x: all, or of many those nearest to it."""
    columns, half = sorted(columns), math.ceil((max_pool or 0) / 2)
    if max_pool is None or size < 2 or (size < 4 and len(columns) <= max_pool):
        return columns
    return sorted(nearest(strength, x, columns, max_pool if size == 2 else half))


def weakest_of_nearest(
    strength: Strength,
    target: int,
    x: int,
    pool: Sequence[int],
    fixed: Sequence[int],
    sizes: Iterable[int],
    max_pool: int | None,
) -> tuple[float, tuple[int, ...] | None, bool]:
    """The weakest strength of a candidate, the set that separated it, and whether sets were left out in vain.

    The bound is on whole sets, fixed columns included.
    """
    columns = {*pool, *fixed} - {x}
    minimum = math.inf
    left_out = False
    for size in sizes:
        near = given_around_a_hub(strength, x, columns, size + len(fixed), max_pool)
        for subset in combinations(pool, size):
            given = (*fixed, *subset)
            if x in given:
                continue
            if not {*given} <= {*near}:
                left_out = True
                continue
            minimum = min(minimum, strength(target, x, given))
            if minimum <= 0:
                return minimum, tuple(sorted(given)), False
    return minimum, None, left_out


# Telling parents from children


class Partition(NamedTuple):
    """The best parents, the score of that partition, and per neighbor the bits lost if it changed sides."""

    parents: tuple[int, ...]
    score: float
    margins: list[float]


def partition_score(
    target: int,
    parents: Sequence[int],
    children: Sequence[int],
    columns: Sequence[Codes],
    arities: Sequence[int],
) -> float:
    """SC(T | PA) + Σ_{P∈PA} SC(P) + Σ_{C∈CH} SC(C | T)."""
    t = columns[target]
    return math.fsum(
        [
            stochastic_complexity(t, arities[target], [columns[p] for p in parents]),
            *(stochastic_complexity(columns[p], arities[p], []) for p in parents),
            *(stochastic_complexity(columns[c], arities[c], [t]) for c in children),
        ]
    )


def partition(target: int, neighbors: Sequence[int], columns: Sequence[Codes], arities: Sequence[int]) -> Partition:
    """The least score over all 2^m partitions; among ties fewer parents, then the first in neighbor order."""
    positions = range(len(neighbors))

    def score_of(parents: tuple[int, ...]) -> float:
        return partition_score(
            target,
            [neighbors[i] for i in parents],
            [neighbors[i] for i in positions if i not in parents],
            columns,
            arities,
        )

    subsets = [subset for size in range(len(neighbors) + 1) for subset in combinations(positions, size)]
    scores = {subset: score_of(subset) for subset in subsets}
    least = min(scores.values())
    # combinations come by size, then in lexicographic order: the first tied subset is the one wanted
    best = next(subset for subset in subsets if scores[subset] <= least + TIE)
    losses = []
    for i in positions:
        flipped = tuple(sorted(set(best) ^ {i}))
        losses.append(scores[flipped] - scores[best])
    return Partition(tuple(neighbors[i] for i in best), scores[best], losses)


# Scores of families


def log_likelihood(x: Codes, parents: Sequence[Codes]) -> float:
    """−n·H(X | parents), in bits."""
    return -entropy_bits(x, parents)


def bic(x: Codes, kx: int, parents: Sequence[Codes], parent_arities: Sequence[int], penalty: float = 1.0) -> float:
    """Log likelihood less penalty/2·log2 n for each of the (k − 1)·q parameters."""
    return log_likelihood(x, parents) - penalty / 2 * math.log2(len(x)) * (kx - 1) * math.prod(parent_arities)


def aic(
    x: Codes, kx: int, parents: Sequence[Codes], parent_arities: Sequence[int], parent_code: float, columns: int
) -> float:
    """Log likelihood less one nat for each parameter, and the bits that name the parents among the other columns.

    More than half of the others cost as much as half of them.
    """
    named = min(len(parents), (columns - 1) // 2)
    choice = parent_code * math.log2(math.comb(columns - 1, named))
    return log_likelihood(x, parents) - math.log2(math.e) * (kx - 1) * math.prod(parent_arities) - choice


def bdeu(
    x: Codes, kx: int, parents: Sequence[Codes], parent_arities: Sequence[int], sample_prior: float = 1.0
) -> float:
    """log2 Π_z Γ(a)/Γ(a + n_z) · Π_x Γ(b + n_zx)/Γ(b), with a = sample_prior/q and b = sample_prior/(q·k)."""
    q = math.prod(parent_arities)
    of_stratum = Counter(strata(parents, len(x)))
    of_cell = Counter(zip(strata(parents, len(x)), map(int, x), strict=True))
    a, b = sample_prior / q, sample_prior / (q * kx)
    nats = [math.lgamma(a) - math.lgamma(a + n) for n in of_stratum.values()]
    nats += [math.lgamma(b + n) - math.lgamma(b) for n in of_cell.values()]
    return math.fsum(nats) / math.log(2)


def structure_prior(n_parents: int, columns: int, expected: float) -> float:
    """log2 p^j·(1 − p)^(m − 1 − j) for j parents, p = expected/(m − 1) but at most 1/2."""
    p = min(expected / (columns - 1), 0.5)
    return n_parents * math.log2(p) + (columns - 1 - n_parents) * math.log2(1 - p)


def fnml(x: Codes, kx: int, parents: Sequence[Codes]) -> float:
    """−SC(X | parents)."""
    return -stochastic_complexity(x, kx, parents)


def qnml(x: Codes, kx: int, parents: Sequence[Codes], parent_arities: Sequence[int]) -> float:
    """Log likelihood − log2 R(k·q, n) + log2 R(q, n)."""
    q = math.prod(parent_arities)
    return log_likelihood(x, parents) - log2_regret(kx * q, len(x)) + log2_regret(q, len(x))
