"""A file is replaced whole or not at all."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from climbfast.atomic_write import atomic_write, check_writable


posix = pytest.mark.skipif(os.name == "nt", reason="modes, links and pipes of POSIX")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def write(file, text):
    with atomic_write(file) as out:
        out.write(text.encode())


def test_a_reader_sees_the_old_file_until_the_end(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    with atomic_write(file) as out:
        out.write(b"new")
        out.flush()
        assert file.read_text() == "old"
        assert len(names(tmp_path)) == 2
    assert file.read_text() == "new"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("before", ["old", None])
def test_an_exception_leaves_what_was_there_and_nothing_else(tmp_path, before):
    file = tmp_path / "file"
    if before:
        file.write_text(before)
    with pytest.raises(KeyboardInterrupt), atomic_write(file) as out:
        out.write(b"half")
        raise KeyboardInterrupt
    assert names(tmp_path) == (["file"] if before else [])
    assert not before or file.read_text() == before


def test_every_writer_has_a_file_of_its_own(tmp_path):
    """Threads that write one file: each reader sees one of the complete contents."""
    file, contents = tmp_path / "file", [bytes([i]) * 200_000 for i in range(8)]
    file.write_bytes(contents[0])

    def write(content):
        for _ in range(10):
            with atomic_write(file) as out:
                out.write(content[:1000])
                out.write(content[1000:])

    with ThreadPoolExecutor(8) as pool:
        runs = [pool.submit(write, content) for content in contents]
        while not all(run.done() for run in runs):
            assert file.read_bytes() in contents
        for run in runs:
            run.result()
    assert names(tmp_path) == ["file"]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode(tmp_path, mode):
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(mode)
    write(file, "new")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", mode)


@posix
def test_a_new_file_has_the_mode_of_others(tmp_path):
    write(tmp_path / "file", "new")
    (tmp_path / "other").write_text("")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "other").stat().st_mode


@posix
@pytest.mark.parametrize("there", [True, False])
def test_links_are_followed(tmp_path, there):
    (tmp_path / "folder").mkdir()
    file, link = tmp_path / "folder" / "file", tmp_path / "link"
    link.symlink_to(file)
    if there:
        file.write_text("old")
    check_writable(link)
    write(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert names(tmp_path / "folder") == ["file"]


@posix
def test_a_pipe_is_written_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_writable(pipe)
    with ThreadPoolExecutor(1) as pool:
        content = pool.submit(pipe.read_text)
        write(pipe, "new")
        assert content.result() == "new"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write(Path(os.devnull), "new")
    check_writable(Path(os.devnull))


def test_long_names(tmp_path):
    file = tmp_path / ("n" * 255)
    check_writable(file)
    write(file, "new")
    assert file.read_text() == "new"
    with pytest.raises(OSError, match="too long"):
        check_writable(tmp_path / ("n" * 256))


def test_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(FileNotFoundError), atomic_write(tmp_path / "none" / "file") as out:
        out.write(b"new")


def test_places_that_cannot_be_written(tmp_path, monkeypatch):
    check_writable(tmp_path / "new")
    assert names(tmp_path) == []
    with pytest.raises(IsADirectoryError, match="it is a directory"):
        check_writable(tmp_path)
    with pytest.raises(IsADirectoryError, match="it is a directory"), atomic_write(tmp_path):
        pass
    with pytest.raises(FileNotFoundError, match=r"the folder .*none does not exist"):
        check_writable(tmp_path / "none" / "file")
    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(PermissionError, match="it is read-only"):
        check_writable(tmp_path / "file")
