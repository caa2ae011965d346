"""A long pipe is read from a temporary file, of which nothing is left."""

from __future__ import annotations

import os
import tempfile
import threading
from pathlib import Path

import pytest

from climbfast.dataset import pipe_copies, read, sources
from climbfast.errors import DataError
from tests.dataset.tables import REGULAR

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


def written_to_pipe(text: str, folder: Path) -> Path:
    """A pipe to which this text is written as soon as it is read."""
    os.mkfifo(folder / "pipe.csv")
    threading.Thread(target=(folder / "pipe.csv").write_text, args=[text]).start()
    return folder / "pipe.csv"


@pytest.mark.parametrize("descriptors", ["/proc/self/fd", "/no/such/folder"])
def test_the_copy_of_a_long_pipe(descriptors: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is gone afterwards, and an error names the pipe and the line."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(sources, "BYTES_OF_A_SHORT_PIPE", 5)
    monkeypatch.setattr(pipe_copies, "_DESCRIPTORS", Path(descriptors))
    monkeypatch.setattr(pipe_copies, "_BYTES_A_PIECE", 3)
    with pytest.raises(DataError, match=r"pipe\.csv: line 5 has 1 cells where the first line has 2$"):
        read(written_to_pipe(REGULAR + "3\n", tmp_path))
    assert not list((tmp_path / "temporary").iterdir())


def test_a_pipe_that_takes_too_much_room_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BYTES_OF_A_SHORT_PIPE", 5)
    monkeypatch.setattr(pipe_copies, "SHARE_OF_ROOM", 0)
    with pytest.raises(DataError, match=r"pipe\.csv: it has more than 0\.0 GiB, 0% of the room in .*; set TMPDIR to"):
        read(written_to_pipe(REGULAR, tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    (tmp_path / "pipe.csv").unlink()
    with pytest.raises(DataError, match=r"pipe\.csv: it is long, and there is no folder for a temporary file of it"):
        read(written_to_pipe(REGULAR, tmp_path))
