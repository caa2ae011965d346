"""Groups of options: a dataclass in the signature of a command, whose fields are options.

::

    @dataclass(frozen=True, kw_only=True)
    class ReadingArguments:
        no_header: Annotated[bool, typer.Option("--no-header")] = False
        encoding: Annotated[str, typer.Option(help="Encoding of a text file.")] = "utf-8"

    @with_groups
    def blanket(data: Data, *, reading: ReadingArguments, as_json: AsJson = False) -> None: ...

For typer this is a command with ``data``, ``no_header``, ``encoding`` and ``as_json``, in this order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, wraps
from inspect import Parameter
from typing import Any, get_type_hints

from climbfast.errors import Option, OptionError

__all__ = ["refuse_options_of_others", "typed_in", "with_groups"]


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the options of each group in the place of the group, as typer needs it."""
    declared = inspect.signature(command, eval_str=True)
    options = [option for parameter in declared.parameters.values() for option in _options_of(parameter)]

    @wraps(command)
    def as_typed(**values: Any) -> None:
        command(**{name: _value(parameter, values) for name, parameter in declared.parameters.items()})

    # typer asks for both.
    as_typed.__annotations__ = {option.name: option.annotation for option in options}
    as_typed.__signature__ = declared.replace(parameters=options)  # type: ignore[attr-defined]  # inspect looks for it
    return as_typed


def typed_in(group: Any) -> dict[str, Any]:
    """Return the options of a group that were typed, for a group whose options are None when they are not."""
    return {field.name: value for field in fields(group) if (value := getattr(group, field.name)) is not None}


def refuse_options_of_others(typed: Iterable[str], what: str, name: str, taken: Mapping[str, Collection[str]]) -> None:
    """Refuse an option that belongs to another test, score or method, where it would have no effect.

    Parameters
    ----------
    typed : iterable of str
        The options, by the names of their parameters.
    what : str
        What takes them: "test", "score" or "method".
    name : str
        Which of these was chosen.
    taken : mapping of str to collection of str
        The options that each of these takes.

    Raises
    ------
    OptionError
    """
    for option in typed:
        if option not in taken[name]:
            *others, last = (other for other, options in taken.items() if option in options)
            for_which = f"{', '.join(others)} and {last}" if others else last
            raise OptionError(Option(option), f" is not an option of the {what} {name}; it is for {for_which}")


def _options_of(parameter: Parameter) -> tuple[Parameter, ...]:
    return _options_in(parameter.annotation) if _is_group(parameter.annotation) else (parameter,)


@cache  # most groups belong to several commands
def _options_in(group: type[Any]) -> tuple[Parameter, ...]:
    annotations = get_type_hints(group, include_extras=True)
    return tuple(
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=annotations[field.name],
        )
        for field in fields(group)
    )


def _value(parameter: Parameter, values: dict[str, Any]) -> Any:
    if not _is_group(parameter.annotation):
        return values[parameter.name]
    return parameter.annotation(**{option.name: values[option.name] for option in _options_in(parameter.annotation)})


def _is_group(annotation: Any) -> bool:
    return isinstance(annotation, type) and is_dataclass(annotation)
