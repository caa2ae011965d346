"""What a good report of a fault holds."""

from __future__ import annotations

import platform
import tomllib
from pathlib import Path

import pytest

import climbfast as cf
from climbfast.versions import EXTRAS, REQUIRED, peak_memory, versions_in_short, versions_text

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]


def names_in(requirements):
    return {requirement.partition(">=")[0].partition("[")[0] for requirement in requirements}


def test_what_is_shown(capsys):
    cf.show_versions()
    shown = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert shown["climbfast"] == cf.__version__
    assert shown["Python"].startswith(platform.python_version())
    assert {"system", "processor", "cores", "kernels", *REQUIRED} <= shown.keys()


def test_every_requirement_and_extra_is_named():
    assert names_in(PROJECT["dependencies"]) - {"backports.zstd"} == set(REQUIRED) - {"llvmlite"}
    extras = PROJECT["optional-dependencies"]
    assert {name: names_in(extras[name]) - {"climbfast"} for name in EXTRAS} == {
        name: set(packages) for name, packages in EXTRAS.items()
    }
    assert set(extras) - EXTRAS.keys() <= {"bench", "dev", "docs"}


def test_a_package_that_is_missing_is_said_to_be(monkeypatch):
    monkeypatch.setitem(EXTRAS, "formats", ("no-such-package",))
    assert "no-such-package not installed" in versions_text()


@pytest.mark.parametrize(("variable", "says"), [("0", "kept"), ("1", "interpreted (NUMBA_DISABLE_JIT)")])
def test_kernels(monkeypatch, variable, says):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", variable)
    (line,) = (line for line in versions_text().splitlines() if line.startswith("kernels"))
    assert says in line


def test_no_name_of_a_user_is_shown_besides_the_folder_of_kernels():
    others = [line for line in versions_text().splitlines() if not line.startswith("kernels")]
    assert str(Path.home()) not in "\n".join(others)


def test_in_short():
    assert f"climbfast {cf.__version__}, Python {platform.python_version()}, numba " in versions_in_short()


def test_memory():
    most = peak_memory()
    assert most is None or most > 10**7
