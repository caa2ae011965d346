"""The figures among the evidence are those of the files that were measured, and so are those in the text of pages."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from bench.accuracy import page as accuracy_page
from bench.accuracy import store
from bench.peers import summary
from bench.peers.__main__ import NOTE, RESULTS
from bench.reports import confidence, confidence_page, margins, missing, selection
from bench.shared.marked_text import EVIDENCE

ROOT = Path(__file__).parents[2]
EXPLANATIONS = ROOT / "docs" / "explanations"


def between(page: Path, name: str) -> str:
    """What stands between two markers of a page."""
    return page.read_text("utf-8").partition(f"<!-- {name} -->\n")[2].partition(f"\n<!-- /{name} -->")[0]


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def in_one_line(page: Path) -> str:
    return re.sub(r"\s+", " ", page.read_text("utf-8"))


def test_confidence(tmp_path: Path) -> None:
    page = tmp_path / "confidence.md"
    page.write_text(confidence_page.PAGE.read_text("utf-8"), encoding="utf-8")
    known, further = confidence.read(confidence.FILE), confidence.read(confidence.SAMPLES)
    alike = {tuple(cell[key] for key in ("search", "network", "rows", "scheme")) for cell in further}
    first = [cell for cell in known if tuple(cell[key] for key in ("search", "network", "rows", "scheme")) in alike]
    confidence_page.fill_page(known, page)
    confidence_page.fill_samples([*first, *further], page)
    assert page.read_text("utf-8") == confidence_page.PAGE.read_text("utf-8")
    assert margins.table(margins.read(margins.FILE)) == between(margins.PAGE, "margins")


def test_selection(tmp_path: Path) -> None:
    page = tmp_path / "selection.md"
    page.write_text(selection.PAGE.read_text("utf-8"), encoding="utf-8")
    selection.fill_page(page)
    assert page.read_text("utf-8") == selection.PAGE.read_text("utf-8")


def test_accuracy(tmp_path: Path) -> None:
    page = tmp_path / "accuracy.md"
    page.write_text(accuracy_page.PAGE.read_text("utf-8"), encoding="utf-8")
    accuracy_page.fill_page(store.Store(ROOT / "bench" / "accuracy" / "results" / "accuracy.jsonl"), page)
    assert page.read_text("utf-8") == accuracy_page.PAGE.read_text("utf-8")


def test_missing() -> None:
    rows = [(row["network"], float(row["share"]), *[*row.values()][2:]) for row in rows_of(missing.FILE)]
    assert missing.table(rows) == between(EVIDENCE / "missing.md", "missing")


def test_peers() -> None:
    lines = [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()]
    assert between(EVIDENCE / "peers.md", "peers") == f"{summary.tables(lines)}\n\n{NOTE}".strip()


# ---- figures in the text


def shares(kind: str, **chosen: str) -> list[int]:
    cells = [cell for cell in confidence.read(confidence.FILE) if all(cell[key] == chosen[key] for key in chosen)]
    return [round(100 * true / number) for number, true, _ in confidence_page.pooled(cells, kind)]


def test_what_a_frequency_means() -> None:
    said = in_one_line(EXPLANATIONS / "margins_and_frequencies.md")
    edges = shares("edges", scheme="bootstrap")
    assert (
        f"with 60 to 70 % {edges[6]} % were true, with 90 % and more {edges[9]} %, "
        f"with 20 to 30 % {edges[2]} %, with less than 10 % {edges[0]} %."
    ) in said
    pc, blankets, best = (
        shares("directions", scheme="bootstrap", search=search)[3] for search in ("pc", "blankets", "best")
    )
    assert f"30 to 40 % {pc} % were right with `pc` and {blankets} % with blankets, but {best} % with `best`" in said
    assert f"with 50 to 60 % {shares('edges', scheme='half')[5]} % were true" in said
    assert f"{edges[6]} % were true; of those above 90 %, {edges[9]} %" in in_one_line(
        ROOT / "docs" / "howto" / "confidence.md"
    )


def test_what_a_margin_means() -> None:
    said = in_one_line(EXPLANATIONS / "margins_and_frequencies.md")
    weighed = [line for line in margins.read(margins.FILE) if line.kind == "blankets, weighed"]

    def right(networks: Sequence[str], *bits: str) -> int:
        found = [line for line in weighed if line.network in networks and margins.BITS[line.bits] in bits]
        return round(100 * sum(line.right for line in found) / sum(line.directions for line in found))

    assert f"right in {right(margins.FIVE, '5–10')} % with 5 to 10 bits" in said
    assert f"2 to 10 bits {right(('mildew', 'barley'), '2–5', '5–10')} % were right in mildew and barley" in said


@pytest.mark.parametrize(
    ("network", "rows", "said"),
    [
        ("link", "2000", "precision rises from {0} to {1}"),
        ("simulated", "500", "precision {0} to {1}, recall {2} to {3}"),
    ],
)
def test_chance_among_many_columns(network: str, rows: str, said: str) -> None:
    file = ROOT / "bench" / "reports" / "min_bits.csv"
    lines = [row for row in rows_of(file) if (row["network"], row["rows"]) == (network, rows)]
    plain, auto = (next(line for line in lines if line["min_bits"] == bits) for bits in ("0", "auto"))
    figures = [line[key].removeprefix("0") for key in ("precision", "recall") for line in (plain, auto)]
    expected = said.format(*figures)
    assert expected in in_one_line(ROOT / "docs" / "howto" / "many_columns.md")


def test_what_blanks_cost() -> None:
    chosen = [row for row in rows_of(missing.FILE) if row["network"] == "alarm" and row["share"] in ("0.0", "0.1")]
    f1 = {row["way"]: float(row["blankets"]) for row in chosen}
    said = in_one_line(EXPLANATIONS / "missing_data.md")
    assert f1["full data"] - f1["test-wise"] < 1 and "lose less than a point of F1 test-wise" in said
    assert f"and {f1['full data'] - f1['drop-rows']:.0f} points with rows dropped" in said
