"""Hill climbing over DAGs by single edges, and iterated local search, from tables of what is known of families.

``climbfast.graphs.hill_climbing`` cites the sources and drives the search: ``advance`` runs until it needs a family
that is not known yet, and goes on after ``climbfast.graphs.families`` has counted it. So the search neither counts nor
waits for Python at every step, and it can stop at any time.

::

    best = climb(start)
    repeat: dag = climb(perturb(best));  if score(dag) >= score(best): best = dag
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import kernel, leaf
from climbfast_kernels.bits import Array, Integer

MOST_PARENTS = 32  # with so many, a table has more cells than rows can fill, and every score refuses the next
MOST_PARENTS_OF_A_SINK = 8  # of a perturbation, which the climb takes away again one by one
NEVER = -(2**62)  # the change by a step that is impossible

DONE, MISSING, PAUSED = range(3)
ADD, DELETE, REVERSE = range(3)
ISOLATE, SOURCE, SINK = range(3)
FORBIDDEN, ALLOWED, REQUIRED = range(3)

# Indices into Search.state. S_CLIMBS: whether a climb has begun that is not ended. S_MADE: perturbations tried.
# S_ENDS: whether all of them are made, and the last climb has begun. S_CHANGED, S_NEAR, S_STALE, S_MISSING: numbers of
# columns in ``changed``, ``near``, ``stale`` and ``missing``. S_STAMP: what ``mark`` has at columns met by a walk.
S_CLIMBS, S_MADE, S_ENDS, S_CHANGED, S_NEAR, S_STALE, S_MISSING, S_STAMP, STATES = range(9)


class Families(NamedTuple):
    """What is known of families (a column and its parents), by several scores.

    Attributes
    ----------
    first_candidate, candidates : int64 arrays, shapes (columns + 1,) and (pairs,)
        The possible neighbors of each column, ascending.
    role : int64 array, shape (pairs,)
        What each candidate is as a parent of the column: FORBIDDEN, ALLOWED or REQUIRED.
    child, size : int64 arrays, shape (families,)
        The column of a family, and the number of its parents.
    parents : int64 array, shape (families, MOST_PARENTS)
        Its parents, ascending.
    first_figure : int64 array, shape (families,)
        Where its figures begin.
    figures : int64 array, shape (scores, figures)
        Of each family its score; then the change without each of its parents; then the change with each candidate
        of its column in addition, NEVER for its own parents. The change is NEVER, too, without a parent that is
        required, and with one that is not allowed.
    largest : int64 array, shape (scores, families)
        The largest change by an addition.
    slots : int64 array, shape (a power of two,)
        A hash table of the numbers of the families, -1 where none is.
    """

    first_candidate: Array
    candidates: Array
    role: Array
    child: Array
    size: Array
    parents: Array
    first_figure: Array
    figures: Array
    largest: Array
    slots: Array


class Search(NamedTuple):
    """A DAG, what is needed to return to the best one, and where the search stands.

    Attributes
    ----------
    parents, size : int64 arrays, shapes (columns, MOST_PARENTS) and (columns,)
        The parents of each column, ascending, and their number.
    family : int64 array, shape (columns,)
        The number of each family, -1 where it was not looked up after a change.
    best_parents, best_size, best_family : int64 arrays
        The same of the best DAG, at the changed columns.
    changed, is_changed : int64 array and bool array, shape (columns,)
        The columns whose parents are others than in the best DAG, or were on the way.
    bound : int64 array, shape (columns,)
        The largest gain of a step that changes the parents of each column, cycles aside: the addition of a parent, the
        deletion of an edge into it, or its reversal.
    stale, is_stale : int64 array and bool array, shape (columns,)
        The columns whose bound is no longer true.
    near, is_near : int64 array and bool array, shape (columns,)
        The columns whose bound has changed in this climb: a climb from a perturbed DAG takes steps that change their
        parents. Far away a step can only become possible because it no longer closes a cycle; the last climb sees it.
    missing : int64 array, shape (columns,)
        The columns whose families are not known.
    mark, waiting : int64 arrays, shape (columns,)
        Buffers of a walk over ancestors.
    state : int64 array
        See the ``S_…`` indices.
    """

    parents: Array
    size: Array
    family: Array
    best_parents: Array
    best_size: Array
    best_family: Array
    changed: Array
    is_changed: Array
    bound: Array
    stale: Array
    is_stale: Array
    near: Array
    is_near: Array
    missing: Array
    mark: Array
    waiting: Array
    state: Array


def search_from(parents: list[list[int]]) -> Search:
    """Return a search that starts at a DAG, given by the ascending parents of each column, at most MOST_PARENTS."""
    columns = len(parents)
    table = np.zeros((columns, MOST_PARENTS), np.int64)
    for y, of_column in enumerate(parents):
        table[y, : len(of_column)] = of_column
    size = np.array([len(of_column) for of_column in parents], np.int64)
    every, zeros = np.arange(columns), np.zeros(columns, np.int64)
    all_are, unknown = np.ones(columns, np.bool_), np.full(columns, -1, np.int64)
    state = np.zeros(STATES, np.int64)
    state[S_CLIMBS], state[S_CHANGED], state[S_NEAR], state[S_STALE] = 1, columns, columns, columns
    return Search(
        parents=table,
        size=size,
        family=unknown,
        best_parents=table.copy(),
        best_size=size.copy(),
        best_family=unknown.copy(),
        changed=every,
        is_changed=all_are,
        bound=zeros,
        stale=every.copy(),
        is_stale=all_are.copy(),
        near=every.copy(),
        is_near=all_are.copy(),
        missing=zeros.copy(),
        mark=zeros.copy(),
        waiting=zeros.copy(),
        state=state,
    )


@kernel
def advance(families: Families, score: int, search: Search, perturbations: Array, most_steps: int, stop: Array) -> int:
    """Climb, and climb again from perturbed DAGs, until all is done, a family is missing, or ``most_steps`` are made.

    Parameters
    ----------
    score : int
        The row of the figures that decides.
    perturbations : int64 array, shape (perturbations, 1 + 2·n)
        Of each the number of columns to perturb, and a column and a move for each of these.
    most_steps : int
    stop : int64 array, shape (1,)
        Not 0 if the search is to be interrupted.

    Returns
    -------
    int
        DONE: the DAG is the best one. MISSING: the families of ``search.missing`` have to be added. PAUSED.
    """
    state = search.state
    steps = 0
    while True:
        if state[S_CLIMBS] == 0:
            if state[S_ENDS] == 1:
                return DONE
            if state[S_MADE] < perturbations.shape[0]:
                _perturb(families, search, perturbations[state[S_MADE]])
                state[S_MADE] += 1
            else:
                state[S_ENDS] = 1
                for y in range(search.size.shape[0]):
                    _bring_near(search, y)
            state[S_CLIMBS] = 1
        while True:
            if stop[0] != 0 or steps >= most_steps:
                return PAUSED
            missing = 0
            for i in range(state[S_CHANGED]):
                y = search.changed[i]
                if search.family[y] < 0:
                    search.family[y] = find_family(families, y, search.parents[y], search.size[y])
                    if search.family[y] < 0:
                        search.missing[missing] = y
                        missing += 1
            if missing > 0:
                state[S_MISSING] = missing
                return MISSING
            steps += 1
            _refresh_bounds(families, score, search)
            if not _take_best_step(families, score, search):
                break
        _keep_better(families, score, search)
        state[S_CLIMBS] = 0


@leaf
def find_family(families: Families, child: int, parents: Array, size: Integer) -> int:
    """Return the number of a family; -1 - (the free place in ``slots``) if it is not known."""
    last = families.slots.shape[0] - 1
    place = child
    for i in range(size):
        place = (place * 1000003 + parents[i] + 1) % 2147483647
    place = (place * 40503) & last
    while families.slots[place] >= 0:
        f = families.slots[place]
        if families.child[f] == child and families.size[f] == size:
            same = 0
            while same < size and families.parents[f, same] == parents[same]:
                same += 1
            if same == size:
                return f
        place = (place + 1) & last
    return -1 - place


@leaf
def _keep_better(families: Families, score: int, search: Search) -> None:
    """Keep the DAG if it is as good as the best one, else return to that; no column is changed then."""
    state = search.state
    gain = 0
    if state[S_MADE] > 0:
        for i in range(state[S_CHANGED]):
            y = search.changed[i]
            gain += families.figures[score, families.first_figure[search.family[y]]]
            gain -= families.figures[score, families.first_figure[search.best_family[y]]]
    if gain < 0:
        _return_to_best(families, search)
    for i in range(state[S_CHANGED]):
        search.is_changed[search.changed[i]] = False
    for i in range(state[S_NEAR]):
        search.is_near[search.near[i]] = False
    state[S_CHANGED] = state[S_NEAR] = 0


@kernel
def give_up(families: Families, search: Search) -> None:
    """Return to the best DAG from a climb that is not ended; a climb that began at the best DAG only improves it."""
    if search.state[S_MADE] > 0 and search.state[S_ENDS] == 0:
        _return_to_best(families, search)


@leaf
def _return_to_best(families: Families, search: Search) -> None:
    for i in range(search.state[S_CHANGED]):
        y = search.changed[i]
        _mark_around(families, search, y)
        search.size[y], search.family[y] = search.best_size[y], search.best_family[y]
        for j in range(search.size[y]):
            search.parents[y, j] = search.best_parents[y, j]
    for i in range(search.state[S_CHANGED]):
        _mark_around(families, search, search.changed[i])


@leaf
def _remember(search: Search, y: Integer) -> None:
    """Keep the parents of a column before its first change."""
    if not search.is_changed[y]:
        search.is_changed[y] = True
        search.changed[search.state[S_CHANGED]] = y
        search.state[S_CHANGED] += 1
        search.best_size[y], search.best_family[y] = search.size[y], search.family[y]
        for j in range(search.size[y]):
            search.best_parents[y, j] = search.parents[y, j]
    search.family[y] = -1


@leaf
def _mark(search: Search, y: Integer) -> None:
    """The bound of y is no longer true."""
    _bring_near(search, y)
    if not search.is_stale[y]:
        search.is_stale[y] = True
        search.stale[search.state[S_STALE]] = y
        search.state[S_STALE] += 1


@leaf
def _bring_near(search: Search, y: Integer) -> None:
    """Let the climb take steps that change the parents of y."""
    if not search.is_near[y]:
        search.is_near[y] = True
        search.near[search.state[S_NEAR]] = y
        search.state[S_NEAR] += 1


@leaf
def _mark_around(families: Families, search: Search, y: Integer) -> None:
    """The family of y changes: the bounds of y, of its children and of its parents are no longer true.

    A reversal changes two families, and the bound of a column looks at additions of columns that are not adjacent.
    """
    _mark(search, y)
    for j in range(search.size[y]):
        _mark(search, search.parents[y, j])
    for i in range(families.first_candidate[y], families.first_candidate[y + 1]):
        if _is_parent(search, y, families.candidates[i]):
            _mark(search, families.candidates[i])


@leaf
def _insert(families: Families, search: Search, x: Integer, y: Integer) -> None:
    """Make x a parent of y."""
    _remember(search, y)
    j = search.size[y]
    while j > 0 and search.parents[y, j - 1] > x:
        search.parents[y, j] = search.parents[y, j - 1]
        j -= 1
    search.parents[y, j] = x
    search.size[y] += 1
    _mark_around(families, search, y)


@leaf
def _remove(families: Families, search: Search, x: Integer, y: Integer) -> None:
    """Make x no parent of y."""
    _remember(search, y)
    _mark_around(families, search, y)
    n = search.size[y]
    kept = 0
    for j in range(n):
        if search.parents[y, j] != x:
            search.parents[y, kept] = search.parents[y, j]
            kept += 1
    search.size[y] = kept


@leaf
def _is_parent(search: Search, x: Integer, y: Integer) -> bool:
    for j in range(search.size[y]):  # noqa: SIM110  # numba would compile a generator
        if search.parents[y, j] == x:
            return True
    return False


@leaf
def _is_ancestor(search: Search, x: Integer, y: Integer, without: Integer) -> bool:
    """Whether a directed path leads from x to y, that does not end with ``without`` → y."""
    state = search.state
    state[S_STAMP] += 1
    waiting: Integer = np.int64(0)
    search.waiting[0] = y
    waiting += 1
    while waiting > 0:
        waiting -= 1
        b = search.waiting[waiting]
        for j in range(search.size[b]):
            a = search.parents[b, j]
            if b == y and a == without:
                continue
            if a == x:
                return True
            if search.mark[a] != state[S_STAMP]:
                search.mark[a] = state[S_STAMP]
                search.waiting[waiting] = a
                waiting += 1
    return False


@leaf
def _place_of(first_candidate: Array, candidates: Array, x: Integer, y: Integer) -> int:
    """Return where x is in the candidates of y; -1 if it is none."""
    low, high = first_candidate[y], first_candidate[y + 1]
    stop = high
    while low < high:
        middle = (low + high) // 2
        if candidates[middle] < x:
            low = middle + 1
        else:
            high = middle
    if low == stop or candidates[low] != x:
        return -1
    return low


@leaf
def _role_of(families: Families, x: Integer, y: Integer) -> int:
    """Return what a candidate x of y is as a parent of y."""
    return families.role[_place_of(families.first_candidate, families.candidates, x, y)]


@leaf
def _change_with(families: Families, score: int, search: Search, x: Integer, y: Integer) -> int:
    """Return the change of the score when x becomes a parent of y; NEVER if x is no candidate of y."""
    place = _place_of(families.first_candidate, families.candidates, x, y)
    if place < 0:
        return NEVER
    f = search.family[y]
    first = families.first_figure[f] + 1 + families.size[f] - families.first_candidate[y]
    return families.figures[score, first + place]


@leaf
def _refresh_bounds(families: Families, score: int, search: Search) -> None:
    """Compute the bounds that are no longer true."""
    for i in range(search.state[S_STALE]):
        y = search.stale[i]
        search.is_stale[y] = False
        search.bound[y] = _bound_of(families, score, search, y)
    search.state[S_STALE] = 0


@leaf
def _bound_of(families: Families, score: int, search: Search, y: Integer) -> int:
    """Return the largest gain of a step that changes the parents of y, cycles aside."""
    f = search.family[y]
    figures, n = families.first_figure[f], families.size[f]
    largest = 0
    if families.largest[score, f] > 0 and n < MOST_PARENTS:
        first = families.first_candidate[y]
        for i in range(families.first_candidate[y + 1] - first):
            gain = families.figures[score, figures + 1 + n + i]
            if gain > largest and not _is_parent(search, y, families.candidates[first + i]):
                largest = gain
    for j in range(n):
        x = search.parents[y, j]
        gain = families.figures[score, figures + 1 + j]
        largest = max(largest, gain)
        if search.size[x] < MOST_PARENTS:
            largest = max(largest, gain + _change_with(families, score, search, y, x))
    return largest


@leaf
def _take_best_step(families: Families, score: int, search: Search) -> bool:
    """Take the addition, deletion or reversal that gains most, of equals the first; return whether one gains."""
    most = 0
    kind, best_x, best_y = -1, -1, -1
    for near in range(search.state[S_NEAR]):
        y = search.near[near]
        if search.bound[y] <= most:
            continue
        f = search.family[y]
        figures = families.first_figure[f]
        n = families.size[f]
        if families.largest[score, f] > most and n < MOST_PARENTS:
            first = families.first_candidate[y]
            for i in range(families.first_candidate[y + 1] - first):
                gain = families.figures[score, figures + 1 + n + i]
                x = families.candidates[first + i]
                # A child is made a parent by a reversal, below; its edge is a path to it.
                if gain > most and not _is_ancestor(search, y, x, np.int64(-1)):
                    most, kind, best_x, best_y = gain, ADD, x, y
        for j in range(n):
            x = search.parents[y, j]
            gain = families.figures[score, figures + 1 + j]
            if gain > most:
                most, kind, best_x, best_y = gain, DELETE, x, y
            if search.size[x] < MOST_PARENTS:
                gain += _change_with(families, score, search, y, x)
                if gain > most and not _is_ancestor(search, x, y, x):
                    most, kind, best_x, best_y = gain, REVERSE, x, y
    if kind < 0:
        return False
    if kind == ADD:
        _insert(families, search, best_x, best_y)
    else:
        _remove(families, search, best_x, best_y)
        if kind == REVERSE:
            _insert(families, search, best_y, best_x)
    return True


@leaf
def _perturb(families: Families, search: Search, drawn: Array) -> None:
    """Change all edges of some columns: a column loses them, or becomes a source or a sink among its neighbors.

    Required edges stay as they are, and an edge that is not allowed in the new direction is lost.
    """
    for i in range(drawn[0]):
        x, move = drawn[1 + 2 * i], drawn[2 + 2 * i]
        n: Integer = np.int64(0)
        staying: Integer = np.int64(0)
        for j in range(families.first_candidate[x], families.first_candidate[x + 1]):
            y = families.candidates[j]
            source, target = x, y
            if not _is_parent(search, x, y):
                if not _is_parent(search, y, x):
                    continue
                source, target = y, x
            if _role_of(families, source, target) == REQUIRED:
                staying += 1
                continue
            _remove(families, search, source, target)
            search.missing[n] = y
            n += 1
        if move == ISOLATE or (move == SINK and n > MOST_PARENTS_OF_A_SINK):
            continue
        for j in range(n):
            source, target = x, search.missing[j]
            if move == SINK:
                source, target = target, source
            if search.size[target] == MOST_PARENTS or _role_of(families, source, target) == FORBIDDEN:
                continue
            # Without edges that stayed no cycle can arise.
            if staying == 0 or not _is_ancestor(search, target, source, np.int64(-1)):
                _insert(families, search, source, target)


@kernel
def add_families(
    families: Families, known: int, children: Array, parents: Array, sizes: Array, first_figure: Array
) -> None:
    """Enter new families at the numbers from ``known`` on; their figures are in place already."""
    for i in range(children.shape[0]):
        f = known + i
        families.child[f], families.size[f], families.first_figure[f] = children[i], sizes[i], first_figure[i]
        for j in range(sizes[i]):
            families.parents[f, j] = parents[i, j]
        place = find_family(families, children[i], parents[i], sizes[i])
        families.slots[-1 - place] = f
        begin = first_figure[i] + 1 + sizes[i]
        end = begin + families.first_candidate[children[i] + 1] - families.first_candidate[children[i]]
        for s in range(families.figures.shape[0]):
            largest = np.int64(NEVER)
            for at in range(begin, end):
                largest = max(largest, families.figures[s, at])
            families.largest[s, f] = largest


@kernel
def refill_slots(families: Families, known: int) -> None:
    """Enter the families from 0 to ``known`` into an empty hash table."""
    for f in range(known):
        families.slots[-1 - find_family(families, families.child[f], families.parents[f], families.size[f])] = f
