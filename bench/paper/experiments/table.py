"""Table I: whole graphs of five networks, with and without the directions of Climb. A method is a line in METHODS."""

from __future__ import annotations

from collections.abc import Iterator

from bench.paper.claims import Claim
from bench.paper.experiment import Measured, Setting
from bench.paper.experiments import plug_and_play
from bench.paper.graphs import FGES, PC, Graphs
from bench.paper.plots import Figure, Panel
from bench.paper.rank_sum import rank_sum_p

TITLE = "Table I"
SETTINGS = """Five networks, ten data sets of 20,000 rows each. PC is stable PC (G² with α = 0.01 and ten rows per degree of
freedom, sets of any size, later v-structures overwrite earlier ones); FGES has the score BDeu(1, 1). "+ Climb" directs what
the search left undirected by Climb's score, "+ global" directs all edges so that the stochastic complexity of the whole
graph is least, which the paper does not have. An edge without direction counts once as found and never as right; F1 is
made of mean precision and mean recall. p is that of the exact one-sided rank-sum test with ties, over the data sets, of
the hypothesis that the directions raise F1."""
NETWORKS = ("alarm", "hailfinder", "hepar2", "win95pts", "andes")
METHODS = {
    "PC": Graphs(PC),
    "PC + Climb": Graphs(PC, "climb"),
    "PC + global": Graphs(PC, "global"),
    "FGES": Graphs(FGES),
    "FGES + Climb": Graphs(FGES, "climb"),
    "FGES + global": Graphs(FGES, "global"),
}
PUBLISHED = {  # precision, recall, F1, all in percent
    "PC": {
        "alarm": (74.1, 64.6, 69.0), "hailfinder": (79.1, 42.4, 55.2), "hepar2": (62.1, 34.0, 43.9),
        "win95pts": (83.9, 59.7, 69.8), "andes": (94.3, 79.8, 86.4),
    },
    "PC + Climb": {
        "alarm": (99.0, 86.3, 92.2), "hailfinder": (92.4, 49.5, 64.5), "hepar2": (66.1, 36.2, 46.8),
        "win95pts": (94.7, 67.4, 78.7), "andes": (97.0, 82.1, 89.0),
    },
    "FGES": {
        "alarm": (73.9, 77.1, 75.5), "hailfinder": (82.2, 82.6, 82.4), "hepar2": (85.2, 61.9, 71.7),
        "win95pts": (82.4, 78.1, 80.2), "andes": (95.7, 86.0, 90.6),
    },
    "FGES + Climb": {
        "alarm": (85.3, 89.1, 87.1), "hailfinder": (82.6, 82.9, 82.7), "hepar2": (89.1, 64.7, 75.0),
        "win95pts": (87.1, 82.6, 84.8), "andes": (98.7, 88.7, 93.5),
    },
}  # fmt: skip


def data_sets(*, quick: bool) -> Iterator[Setting]:
    """Yield network, rows and seed."""
    for network in NETWORKS:
        for seed in range(1, 3 if quick else 11):
            yield {"network": network, "rows": 20_000, "seed": seed}


draw = plug_and_play.draw


def claims(measured: Measured) -> list[Claim]:
    """See ``Experiment.claims``."""
    found = []
    for search in ("PC", "FGES"):
        directed = f"{search} + Climb"
        for network in measured.distinct("network"):
            before, after = (plug_and_play.f1_of_means(measured, method=m, network=network) for m in (search, directed))
            found += [
                Claim(f"{search}, {network}: F1", before, PUBLISHED[search][network][2], order=after > before,
                      compared="Climb raises F1", why=WHY.get((search, network), "")),
                Claim(f"{directed}, {network}: F1", after, PUBLISHED[directed][network][2], order=after > before,
                      compared="Climb raises F1", why=WHY.get((directed, network), "")),
            ]  # fmt: skip
    return found + [_improves(measured, search) for search in ("PC", "FGES")]


WHY: dict[tuple[str, str], str] = {}


def _improves(measured: Measured, search: str) -> Claim:
    p = {network: p_value(measured, network, f"{search} + Climb") for network in measured.distinct("network")}
    published = {network: PUBLISHED[f"{search} + Climb"][network][2] - PUBLISHED[search][network][2] for network in p}
    least = min(published, key=published.__getitem__)
    significant = sum(value < 0.05 for value in p.values())
    return Claim(
        f"Climb improves {search} on all networks (those with p < 0.05)", significant, order=significant == len(p),
        compared=f"{len(p)} of {len(p)}", unit="",
        why=f"p is {', '.join(f'{value:.2g} on {network}' for network, value in p.items())}; published F1 rises least on "
        f"{least}, by {published[least]:.1f}.",
    )  # fmt: skip


def p_value(measured: Measured, network: str, method: str, measure: str = "f1") -> float:
    """Return p of the rank-sum test of a method with directions against its search alone."""
    alone = method.partition(" + ")[0]
    with_it, without = (measured.values(measure, method=m, network=network) for m in (method, alone))
    return rank_sum_p(with_it, without)


def figures(measured: Measured) -> list[Figure]:
    """See ``Experiment.figures``."""
    curves = {name: measured.curve("f1", "network", method=name) for name in measured.distinct("method")}
    published = {
        name: [PUBLISHED[name][network][2] for network in curves[name].along] for name in PUBLISHED if name in curves
    }
    panel = Panel("Whole graphs, 20,000 rows", "", "F1 of directed edges, %", curves, published, joined=False)
    return [Figure("table", "F1 of Table I; hollow markers are the published numbers.", [panel], 8.0)]
