"""The measurement of pages runs, wherever there is a browser."""

import pytest

from bench.reports import pages
from bench.reports.pages import ACTIONS, measure
from bench.shared.browser import browser_program


@pytest.mark.skipif(browser_program() is None, reason="there is no Chromium on the path")
def test_a_small_page_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "OPENINGS", 2)
    found = measure(40, 300, tmp_path)
    assert set(found) == {"write", "megabytes", "loaded", "painted", *ACTIONS}
    assert all(value > 0 for value in found.values())
