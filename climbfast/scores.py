"""Local scores of families (a column and its parents), for score-based searches of graphs.

A score is in bits, and larger is better. The score of a graph is the sum of score(x | parents of x) over its columns;
a search needs only the scores of families, so any object with ``score(x, parents)`` can be used. All scores but fNML
are score equivalent: the graphs of one equivalence class have the same sum, exactly in the units of the kernels.

Sources: Schwarz (1978) for BIC; Akaike (1974) for AIC; Heckerman, Geiger and Chickering (1995), "Learning Bayesian
Networks: The Combination of Knowledge and Statistical Data", for BDeu; Silander, Roos, Kontkanen and Myllymäki (2008),
"Factorized Normalized Maximum Likelihood Criterion for Learning Bayesian Network Structures", for fNML; Silander,
Leppä-aho, Jääsaari and Roos (2018), "Quotient Normalized Maximum Likelihood Criterion for Learning Bayesian Network
Structures", for qNML.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from climbfast.activity import count_work
from climbfast.compiling import announce_compilation
from climbfast.counting import WorkspaceCache, check_counting
from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import Option, OptionError
from climbfast.interrupts import raise_if_interrupted
from climbfast.options import is_number, number

__all__ = ["AIC", "BIC", "FNML", "QNML", "BDeu", "Gains", "LocalScores", "Score", "ScoreOptions", "as_score"]

Parents = tuple[int, ...]
Penalty = Callable[[int, int, int], int]
"""(levels of the column, configurations of its parents, number of parents) -> units to subtract."""

UNKNOWN = np.iinfo(np.int64).min
LARGEST = 2**61  # largest penalty: its sum with the largest sum of terms still fits an int64
MOST_JOINT_LEVELS = 2**53
SAMPLE_PRIORS = (1e-9, 1e9)


class Score(Protocol):
    """An object that scores families. Columns are numbers, their positions in canonical order.

    Examples
    --------
    BDeu with a price of 100 bits for each parent:

    >>> import climbfast as cf
    >>> class FewParents:
    ...     def __init__(self, data):
    ...         self.scores = cf.LocalScores(data, "bdeu")
    ...
    ...     def score(self, x, parents):
    ...         return self.scores.score(x, parents) - 100 * len(parents)
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> len(cf.fges(data).edges), len(cf.fges(data, FewParents(data)).edges)
    (18, 16)
    """

    def score(self, x: int, parents: Parents) -> float:
        """Return score(x | parents).

        Parameters
        ----------
        x : int
        parents : tuple of int
            Columns other than x, ascending.

        Returns
        -------
        float
            Bits; larger is better.
        """


class Gains(Score, Protocol):
    """A score that can also score many candidates in one call, as ``LocalScores`` does."""

    def gains(self, x: int, parents: Parents, candidates: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return score(x | parents ∪ {y}) − score(x | parents) for every candidate y.

        Parameters
        ----------
        x : int
        parents : tuple of int
            Columns other than x, ascending.
        candidates : int64 array

        Returns
        -------
        float64 array
            Bits.
        """


@dataclass(frozen=True)
class BIC:
    """Log likelihood − penalty/2 · log2 n · (k − 1)·q, for q configurations of the parents, also empty ones.

    Parameters
    ----------
    penalty : float
        Factor of the penalty, 0 or more.
    """

    penalty: float = 1.0
    name: ClassVar[str] = "bic"
    terms: ClassVar[str] = "likelihood"

    def __post_init__(self) -> None:
        number("penalty", self.penalty)

    def _penalty(self, data: Dataset, units: float) -> Penalty:
        each = round(self.penalty / 2 * math.log2(data.rows) * units)
        return lambda k, q, _: each * (k - 1) * q


