"""Blankets that were found, and a folder for their files."""

from __future__ import annotations

from pathlib import Path

import pytest

import climbfast as cf
from tests.blankets.strategies import HOW


@pytest.fixture(scope="session")
def blankets() -> cf.Blankets:
    data = cf.load_example().sample(2_000, seed=1)
    return cf.Blankets([cf.markov_blanket(data, name, symmetry="and") for name in reversed(data.names)], HOW)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("blankets")
