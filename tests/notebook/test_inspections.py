"""Inspections in a notebook."""

from __future__ import annotations

import climbfast as cf
from tests.notebook.results import check_html

TABLE = {"smoker": ["yes", "no", "Yes"] * 10, "age": [31.5, 40.0, None] * 10}


def test_findings_and_columns():
    text = check_html(cf.inspect(TABLE)._repr_html_()).text
    assert text.startswith("Inspection : 30 rows, 2 columns finding what mends it refused fractional numbers")
    assert "with numbers='auto'" in text
    assert "smoker text 3 0 'Yes' 3 levels: Yes, no, yes" in text
    assert "age fractional 2 10 31.5 refused: fractional numbers" in text
    text = check_html(cf.inspect(TABLE, numbers="auto", missing="test-wise")._repr_html_()).text
    assert "2 intervals: (-inf, 35.75), [35.75, inf)" in text


def test_one_finding_and_one_column():
    found = cf.inspect(TABLE)
    assert "refused" in check_html(found.findings[0]._repr_html_()).text
    assert "age fractional" in check_html(found.column("age")._repr_html_()).text


def test_many_columns():
    html = cf.inspect({f"c{j}": [1, 2, 2] * 5 for j in range(60)})._repr_html_()
    assert "and 40 more" in check_html(html).text
    assert len(html) < 40_000


def test_a_table_without_findings():
    found = cf.Inspection(1, (), (), 0, 1, 1)
    assert check_html(found._repr_html_()).text.startswith("Inspection : 1 row, 0 columns")
