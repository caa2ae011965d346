"""Regular quotes, against a pattern of cells."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from climbfast_kernels.quotes import quotes_are_regular
from tests.tables import EXAMPLES

CELL = r'("([^"]|"")*"|[^",\n\r]*)'
REGULAR = re.compile(f"{CELL}([,\\n\\r]{CELL})*")


@given(st.text('a,"\n\r', max_size=12))
@settings(max_examples=5 * EXAMPLES)
@example('"a""b",')
@example('"x"y')
def test_quotes_are_regular(text):
    content = np.frombuffer(text.encode(), dtype=np.uint8)
    assert quotes_are_regular(content, 0, ord(",")) == bool(REGULAR.fullmatch(text))
    marked = np.frombuffer(text.encode("utf-8-sig"), dtype=np.uint8)
    assert quotes_are_regular(marked, 3, ord(",")) == bool(REGULAR.fullmatch(text))
