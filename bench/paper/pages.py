"""The pages: RESULTS.md, the summary as CSV, and the table of docs/evidence/paper.md. Numbers are from CSV files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean

from bench.paper.claims import MARKS, RULE, Claim
from bench.paper.experiment import Measurements, Row, spread
from bench.paper.experiments import EXPERIMENTS, table
from bench.paper.experiments.plug_and_play import f1_of_means

__all__ = ["read_results", "results_page", "short_table", "summary"]

Results = Mapping[str, Measurements]
"""By experiment, and under "run" what each took."""
SETTINGS = ("network", "rows", "noise", "levels", "sets", "seed")


def results_page(results: Results) -> str:
    """Return RESULTS.md."""
    claims = {name: EXPERIMENTS[name].claims(results[name]) for name in EXPERIMENTS if name in results}
    parts = [_introduction(results, claims), RULE, "## All claims", *_overview(claims)]
    for name, of_experiment in claims.items():
        parts += _experiment(name, results[name], of_experiment)
    return "\n\n".join([*parts, "## What it took", *_run(results["run"])]) + "\n"


def _introduction(results: Results, claims: Mapping[str, list[Claim]]) -> str:
    run = results["run"].rows
    minutes = sum(float(row["wall_seconds"]) for row in run) / 60
    everything = [claim for of_experiment in claims.values() for claim in of_experiment]
    return f"""# The paper, reproduced

Every figure and the table of A. Marx and J. Vreeken, *Causal Discovery by Telling Apart Parents and Children* (2018),
measured by climbfast {run[0]["version"]} beside the published numbers: of {len(everything)} claims
{_counted(everything)}.

This page is written by `{run[0]["command"]}` from the files in `results/`; it took {minutes:.1f} minutes with
{run[0]["workers"]} workers. `results/summary.csv` has all means and standard deviations.

## How a claim is marked"""


def _counted(claims: list[Claim]) -> str:
    marks = Counter(claim.mark for claim in claims)
    words = {"reproduced": "are reproduced", "partly": "in part", "not": "are not"}
    return ", ".join(f"{marks[mark]} {words[mark]}" for mark in MARKS)


def _overview(claims: Mapping[str, list[Claim]]) -> Iterator[str]:
    rows = []
    for name, of_experiment in claims.items():
        marks = Counter(claim.mark for claim in of_experiment)
        rows.append((f"[{EXPERIMENTS[name].TITLE}](#{_anchor(name)})", *(str(marks[mark]) for mark in MARKS)))
    yield _table(("experiment", *MARKS), rows)


def _anchor(name: str) -> str:
    return EXPERIMENTS[name].TITLE.lower().replace(" ", "-")


def _experiment(name: str, measured: Measurements, claims: list[Claim]) -> Iterator[str]:
    experiment = EXPERIMENTS[name]
    yield f"## {experiment.TITLE}"
    yield experiment.SETTINGS
    for figure in experiment.figures(measured):
        yield f"![{figure.caption}](figures/{figure.name}.png)"
        yield figure.caption
    if name == "table":
        yield from _table_one(measured)
    rows = [(c.says, c.published_text, c.ours_text, c.mark + _order(c)) for c in claims]
    yield _table(("the paper says", "published", "ours", "mark"), rows)
    differing = [f"- *{claim.says}*: {claim.why}" for claim in claims if claim.mark != "reproduced" and claim.why]
    if differing:
        yield "Where they differ:"
        yield "\n".join(differing)


def _order(claim: Claim) -> str:
    if claim.mark == "partly":
        return f" (order: {claim.compared})"
    return f" ({claim.compared})" if claim.published is None else ""


def _table_one(measured: Measurements) -> Iterator[str]:
    """Yield Table I, ours above the published, p of the gains, and what explains the numbers."""
    networks = measured.distinct("network")
    rows = []
    for network in networks:
        rows.append((f"**{table.NAMES[network]}**", *(_rates(measured, network, method) for method in table.COLUMNS)))
        rows.append(("published", *(_published(network, method) for method in table.COLUMNS)))
    yield "Precision ± sd / recall ± sd / **F1**, in percent."
    yield _table(("", *table.COLUMNS), rows)
    yield table.best_beside_published(measured)
    yield "p of the rank-sum test that the directions raise precision / recall / F1."
    directed = [method for method in table.COLUMNS if " + " in method]
    yield _table(("", *directed), [(table.NAMES[n], *(_p_values(measured, n, m) for m in directed)) for n in networks])
    yield (
        "The same rates of the true equivalence class, which a search without errors finds, alone and with the "
        "directions that are then added, and of PC with at most three columns given."
    )
    rows = [(table.NAMES[n], *(_rates(measured, n, method) for method in table.REFERENCES)) for n in networks]
    yield _table(("", *table.REFERENCES), rows)


