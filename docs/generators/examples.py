"""The pages of the examples: their text, their code, what it prints, and the pictures and pages that it writes."""

from __future__ import annotations

import contextlib
import io
import os
import re
import runpy
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

__all__ = ["page", "run"]

WRITES = {
    "picture": ("heart_disease.svg", "graph.svg"),
    "page": ("heart_disease.html", "all_columns.html"),
    "election": ("election.svg",),
    "health_insurance": ("health_insurance.svg",),
    "affairs": ("affairs.html",),
    "tumors": ("tumor.svg",),
    "job_training": ("job_training.svg",),
}
"""The files of an example that its page shows, or links."""


def page(script: Path) -> str:
    """Return an example as a page in Markdown; the lines that begin with ``# ->`` are what a cell prints."""
    cells = re.split(r"^# %%(.*)\n", script.read_text("utf-8"), flags=re.MULTILINE)
    parts = []
    for kind, body in zip(cells[1::2], cells[2::2], strict=True):
        parts += [_markdown(body)] if "[markdown]" in kind else _code(body, script.stem)
    title, _, rest = "\n\n".join(parts).partition("\n")
    source = f"The script is `examples/{script.name}`."
    if "data/patients.csv" in script.read_text("utf-8"):
        source = f"{source[:-1]}; it reads `examples/data/patients.csv`, which lies beside it."
    return f"{title}\n\n{rest.strip()}\n\n{source}\n"


def _markdown(body: str) -> str:
    return re.sub(r"^# ?", "", body.strip(), flags=re.MULTILINE)


def _code(body: str, example: str) -> Iterator[str]:
    """Yield the code of a cell, what it prints, and the files that it writes, in their order."""
    for code, printed in re.findall(r"((?:(?!# ->).*\n?)*?)((?:# -> .*\n?)+|\Z)", body):
        if code.strip():
            yield f"```python\n{code.strip()}\n```"
        if printed:
            said = re.sub(r"^# -> ", "", printed.strip(), flags=re.MULTILINE)
            yield f"```{{code-block}} text\n:class: printed\n\n{said}\n```"
        yield from (_shown(file) for file in WRITES.get(example, ()) if f'"{file}"' in code)


def _shown(file: str) -> str:
    if file.endswith(".svg"):
        return f"![{file}, which the script writes](../pictures/{file})"
    return f"{{download}}`Open {file} <../files/{file}>`, the page that the script writes."


def run(script: Path, folder: Path) -> None:
    """Run an example in a folder, so that its files are there."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(script.parent / "data", folder / "data", dirs_exist_ok=True)
    before = Path.cwd()
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            runpy.run_path(str(script))
        finally:
            os.chdir(before)
