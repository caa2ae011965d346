"""How many directions are right, by their margin in bits: ``python -m bench.reports.margins [--page]``.

Of the true neighbors that a search finds and directs, with names and places of the columns drawn at random:

- blankets, weighed: sides of neighbors that the partition weighed; bits lost if the neighbor had the other side
- blankets, collider evidence: sides that were seen; bits of the strongest evidence
- best: directions that fNML chose within the class; log2 of the odds
- pc+climb: directions that ``orient`` chose where ``pc`` leaves them open; bits lost if this edge alone were reversed

Other directions are counted, too: of ``best`` those that all graphs of the class have, of ``pc`` those of colliders.
The true direction between columns that are copies of each other is not counted. Three samples of each network and
number of rows; the lines of ``margins.csv`` are sums over them.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import climbfast as cf
from bench.accuracy.samples import Sample, sample
from bench.shared.marked_text import EVIDENCE, fill

FIVE = ("alarm", "hepar2", "win95pts", "andes", "insurance")
OTHERS = ("child", "water", "mildew", "barley")
GROUPS = {"the five": FIVE, "the others": OTHERS}
ROWS, SEEDS = (500, 2_000, 20_000), (1, 2, 3)
BINS = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
BITS = ("0–1", "1–2", "2–5", "5–10", "10–20", "20–50", "> 50", "no margin")
NO_MARGIN = len(BINS)
FEWEST = 10  # of which a share is shown
COLUMNS = ("network", "rows", "kind", "bits", "directions", "right")
FILE = Path(__file__).with_suffix(".csv")
PAGE = EVIDENCE / "confidence.md"

Arc = tuple[object, object]


class Claim(NamedTuple):
    """A direction that was found, and its margin, None where there is none."""

    kind: str
    arc: Arc
    margin: float | None


class Line(NamedTuple):
    """How many directions of a kind have a margin in a bin, and how many of these are right."""

    network: str
    rows: int
    kind: str
    bits: int
    directions: int
    right: int


def claims(data: cf.Dataset) -> Iterator[Claim]:
    """Yield what the searches say of directions."""
    for blanket in cf.markov_blankets(data, directions="all", n_jobs=1, progress=False).values():
        target = blanket.target
        arcs = {x: (x, target) for x in blanket.parents} | {x: (target, x) for x in blanket.children}
        for x, arc in arcs.items():
            if x in blanket.evidence:
                yield Claim("blankets, collider evidence", arc, blanket.evidence[x].bits)
            elif x in blanket.margins:
                yield Claim("blankets, weighed", arc, blanket.margins[x])
    for kind in ("best", "pc+climb"):
        graph = cf.causal_graph(data, kind, directions="all")
        for arc in graph.directed:
            yield Claim(kind, arc, graph.margins.get(arc) if graph.reasons.get(arc) == "chosen" else None)


def bin_of(margin: float | None) -> int:
    """Return the place in ``BITS``."""
    return NO_MARGIN if margin is None else max(bisect_right(BINS, margin) - 1, 0)


def count(found: Iterable[Claim], of: Sample) -> tuple[Counter[tuple[str, int]], Counter[tuple[str, int]]]:
    """Return how many claims of true edges there are by kind and bin, and how many are right."""
    truth = {(x, y) for x, y in of.truth.directed if y not in of.data.copies.get(x, ())}
    claimed, right = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for kind, (x, y), margin in found:
        if (x, y) in truth or (y, x) in truth:
            claimed[kind, bin_of(margin)] += 1
            right[kind, bin_of(margin)] += (x, y) in truth
    return claimed, right


def lines(networks: Sequence[str], rows: Sequence[int]) -> Iterator[Line]:
    """Yield the lines of each network and number of rows after all of its samples."""
    for n in rows:
        for name in networks:
            begun = time.process_time()
            claimed, right = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
            for seed in SEEDS:
                of = sample(name, n, seed)
                more_claimed, more_right = count(claims(of.data), of)
                claimed, right = claimed + more_claimed, right + more_right
            for kind, place in sorted(claimed):
                yield Line(name, n, kind, place, claimed[kind, place], right[kind, place])
            print(f"{name} {n}: {time.process_time() - begun:.1f} s", file=sys.stderr, flush=True)


def read(file: Path) -> list[Line]:
    """Return the lines of a file."""
    with file.open(newline="") as table:
        return [
            Line(
                of["network"],
                int(of["rows"]),
                of["kind"],
                BITS.index(of["bits"]),
                int(of["directions"]),
                int(of["right"]),
            )
            for of in csv.DictReader(table)
        ]


def table(found: Sequence[Line]) -> str:
    """Return the share in percent that is right, and of how many, by kind, group of networks and number of rows."""
    rows = [
        ["direction by", "networks", "rows", *(f"{bits} bits" if bits != BITS[-1] else bits for bits in BITS)],
        ["---"] * (3 + len(BITS)),
    ]
    for kind in dict.fromkeys(line.kind for line in found):
        for group, networks in GROUPS.items():
            for n in [*sorted({line.rows for line in found}), None]:
                same = [
                    line for line in found
                    if line.kind == kind and line.network in networks and n in (None, line.rows)
                ]  # fmt: skip
                if same:
                    rows.append([kind, group, f"{n:,}" if n else "all", *_shares(same)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _shares(same: Sequence[Line]) -> Iterator[str]:
    for place in range(len(BITS)):
        total = sum(line.directions for line in same if line.bits == place)
        right = sum(line.right for line in same if line.bits == place)
        yield "" if not total else f"{100 * right / total:.0f} ({total:,})" if total >= FEWEST else f"– ({total})"


def main() -> None:
    """Measure what the file does not have yet, and fill the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--page", action="store_true", help="make the table of what there is, and measure nothing")
    options = parser.parse_args()
    if not options.page:
        warnings.simplefilter("ignore", cf.ClimbfastWarning)  # copies and constant columns belong to what is measured
        known = {(line.network, line.rows) for line in read(FILE)} if FILE.exists() else set()
        with FILE.open("a", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            if not known:
                writer.writerow(COLUMNS)
            for n in ROWS:
                left = [name for name in (*FIVE, *OTHERS) if (name, n) not in known]
                for line in lines(left, [n]):
                    writer.writerow(BITS[cell] if name == "bits" else cell for name, cell in line._asdict().items())
                    out.flush()
    fill("margins", table(read(FILE)), PAGE)


if __name__ == "__main__":
    main()
