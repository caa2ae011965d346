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
from bench.growth import report as growth
from bench.growth.fit import fit
from bench.peers import summary
from bench.peers.__main__ import NOTE, RESULTS
from bench.reports import (
    confidence,
    confidence_page,
    knowledge,
    machines,
    margins,
    methods,
    missing,
    numbers,
    rates,
    runs,
    selection,
)
from bench.reports.best import rate_of_truth, sample
from bench.shared.marked_text import EVIDENCE
from bench.shared.networks import network
from climbfast.dask_tasks import SECONDS_FOR_WORKERS, SECONDS_PER_CALL
from climbfast.dataset.diagnostics import SHARE_OF_ROWS_IN_ID
from climbfast.independence.nearest import MAX_POOL
from climbfast.options import LARGEST_GIVEN
from climbfast.plots import MOST_NODES

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


def test_growth() -> None:
    growths = fit(growth.read_points(growth.FOLDER / "growth.csv"))
    assert growth.table(growths) == between(EVIDENCE / "growth.md", "growth")
    assert growth.results(growths) == (growth.FOLDER / "RESULTS.md").read_text("utf-8")


def test_knowledge() -> None:
    page = EVIDENCE / "knowledge.md"
    assert knowledge.table(knowledge.read()) == between(page, "knowledge of directions")
    assert knowledge.table_of_work(knowledge.read_work()) == between(page, "knowledge and work")
    lines = {(line.network, line.method): line for line in knowledge.read()}
    losses = [key for key, line in lines.items() if line.tiers < line.without]
    assert losses == [("hailfinder", "fges")]
    assert "On Hailfinder fges loses" in in_one_line(page)


def test_numbers(tmp_path: Path) -> None:
    page = tmp_path / "numbers.md"
    page.write_text(numbers.PAGE.read_text("utf-8"), encoding="utf-8")
    numbers.fill_page(page)
    assert page.read_text("utf-8") == numbers.PAGE.read_text("utf-8")


def test_rates() -> None:
    assert rates.table(rates.read()) == between(EVIDENCE / "speed.md", "rates")


def test_methods() -> None:
    assert methods.table(methods.read()) == between(methods.PAGE, "methods")


def test_machines() -> None:
    assert machines.page(machines.read()) == between(machines.PAGE, "machines")


def test_whole_runs() -> None:
    results = runs.read()
    assert tuple(each.run for each in results) == runs.RUNS
    assert runs.table(results) == between(EVIDENCE / "speed.md", "runs")
    assert runs.sentences(results, rates.read()) == between(runs.README, "limits")
    first = next(each for each in results if each.run == runs.FIRST)
    assert first.seconds < 60
    assert "in less than a minute" in in_one_line(ROOT / "README.md")
    assert "in less than a minute" in in_one_line(ROOT / "docs" / "start" / "install.md")
    largest = next(each for each in results if each.run == runs.LARGEST)
    assert largest.seconds < 120
    assert "a hundred thousand less than two minutes" in in_one_line(ROOT / "docs" / "howto" / "many_columns.md")


# ---- figures in the text


def test_no_page_has_a_time_that_no_script_wrote() -> None:
    """Outside blocks, and what scripts write."""
    time = re.compile(r"\d[\d,.]*(?: to \d+)? (?:ms|milliseconds|seconds?|minutes?|hours?|s|MB|GB)\b")
    others = re.compile(r"^```.*?^```$|<!-- ([\w ]+) -->.*?<!-- /\1 -->", re.MULTILINE | re.DOTALL)
    pages = [page for page in (ROOT / "docs").rglob("*.md") if "generated" not in page.parts]
    for page in (ROOT / "README.md", *pages):
        assert time.findall(others.sub("", page.read_text("utf-8"))) == [], page


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


