"""A file is replaced whole or not at all."""

from __future__ import annotations

import pytest

from climbfast.atomic_write import atomic_write, check_writable


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_reader_sees_the_old_file_until_the_end(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    with atomic_write(file) as part:
        part.write_text("new")
        assert file.read_text() == "old"
        assert part.parent == tmp_path
    assert file.read_text() == "new"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("before", ["old", None])
def test_an_exception_leaves_what_was_there_and_nothing_else(tmp_path, before):
    file = tmp_path / "file"
    if before:
        file.write_text(before)
    with pytest.raises(KeyboardInterrupt), atomic_write(file) as part:
        part.write_text("half")
        raise KeyboardInterrupt
    assert names(tmp_path) == (["file"] if before else [])
    assert not before or file.read_text() == before


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(FileNotFoundError), atomic_write(tmp_path / "none" / "file") as part:
        part.write_text("new")


def test_places_that_cannot_be_written(tmp_path):
    check_writable(tmp_path / "new")
    assert names(tmp_path) == []
    with pytest.raises(IsADirectoryError, match="it is a directory"):
        check_writable(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"the folder .*none does not exist"):
        check_writable(tmp_path / "none" / "file")
