"""The examples at the end of each command's help; the tests run them all."""

from __future__ import annotations

__all__ = ["EXAMPLES", "epilog_of"]

EXAMPLES: dict[str, tuple[str, ...]] = {
    "inspect": (
        "climbfast inspect survey.csv",
        "climbfast inspect survey.csv --numbers auto --missing test-wise --json",
    ),
    "blanket": (
        "climbfast blanket patients.csv --target disease",
        "climbfast blanket patients.csv --target disease --test g2 --alpha 0.05",
        "climbfast blanket survey.csv --target ill --numbers auto --missing test-wise",
        "climbfast blanket patients.csv --target disease --json --out disease.json",
    ),
    "blankets": (
        "climbfast blankets patients.csv --out blankets.jsonl",
        "climbfast blankets patients.csv --targets disease,cough --out edges.csv",
        "climbfast blankets patients.csv --journal run.db --resume --out found.parquet",
    ),
    "status": ("climbfast status run.db", "climbfast status run.db --json"),
    "neighbors": (
        "climbfast neighbors patients.csv --target disease",
        "climbfast neighbors patients.csv --target disease --method hiton-pc",
    ),
    "methods": ("climbfast methods", "climbfast methods --json"),
    "test": (
        "climbfast test patients.csv --x smoking --y cough",
        "climbfast test patients.csv --x smoking --y cough --given disease --test g2",
    ),
    "sample": (
        "climbfast sample patients.bif --rows 20000 --seed 1 --out patients.csv",
        "climbfast sample patients.bif --rows 100 --seed 1 --out - --out-format tsv",
    ),
    "graph": (
        "climbfast graph patients.csv --out graph.csv",
        "climbfast graph patients.csv --method pc --test g2 --json",
        "climbfast graph patients.csv --tier age --tier smoking,disease,cough --seed 1",
    ),
    "orient": (
        "climbfast orient graph.csv patients.csv --out directed.csv",
        "climbfast orient graph.csv patients.csv --method global --json",
    ),
    "fit": (
        "climbfast fit directed.csv patients.csv --out patients.bif",
        "climbfast fit directed.csv patients.csv --prior 0 --out -",
    ),
    "bootstrap": (
        "climbfast bootstrap patients.csv --replicates 100 --out frequencies.csv",
        "climbfast bootstrap patients.csv --search blanket --target disease --json",
        "climbfast bootstrap patients.csv --search pc --graph consensus.csv",
    ),
    "report": (
        "climbfast report patients.csv --target disease --out disease.html",
        "climbfast report patients.csv --search best --seed 1 --out graph.html",
    ),
    "plot": (
        "climbfast plot graph.csv --out graph.svg",
        "climbfast plot blankets.jsonl --target disease --out disease.png",
    ),
    "compare": (
        "climbfast compare truth.csv graph.csv",
        "climbfast compare truth.csv graph.csv --json",
    ),
    "convert": (
        "climbfast convert graph.csv --out graph.graphml",
        "climbfast convert graph.csv --out - --out-format dot",
    ),
    "schema": ("climbfast schema", "climbfast schema blanket --out blanket.schema.json"),
    "warm": ("climbfast warm", "climbfast warm --clear"),
    "demo": ("climbfast demo", "climbfast demo --json"),
}


def epilog_of(command: str) -> str:
    """Return what stands at the end of the help of a command: each example is a line."""
    return "\n\n".join(("Examples:", *EXAMPLES[command]))
