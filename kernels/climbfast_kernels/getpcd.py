"""GetPCD of many targets as one compiled loop around ``weakest``.

In wide data a search makes a few dozen small tests. A call from Python takes as long as a dozen of them, and threads
whose calls take microseconds wait for each other. ``climbfast.local.getpcd`` is the same search for any test, and cites
its source.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import kernel
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.independence import Rule
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.patterns import weakest
from climbfast_kernels.workspace import S_FEWEST, Workspace

CANDIDATE, MEMBER, SEPARATED, NEWEST = range(4)


@kernel
def getpcd(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, strategy: int, targets: Array,
    first: Array, candidates: Array, strengths: Array, most_given: int, max_pool: int,
) -> tuple[Array, Array, Array, Array, Array, Array]:  # fmt: skip
    """Find for every target its PCD set: the candidates that no subset of the other members separates from it.

    Parameters
    ----------
    targets : int64 array
    first : int64 array, shape (targets + 1,)
        Where the candidates of each target begin.
    candidates : int64 array
        Ascending for each target, and all marginally dependent on it.
    strengths : float64 array, shape (candidates,)
        Their marginal strengths; set in place to the weakest strength of each.
    most_given : int
        Size of the largest conditioning set.
    max_pool : int
        Most members of which all sets are tested. The search around a target ends before another member would be one
        more, if sets of two columns and more are given.

    Returns
    -------
    state : int64 array, shape (candidates,)
        MEMBER or SEPARATED; CANDIDATE if the search ended before.
    separators : int64 array, shape (candidates, most_given)
        The separating set of each SEPARATED candidate: the member that joined last, then others; the rest is -1.
    tests : int64 array, shape (targets, most_given + 1)
        Number of tests made, by the number of given columns.
    skipped : int64 array, shape (targets,)
        Number of tests skipped for too few rows per degree of freedom, or for none.
    fewest : int64 array, shape (targets,)
        Smallest number of rows of a test made; the number of rows of data if no cell is missing.
    is_hub : bool array, shape (targets,)
        Whether the search ended before all candidates were tested; everything else is what was found until then.
    """
    state = np.full(candidates.shape[0], CANDIDATE, np.int64)
    separators = np.full((candidates.shape[0], most_given), -1, np.int64)
    tests = np.zeros((targets.shape[0], most_given + 1), np.int64)
    skipped, fewest = np.zeros(targets.shape[0], np.int64), np.empty(targets.shape[0], np.int64)
    is_hub, newest = np.zeros(targets.shape[0], np.bool_), np.empty(1, np.int64)
    for t in range(targets.shape[0]):
        here = candidates[first[t] : first[t + 1]]
        work.state[S_FEWEST] = bits.n_rows
        states, weakest_of = state[first[t] : first[t + 1]], strengths[first[t] : first[t + 1]]
        while True:
            best = _strongest(states, weakest_of)
            if best < 0:
                break
            if most_given > 1 and _places(states, np.int64(MEMBER)).shape[0] >= max_pool:
                is_hub[t] = True
                break
            newest[0] = here[best]
            states[best] = NEWEST
            for kind in (np.int64(MEMBER), np.int64(CANDIDATE)):
                places, pool = _places(states, kind), _places(states, np.int64(MEMBER))
                largest = min(most_given - 1, pool.shape[0])
                if places.shape[0] == 0 or largest < 0:
                    continue
                tested, known = np.empty_like(places), np.empty(places.shape[0], np.float64)
                for j in range(places.shape[0]):
                    tested[j], known[j] = here[places[j]], weakest_of[places[j]]
                for j in range(pool.shape[0]):
                    pool[j] = here[pool[j]]
                weaker, left, subsets, made, more = weakest(
                    codes, bits, log_tables, work, rule, strategy, targets[t], tested, pool, newest, np.int64(0),
                    largest, known,
                )  # fmt: skip
                skipped[t] += more
                for size in range(made.shape[0]):
                    tests[t, size] += made[size]
                for j in range(places.shape[0]):
                    weakest_of[places[j]] = weaker[j]
                    if left[j]:
                        states[places[j]] = SEPARATED
                        separators[first[t] + places[j], 0] = newest[0]
                        for i in range(subsets.shape[1]):
                            separators[first[t] + places[j], 1 + i] = subsets[j, i]
            states[best] = MEMBER
        fewest[t] = work.state[S_FEWEST]
    return state, separators, tests, skipped, fewest, is_hub


@kernel
def _places(state: Array, kind: Integer) -> Array:
    """Return where the state is ``kind``, ascending. ``numpy.flatnonzero`` would take a second to compile."""
    count = 0
    for i in range(state.shape[0]):
        count += 1 if state[i] == kind else 0
    places = np.empty(count, np.int64)
    count = 0
    for i in range(state.shape[0]):
        if state[i] == kind:
            places[count] = i
            count += 1
    return places


@kernel
def _strongest(state: Array, strengths: Array) -> int:
    """Return the place of the strongest candidate, the first one of ties; -1 if no candidate is left."""
    best = -1
    for i in range(state.shape[0]):
        if state[i] == CANDIDATE and (best < 0 or strengths[i] > strengths[best]):
            best = i
    return best
