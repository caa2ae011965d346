"""What several files of tests share: the replicates one by one, counted naively, and results to compare."""

from __future__ import annotations

import statistics
from collections import defaultdict

import numpy as np

import climbfast as cf
from climbfast.resampling.records import ROLES
from climbfast.resampling.schemes import draw_rows


def bootstrap(data, search, **options):
    """Run a bootstrap, telling nothing; serially if nothing else is asked for."""
    return cf.bootstrap(data, search, **{"progress": False, "n_jobs": 1, "replicates": 6, **options})


def tables_of(data, replicates=6, scheme="bootstrap", seed=0):
    """Draw the tables of the replicates."""
    return [data.resampled(draw_rows(scheme, data.rows, seed, number)) for number in range(replicates)]


def counts_of_graphs(graphs):
    """For every pair how many graphs join it, have x → y, and have y → x."""
    counts = defaultdict(lambda: [0, 0, 0])
    for graph in graphs:
        for x, y in graph.skeleton:
            counts[x, y][0] += 1
            counts[x, y][1] += (x, y) in graph.directed
            counts[x, y][2] += (y, x) in graph.directed
    return {ends: tuple(each) for ends, each in counts.items()}


def margins_of_graphs(graphs, counts):
    """For every pair the margins of its more frequent direction."""
    margins = defaultdict(list)
    for graph in graphs:
        for (x, y), margin in graph.margins.items():
            for ends, same, other in (((x, y), 1, 2), ((y, x), 2, 1)):
                if ends in counts and counts[ends][same] > counts[ends][other] and (x, y) in graph.directed:
                    margins[ends].append(margin)
    return margins


def mean_and_spread(values):
    """Mean and standard deviation, None where there is none."""
    mean = statistics.fmean(values) if values else None
    return mean, statistics.stdev(values) if len(values) > 1 else None


def counts_of_members(found):
    """For every target and member how many blankets have it in each role."""
    counts = defaultdict(lambda: [0, 0, 0, 0])
    for blankets in found:
        for target, blanket in blankets.items():
            for role, members in enumerate((blanket.parents, blanket.children, blanket.undecided, blanket.spouses)):
                for member in members:
                    counts[target, member][role] += 1
    return {ends: dict(zip(ROLES, each, strict=True)) for ends, each in counts.items()}


def content(found):
    """All that a result says, apart from how it was found."""
    pairs, members = ([] if table is None else [np.asarray(part).tolist() for part in table] for table in
                      (found.pairs, found.members))  # fmt: skip
    nothing = repr(([pairs, members], found.names, found.targets, found.replicates, found.search, found.scheme))
    return nothing, dict(found.options), found.seed, found.rows, found.data, found.version
