"""One result of every kind: of the example network, and of a table with odd names."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import climbfast as cf
from tests.report.pages import EVIL, EVIL_LEVEL, ODD_NAMES, Elements


def results_of(data: cf.Dataset, target: Any, other: Any, third: Any) -> dict[type, Any]:
    """Results of every kind around three columns, as a user ends a cell with them."""
    blankets = cf.markov_blankets(data, n_jobs=1, progress=False)
    graph = cf.pc(data)
    columns = {str(name): data.codes[data.index(name)] for name in (target, other)}
    inspection = cf.inspect({target: np.where(columns[str(target)] > 0, EVIL_LEVEL, "a"), other: columns[str(other)]})
    known = cf.Knowledge(tiers=[[other], [target]], required=[(other, target)], forbidden=[(third, target)])
    found: list[Any] = [
        data,
        cf.Discretizer({target: [1.5]}).fit({target: [1.0, 2.0, 3.0], other: ["a", "b", "c"]}),
        inspection,
        cf.inspect({other: [1, 2], target: [1.5, 2.5]}).findings[0],
        inspection.columns[0],
        blankets[target],
        cf.neighbors(data, target),
        blankets,
        graph,
        cf.compare(graph, cf.Graph(graph.names, [(target, other)])),
        cf.Network(str(other), {str(target): ("a", EVIL_LEVEL), "y": ("a", "b")}, {"y": (str(target),)},
                   {str(target): [0.5, 0.5], "y": [[0.5, 0.5], [0.5, 0.5]]}),
        cf.bootstrap(data, "pc", replicates=3, n_jobs=1, progress=False),
        cf.test(data, target, other, given=[third]),
        known,
    ]  # fmt: skip
    return {type(each): each for each in found}


def odd_data() -> cf.Dataset:
    """Data of which all columns have odd names and an odd level, and each depends on the one before it."""
    rng = np.random.default_rng(0)
    values = np.cumsum(rng.random((300, len(ODD_NAMES))) < 0.3, axis=1) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cf.Dataset.from_frame(
            {name: np.where(values[:, i] > 0, EVIL_LEVEL, "a") for i, name in enumerate(ODD_NAMES)}
        )


def elements_of(html: str) -> Elements:
    """The elements of HTML, and its words with single blanks between."""
    elements = Elements(html)
    elements.text = elements.text.strip()
    return elements


def check_html(html: str | None) -> Elements:
    """Check that it shows tables and pictures, and that no text in it became code or a formula."""
    assert html is not None
    elements = elements_of(html)
    assert {tag for tag, _ in elements.tags} <= {
        "div", "strong", "img", "table", "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip
    for _, attributes in elements.tags:
        assert set(attributes) <= {"class", "style", "alt", "src"}
    assert all(each["src"].startswith("data:image/svg+xml;base64,") for each in elements.of("img"))
    assert elements.tags[0][1]["class"] == "tex2jax_ignore mathjax_ignore"
    html.encode("utf-8")
    return elements


__all__ = ["EVIL", "EVIL_LEVEL", "ODD_NAMES", "check_html", "elements_of", "odd_data", "results_of"]