def _rates(measured: Measurements, network: str, method: str) -> str:
    where = {"network": network, "method": method}
    rates = (measured.values(measure, **where) for measure in ("precision", "recall"))
    shown = " / ".join(f"{mean(rate):.1f} ± {spread(rate):.1f}" for rate in rates)
    return f"{shown} / **{f1_of_means(measured, **where):.1f}**"


def _published(network: str, method: str) -> str:
    if method not in table.PUBLISHED:
        return "–"
    precision, sd_of_precision, recall, sd_of_recall, f1 = table.PUBLISHED[method][network]
    return f"{precision} ± {sd_of_precision} / {recall} ± {sd_of_recall} / {f1}"


def _p_values(measured: Measurements, network: str, method: str) -> str:
    measures = ("precision", "recall", "f1")
    return " / ".join(f"{table.p_value(measured, network, method, measure):.2g}" for measure in measures)


def _run(run: Measurements) -> Iterator[str]:
    yield (
        "Wall time is that of the run, on a machine that had other work to do. Seconds are those of the methods alone, "
        "added up over the workers: without drawing data, and with a search that several rows share counted in each. "
        "Tests are tests of independence, for FGES families that were scored; where a data set is asked for a few "
        "tests only, the time is that of making its tables."
    )
    columns = ("experiment", "data sets", "wall time, s", "seconds", "tests", "tests per second")
    lines = [
        (
            str(row["experiment"]), f"{row['data_sets']:,}", f"{row['wall_seconds']:,.0f}", f"{row['seconds']:,.0f}",
            f"{row['tests']:,}", f"{row['tests_per_second']:,.0f}" if row["tests"] else "–",
        )
        for row in run.rows
    ]  # fmt: skip
    yield _table(columns, lines)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def summary(results: Results) -> list[Row]:
    """Return mean and standard deviation of every measure, by experiment, setting and method."""
    rows: list[Row] = []
    for name in (name for name in EXPERIMENTS if name in results):
        groups: dict[tuple[str, str], list[Row]] = {}
        for row in results[name].rows:
            setting = " ".join(f"{key}={row[key]}" for key in SETTINGS[:-1] if key in row)
            groups.setdefault((setting, str(row["method"])), []).append(row)
        for (setting, method), together in groups.items():
            for measure in (key for key in together[0] if key not in (*SETTINGS, "method")):
                values = [float(row[measure]) for row in together]
                figures = {"mean": float(f"{mean(values):.6g}"), "sd": float(f"{spread(values):.6g}"), "n": len(values)}
                rows.append({"experiment": name, "setting": setting, "method": method, "measure": measure, **figures})
    return rows


def short_table(results: Results) -> str:
    """Return the part of docs/evidence/paper.md that this script writes."""
    measured, networks = results["table"], results["table"].distinct("network")
    claims = [claim for name in EXPERIMENTS if name in results for claim in EXPERIMENTS[name].claims(results[name])]
    rows = [(table.NAMES[network], *(_beside(measured, network, m) for m in table.COLUMNS)) for network in networks]
    return f"""F1 of directed edges in percent, means over {len(measured.distinct("seed"))} data sets of 20,000 rows;
in parentheses the paper's, which has neither global directions nor `best`. By default `best` leaves undirected what the
data hardly decide, and an edge without direction is not counted as right.

{_table(("network", *table.COLUMNS), rows)}

Of {len(claims)} claims of the paper {_counted(claims)}."""


def _beside(measured: Measurements, network: str, method: str) -> str:
    ours = f"{f1_of_means(measured, network=network, method=method):.1f}"
    return f"{ours} ({table.PUBLISHED[method][network][table.F1]})" if method in table.PUBLISHED else ours


def read_results(folder: Path) -> Results:
    """Read the CSV files of a run."""
    return {
        name: Measurements.read(folder / f"{name}.csv")
        for name in (*EXPERIMENTS, "run")
        if (folder / f"{name}.csv").exists()
    }
