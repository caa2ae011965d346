"""Regular quotes, against a pattern of cells."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from climbfast_kernels.quotes import CLOSED, IRREGULAR, OPEN, state_of_quotes
from tests.factories import EXAMPLES

CELL = r'("([^"]|"")*"|[^",\n\r]*)'
REGULAR = re.compile(f"{CELL}([,\\n\\r]{CELL})*")


def state(text):
    """Closed if all cells are; open if a quote at the end closes the last one."""
    return CLOSED if REGULAR.fullmatch(text) else OPEN if REGULAR.fullmatch(text + '"') else IRREGULAR


@given(st.text('a,"\n\r', max_size=12))
@settings(max_examples=5 * EXAMPLES)
@example('"a""b",')
@example('"x"y')
def test_quotes_are_regular(text):
    content = np.frombuffer(bytearray(text.encode()), dtype=np.uint8)
    assert state_of_quotes(content, ord(",")) == state(text)


@given(st.text('a,"\n', max_size=12), st.integers(0, 140), st.sampled_from(["", '"b""c",d\n']))
@settings(max_examples=10 * EXAMPLES)
def test_at_every_place_of_a_word(text, before, more):
    """Regular cells before and behind, of any length, so that the text lies across the words of 64 bytes."""
    whole = "x," * (before // 2) + "\n" * (before % 2) + text + "\n" + more * 12
    content = np.frombuffer(bytearray(whole.encode()), dtype=np.uint8)
    assert state_of_quotes(content, ord(",")) == state(whole)
