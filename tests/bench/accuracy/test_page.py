"""The tables of the page, from made-up cells."""

from __future__ import annotations

from bench.accuracy.page import PAGE, fill_page


def cell(method, network="child", order="random", right=1, **more):
    graphs = {} if method.startswith("blankets") else {"directed": [right, 2, 2], "skeleton": [2, 2, 2]}
    names = {"method": method, "network": network, "rows": 500, "seed": 1, "order": order}
    return names | graphs | {"members": [1, 2, 2], "roles": [0, 2, 2], "seconds": 1.0} | more


def test_only_networks_for_reporting_under_drawn_names_are_shown(tmp_path):
    page = tmp_path / "accuracy.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    cells = [
        cell("best"),
        cell("best", network="alarm", right=2),
        cell("best", order="file", right=2),
        cell("pyagrum MIIC", right=0),
        cell("blankets climb"),
    ]
    fill_page(cells, page)
    text = page.read_text(encoding="utf-8")
    assert "| 500 | best | 100.0 | 50.0 | 1 |" in text
    assert "| 500 | pyagrum MIIC | 100.0 | 0.0 | 1 |" in text
    assert "| child | 500 | **50.0** |" in text
    assert "| 500 | blankets climb | 50.0 | 50.0 | 0.0 | 1 |" in text
    assert "alarm |" not in text


def test_the_page_has_the_places_of_the_tables():
    text = PAGE.read_text(encoding="utf-8")
    for name in ("graphs", "directed by network", "blankets"):
        assert text.count(f"<!-- {name} -->") == text.count(f"<!-- /{name} -->") == 1
