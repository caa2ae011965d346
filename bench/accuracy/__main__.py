"""How right the methods are: ``python -m bench.accuracy``.

Every method finds the graph, or the blankets of all columns, in samples of networks whose graph is known. Each cell
(method, network, rows, seed, order) is measured once and kept in a file of JSON lines; a run that is stopped continues.
The table is printed at the end; ``--report`` prints that of earlier runs alone.

Two groups of networks are kept apart. On ``choosing`` (alarm, hepar2, win95pts, andes) and on random networks
(``random:1``, or ``random:1-12``) methods, thresholds and defaults may be chosen; on ``reporting`` (insurance, child,
water, mildew, barley, sachs, hailfinder) they are reported, and nothing is chosen.

``--methods ours --again --page`` (some minutes) measures our methods anew and writes the tables of
docs/evidence/accuracy.md, in which other packages stand beside them; ``--methods peers --page`` measures those,
in half an hour.

Names and places of the columns are drawn by the seed, as no answer should depend on them; ``--order file`` has them in
the order of the network's file, where causes mostly come first. Seconds are processor time on one core, kernels loaded.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any

import climbfast as cf
from bench.accuracy.measures import measure
from bench.accuracy.methods import CANDIDATES, METHODS
from bench.accuracy.page import PAGE, fill_page
from bench.accuracy.peers import LIMIT, PEERS, PeerError, peer_answer
from bench.accuracy.report import FIGURES, table, table_by_network
from bench.accuracy.samples import FOR_CHOOSING, FOR_REPORTING, ORDERS, RANDOM, Sample, sample
from bench.accuracy.store import Store

RESULTS = Path(__file__).parent / "results"
GROUPS = {"choosing": FOR_CHOOSING, "reporting": FOR_REPORTING}
FOR_WARMING = 200


def networks_of(text: str) -> list[str]:
    """Return the networks of a list such as ``choosing,child,random:1-12``."""
    found: list[str] = []
    for part in text.split(","):
        if part in GROUPS:
            found += GROUPS[part]
        elif part.startswith(RANDOM) and "-" in part:
            first, last = part.removeprefix(RANDOM).split("-")
            found += [f"{RANDOM}{number}" for number in range(int(first), int(last) + 1)]
        else:
            found.append(part)
    return list(dict.fromkeys(found))


def run(method: str, of: Sample) -> dict[str, Any]:
    """Return the cell of a method on a sample."""
    names = {"method": method, "network": of.network, "rows": of.rows, "seed": of.seed, "order": of.order}
    if method in PEERS:
        try:
            answer, seconds = peer_answer(method, of)
        except TimeoutExpired:
            return {**names, "failed": f"no answer in {LIMIT} s"}
        except PeerError as error:
            return {**names, "failed": str(error)}
    else:
        begun = time.process_time()
        answer = {**METHODS, **CANDIDATES}[method](of.data)
        seconds = time.process_time() - begun
    return {**names, **measure(of.truth, answer), "seconds": round(seconds, 4), "version": cf.__version__}


def measure_all(arguments: argparse.Namespace, store: Store) -> None:
    """Measure the cells that the store does not have; a method that fails is left out from there on."""
    failed: set[str] = set()
    warmed: set[str] = set()
    for of in _samples(arguments, store):
        for method in arguments.methods:
            if method in failed or (method, *of.key) in store:
                continue
            try:
                if method not in warmed and method in METHODS:
                    METHODS[method](
                        sample("alarm" if "alarm" in arguments.networks else of.network, FOR_WARMING, 1).data
                    )
                    warmed.add(method)
                cell = run(method, of)
            except Exception as error:  # of a candidate, or of another package: the others go on
                failed.add(method)
                print(f"{method} is left out: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            store.add(cell)
            took = cell["failed"] if "failed" in cell else f"{cell['seconds']:.2f} s"
            print(f"{of.network} {of.rows:,} seed {of.seed} {method}: {took}", file=sys.stderr)


def _samples(arguments: argparse.Namespace, store: Store) -> Iterator[Sample]:
    """Yield the samples with some cell left to measure."""
    for rows in arguments.rows:
        for network in arguments.networks:
            for seed in range(1, arguments.seeds + 1):
                key = (network, rows, seed, arguments.order)
                if any((method, *key) not in store for method in arguments.methods):
                    yield sample(*key)


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    known = [*METHODS, *CANDIDATES, *PEERS]
    parser = argparse.ArgumentParser(prog="python -m bench.accuracy", description="How right the methods are.")
    parser.add_argument("--methods", default=",".join(METHODS), help=f"of {'; '.join(known)}")
    parser.add_argument("--networks", type=networks_of, default=networks_of("reporting"))
    parser.add_argument("--rows", type=lambda text: [int(n) for n in text.split(",")], default=[500, 2_000, 10_000])
    parser.add_argument("--seeds", type=int, default=3, help="samples of each network")
    parser.add_argument("--order", choices=ORDERS, default="random", help="of names and columns")
    parser.add_argument("--out", type=Path, default=RESULTS / "accuracy.jsonl", help="the file of the cells")
    parser.add_argument("--again", action="store_true", help="measure the methods again, whatever the file has")
    parser.add_argument("--report", action="store_true", help="only the table of what the file has")
    parser.add_argument("--figures", type=lambda text: text.split(","), help=f"of {', '.join(FIGURES)}")
    parser.add_argument("--by-network", metavar="FIGURE", choices=list(FIGURES), help="one figure, by network")
    parser.add_argument(
        "--page", action="store_true", help=f"write the tables of {PAGE.name} from all that the file has"
    )
    read = parser.parse_args(arguments)
    read.methods = known_methods(read.methods.split(";") if ";" in read.methods else read.methods.split(","), parser)
    return read


def known_methods(names: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    """Return the names that there are; "ours" is all of climbfast's but candidates, "peers" all of other packages."""
    groups = {"ours": list(METHODS), "peers": list(PEERS)}
    found = [method for name in names for method in groups.get(name.strip(), [name.strip()])]
    for name in found:
        if name not in (known := [*METHODS, *CANDIDATES, *PEERS]):
            parser.error(f"there is no method {name!r}; there are {'; '.join(known)}")
    return list(dict.fromkeys(found))


def main() -> None:
    """Measure what is missing, and print the table."""
    warnings.simplefilter("ignore", cf.ClimbfastWarning)
    arguments = options()
    store = Store(arguments.out)
    if arguments.again:
        store.forget({*arguments.methods})
    if not arguments.report:
        measure_all(arguments, store)
    if arguments.page:
        fill_page(store)
        return
    cells = [
        cell
        for cell in store
        if cell["network"] in arguments.networks
        and cell["rows"] in arguments.rows
        and cell["seed"] <= arguments.seeds
        and cell["order"] == arguments.order
    ]
    if arguments.by_network:
        print(table_by_network(cells, arguments.methods, arguments.by_network))
    else:
        print(table(cells, arguments.methods, arguments.figures))


if __name__ == "__main__":
    main()
