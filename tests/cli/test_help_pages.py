"""The help on terminals of any width, and without colors."""

from __future__ import annotations

import pytest

from climbfast.cli.commands import COMMANDS


@pytest.fixture
def terminal(monkeypatch, run):
    """Run a command on a terminal of so many columns."""

    def on_terminal(width: int, *arguments: object) -> str:
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setattr("typer.rich_utils.FORCE_TERMINAL", True)
        monkeypatch.setattr("typer.rich_utils.COLOR_SYSTEM", "standard")
        code, out, _ = run(*arguments)
        assert code == 0
        return out

    return on_terminal


@pytest.mark.parametrize("command", ["", *COMMANDS])
@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_line_is_too_long_and_no_option_is_cut(terminal, command, width, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    shown = terminal(width, *command.split(), "--help")
    lines = [line for line in shown.splitlines() if not line.strip().startswith("--")]  # one word cannot be broken
    assert max(map(len, lines)) <= width
    assert "…" not in shown
    assert "--quiet" in shown or not command


def test_colors(terminal, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in terminal(80, "blanket", "--help")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in terminal(80, "blanket", "--help")
    monkeypatch.setenv("NO_COLOR", "")  # empty is as unset
    assert "\x1b[" in terminal(80, "blanket", "--help")
    assert "\x1b[" not in terminal(40, "blanket", "--help")


@pytest.mark.parametrize("width", [60, 120])
def test_a_default_has_no_brackets_of_its_own(terminal, width, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    shown = " ".join(terminal(width, "blanket", "--help").split())
    assert "[default: 32]" in shown and "[default: yes for climb]" in shown
    assert "[default: (" not in shown
