"""The pages of the command line are what the commands are."""

from __future__ import annotations

import pytest
import typer

from climbfast.cli.commands import COMMANDS, command_line
from docs.generators.commands import page_of, pages

PAGES = pages()


def test_every_command_has_a_page() -> None:
    assert [*PAGES] == [f"{name}.md" for name in COMMANDS]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_on_the_page(name: str) -> None:
    page = PAGES[f"{name}.md"]
    assert page.startswith(f"# climbfast {name}\n\n")
    for parameter in typer.main.get_command(command_line([name])).commands[name].params:  # type: ignore[attr-defined]
        if parameter.param_type_name == "option":
            for option in (*parameter.opts, *parameter.secondary_opts):
                assert f"`{option}" in page
            assert parameter.rich_help_panel is None or f"\n## {parameter.rich_help_panel}\n" in page


def test_examples_are_those_below_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    command = typer.main.get_command(command_line(["warm"])).commands["warm"]  # type: ignore[attr-defined]
    monkeypatch.setattr(command, "epilog", "Examples:\n\nclimbfast warm\n\nclimbfast warm --clear")
    assert "\n## Examples\n\n```sh\nclimbfast warm\nclimbfast warm --clear\n```\n" in page_of("warm", command)


def test_values_defaults_and_signs() -> None:
    page = PAGES["blanket.md"]
    assert "```text\nclimbfast blanket DATA --target NAME [OPTIONS]\n```" in page
    assert "`--method NAME`\n: Search method; `climbfast methods` lists them." in page
    assert "*Default: climb.*" in page
    assert "`--colliders`, `--no-colliders`" in page
    assert "gene\\_\\*" in page  # which else would be the beginning of something slanted
