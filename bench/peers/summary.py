"""From the lines of a run: precision, recall, F1, times as ratios, the table, and whether what is claimed holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bench.peers.measurement import REPLICATES

Line = dict[str, Any]
Pairs = set[tuple[str, str]]

ONCE = {"pc": "PC", "blankets": "all blankets", "bdeu": "BDeu"}
REPLICATED = {"bootstrap_pc": f"PC, {REPLICATES} replicates", "bootstrap_bdeu": f"BDeu, {REPLICATES} replicates"}
FAMILIES = {**ONCE, **REPLICATED}
OURS = "climbfast"


def family(line: Mapping[str, Any]) -> str:
    """Return what a search is for, a key of FAMILIES; what follows in its name tells variants apart."""
    return str(line["task"]).partition("-")[0]


def score(line: Line, skeleton: Iterable[tuple[str, str]], members: Iterable[tuple[str, str]]) -> Line:
    """Return the line with precision, recall and F1, and the number of edges in place of the edges.

    Parameters
    ----------
    line
        As searches.py gives it.
    skeleton
        The true edges, in either direction.
    members
        Every node with every member of its true blanket.
    """
    if line["status"] != "done":
        return line
    if family(line) == "blankets":
        found, truth = {(x, y) for x, y in line["edges"]}, set(members)
    else:
        found, truth = undirected(line["edges"]), undirected(skeleton)
    right = len(found & truth)
    return line | {
        "edges": len(found),
        "precision": ratio(right, len(found)),
        "recall": ratio(right, len(truth)),
        "f1": ratio(2 * right, len(found) + len(truth)),
    }


def undirected(edges: Iterable[Sequence[str]]) -> Pairs:
    """Return each edge once."""
    return {(min(x, y), max(x, y)) for x, y in edges}


def ratio(part: float, whole: float) -> float:
    """Return part / whole, 0 of nothing."""
    return part / whole if whole else 0.0


def data_of(line: Mapping[str, Any]) -> tuple[str, int]:
    """Return network and rows."""
    return line["network"], line["rows"]


def times_ours(line: Line, lines: Iterable[Line]) -> float | None:
    """Return the time of a search over that of climbfast's defaults for the same on the same data."""
    for ours in lines:
        same = ours["peer"] == OURS and ours["task"] == family(line) and data_of(ours) == data_of(line)
        if same and ours["status"] == line["status"] == "done":
            return float(line["seconds"] / ours["seconds"])
    return None


def tables(lines: Sequence[Line]) -> str:
    """Return a Markdown table of single searches and one of their replicates, and the peers that are not there."""
    measured = [line for line in lines if line["status"] != "absent"]
    parts = [[line for line in measured if family(line) in families] for families in (ONCE, REPLICATED)]
    absent = [f"{line['peer']} is not there: {line['reason']}." for line in lines if line["status"] == "absent"]
    return "\n\n".join([*(table(part) for part in parts if part), *absent])


def table(measured: Sequence[Line]) -> str:
    """Return a Markdown table: a line for each search, a column for each data set.

    A cell has the time, how many times ours that is, and F1. Without an answer it says why.
    """
    data = list(dict.fromkeys(map(data_of, measured)))
    heads = ["task", "by", "how", *(f"{network.capitalize()}, {rows:,} rows" for network, rows in data)]
    rows = [heads, ["---"] * 3 + ["---:"] * len(data)]
    for name in FAMILIES:
        searches = dict.fromkeys((line["peer"], line["task"]) for line in measured if family(line) == name)
        for peer, task in searches:
            of_search = {data_of(line): line for line in measured if (line["peer"], line["task"]) == (peer, task)}
            how = next(iter(of_search.values()))["settings"]
            by = f"**{peer}**" if peer == OURS else peer
            cells = [cell(of_search[key], measured) if key in of_search else "" for key in data]
            rows.append([FAMILIES[name], by, how, *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def cell(line: Line, lines: Iterable[Line]) -> str:
    """Return what a search says in the table."""
    if line["status"] == "limit":
        return f"> {line['limit']} s"
    if line["status"] != "done":
        return line["status"]
    times = times_ours(line, lines)
    parts = [duration(line["seconds"]), f"{two_digits(times)} ×" if times else "", f"{line['f1']:.2f}".lstrip("0")]
    return " · ".join(part for part in parts if part)


def duration(seconds: float) -> str:
    """Return seconds or milliseconds with two digits."""
    return f"{two_digits(seconds)} s" if seconds >= 1 else f"{two_digits(seconds * 1e3)} ms"


def two_digits(number: float) -> str:
    """Return a number with two significant digits, or as a whole number from 100 up."""
    if number >= 9.95:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 0.995 else f"{number:.2g}".lstrip("0")


def fastest_peer(lines: Sequence[Line], task: str, data: tuple[str, int]) -> Line | None:
    """Return the line of the fastest search that is not ours, of that family on these data."""
    rest = (line for line in lines if line["peer"] != OURS and line["status"] == "done")
    those = [line for line in rest if family(line) == task and data_of(line) == data]
    return min(those, key=lambda line: line["seconds"], default=None)
