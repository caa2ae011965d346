"""What is written before the site is built: pages of commands and examples, and pictures, all in docs/generated."""

from __future__ import annotations

import shutil
from pathlib import Path

__all__ = ["write"]

EXAMPLES = Path(__file__).parents[2] / "examples"


def write(folder: Path) -> None:
    """Write all of them in a folder."""
    from . import commands, examples, pictures

    for name, text in commands.pages().items():
        _write(folder / "commands" / name, text)
    for script in sorted(EXAMPLES.glob("*.py")):
        _write(folder / "examples" / f"{script.stem}.md", examples.page(script))
    for name, files in examples.WRITES.items():
        examples.run(EXAMPLES / f"{name}.py", folder / "run")
        for file in files:
            kind = "pictures" if file.endswith(".svg") else "files"
            _move(folder / "run" / file, folder / kind / file)
    shutil.rmtree(folder / "run")
    for name, draw in pictures.PICTURES.items():
        (folder / "pictures").mkdir(exist_ok=True)
        draw(folder / "pictures" / f"{name}.svg")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _move(file: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    file.replace(to)
