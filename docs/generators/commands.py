"""The pages of the command line, from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from climbfast.cli.commands import COMMANDS, command_line

__all__ = ["page_of", "pages"]

PLAIN_HEADINGS = {None: "Options"}


def pages() -> dict[str, str]:
    """Return a page in Markdown for each command, by the name of its file."""
    commands = typer.main.get_command(command_line()).commands  # type: ignore[attr-defined]  # a group
    return {f"{name}.md": page_of(name, commands[name]) for name in COMMANDS}


def page_of(name: str, command: Any) -> str:
    """Return the page of one command."""
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option" and not each.hidden]
    needed = [f"{each.opts[0]} {_value(each)}" for each in options if each.required]
    expected = [_value(each) if each.required else f"[{_value(each)}]" for each in arguments]
    usage = " ".join(["climbfast", name, *expected, *needed, "[OPTIONS]"])
    parts = [f"# climbfast {name}", _text(command.help), f"```text\n{usage}\n```"]
    parts += _examples(command.epilog)
    if arguments:
        parts += ["## Arguments", *(_definition(f"`{_value(each)}`", each) for each in arguments)]
    for panel in dict.fromkeys(each.rich_help_panel for each in options):
        parts.append(f"## {PLAIN_HEADINGS.get(panel, panel)}")
        parts += [_definition(_names(each), each) for each in options if each.rich_help_panel == panel]
    return "\n\n".join(parts) + "\n"


def _examples(epilog: str | None) -> Iterator[str]:
    """Yield what stands below the options in the help, which is where a command has its examples."""
    lines = [line.strip() for line in (epilog or "").splitlines()]
    if shown := "\n".join(line for line in lines if line not in ("", "Examples:")):
        yield "## Examples"
        yield f"```sh\n{shown}\n```"


def _names(option: Any) -> str:
    value = "" if option.is_flag else f" {_value(option)}"
    return ", ".join(f"`{name}{value}`" for name in [*option.opts, *option.secondary_opts])


def _value(parameter: Any) -> str:
    """Return what stands for the value of an option or argument, as in the help."""
    if parameter.metavar:
        return str(parameter.metavar)
    if parameter.param_type_name == "argument":
        return str(parameter.name).upper()
    choices = getattr(getattr(parameter, "type", None), "choices", None)
    return "|".join(map(str, choices)) if choices else "VALUE"


def _definition(term: str, parameter: Any) -> str:
    lines = _text(parameter.help).splitlines()
    if default := _default(parameter):
        lines.append(f"*Default: {default}.*")
    body = "\n".join(lines)
    return f"{term}\n: " + body.replace("\n", "\n  ")


def _default(parameter: Any) -> str:
    if isinstance(parameter.show_default, str):
        return parameter.show_default
    if parameter.required or not parameter.show_default or parameter.default in (None, False, [], ()):
        return ""
    return str(parameter.default)


def _text(help_text: str | None) -> str:
    """Return text of the help as Markdown: signs that mean something there are taken as they are."""
    text = (help_text or "").replace("\b", "").strip()
    parts = text.split("`")
    parts[::2] = [_escaped(part) for part in parts[::2]]
    return "`".join(parts)


def _escaped(text: str) -> str:
    for sign in "\\*_<>[]$#|{}":
        text = text.replace(sign, f"\\{sign}")
    return text
