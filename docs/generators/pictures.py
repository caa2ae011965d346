"""The pictures of the explanations, drawn from what climbfast finds in tables of its example network."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import climbfast as cf

__all__ = ["PICTURES"]

BLUE, ORANGE, GREY = "#2a6f97", "#e07a1f", "#8d99ae"  # they differ in lightness, too
FIRST_SEED = 1


def draw_parts(file: Path) -> None:
    """What it takes to write a column down, alone and given another: the bits of its entropy, and of its regret."""
    data = _sample(2_000)
    pairs = [
        cf.test(data, "heart_disease", "smoking"),
        cf.test(data, "heart_disease", "sleep"),
        cf.test(data, "smoking", "cholesterol"),
    ]
    figure, axes = _figure(len(pairs), width=9)
    for ax, found in zip(axes, pairs, strict=True):
        labels = [f"{_words(found.x)}\nalone", f"given\n{_words(found.y)}"]
        regret = [found.regret_x, found.regret_x_given_y]
        entropy = [found.sc_x - regret[0], found.sc_x_given_y - regret[1]]
        ax.bar(labels, entropy, color=BLUE, label="entropy")
        ax.bar(labels, regret, bottom=entropy, color=ORANGE, label="regret")
        ax.set_ylim(0.85 * min(entropy), 1.02 * max(found.sc_x, found.sc_x_given_y))
        gain = found.sc_x - found.sc_x_given_y
        ax.set_title(f"{abs(gain):.0f} bits {'less: dependent' if gain > 0 else 'more: independent'}", fontsize=10)
    axes[0].set_ylabel("bits (the axis is cut)")
    axes[0].legend(loc="lower left", fontsize=8)
    _save(figure, file)


def draw_rows(file: Path) -> None:
    """How SCI grows with rows where there is a dependence, and stays below 0 where there is none."""
    sizes = [50, 100, 200, 500, 1_000, 2_000, 5_000]
    figure, (ax,) = _figure(1)
    for (x, y), color in (
        (("heart_disease", "cholesterol"), BLUE),
        (("heart_disease", "diet"), ORANGE),
        (("smoking", "cholesterol"), GREY),
    ):
        ax.plot(sizes, [cf.test(_sample(n), x, y).sci for n in sizes], "o-", color=color)
        ax.annotate(f" {_words(x)}, {_words(y)}", (sizes[-1], cf.test(_sample(sizes[-1]), x, y).sci), va="center")
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set_yscale("symlog", linthresh=10)
    ax.set_xscale("log")
    ax.set_xlim(40, 60_000)
    ax.set_xticks(sizes, [f"{n:,}" for n in sizes])
    ax.minorticks_off()
    ax.set_xlabel("rows")
    ax.set_ylabel("SCI in bits; above 0: dependent")
    _save(figure, file)


def draw_collider(file: Path) -> None:
    """Which pairs around heart disease depend on each other before and after a column is given."""
    data = _sample(2_000)
    cases = [
        ("smoking", "cholesterol", "heart_disease", "two parents,\ngiven their child"),
        ("reflux", "heart_disease", "chest_pain", "spouse and target,\ngiven their child"),
        ("age", "heart_disease", "blood_pressure", "cause behind a parent,\ngiven the parent"),
        ("ecg", "smoking", "heart_disease", "child and parent,\ngiven the target"),
    ]
    before = [cf.test(data, x, y).strength for x, y, _, _ in cases]
    after = [cf.test(data, x, y, given=[z]).strength for x, y, z, _ in cases]
    figure, (ax,) = _figure(1, width=9)
    for place, (x, y, z, _) in enumerate(cases):
        ax.bar(place - 0.18, before[place], 0.34, color=GREY, label="nothing given" if not place else None)
        ax.bar(place + 0.18, after[place], 0.34, color=BLUE, label="the third column given" if not place else None)
        top = max(before[place], after[place], 0)
        ax.text(place, top + 1, f"{_words(x)}, {_words(y)}\n| {_words(z)}", ha="center", va="bottom", fontsize=8)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set_xticks(range(len(cases)), [title for *_, title in cases])
    ax.set_ylim(min(*before, *after) - 5, max(*before, *after) + 12)
    ax.set_ylabel("SCI in bits; above 0: dependent")
    ax.legend(loc="upper left", fontsize=8)
    _save(figure, file)


def draw_example(file: Path) -> None:
    """The example network, as climbfast draws a graph."""
    network = cf.load_example()
    graph = cf.Graph(network.nodes, directed=network.arcs)
    graph.save(file)


PICTURES: dict[str, Callable[[Path], None]] = {
    "complexity": draw_parts,
    "rows": draw_rows,
    "colliders": draw_collider,
    "example": draw_example,
}


@cache
def _sample(rows: int) -> cf.Dataset:
    return cf.load_example().sample(rows, seed=FIRST_SEED)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _figure(axes: int, width: float = 7) -> tuple[Any, Any]:
    import matplotlib.pyplot as plt

    figure, found = plt.subplots(1, axes, figsize=(width, 3.6), layout="constrained", squeeze=False)
    for ax in found[0]:
        ax.spines[["top", "right"]].set_visible(False)
    return figure, found[0]


def _save(figure: Any, file: Path) -> None:
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    with mpl.rc_context({"svg.hashsalt": "climbfast"}):
        figure.savefig(file, metadata={"Date": None})
    plt.close(figure)
