"""A sample of a large sparse network: ``python -m bench.tools.simulate --columns 5716 --rows 2577 --out F.parquet``.

The shapes of real runs on gene expression are 5,716 columns × 2,577 rows with three levels, and 18,373 × 5,102, which
are made in one second and in five.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.shared.sparse_networks import Range, simulate
from climbfast import Dataset


def main() -> None:
    """Write a sample to a file, and its arcs to another."""
    parser = argparse.ArgumentParser(prog="python -m bench.tools.simulate", description=__doc__.partition("\n")[0])
    parser.add_argument("--columns", type=int, required=True)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--levels", type=_bounds, default=(2, 4), help="3, or 2-4")
    parser.add_argument("--in-degree", type=_bounds, default=(1, 4), help="2, or 1-4")
    parser.add_argument("--concentration", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="a .parquet or .csv file")
    parser.add_argument("--arcs", type=Path, help="a .csv file for the true arcs, parent,child")
    options = vars(parser.parse_args())
    out, arcs = options.pop("out"), options.pop("arcs")
    network, data = simulate(**options)
    _write(dict(zip(network.nodes, _values(data), strict=True)), out)
    if arcs:
        _write(dict(zip(("parent", "child"), zip(*network.arcs, strict=True), strict=False)), arcs)


def _bounds(text: str) -> Range:
    least, dash, most = text.partition("-")
    return (int(least), int(most)) if dash else int(least)


def _values(data: Dataset) -> Iterator[np.ndarray]:
    for name in data.names:
        yield np.array(data.levels[name], dtype=np.uint8)[data.codes[data.index(name)]]


def _write(columns: dict[str, object], file: Path) -> None:
    import polars as pl

    frame = pl.DataFrame(columns)
    frame.write_csv(file) if file.suffix == ".csv" else frame.write_parquet(file)


if __name__ == "__main__":
    main()
