"""Results on standard output, messages on standard error, and files that are not overwritten."""

from __future__ import annotations

import pytest

from climbfast.cli.output import refuse_the_same_file, save_or_write, say, write
from climbfast.errors import DataError, OptionError


def test_a_message_is_one_line_without_commands_to_the_terminal(capsys):
    say("a\x1b[31m\nb")
    write("result")
    assert capsys.readouterr() == ("result\n", "a\\x1b[31m\\nb\n")


def test_a_result_that_cannot_be_saved_is_written(capsys):
    def save():
        raise DataError("out.csv cannot be written: disk full")

    with pytest.raises(OptionError, match="disk full; the result is on standard output, as JSON"):
        save_or_write(save, lambda: "{}")
    assert capsys.readouterr().out == "{}\n"


def test_the_same_file_by_another_path(tmp_path):
    data = tmp_path / "data.csv"
    data.touch()
    (tmp_path / "folder").mkdir()
    others = {"DATA": data, "--journal": None}
    refuse_the_same_file(tmp_path / "out.csv", others)
    with pytest.raises(OptionError, match="the same file as DATA"):
        refuse_the_same_file(tmp_path / "folder" / ".." / "data.csv", others)
