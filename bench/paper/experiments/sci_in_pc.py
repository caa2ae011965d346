"""SCI in place of G² in stable PC."""

from __future__ import annotations

from bench.paper.claims import Claim
from bench.paper.experiment import Measurements
from bench.paper.experiments import plug_and_play
from bench.paper.graphs import PC, PC_SCI, Graphs
from bench.paper.plots import Figure, Panel

TITLE = "SCI in PC"
SETTINGS = """Alarm, ten data sets of each size; stable PC with sets of any size, later v-structures overwrite earlier
ones; G² with α = 0.01 and ten rows per degree of freedom. F1 of directed edges: an edge without direction counts as
found and not as right."""
METHODS = {"PC, G²": Graphs(PC), "PC, SCI": Graphs(PC_SCI)}
data_sets = plug_and_play.data_sets
draw = plug_and_play.draw


def claims(measured: Measurements) -> list[Claim]:
    """See ``Experiment.claims``."""
    sizes = measured.distinct("rows")
    g2, sci = ([plug_and_play.f1_of_means(measured, method=name, rows=rows) for rows in sizes] for name in METHODS)
    ahead = [ours - theirs for ours, theirs in zip(sci, g2, strict=True)]
    return [
        Claim(
            f"SCI is about 12 points of F1 ahead with 20,000 rows (here {sizes[-1]:,})", ahead[-1], 12,
            order=ahead[-1] > 0, compared="SCI ahead", unit="points",
            why=f"SCI has {sci[-1]:.1f} % and G² {g2[-1]:.1f} %; which v-structure holds when two are in conflict "
            "depends on the order of the columns, and that of the paper is not known.",
        ),
        Claim(
            "and far more with few rows (the largest distance, in points)", max(ahead),
            unit="points", order=max(ahead[:-1]) > ahead[-1], compared=f"further than with {sizes[-1]:,} rows",
            why=f"the distances are {', '.join(f'{points:.1f}' for points in ahead)} points from {sizes[0]:,} rows up.",
        ),
    ]  # fmt: skip


def figures(measured: Measurements) -> list[Figure]:
    """See ``Experiment.figures``."""
    panels = [
        Panel(
            title, "rows", f"{title}, %",
            {name: measured.curve(measure, "rows", method=name) for name in METHODS}, logarithmic="x",
        )
        for title, measure in (("precision", "precision"), ("recall", "recall"), ("F1", "f1"))
    ]  # fmt: skip
    return [Figure("sci_in_pc", "Directed edges of stable PC on Alarm.", panels)]
