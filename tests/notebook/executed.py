"""Execute a notebook in a kernel of its own; print the outputs of its cells, and what was shown on the way, as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import nbformat
from nbclient import NotebookClient


class Client(NotebookClient):
    """It keeps what outputs showed before they were replaced."""

    def __init__(self, notebook: Any) -> None:
        super().__init__(notebook, kernel_name="python3", timeout=300)
        self.shown: list[tuple[int, str]] = []

    def process_message(self, message: Any, cell: Any, place: int) -> Any:
        if message["msg_type"] in ("display_data", "update_display_data"):
            self.shown.append((place, message["content"]["data"]["text/plain"]))
        return super().process_message(message, cell, place)


if __name__ == "__main__":
    cells = [nbformat.v4.new_code_cell(source) for source in json.load(sys.stdin)]
    client = Client(nbformat.v4.new_notebook(cells=cells))
    found = client.execute()
    json.dump({"outputs": [cell.outputs for cell in found.cells], "shown": client.shown}, sys.stdout)
