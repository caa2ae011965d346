"""``python -m bench.paper all | report | EXPERIMENT``; see ``python -m bench.paper --help``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from platformdirs import user_cache_path

from bench.paper import pages
from bench.paper.experiment import Measurements, Row
from bench.paper.experiments import EXPERIMENTS
from bench.paper.measurement import measure
from bench.paper.plots import draw
from bench.paper.result_store import ResultStore
from bench.shared.marked_text import EVIDENCE, fill
from climbfast import __version__

HERE = Path(__file__).parent


def main() -> None:
    """Measure what is asked for, then write figures and pages."""
    options = _options()
    out = options.out or (HERE / "quick" if options.quick else HERE)
    store = ResultStore(options.cache)
    chosen = {"all": list(EXPERIMENTS), "report": []}.get(options.what, [options.what])
    try:
        for name in chosen:
            if options.fresh:
                store.forget(name)
            measured = measure(name, store, quick=options.quick, workers=options.jobs)
            measured.save(out / "results" / f"{name}.csv")
            _save_run_row(out / "results", name, _run_row(name, measured, store, options))
    except KeyboardInterrupt:
        sys.exit("stopped; finished results are stored, and the same command continues from there")
    _write(out)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.paper", description="The paper's figures and table, measured."
    )
    parser.add_argument(
        "what", choices=["all", "report", *EXPERIMENTS], help="report writes the pages from the CSV files"
    )
    parser.add_argument("--quick", action="store_true", help="two seeds and fewer sizes, under five minutes")
    parser.add_argument("--jobs", type=int, default=2, help="workers (2)")
    parser.add_argument("--out", type=Path, help="a folder; bench/paper, and with --quick bench/paper/quick")
    cache = user_cache_path("climbfast") / "paper.sqlite"
    parser.add_argument("--cache", type=Path, default=cache, help=f"where results are stored ({cache})")
    parser.add_argument("--fresh", action="store_true", help="measure again what is stored")
    return parser.parse_args()


def _run_row(name: str, measured: Measurements, store: ResultStore, options: argparse.Namespace) -> Row:
    """Return the line of an experiment in run.csv: what it took."""
    seconds = sum(measured.values("seconds"))
    tests = int(sum(measured.values("tests")))
    drawn = {tuple(row[key] for key in row if key in pages.SETTINGS): int(row.get("sets", 1)) for row in measured.rows}
    return {
        "experiment": name,
        "data_sets": sum(drawn.values()),
        "wall_seconds": round(store.seconds(name, quick=options.quick), 1),
        "seconds": round(seconds, 1),
        "tests": tests,
        "tests_per_second": round(tests / seconds),
        "workers": options.jobs,
        "version": __version__,
        "command": f"python -m bench.paper all{' --quick' if options.quick else ''}",
    }


def _save_run_row(folder: Path, name: str, row: Row) -> None:
    """Put the line of an experiment in run.csv, in the place of its last one."""
    path = folder / "run.csv"
    before = Measurements.read(path).rows if path.exists() else ()
    rows = {str(line["experiment"]): line for line in before} | {name: row}
    Measurements(tuple(rows[key] for key in EXPERIMENTS if key in rows)).save(path)


def _write(out: Path) -> None:
    """Write figures and pages from the CSV files."""
    results = pages.read_results(out / "results")
    if not results:
        sys.exit(f"nothing is measured yet: there is no CSV file in {out / 'results'}")
    for name in (name for name in EXPERIMENTS if name in results):
        if missing := set(EXPERIMENTS[name].METHODS) - set(results[name].distinct("method")):
            sys.exit(f"{name}.csv has no rows of {', '.join(sorted(missing))}; measure it again")
        for figure in EXPERIMENTS[name].figures(results[name]):
            draw(figure, out / "figures" / f"{figure.name}.png")
    Measurements(tuple(pages.summary(results))).save(out / "results" / "summary.csv")
    (out / "RESULTS.md").write_text(pages.results_page(results), encoding="utf-8")
    if out == HERE and "table" in results:
        fill("paper", pages.short_table(results), EVIDENCE / "paper.md")


if __name__ == "__main__":
    main()
