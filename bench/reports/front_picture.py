"""The picture on the front page, the blanket of the built-in example: ``python -m bench.reports.front_picture``."""

from __future__ import annotations

from pathlib import Path

import climbfast as cf

PICTURE = Path(__file__).parents[2] / "docs" / "blanket.svg"


def blanket() -> cf.Blanket:
    """Return the blanket that ``climbfast demo`` finds."""
    return cf.markov_blanket(cf.load_example().sample(20_000, seed=1), "heart_disease")


if __name__ == "__main__":
    blanket().save(PICTURE)
