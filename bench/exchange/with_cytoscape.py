"""cytoscape.js reads our JSON. Its argument is the folder in which npm has installed it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import climbfast as cf
from bench.exchange.round_trips import KINDS, carried, graphs, print_line

SCRIPT = """
const cytoscape = require(process.argv[1] + "/node_modules/cytoscape");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
const read = (text) => cytoscape({ headless: true, elements: text.elements });
const data = (elements) => elements.map((element) => ({ data: element.data() }));
console.log(JSON.stringify(texts.map(read).map((cy) => ({
  version: cytoscape.version,
  elements: [...data(cy.nodes()), ...data(cy.edges())],
}))));
"""


def main(folder: Path) -> None:
    names = carried(cf.Graph.to_cytoscape)
    ours = graphs(KINDS, names)
    done = subprocess.run(
        ["node", "-e", SCRIPT, folder],
        input=json.dumps([graph.to_cytoscape() for graph in ours]),
        capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    read = json.loads(done.stdout)
    pairs = ((before, cf.Graph.from_cytoscape(after)) for before, after in zip(ours, read, strict=True))
    print_line(f"cytoscape.js {read[0]['version']}", "", "reads our JSON", pairs, names)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
