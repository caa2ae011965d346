"""What frequencies over replicates are worth: ``python -m bench.reports.confidence [--journals FOLDER]``.

For each scheme of drawing rows, network, number of rows and search: of the edges, and of the directions, in a tenth of
all frequencies, how many are true; and precision and recall of the consensus beside those of the single run. Each
cell is measured once and is a line of ``confidence.jsonl``; names and places of the columns are drawn at random. Then
the tables of docs/evidence/confidence.md and its picture are made, which ``--page`` alone does without any search.

With ``--journals`` a run that was stopped continues inside a cell, and another rule of the consensus takes no search.
The rule and the threshold were chosen on random networks (``--networks random:1,random:2,... --out FILE``), not on the
five networks here.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import climbfast as cf
from bench.accuracy.samples import Sample, sample
from bench.reports.confidence_page import PAGE, PICTURE, draw, fill_page, fill_samples
from climbfast.resampling.result import Bootstrap
from climbfast.resampling.run import bootstrap
from climbfast.resampling.schemes import SCHEMES, Scheme

NETWORKS = ("alarm", "hepar2", "win95pts", "andes", "insurance")
ROWS = (500, 2_000, 20_000)
SEARCHES = {"pc": 100, "blankets": 100, "best": 50}  # and the replicates
STRICT = 0.7
FILE = Path(__file__).with_suffix(".jsonl")
SAMPLES = FILE.with_stem("confidence_samples")

Cell = dict[str, Any]
Key = tuple[str, int, int, str, str]


def key_of(cell: Cell) -> Key:
    """Return what tells one cell from another."""
    return cell["network"], cell["rows"], cell["seed"], cell["search"], cell["scheme"]


def single_run(data: cf.Dataset, search: str) -> cf.Graph:
    """Return the graph that one search of all rows finds."""
    if search == "blankets":
        return cf.markov_blankets(data, n_jobs=1, progress=False).merge("and")
    return cf.pc(data, n_jobs=1) if search == "pc" else cf.causal_graph(data)


def rates(truth: cf.Graph, found: cf.Graph) -> dict[str, list[int]]:
    """Return right, found and true, of the pairs that are joined and of the directed edges."""
    compared, true = cf.compare(truth, found), len(truth.directed)
    skeleton, arrows = compared.skeleton, compared.arrows
    return {"skeleton": [skeleton.right, skeleton.found, true], "directed": [arrows.right, arrows.found, true]}


def tenths(counts: Iterable[tuple[int, bool]], replicates: int) -> list[list[int]]:
    """Return for each tenth of the frequencies how many have it, how many of these are true, and the sum of counts.

    A frequency of 60 to 70 % without the latter is in the seventh tenth; one of 100 % in the last.
    """
    table = [[0, 0, 0] for _ in range(10)]
    for count, is_true in counts:
        if count:
            row = table[min(10 * count // replicates, 9)]
            row[0] += 1
            row[1] += is_true
            row[2] += count
    return table


def reliability(truth: cf.Graph, found: Bootstrap) -> dict[str, list[list[int]]]:
    """Return the tenths of the edges and those of the directions."""
    arcs = set(truth.directed)
    edges, directions = [], []
    pairs = zip(found.pairs.x.tolist(), found.pairs.y.tolist(), found.pairs.counts.tolist(), strict=True)
    for i, j, (edge, forward, backward) in pairs:
        x, y = found.names[i], found.names[j]
        edges.append((edge, (x, y) in arcs or (y, x) in arcs))
        directions += [(forward, (x, y) in arcs), (backward, (y, x) in arcs)]
    return {"edges": tenths(edges, found.replicates), "directions": tenths(directions, found.replicates)}


def measure(of: Sample, search: str, scheme: Scheme, replicates: int, journals: Path | None = None) -> Cell:
    """Return the figures of one cell."""
    journal = journals and journals / f"{of.network}-{of.rows}-{of.seed}-{search}-{scheme}.journal".replace(":", "-")
    found = bootstrap(of.data, search, replicates=replicates, scheme=scheme, n_jobs=1, journal=journal, progress=False)
    automatic = found.graph()
    return {
        "network": of.network, "rows": of.rows, "seed": of.seed, "search": search, "scheme": scheme,
        "replicates": replicates, **reliability(of.truth, found),
        "single": rates(of.truth, single_run(of.data, search)), "auto": rates(of.truth, automatic),
        "threshold": automatic.figures["threshold"], "strict": rates(of.truth, found.graph(STRICT)),
    }  # fmt: skip


def cells(
    networks: Sequence[str], rows: Sequence[int], seeds: Sequence[int], searches: Mapping[str, int],
    schemes: Sequence[Scheme], known: set[Key], journals: Path | None,
) -> Iterator[Cell]:  # fmt: skip
    """Yield the cells that are not known, one by one as they are measured."""
    for search, seed, n, name in itertools.product(searches, seeds, rows, networks):
        missing = [scheme for scheme in schemes if (name, n, seed, search, scheme) not in known]
        drawn = sample(name, n, seed) if missing else None
        for scheme in missing:
            assert drawn is not None
            yield measure(drawn, search, scheme, searches[search], journals)


def read(file: Path) -> list[Cell]:
    """Return the cells of a file; none if there is no file."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def main() -> None:
    """Measure what has not been measured, and make the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--networks", default=",".join(NETWORKS))
    parser.add_argument("--rows", default=",".join(map(str, ROWS)))
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--searches", default=",".join(SEARCHES))
    parser.add_argument("--schemes", default=",".join(SCHEMES))
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--journals", type=Path)
    parser.add_argument("--page", action="store_true", help="make the page of what there is, and measure nothing")
    options = parser.parse_args()
    warnings.simplefilter("ignore", cf.ClimbfastWarning)  # copies and constant columns belong to what is measured
    known = read(options.out)
    if not options.page:
        searches = {name: SEARCHES[name] for name in options.searches.split(",")}
        rows, seeds = (list(map(int, text.split(","))) for text in (options.rows, options.seeds))
        if options.journals:
            options.journals.mkdir(parents=True, exist_ok=True)
        networks, keys = options.networks.split(","), set(map(key_of, known))
        begun = time.process_time()
        schemes = [scheme for scheme in SCHEMES if scheme in options.schemes.split(",")]
        with options.out.open("a", encoding="utf-8") as out:
            for cell in cells(networks, rows, seeds, searches, schemes, keys, options.journals):
                out.write(json.dumps(cell) + "\n")
                out.flush()
                known.append(cell)
                print(*key_of(cell), f"{time.process_time() - begun:.0f} s", flush=True)
    if options.out == FILE:
        fill_page(known, PAGE)
        draw(known, PICTURE)
        further = read(SAMPLES)
        alike = {(cell["search"], cell["network"], cell["rows"], cell["scheme"]) for cell in further}
        first = [cell for cell in known if (cell["search"], cell["network"], cell["rows"], cell["scheme"]) in alike]
        fill_samples([*first, *further], PAGE)


if __name__ == "__main__":
    main()
