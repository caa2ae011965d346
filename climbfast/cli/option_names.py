"""Options as they are typed on the command line, not as Python spells them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from climbfast.errors import Option, Parts

__all__ = ["as_typed", "option_name"]

# What stands for the value of an option that takes one.
_METAVARS = {"journal": "FILE", "leave_out": "NAME"}
# Options whose name on the command line is another one.
_NAMES = {"n_jobs": "--jobs", "tiers": "--tier", "required": "--require", "forbidden": "--forbid"}


def as_typed(message: Parts) -> str:
    """Return a message with its options as they are typed."""
    return "".join(_typed(part) if isinstance(part, Option) else str(part) for part in message.parts)


def _typed(option: Option) -> str:
    if option.value is None or option.value is True:
        return option_name(option.name)
    if option.value is False:
        return option_name(f"no_{option.name}")
    if option.value is Ellipsis:
        return f"{option_name(option.name)} {_METAVARS[option.name]}"
    if isinstance(option.value, Mapping):  # by column
        pairs = [("" if name is None else f"{name}=", _text_of(value)) for name, value in option.value.items()]
        texts = [_quoted(f"{name}{value}") for name, value in pairs]
    elif isinstance(option.value, list):  # each for itself
        texts = [_quoted(str(value)) for value in option.value]
    else:
        texts = [_argument(str(option.value))]
    return " ".join(f"{option_name(option.name)} {text}" for text in texts)


def _quoted(text: str) -> str:
    """Return a text as a shell takes it: in double quotes if it has an apostrophe, and nothing that these replace."""
    return f'"{text}"' if "'" in text and not set(text) & set('"$`\\!') else shlex.quote(text)


def _text_of(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _argument(value: str) -> str:
    return value if value.isprintable() and value.strip() else repr(value)


def option_name(option: str) -> str:
    """Return the name of a parameter as the option that it is."""
    return _NAMES.get(option, f"--{option.replace('_', '-')}")
