"""A file whose columns have names that break tables, terminals and the parsing of options."""

from __future__ import annotations

import csv
import random

import pytest

from tests.cli.commands.expected import ODD_NAMES


@pytest.fixture(scope="module")
def odd_names(tmp_path_factory):
    """A target, and noisy copies of it under names that break tables, terminals and option parsers."""
    path = tmp_path_factory.mktemp("odd") / "odd.csv"
    rng = random.Random(1)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(ODD_NAMES)
        for _ in range(1000):
            target = rng.random() < 0.5
            writer.writerow([int(target)] + [int(target ^ (rng.random() < 0.2)) for _ in ODD_NAMES[1:]])
    return path
