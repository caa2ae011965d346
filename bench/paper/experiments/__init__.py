"""The experiments of the paper, in its order. The modules have one shape, which ``bench.paper.experiment`` names."""

from __future__ import annotations

from bench.paper.experiment import Experiment
from bench.paper.experiments import (
    causal_blankets,
    independence,
    plug_and_play,
    sci_in_pc,
    table,
    telling_apart,
    zero_baseline,
)

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: dict[str, Experiment] = {
    "independence": independence,
    "zero-baseline": zero_baseline,
    "plug-and-play": plug_and_play,
    "telling-apart": telling_apart,
    "causal-blankets": causal_blankets,
    "sci-in-pc": sci_in_pc,
    "table": table,
}
