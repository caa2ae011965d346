"""Groups of options in the signature of a command."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer

from climbfast.cli.options.groups import typed_in, with_groups


@dataclass(frozen=True, kw_only=True)
class Frame:
    width: Annotated[int, typer.Option("--width", "-w", help="In cells.")]
    title: Annotated[str | None, typer.Option(help="Above it.")] = None


@dataclass(frozen=True, kw_only=True)
class WideFrame(Frame):
    width: Annotated[int, typer.Option(help="In many cells.")] = 80


@dataclass(frozen=True, kw_only=True)
class Heading:
    """Its option has the name of the parameter that another group is."""

    frame: Annotated[str, typer.Option(help="Of the heading.")] = "none"


@pytest.fixture
def called():
    return []


@pytest.fixture
def draw(called):
    @with_groups
    def draw(text: str, *, frame: Frame, loud: bool = False, heading: Heading) -> None:
        """Draw a text."""
        called.append((text, frame, loud, heading))

    return draw


def by_typer(command, *arguments):
    app = typer.Typer(add_completion=False)
    app.command()(command)
    return typer.main.get_command(app).main(list(arguments), standalone_mode=False)


def test_options_stand_in_the_place_of_their_group(draw):
    parameters = inspect.signature(draw).parameters
    assert list(parameters) == ["text", "width", "title", "loud", "frame"]
    assert [p.default for p in parameters.values()] == [inspect.Parameter.empty] * 2 + [None, False, "none"]
    assert parameters["text"].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert {parameters[name].kind for name in ("width", "title", "frame")} == {inspect.Parameter.KEYWORD_ONLY}
    assert (draw.__name__, draw.__doc__) == ("draw", "Draw a text.")


def test_the_command_gets_its_groups(draw, called):
    by_typer(draw, "a", "-w", "3", "--frame", "thin")
    by_typer(draw, "b", "--title", "t", "--width", "4", "--loud")
    assert called == [
        ("a", Frame(width=3), False, Heading(frame="thin")),
        ("b", Frame(width=4, title="t"), True, Heading()),
    ]


def test_an_option_without_default_is_required(draw, called):
    with pytest.raises(Exception, match="width") as refused:
        by_typer(draw, "a")
    assert type(refused.value).__name__ == "MissingParameter"
    assert not called


def test_a_group_that_inherits_changes_an_option_in_its_place(called):
    @with_groups
    def draw(*, frame: WideFrame) -> None:
        called.append(frame)

    parameters = inspect.signature(draw).parameters
    assert [(name, p.default) for name, p in parameters.items()] == [("width", 80), ("title", None)]
    by_typer(draw, "--title", "t")
    assert called == [WideFrame(width=80, title="t")]


def test_an_option_of_two_groups_is_refused():
    def draw(*, frame: Frame, other: WideFrame) -> None: ...

    with pytest.raises(ValueError, match="duplicate parameter name: 'width'"):
        with_groups(draw)


def test_what_was_typed_is_what_is_not_none():
    assert typed_in(Frame(width=0)) == {"width": 0}
    assert typed_in(Frame(width=1, title="")) == {"width": 1, "title": ""}
