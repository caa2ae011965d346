"""DoWhy: its models have our edges, and it estimates an effect by a graph that was found."""

from __future__ import annotations

import contextlib
import io
import logging
import re
import runpy
import shutil
import tempfile
from pathlib import Path

import dowhy.gcm
import numpy as np
import pandas as pd
from dowhy import CausalModel

import climbfast as cf
from bench.exchange.round_trips import ODD, graphs, print_line, write_line

ROWS = 5_000
EFFECT = 0.3  # of smoking on cough
EXAMPLE = Path(__file__).parents[2] / "examples" / "effect.py"
EFFECT_IN_EXAMPLE = 0.35  # of high blood pressure on heart disease, in the network of its table


def model_of(graph: cf.Graph) -> CausalModel:
    draw = np.random.default_rng(0)
    data = pd.DataFrame(draw.integers(0, 2, (20, len(graph.names))), columns=list(graph.names))
    return CausalModel(data, graph.names[0], graph.names[-1], graph=graph.to_dowhy())


def main() -> None:
    logging.disable(logging.CRITICAL)
    ours = [graph for graph in graphs(["dag", "empty", "dag"], ODD) if len(graph.names) > 1]
    read = [cf.Graph.from_networkx(model_of(graph)._graph._graph) for graph in ours]
    print_line("DoWhy", "dowhy", "CausalModel has our edges", zip(ours, read, strict=True), ODD)
    read = [cf.Graph.from_networkx(dowhy.gcm.StructuralCausalModel(graph.to_dowhy()).graph) for graph in ours]
    print_line("DoWhy", "dowhy", "gcm has our edges", zip(ours, read, strict=True), ODD)
    found = estimate()
    is_right = abs(found - EFFECT) < 0.05
    write_line(
        "DoWhy", "dowhy", f"estimates an effect of {EFFECT} by a graph that was found: {found:.2f}",
        graphs=1, same=int(is_right), names=0, odd=0, first=repr(found),
    )  # fmt: skip

    printed = lines_of_example()
    said = re.findall(r"^# -> (.*)$", EXAMPLE.read_text("utf-8"), re.MULTILINE)
    found = float(printed[-1].split()[-1])
    # Which of the sets that will do is held fixed depends on the hashes of names in this process.
    is_right = printed[:2] == said[:2] and len(printed) == len(said) and abs(found - EFFECT_IN_EXAMPLE) < 0.05
    write_line(
        "DoWhy", "dowhy", f"runs examples/effect.py: {printed[-1]}",
        graphs=1, same=int(is_right), names=0, odd=0, first=repr(printed),
    )  # fmt: skip


def lines_of_example() -> list[str]:
    """Return what the example prints."""
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(EXAMPLE.parent / "data", Path(folder, "data"))
        with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
            runpy.run_path(str(EXAMPLE))
    return printed.getvalue().splitlines()


def estimate() -> float:
    """From data to a graph to an effect, as a user does it."""
    draw = np.random.default_rng(0)
    age, sex = draw.integers(0, 2, (2, ROWS))
    smoking = (draw.random(ROWS) < 0.2 + 0.3 * age + 0.3 * sex).astype(int)
    cough = (draw.random(ROWS) < 0.1 + EFFECT * smoking + 0.4 * age).astype(int)
    frame = pd.DataFrame({"age group": age, "sex": sex, "smoking": smoking, "cough": cough})
    known = cf.Knowledge(tiers=[["age group", "sex"], ["smoking"], ["cough"]])
    graph = cf.fges(cf.Dataset.from_frame(frame), knowledge=known).to_dag()
    model = CausalModel(frame, "smoking", "cough", graph=graph.to_dowhy())
    effect = model.identify_effect(proceed_when_unidentifiable=True)
    return float(model.estimate_effect(effect, method_name="backdoor.linear_regression").value)


if __name__ == "__main__":
    main()
