"""The command line inside this process, and a small file to run it on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from climbfast.cli import main
from climbfast.networks.examples import load_example
from climbfast.networks.saving import save_sample
from climbfast.warm import warm_up


class Result(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture(scope="session", autouse=True)
def _warm() -> None:
    """Leave nothing to compile: the notice of it would stand where a test expects nothing."""
    warm_up()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> Result:
        code = main([str(argument) for argument in arguments])
        return Result(code, *capsys.readouterr())

    return run


@pytest.fixture
def refused(run: Run) -> Callable[..., str]:
    """Run what has to be refused; return the one line that says why."""

    def refused(*arguments: object) -> str:
        code, out, err = run(*arguments)
        assert (code, out) == (2, ""), (code, out, err)
        assert err.startswith("climbfast: ")
        assert err.count("\n") == 1
        assert err.endswith("\n")
        return err

    return refused


@pytest.fixture(scope="session")
def health(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3,000 rows of the example network."""
    path = tmp_path_factory.mktemp("health") / "health.csv"
    save_sample(load_example(), 3000, 1, path)
    return path
