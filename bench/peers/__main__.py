"""The same work by other packages: ``python -m bench.peers``.

Every peer gets a separate virtual environment in a folder that ``--environments`` names; those that cannot be
installed are named in the results with the reason. Networks are those of bench/paper. Everything runs on one core, in
turns. Results go to results.jsonl, and from there to the tables of docs/evidence/peers.md and to peers.png;
``--report`` does this last step alone.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
import platformdirs

from bench.peers.environments import REQUIREMENTS, NotInstalledError, python_of
from bench.peers.searches import Line, Search, in_turns, on_one_core, searches_of
from bench.peers.summary import (
    FAMILIES,
    ONCE,
    OURS,
    REPLICATED,
    duration,
    family,
    fastest_peer,
    score,
    tables,
)
from bench.shared.marked_text import EVIDENCE, fill
from bench.shared.networks import network as published
from climbfast import Network

HERE = Path(__file__).parent
RESULTS = HERE / "results.jsonl"
PLOT = HERE / "peers.png"
DATA: dict[str, Collection[str]] = {
    "alarm-2000": REPLICATED,
    "alarm-5000": ONCE,
    "alarm-20000": FAMILIES,
    "andes-5000": ONCE,
}
PEERS = list(REQUIREMENTS)
NOTE = """\
![F1 beside time](../../bench/peers/peers.png)

A cell has the processor time of the search on one core, data loaded and code compiled; how many times that of
climbfast's first line of the same task it is; and F1, of the skeleton or, for blankets, of the members of all blankets.
All searches of a task ran in turns in one run, and the least time counts; what reached the limit was not tried on
larger data. α is .01 and at most three columns are given, but for pybnesian, which has no such limit, and its χ², as it
has no G².
"Majority" looks at all sets that separate two columns to find v-structures, which takes more tests; "sets found" at
those that the search found. Degrees of freedom are counted in other ways: by climbfast from all levels unless the line
says otherwise, by pgmpy, causal-learn and andrey-core from those that occur in each stratum; pgmpy corrects 2 × 2
strata after Yates. BDeu has a sample size of 1, for climbfast, causal-learn and andrey-core also a structure prior of
1; that of pyagrum is its default. FGES and GES search classes of graphs, hill climbing graphs. Peers without a search
for blankets have no line there.

Replicates are 20 tables of as many rows, drawn with replacement; F1 is that of the skeleton of the edges that more than
half of them have. bnlearn-port and Tetrad have a bootstrap of their own, and so has pyagrum, for score searches, with
random weights of the rows in place of drawing. pybnesian, pgmpy and andrey-core have none, causal-learn none for
discrete data. "By a loop" is a loop of ours around the fastest of the searches above; it draws rows of what the package
is given."""


def measure(arguments: argparse.Namespace) -> Iterator[Line]:
    """Yield the lines of a run.

    A search that reached the limit is not tried on the data that follow, which are larger.
    """
    pythons, absent = {OURS: Path(sys.executable)}, []
    for peer in arguments.peers:
        try:
            pythons[peer] = python_of(peer, arguments.environments)
        except NotInstalledError as error:
            absent.append({"peer": peer, "status": "absent", "reason": str(error)})
    on_one_core()
    # Compiling takes more than the limit leaves, and belongs to no search.
    subprocess.run([pythons[OURS], "-m", "climbfast", "warm"], check=True, stdout=sys.stderr)
    searches = [
        search
        for peer, python in pythons.items()
        for search in searches_of(peer, python)
        if family({"task": search.task}) in arguments.tasks
    ]
    given_up: set[Search] = set()
    for name, families in arguments.data.items():
        network_name, _, rows = name.rpartition("-")
        try:
            network = published(network_name)
        except FileNotFoundError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        asked = [search for search in searches if family({"task": search.task}) in families]
        skeleton = [(parent, child) for child, parents in network.parents.items() for parent in parents]
        members = [(node, member) for node in network.nodes for member in network.blanket(node).members]
        with tempfile.TemporaryDirectory() as folder:
            data = write_sample(network, int(rows), Path(folder) / f"{name}.csv")
            tried = [search for search in asked if search not in given_up]
            lines = list(in_turns(tried, data, rounds=arguments.rounds, limit=arguments.limit))
            yield from (score(line, skeleton, members) for line in lines)
            yield from (search.without_answer(data, status="not tried") for search in asked if search in given_up)
            given_up |= {search for search, line in zip(tried, lines, strict=True) if line["status"] == "limit"}
    yield from absent


def write_sample(network: Network, rows: int, path: Path) -> Path:
    """Sample the network and write the codes; columns are in the order of names, which says nothing of causes."""
    data = network.sample(rows, seed=1)
    header = ",".join(map(str, data.canonical))
    np.savetxt(path, data.codes.T, fmt="%d", delimiter=",", header=header, comments="")
    return path


def report(lines: Sequence[Line]) -> None:
    """Draw the plot and fill docs/evidence/peers.md."""
    from bench.peers.plot import draw  # needs matplotlib, which measuring a part does not

    draw(lines, PLOT)
    fill("peers", f"{tables(lines)}\n\n{NOTE}", EVIDENCE / "peers.md")


def verdict(lines: Sequence[Line]) -> str:
    """Return, for every task and data set, the fastest peer and how many times each of our searches goes into it."""
    said = []
    for ours in lines:
        if ours["peer"] != OURS or ours["status"] != "done":
            continue
        peer = fastest_peer(lines, family(ours), (ours["network"], ours["rows"]))
        if peer is not None:
            said.append(
                f"{ours['network']} {ours['rows']:,}: {ours['task']} {duration(ours['seconds'])}; the fastest peer, "
                f"{peer['peer']} ({peer['settings']}), {duration(peer['seconds'])}: "
                f"{peer['seconds'] / ours['seconds']:.1f} times"
            )
    return "\n".join(said)


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description="The same work by other packages.")
    default = Path(platformdirs.user_cache_dir("climbfast")) / "peers"
    parser.add_argument("--environments", type=Path, default=default, help="folder of the virtual environments")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=PEERS)
    parser.add_argument("--tasks", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
    parser.add_argument("--data", nargs="+", metavar="NETWORK-ROWS", help="for all tasks; smaller data first")
    parser.add_argument("--rounds", type=int, default=3, help="times that everything runs; the least time counts")
    parser.add_argument("--limit", type=int, default=120, help="processor seconds of a search, its start included")
    parser.add_argument("--out", type=Path, default=RESULTS, help="results; only the default goes into the page")
    parser.add_argument("--report", action="store_true", help="table and plot of earlier results")
    arguments = parser.parse_args()
    part = (arguments.peers, arguments.tasks, arguments.data) != (PEERS, list(FAMILIES), None)
    if part and arguments.out == RESULTS and not arguments.report:
        parser.error("a part of the peers, tasks or data needs another --out")
    arguments.data = dict.fromkeys(arguments.data, FAMILIES) if arguments.data else DATA
    return arguments


def main() -> None:
    """Measure, write the results and the report."""
    arguments = options()
    if arguments.report:
        lines = [json.loads(line) for line in arguments.out.read_text(encoding="utf-8").splitlines()]
    else:
        lines = []
        part = arguments.out.with_suffix(".part")  # a run that is stopped leaves the results of the last one
        with part.open("w", encoding="utf-8") as out:
            for line in measure(arguments):
                lines.append(line)
                print(json.dumps(line, ensure_ascii=False), file=out, flush=True)
        part.replace(arguments.out)
    if arguments.out == RESULTS:
        report(lines)
    else:
        print(tables(lines))
    print(verdict(lines))


if __name__ == "__main__":
    main()