@dataclass(frozen=True)
class AIC:
    """Log likelihood − log2 e · (k − 1)·q, for q configurations of the parents, also empty ones.

    Parameters
    ----------
    parent_code : float
        Factor, 0 or more, of an additional penalty of log2 C(m − 1, j) bits for a family with j parents: the number of
        bits that identify the parents among the other m − 1 columns. It corrects for the choice among many columns, as
        the extended BIC does.

    Notes
    -----
    C(m − 1, j) is used up to j = (m − 1)/2: beyond, more parents would cost less than fewer.
    Chen and Chen (2008), "Extended Bayesian information criteria for model selection with large model spaces",
    Biometrika 95, for the additional penalty.
    """

    parent_code: float = 0.0
    name: ClassVar[str] = "aic"
    terms: ClassVar[str] = "likelihood"

    def __post_init__(self) -> None:
        number("parent_code", self.parent_code)

    def _penalty(self, data: Dataset, units: float) -> Penalty:
        each = round(math.log2(math.e) * units)
        others = data.columns - 1
        choices = [round(self.parent_code * math.log2(math.comb(others, j)) * units) for j in range(others // 2 + 1)]
        return lambda k, q, parents: each * (k - 1) * q + choices[min(parents, others // 2)]


@dataclass(frozen=True)
class BDeu:
    """log2 of the marginal likelihood under uniform Dirichlet priors, plus log2 of a structure prior.

    Parameters
    ----------
    sample_prior : float
        Equivalent sample size, 1e-9 to 1e9: the number of prior rows, spread evenly over the cells of each family's
        table.
    structure_prior : float
        Expected number of parents: each of the other m − 1 columns is a parent with probability
        p = structure_prior/(m − 1), at most 1/2. A family with j parents has j·log2 p + (m − 1 − j)·log2(1 − p).
        0 omits the structure prior.

    Notes
    -----
    Both priors are those of Tetrad's BDeu, where m is the number of columns. Some versions of Tetrad divide by the
    number of rows − 1 instead, so that an edge costs log2 n bits. Tetrad has no limit of 1/2; above it more edges would
    score better than fewer.
    """

    sample_prior: float = 1.0
    structure_prior: float = 1.0
    name: ClassVar[str] = "bdeu"
    terms: ClassVar[str] = "bdeu"

    def __post_init__(self) -> None:
        least, most = SAMPLE_PRIORS
        value = self.sample_prior
        if not (is_number(value) and least <= float(value) <= most):
            raise OptionError(
                Option("sample_prior"), f" is {value!r}; it has to be a number from {least:g} to {most:g}"
            )
        number("structure_prior", self.structure_prior)

    def _penalty(self, data: Dataset, units: float) -> Penalty:
        others = data.columns - 1
        if self.structure_prior == 0 or others == 0:
            return lambda _k, _q, _parents: 0
        p = min(self.structure_prior / others, 0.5)
        present, absent = round(-math.log2(p) * units), round(-math.log1p(-p) / math.log(2) * units)
        return lambda _k, _q, parents: parents * present + (others - parents) * absent


@dataclass(frozen=True)
class FNML:
    """−SC(x | parents), the factorized normalized maximum likelihood. It distinguishes equivalent graphs."""

    name: ClassVar[str] = "fnml"
    terms: ClassVar[str] = "fnml"

    def _penalty(self, data: Dataset, units: float) -> Penalty:
        return lambda _k, _q, _parents: 0


@dataclass(frozen=True)
class QNML:
    """Log likelihood − log2 R(k·q, n) + log2 R(q, n), the quotient normalized maximum likelihood."""

    name: ClassVar[str] = "qnml"
    terms: ClassVar[str] = "likelihood"

    def _penalty(self, data: Dataset, units: float) -> Penalty:
        from climbfast_kernels.regret import log2_regret

        regrets: dict[int, int] = {}

        def regret(levels: int) -> int:
            if levels not in regrets:
                regrets[levels] = round(log2_regret(levels, data.rows) * units)
            return regrets[levels]

        def quotient(k: int, q: int, _: int) -> int:
            q = min(q, MOST_JOINT_LEVELS // k)  # for q far above the number of rows the quotient hardly changes
            return regret(k * q) - regret(q)

        return quotient


ScoreOptions = BIC | AIC | BDeu | FNML | QNML
SCORES: dict[str, type[BIC] | type[AIC] | type[BDeu] | type[FNML] | type[QNML]] = {
    s.name: s for s in (BIC, AIC, BDeu, FNML, QNML)
}


def as_score(score: object) -> ScoreOptions:
    """Return the score of a name with its default options, or the given score.

    Raises
    ------
    OptionError
        For an unknown name; the message lists the names.
    """
    if isinstance(score, BIC | AIC | BDeu | FNML | QNML):
        return score
    if isinstance(score, str) and score.lower() in SCORES:
        return SCORES[score.lower()]()
    raise OptionError("no ", Option("score"), f" named {score!r}; the scores are {', '.join(SCORES)}")


class LocalScores:
    """One score on one data set: every family is counted once and cached. An object must be used by one thread.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    score : str or BIC or AIC or BDeu or FNML or QNML
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The strategy of counting; all give the same integers, "auto" takes the cheapest for each table.

    Attributes
    ----------
    families : int
        Number of families counted so far.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> scores = cf.LocalScores(data, "bdeu")
    >>> x, parent = data.index("heart_disease"), data.index("cholesterol")
    >>> round(scores.score(x, ()), 1), round(scores.score(x, (parent,)), 1)
    (-1704.4, -1533.9)
    >>> scores
    <LocalScores: bdeu, 2,000 rows, 15 columns, 2 families counted>
    """

    def __init__(self, data: Dataset | Any, score: str | ScoreOptions = "bdeu", *, counting: str = "auto") -> None:
        announce_compilation()
        from climbfast_kernels import scores as kernels

        data = as_dataset(data)
        self.data = data
        self.options = as_score(score)
        self.families = 0
        self._strategy = check_counting(counting)
        self._terms = kernels.terms(
            getattr(kernels, self.options.terms.upper()), getattr(self.options, "sample_prior", 1.0), data.log_tables
        )
        self._codes = data.codes
        self._arity = [int(k) for k in data.arity]
        self._penalty = self.options._penalty(data, self._terms.units)
        self._of_family: dict[tuple[int, Parents], int] = {}
        self._with_one_more: dict[tuple[int, Parents], NDArray[np.int64]] = {}
        self._workspace = WorkspaceCache(data).for_given

    def __repr__(self) -> str:
        size = f"{self.data.rows:,} rows, {self.data.columns:,} columns"
        return f"<LocalScores: {self.options.name}, {size}, {self.families:,} families counted>"

    def score(self, x: int, parents: Iterable[int]) -> float:
        """Return score(x | parents) in bits.

        Parameters
        ----------
        x : int
        parents : iterable of int
            Columns other than x, each once, in any order.
        """
        family = tuple(sorted(parents))
        penalty = self._penalty(self._arity[x], self._configurations(family), len(family))
        return (self._sum_of_terms(x, family) - penalty) / self._terms.units

    def gains(self, x: int, parents: Iterable[int], candidates: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return score(x | parents ∪ {y}) − score(x | parents) in bits for every candidate y."""
        family = tuple(sorted(parents))
        k, q = self._arity[x], self._configurations(family)
        before = self._sum_of_terms(x, family) - self._penalty(k, q, len(family))
        after = self._sums_with_one_more(x, family, candidates)
        arity = self.data.arity[candidates]
        for k_y in np.unique(arity):
            penalty = self._penalty(k, q * int(k_y), len(family) + 1)
            after[arity == k_y] -= min(max(penalty + before, -LARGEST), LARGEST)
        return after / self._terms.units

    def _configurations(self, parents: Parents) -> int:
        return math.prod(self._arity[y] for y in parents)

    def _sum_of_terms(self, x: int, parents: Parents) -> int:
        """Return the score without its penalty, in units."""
        key = (x, parents)
        if key not in self._of_family:
            self._of_family[key] = self._look_up(x, parents) if parents else self._count_alone(x)
        return self._of_family[key]

    def _look_up(self, x: int, parents: Parents) -> int:
        """Return the sum of a family from an earlier sweep that counted it, or count it."""
        for y in parents:
            known = self._with_one_more.get((x, tuple(z for z in parents if z != y)))
            if known is not None and known[y] != UNKNOWN:
                return int(known[y])
        return int(self._count(x, parents[:-1], np.array(parents[-1:], np.int64))[0])

    def _sums_with_one_more(self, x: int, parents: Parents, candidates: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sums of terms of (x, parents ∪ {y}) for every candidate y, as a new array."""
        key = (x, parents)
        if key not in self._with_one_more:
            self._with_one_more[key] = np.full(self.data.columns, UNKNOWN)
        known = self._with_one_more[key]
        missing = candidates[known[candidates] == UNKNOWN]
        if not parents and self.options.terms != "fnml":
            missing = self._mirror(x, missing, known)
        if len(missing):
            known[missing] = self._count(x, parents, missing)
        return known[candidates]

    def _mirror(self, x: int, candidates: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.int64]:
        """Set the sums of pairs that were counted in the other direction; return the candidates that were not.

        For a score-equivalent score, score(x|y) + score(y) = score(y|x) + score(x).
        """
        left = []
        for y in candidates.tolist():
            other = self._with_one_more.get((y, ()))
            if other is None or other[x] == UNKNOWN:
                left.append(y)
            else:
                known[y] = int(other[x]) + self._sum_of_terms(x, ()) - self._sum_of_terms(y, ())
        return np.array(left, np.int64)

    def _count(self, x: int, parents: Parents, candidates: NDArray[np.int64]) -> NDArray[np.int64]:
        from climbfast_kernels.scores import score_families

        self.families += len(candidates)
        count_work("families", len(candidates))
        scores = score_families(
            self._codes, self.data.bits, self.data.log_tables, self._workspace(len(parents)), self._terms,
            self._strategy, x, candidates, np.array(parents, np.int64),
        )  # fmt: skip
        raise_if_interrupted()
        return scores

    def _count_alone(self, x: int) -> int:
        from climbfast_kernels.scores import score_alone

        self.families += 1
        return score_alone(self._codes, self.data.arity, self.data.log_tables, self._terms, x)
