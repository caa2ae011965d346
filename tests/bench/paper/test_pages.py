"""The pages: what the script writes from a few rows, and that the committed ones are what it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.paper import pages
from bench.paper.experiment import Measurements
from bench.paper.experiments import EXPERIMENTS, table

ROOT = Path(__file__).parents[3]
PAPER = ROOT / "bench" / "paper"
RUN = {
    "experiment": "table",
    "data_sets": 4,
    "wall_seconds": 90.0,
    "seconds": 8.0,
    "tests": 4_000,
    "tests_per_second": 500,
}
RUN |= {"workers": 2, "version": "1.2.3", "command": "python -m bench.paper all"}


def row(network, seed, method, precision, recall):
    rates = {"precision": precision, "recall": recall, "f1": 2 * precision * recall / (precision + recall)}
    return {"network": network, "rows": 20_000, "seed": seed, "method": method, **rates, "tests": 7, "seconds": 0.1}


@pytest.fixture
def tiny():
    """Alarm and Andes with two seeds; on Alarm PC + Climb is near the published numbers, on Andes far from them."""
    rows = [
        row(network, seed, method, 60.0 + seed + (38.0 if (network, method) == ("alarm", "PC + Climb") else 0.0), 86.3)
        for network in ("alarm", "andes")
        for seed in (1, 2)
        for method in table.METHODS
    ]
    return {"table": Measurements(tuple(rows)), "run": Measurements((RUN,))}


def test_numbers_come_from_the_rows(tiny):
    page = pages.results_page(tiny)
    assert "99.5 ± 0.7 / 86.3 ± 0.0 / **92.4**" in page
    assert "99.0 ± 1.3 / 86.3 ± 1.7 / 92.2" in page
    assert "| PC + Climb, Alarm: F1 | 92.2 % | 92.4 % | reproduced |" in page
    assert "| PC + Climb, Andes: F1 | 89 % | 71.8 % | not |" in page
    assert "| PC, Alarm: F1 | 69 % | 71.8 % | partly (order: Climb raises F1) |" in page
    assert "| Alarm | 0.17 / 1 / 0.17 |" in page
    assert "it took 1.5 minutes with 2 workers" in page.replace("\n", " ")
    assert "| table | 4 | 90 | 8 | 4,000 | 500 |" in page


def test_every_claim_is_counted_once(tiny):
    claims = EXPERIMENTS["table"].claims(tiny["table"])
    marks = [sum(claim.mark == mark for claim in claims) for mark in ("reproduced", "partly", "not")]
    assert sum(marks) == len(claims) == 2 * 2 * 2 + 2
    assert f"| [Table I](#table-i) | {marks[0]} | {marks[1]} | {marks[2]} |" in pages.results_page(tiny)


def test_a_claim_that_differs_has_a_reason(tiny):
    page = pages.results_page(tiny)
    for claim in EXPERIMENTS["table"].claims(tiny["table"]):
        assert (f"- *{claim.says}*: {claim.why}" in page) == (claim.mark != "reproduced")


def test_summary_has_means_and_standard_deviations(tiny):
    found = [r for r in pages.summary(tiny) if (r["method"], r["measure"]) == ("PC + Climb", "precision")]
    assert [(r["setting"], r["mean"], r["n"]) for r in found] == [
        ("network=alarm rows=20000", 99.5, 2),
        ("network=andes rows=20000", 61.5, 2),
    ]
    assert found[0]["sd"] == pytest.approx(0.5**0.5, rel=1e-5)


def test_the_page_has_the_published_number_beside_ours(tiny):
    assert "| Alarm | 71.8 (69.0) | 92.4 (92.2) | 71.8 |" in pages.short_table(tiny)


@pytest.fixture(scope="module")
def committed():
    return pages.read_results(PAPER / "results")


def test_committed_results_are_complete(committed):
    assert set(committed) == {*EXPERIMENTS, "run"}
    for name, experiment in EXPERIMENTS.items():
        assert set(committed[name].distinct("method")) == set(experiment.METHODS)
        for figure in experiment.figures(committed[name]):
            assert (PAPER / "figures" / f"{figure.name}.png").stat().st_size > 5_000


def test_committed_pages_are_what_the_script_writes(committed):
    assert (PAPER / "RESULTS.md").read_text(encoding="utf-8") == pages.results_page(committed)
    page = (ROOT / "docs" / "evidence" / "paper.md").read_text(encoding="utf-8")
    assert f"<!-- paper -->\n{pages.short_table(committed)}\n<!-- /paper -->" in page


def test_figures_can_be_drawn(tiny, tmp_path):
    pytest.importorskip("matplotlib")
    from bench.paper.plots import draw

    for figure in EXPERIMENTS["table"].figures(tiny["table"]):
        draw(figure, tmp_path / "made" / "figure.png")
        assert (tmp_path / "made" / "figure.png").read_bytes().startswith(b"\x89PNG")
