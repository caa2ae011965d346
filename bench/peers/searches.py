"""Run all searches of all peers on one data set, in turns, each in a separate process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.peers.environments import last_line

HERE = Path(__file__).parent
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS",
     "POLARS_MAX_THREADS", "LOKY_MAX_CPU_COUNT"), "1",
)  # fmt: skip
SECONDS_BETWEEN_LOOKS = 1.0

Line = dict[str, Any]


@dataclass(frozen=True)
class Search:
    """One search of one peer."""

    peer: str
    task: str
    settings: str
    python: Path

    def run(self, data: Path, limit: float) -> Line:
        """Return the line that the search prints, or one with ``status`` "limit" or "failed"."""
        process = subprocess.Popen(
            [*command(self.peer, self.python), data, self.task],
            env=environment(self.peer), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        begun = time.monotonic()
        while True:
            try:
                out, err = process.communicate(timeout=SECONDS_BETWEEN_LOOKS)
                break
            except subprocess.TimeoutExpired:
                if processor_time(process.pid, begun) > limit:
                    process.kill()
                    process.communicate()
                    return self.without_answer(data, status="limit", limit=limit)
        if process.returncode:
            return self.without_answer(data, status="failed", reason=last_line(err))
        return json.loads(last_line(out)) | {"settings": self.settings, "status": "done"}

    def without_answer(self, data: Path, **why: Any) -> Line:
        """Return the line of a search that found nothing."""
        network, _, rows = data.stem.rpartition("-")
        names = {"peer": self.peer, "task": self.task, "settings": self.settings}
        return names | {"network": network, "rows": int(rows)} | why


def processor_time(pid: int, begun: float) -> float:
    """Return the processor seconds of a process, which do not depend on what else runs, or where /proc is not those of
    the clock. RLIMIT_CPU would be simpler, but under it Linux counts the time of a process in ticks of 4 ms.
    """
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return time.monotonic() - begun
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def on_one_core() -> None:
    """Bind this process, and with it all that it starts, to one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def searches_of(peer: str, python: Path) -> list[Search]:
    """Return all searches of a peer."""
    done = subprocess.run(command(peer, python), env=environment(peer), capture_output=True, text=True, check=True)
    return [Search(peer, task, settings, python) for task, settings in json.loads(last_line(done.stdout)).items()]


def in_turns(searches: Collection[Search], data: Path, *, rounds: int, limit: float) -> Iterator[Line]:
    """Run every search once a round, and yield a line for each with its least times.

    Those that take more than a sixth of the limit, or give no answer, run once.
    """
    best: dict[Search, Line] = {}
    for _ in range(rounds):
        for search in searches:
            before = best.get(search)
            if before is None or (before["status"] == "done" and before["seconds"] < limit / 6):
                best[search] = merge(before, search.run(data, limit))
                print(progress(best[search]), file=sys.stderr, flush=True)
    for search in searches:
        yield best[search]


def merge(before: Line | None, after: Line) -> Line:
    """Return the line of a search after one more run of it: the least of its times, and how many runs there were."""
    if before is None:
        return after | {"runs": 1}
    if after["status"] != "done":
        return before
    least = {key: min(before[key], after[key]) for key in ("seconds", "wall")}
    return before | least | {"runs": before["runs"] + 1}


def progress(line: Mapping[str, Any]) -> str:
    """Return what is shown while the script runs."""
    found = f"{line['seconds']:.3f} s" if line["status"] == "done" else f"{line['status']} {line.get('reason', '')}"
    return f"{line['network']} {line['rows']:,} {line['peer']} {line['task']}: {found}"


def command(peer: str, python: Path) -> list[str | Path]:
    """Return how the file of a peer is started."""
    return [python, HERE / f"with_{peer.replace('-', '_')}.py"]


def environment(peer: str) -> dict[str, str]:
    """Return the variables of its process: one thread, and nothing of this environment's packages but for climbfast."""
    variables = {name: value for name, value in os.environ.items() if peer == "climbfast" or name != "PYTHONPATH"}
    return variables | ONE_THREAD
