"""How fast the page of a wide run is made, and opens in a browser: ``python -m bench.reports.pages [COLUMNS ROWS]``.

Chromium has to be installed. Times of the browser are the least of several openings, by its own clock from the address
to the end of the script, by when the table is drawn, and to the first picture on the screen.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.shared.browser import open_browser
from bench.shared.factories import genes
from climbfast import markov_blankets

OPENINGS = 5
LOADED = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
# Milliseconds from an action until the next picture on the screen.
ACT = """(act) => new Promise((resolve) => {
    const begun = performance.now();
    eval(act);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)));
})"""
ACTIONS = {
    "search": "{const s = document.getElementById('search'); s.value = '{}'; s.dispatchEvent(new Event('input'));}",
    "sort": "document.querySelector('button[data-key=strongest]').click();",
    "open a target": "document.querySelector('#targets tbody tr').click();",
}


def measure(columns: int, rows: int, folder: Path) -> dict[str, float]:
    """Return seconds, and the size of the page in megabytes."""
    blankets = markov_blankets(genes(columns, rows), progress=False)
    page = folder / "run.html"
    begun = time.perf_counter()
    blankets.report(page)
    found = {"write": time.perf_counter() - begun, "megabytes": page.stat().st_size / 1e6}
    query = str(next(iter(blankets)))[:-1]
    with open_browser() as browser:
        openings = [_open(browser, page, query) for _ in range(OPENINGS)]
    return {**found, **{name: min(opening[name] for opening in openings) / 1e3 for name in openings[0]}}


def _open(browser: Any, page: Path, query: str) -> dict[str, float]:
    """Return milliseconds."""
    context = browser.new_context(bypass_csp=True)  # the page itself forbids eval
    tab = context.new_page()
    tab.goto(page.as_uri())
    tab.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    found = {"loaded": tab.evaluate(LOADED), "painted": tab.evaluate(PAINTED)}
    for name, act in ACTIONS.items():
        found[name] = tab.evaluate(ACT, act.replace("{}", query, 1) if name == "search" else act)
    context.close()
    return found


def main() -> None:
    columns, rows = map(int, sys.argv[1:3] or (5_716, 2_577))
    with tempfile.TemporaryDirectory() as folder:
        for name, value in measure(columns, rows, Path(folder)).items():
            print(f"{name:>14}: {value:.3f}{' MB' if name == 'megabytes' else ' s'}")


if __name__ == "__main__":
    main()