def test_how_many_true_edges_are_seldom_found() -> None:
    said = in_one_line(EXPLANATIONS / "margins_and_frequencies.md")

    def seldom(search: str) -> int:
        cells = [
            cell for cell in confidence.read(confidence.FILE)
            if (cell["search"], cell["rows"], cell["scheme"]) == (search, 2_000, "bootstrap")
        ]  # fmt: skip
        true = sum(cell["single"]["skeleton"][2] for cell in cells)
        return round(100 - 100 * sum(row[1] for cell in cells for row in cell["edges"][1:]) / true)

    assert (
        f"at 2,000 rows {seldom('pc')} % of the true edges had less than 10 % with `pc`, and {seldom('best')} %" in said
    )


def test_which_scheme_is_best_calibrated() -> None:
    last = between(EVIDENCE / "confidence.md", "calibration").splitlines()[-1]
    edges = re.findall(r"\*\*([\d.]+)\*\*", last)[:3]
    said = in_one_line(EXPLANATIONS / "margins_and_frequencies.md")
    assert "with a mean error of {} % against {} and {}".format(*edges) in said


def test_what_is_seen_is_surer_than_what_is_weighed() -> None:
    said = in_one_line(EXPLANATIONS / "margins_and_frequencies.md")
    lines = margins.read(margins.FILE)

    def shares_of(kind: str, networks: Sequence[str], bits: Sequence[str]) -> list[int]:
        shares = []
        for each in bits:
            same = [
                line for line in lines
                if line.kind == kind and line.network in networks and margins.BITS[line.bits] == each
            ]  # fmt: skip
            if (total := sum(line.directions for line in same)) >= margins.FEWEST:
                shares.append(round(100 * sum(line.right for line in same) / total))
        return shares

    of_five = shares_of("blankets, weighed", margins.FIVE, margins.BITS[4:7])
    assert f"and in {min(of_five)} to {max(of_five)} % with more" in said
    assert (
        f"no margin was right in more than {max(shares_of('blankets, weighed', margins.OTHERS, margins.BITS))} %"
        in said
    )
    groups = (margins.FIVE, margins.OTHERS)
    seen = [share for group in groups for share in shares_of("blankets, collider evidence", group, margins.BITS)]
    assert f"evidence was right in {min(seen)} % and more" in said
    certain = [
        share for kind in ("best", "pc+climb") for group in groups for share in shares_of(kind, group, ["no margin"])
    ]
    assert f"in {min(certain)} to {max(certain)} %" in said


def test_the_truth_of_hailfinder_where_copies_are_exchanged() -> None:
    pytest.importorskip("pgmpy")
    found = network("hailfinder")
    data, truth = sample(found, {node: node for node in found.nodes}, 1)
    assert f"gets {100 * rate_of_truth(truth, data.copies):.1f} of hailfinder's directed edges" in in_one_line(
        EVIDENCE / "accuracy.md"
    )


def test_bounds_are_those_of_the_code() -> None:
    limits = in_one_line(EXPLANATIONS / "limits.md")
    assert f"more neighbors ({MAX_POOL}) sets of two come from the {MAX_POOL} nearest" in limits
    assert f"sets of three from the {MAX_POOL // 2} nearest" in limits
    assert f"more levels than {SHARE_OF_ROWS_IN_ID} times the rows" in limits
    assert f"pictures: {MOST_NODES} nodes" in limits
    assert LARGEST_GIVEN == 3
    assert "by default three" in limits
    assert (SECONDS_PER_CALL, SECONDS_FOR_WORKERS) == (0.1, 60)
    clusters = in_one_line(machines.PAGE)
    assert "calls of about a tenth of a second" in clusters
    assert "waits a minute for a worker" in clusters


def test_how_many_replicates_were_searched() -> None:
    cells = confidence.read(confidence.FILE)
    replicates = {
        search: {cell["replicates"] for cell in cells if cell["search"] == search}
        for search in ("pc", "blankets", "best")
    }
    assert replicates == {"pc": {100}, "blankets": {100}, "best": {50}}
    assert not [cell for cell in cells if (cell["search"], cell["network"], cell["rows"]) == ("best", "andes", 20_000)]
    said = in_one_line(EVIDENCE / "confidence.md")
    assert '100 replicates of `pc` and of all blankets (merged by "and"), 50 of `best`, which has not been run' in said
