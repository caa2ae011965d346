"""bnlearn-port, a port of the R package bnlearn: PC with G², blankets, hill climbing with BDe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pybnlearn
from measurement import ALPHA, MAX_GIVEN, REPLICATES, Edges, Task, main


def frame(names: list[str], codes: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(codes, columns=names).astype(str).astype("category")


def pc(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """stable, G², sets found."""
    data = frame(names, codes)
    return (
        lambda: pybnlearn.pc_stable(data, test="mi", alpha=ALPHA, max_sx=MAX_GIVEN),
        lambda network: network.arcs,
    )


def blankets(settings: str, method: str) -> Task:
    def task(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
        data = frame(names, codes)
        return (
            lambda: {name: pybnlearn.learn_mb(data, name, method=method, test="mi", alpha=ALPHA) for name in names},
            lambda found: [(target, member) for target in found for member in found[target]],
        )

    task.__doc__ = settings
    return task


def hill_climbing(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """hill climbing, BDe(1)."""
    data = frame(names, codes)
    return lambda: pybnlearn.hc(data, score="bde", iss=1), lambda network: network.arcs


def replicates(settings: str, algorithm: str, **options: Any) -> Task:
    def task(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
        data = frame(names, codes)
        return (
            lambda: pybnlearn.boot_strength(data, algorithm, replicates=REPLICATES, algorithm_args=options),
            lambda found: found.loc[found["strength"] > 1 / 2, ["from", "to"]].itertuples(index=False, name=None),
        )

    task.__doc__ = settings
    return task


if __name__ == "__main__":
    of_iamb, of_inter_iamb = blankets("IAMB, G²", "iamb"), blankets("inter-IAMB, G²", "inter.iamb")
    tasks = {
        "pc": pc,
        "blankets": of_iamb,
        "blankets-inter-iamb": of_inter_iamb,
        "bdeu": hill_climbing,
        "bootstrap_pc": replicates("stable, G², sets found", "pc.stable", test="mi", alpha=ALPHA, max_sx=MAX_GIVEN),
        "bootstrap_bdeu": replicates("hill climbing, BDe(1)", "hc", score="bde", iss=1),
    }
    main("bnlearn-port", tasks)
