"""``bench.check`` on real kernels: one that is called twice is caught, an unchanged one is not. Half a minute."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench.check import main
from climbfast_kernels import patterns

CHECKED = ("patterns/weakest[3-1-6]", "patterns/sweep_given[ternary-2]", "counts/count[20000-4-2-dense]")


def test_a_kernel_called_twice_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = ["--baseline", str(tmp_path / "baseline.csv")]
    assert main([*baseline, "--add", *CHECKED, "directions[example-climb]"]) == 0
    assert main(baseline) == 0
    assert "slower" not in capsys.readouterr().out

    once = patterns.weakest

    def twice(*arguments: Any) -> Any:
        once(*arguments)
        return once(*arguments)

    monkeypatch.setattr(patterns, "weakest", twice)
    assert main(baseline) == 1
    slower = {line.split()[0] for line in capsys.readouterr().out.splitlines() if "slower" in line}
    assert slower == {*CHECKED}
