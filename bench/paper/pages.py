"""The pages: RESULTS.md, the summary as CSV, and the table in the README. Every number is taken from the rows measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean

from bench.paper.claims import MARKS, RULE, Claim
from bench.paper.experiment import Measured, Row, spread
from bench.paper.experiments import EXPERIMENTS, table
from bench.paper.experiments.plug_and_play import f1_of_means

__all__ = ["readme_table", "results_page", "summary", "with_readme_table"]

Results = Mapping[str, Measured]
"""By experiment, and under "run" what each took."""
BEGIN = "<!-- begin: written by python -m bench.paper -->"
END = "<!-- end -->"
NOT_MEASURES = ("network", "rows", "noise", "levels", "sets", "seed", "method")
LABELS = {
    "alarm": "Alarm",
    "hailfinder": "Hailfinder",
    "hepar2": "Hepar2",
    "win95pts": "Win95pts",
    "andes": "Andes",
}


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
    marks = Counter(claim.mark for of_experiment in claims.values() for claim in of_experiment)
    counted = ", ".join(f"{marks[mark]} {_words(mark)}" for mark in MARKS)
    return f"""# The paper, reproduced

Every figure and the table of A. Marx and J. Vreeken, *Causal Discovery by Telling Apart Parents and Children* (2018),
measured by climbfast {run[0]["version"]} beside the published numbers: of {marks.total()} claims {counted}.

This page is written by `{run[0]["command"]}` from the files in `results/`; it took {minutes:.1f} minutes with
{run[0]["workers"]} workers. `results/summary.csv` has all means and standard deviations.

## How a claim is marked"""


def _words(mark: str) -> str:
    return {"reproduced": "are reproduced", "partly": "in part", "not": "are not"}[mark]


def _overview(claims: Mapping[str, list[Claim]]) -> Iterator[str]:
    rows = []
    for name, of_experiment in claims.items():
        marks = Counter(claim.mark for claim in of_experiment)
        rows.append((f"[{EXPERIMENTS[name].TITLE}](#{_anchor(name)})", *(str(marks[mark]) for mark in MARKS)))
    yield _table(("experiment", *MARKS), rows)


def _anchor(name: str) -> str:
    return EXPERIMENTS[name].TITLE.lower().replace(" ", "-")


def _experiment(name: str, measured: Measured, claims: list[Claim]) -> Iterator[str]:
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
    differing = [f"- {claim.says}: {claim.why}" for claim in claims if claim.mark != "reproduced" and claim.why]
    if differing:
        yield "Where they differ:"
        yield "\n".join(differing)


def _order(claim: Claim) -> str:
    if claim.mark == "partly":
        return f" (order: {claim.compared})"
    return f" ({claim.compared})" if claim.published is None else ""


def _table_one(measured: Measured) -> Iterator[str]:
    """Yield Table I: ours over the published, P / R / F1, and p of the gains."""
    networks, methods = measured.distinct("network"), measured.distinct("method")
    rows = []
    for network in networks:
        rows.append((f"**{LABELS[network]}**", *(_rates(measured, network, method) for method in methods)))
        rows.append(("published", *(_published(network, method) for method in methods)))
    yield "Precision ± sd / recall ± sd / **F1**, in percent."
    yield _table(("", *methods), rows)
    directed = [method for method in methods if " + " in method]
    yield "p of the rank-sum test that the directions raise precision / recall / F1."
    lines = [(LABELS[network], *(_p_values(measured, network, method) for method in directed)) for network in networks]
    yield _table(("", *directed), lines)


def _rates(measured: Measured, network: str, method: str) -> str:
    where = {"network": network, "method": method}
    rates = (measured.values(measure, **where) for measure in ("precision", "recall"))
    shown = " / ".join(f"{mean(rate):.1f} ± {spread(rate):.1f}" for rate in rates)
    return f"{shown} / **{f1_of_means(measured, **where):.1f}**"


def _published(network: str, method: str) -> str:
    if method not in table.PUBLISHED:
        return "–"
    precision, recall, f1 = table.PUBLISHED[method][network]
    return f"{precision} / {recall} / {f1}"


def _p_values(measured: Measured, network: str, method: str) -> str:
    measures = ("precision", "recall", "f1")
    return " / ".join(f"{table.p_value(measured, network, method, measure):.2g}" for measure in measures)


def _run(run: Measured) -> Iterator[str]:
    yield (
        "Wall time is that of the run, on a machine that had other work to do. Seconds are those of the methods alone, added "
        "up over the workers: without drawing data, and for rows that share a search with it in each. Tests are tests of "
        "independence, for FGES families that were scored."
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


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def summary(results: Results) -> list[Row]:
    """Return mean and standard deviation of every measure, by experiment, setting and method."""
    rows: list[Row] = []
    for name in (name for name in EXPERIMENTS if name in results):
        groups: dict[tuple[str, str], list[Row]] = {}
        for row in results[name].rows:
            setting = " ".join(f"{key}={row[key]}" for key in NOT_MEASURES[:-2] if key in row)
            groups.setdefault((setting, str(row["method"])), []).append(row)
        for (setting, method), together in groups.items():
            for measure in (key for key in together[0] if key not in NOT_MEASURES):
                values = [float(row[measure]) for row in together]
                figures = {"mean": float(f"{mean(values):.6g}"), "sd": float(f"{spread(values):.6g}"), "n": len(values)}
                rows.append({"experiment": name, "setting": setting, "method": method, "measure": measure, **figures})
    return rows


def readme_table(results: Results) -> str:
    """Return what stands between the two marks in the README."""
    measured, run = results["table"], results["run"].rows[0]
    claims = [claim for name in EXPERIMENTS if name in results for claim in EXPERIMENTS[name].claims(results[name])]
    marks = Counter(claim.mark for claim in claims)
    methods = measured.distinct("method")
    rows = [
        (LABELS[network], *(_beside(measured, network, m) for m in methods)) for network in measured.distinct("network")
    ]
    return f"""{BEGIN}
F1 of directed edges in percent, means over {len(measured.distinct("seed"))} data sets of 20,000 rows; in parentheses the paper's.

{_table(("network", *methods), rows)}

Of {len(claims)} claims of the paper {", ".join(f"{marks[mark]} {_words(mark)}" for mark in MARKS)}; climbfast {run["version"]}.
{END}"""


def _beside(measured: Measured, network: str, method: str) -> str:
    ours = f"{f1_of_means(measured, network=network, method=method):.1f}"
    return f"{ours} ({table.PUBLISHED[method][network][2]})" if method in table.PUBLISHED else ours


def with_readme_table(readme: str, results: Results) -> str:
    """Return the text of the README with the table of these results."""
    before, _, rest = readme.partition(BEGIN)
    return before + readme_table(results) + rest.partition(END)[2]


def read_results(folder: Path) -> Results:
    """Read the CSV files of a run."""
    return {
        name: Measured.read(folder / f"{name}.csv")
        for name in (*EXPERIMENTS, "run")
        if (folder / f"{name}.csv").exists()
    }
