"""The command that ships compiled kernels makes an archive for each family that this processor can run."""

from __future__ import annotations

from bench.tools import ship_kernels
from climbfast_kernels import _shipped


def test_other_families_are_left_out(monkeypatch, tmp_path, capsys):
    best, other = _shipped.FAMILIES
    monkeypatch.setattr(_shipped, "FOLDER", tmp_path / "compiled")
    monkeypatch.setattr(ship_kernels, "families_of_host", lambda: [other])
    monkeypatch.setattr(ship_kernels, "compile_for", lambda family: {"kernel": b"code"})
    ship_kernels.main()
    left_out, archive = capsys.readouterr().out.splitlines()
    assert left_out == f"{best.name}: left out, since this processor cannot run it"
    assert archive.startswith(f"{other.name}-")
    assert [file.name for file in (tmp_path / "compiled").glob("*.zip")] == [_shipped.archive_name(other)]
