"""JSON Schemas of everything that climbfast writes as JSON, one file for each."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from climbfast.options import choice

__all__ = ["SCHEMAS", "schema"]

SCHEMAS = {
    "blanket": "`climbfast blanket --json`, Blanket.to_json, and each line of a file .jsonl of `climbfast blankets`",
    "neighbors": "`climbfast neighbors --json`, NeighborSet.to_json",
    "graph": "`climbfast graph --json` and of orient and convert, Graph.to_json, a graph in a file .json",
    "bootstrap": "`climbfast bootstrap --json`, Bootstrap.to_json, frequencies in a file .json",
    "inspect": "`climbfast inspect --json`, Inspection.to_json",
    "test": "`climbfast test --json`, TestResult.to_json",
    "compare": "`climbfast compare --json`, Comparison.to_json",
    "status": "`climbfast status --json`",
    "methods": "`climbfast methods --json`",
    "demo": "`climbfast demo --json`",
    "schemas": "`climbfast schema --json`",
    "error": "what a command with --json writes on standard error when it fails",
    "knowledge": "Knowledge.save to a file .json",
    "discretizer": "Discretizer.to_dict",
}


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of something that climbfast writes as JSON.

    Parameters
    ----------
    name : str
        "blanket", "neighbors", "graph", "bootstrap", "inspect", "test", "compare", "status", "methods", "demo",
        "schemas", "error", "knowledge" or "discretizer".

    Returns
    -------
    dict

    Raises
    ------
    OptionError
        For another name.

    Notes
    -----
    The fields of a schema stay what they are until the next version whose first or second number is another one; new
    fields may come. A number that JSON does not have, as NaN, can only be the name of a column or the level of one.

    Examples
    --------
    >>> import climbfast as cf
    >>> cf.schema("blanket")["required"][:4]
    ['target', 'parents', 'children', 'spouses']
    """
    file = f"{choice('name', name, SCHEMAS)}.json"
    found: dict[str, Any] = json.loads(resources.files("climbfast.schemas").joinpath(file).read_text(encoding="utf-8"))
    return found
