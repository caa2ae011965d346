"""Measured cells in a file of JSON lines, each once; a run that was stopped continues where it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["Cell", "Store", "key_of"]

Cell = dict[str, Any]
Key = tuple[str, str, int, int, str]
KEYS = ("method", "network", "rows", "seed", "order")


def key_of(cell: Cell) -> Key:
    """Return what tells a cell from all others."""
    return tuple(cell[name] for name in KEYS)


class Store:
    """The cells in a file.

    Parameters
    ----------
    path : Path
        Read if it exists. A last line that a stopped run left unfinished is cut off.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._cells: dict[Key, Cell] = {}
        if path.exists():
            whole = path.read_text(encoding="utf-8")
            lines = whole[: whole.rfind("\n") + 1]
            if lines != whole:
                path.write_text(lines, encoding="utf-8")
            self._cells = {key_of(cell): cell for cell in map(json.loads, lines.splitlines())}

    def __contains__(self, key: Key) -> bool:
        return key in self._cells

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells.values())

    def add(self, cell: Cell) -> None:
        """Write a cell at the end of the file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as out:
            print(json.dumps(cell), file=out)
        self._cells[key_of(cell)] = cell

    def forget(self, methods: set[str]) -> None:
        """Remove all cells of some methods, which are then measured again."""
        self._cells = {key: cell for key, cell in self._cells.items() if cell["method"] not in methods}
        self.path.write_text("".join(json.dumps(cell) + "\n" for cell in self._cells.values()), encoding="utf-8")
