"""Options in messages, as they are typed."""

from __future__ import annotations

import pytest

from climbfast.cli.option_names import as_typed, dashed
from climbfast.errors import ClimbfastError, Option


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (Option("n_jobs"), "--jobs"),
        (Option("keep_ids", value=True), "--keep-ids"),
        (Option("leave_out", ...), "--leave-out NAME"),
        (Option("max_given", 3), "--max-given 3"),
        (Option("separator", "\t"), "--separator '\\t'"),
    ],
)
def test_an_option_of_a_message(option, text):
    assert as_typed(ClimbfastError("use ", option, " here")) == f"use {text} here"


def test_the_name_of_an_option():
    assert (dashed("n_jobs"), dashed("min_rows_per_df")) == ("--jobs", "--min-rows-per-df")
