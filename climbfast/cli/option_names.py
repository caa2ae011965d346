"""Options as they are typed on the command line, not as Python spells them."""

from __future__ import annotations

from climbfast.errors import Option, Parts

__all__ = ["as_typed", "dashed"]

# What stands for the value of an option that takes one.
_METAVARS = {"journal": "FILE", "leave_out": "NAME"}


def as_typed(message: Parts) -> str:
    """Return a message with its options as they are typed."""
    return "".join(_typed(part) if isinstance(part, Option) else part for part in message.parts)


def _typed(option: Option) -> str:
    if option.value is None or option.value is True:
        return dashed(option.name)
    if option.value is Ellipsis:
        return f"{dashed(option.name)} {_METAVARS[option.name]}"
    value = str(option.value)
    return f"{dashed(option.name)} {value if value.isprintable() and value.strip() else repr(value)}"


def dashed(option: str) -> str:
    """Return the name of a parameter as the option that it is."""
    return "--jobs" if option == "n_jobs" else f"--{option.replace('_', '-')}"
