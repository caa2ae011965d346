"""Options as they are typed here, not as Python spells them."""

from __future__ import annotations

import re

__all__ = ["as_typed", "dashed"]


def as_typed(message: str) -> str:
    """Name the options in a message as they are typed."""
    # Not after a quote: there it is a column of the user's.
    message = re.sub(r"(?<!['\w])(missing|encoding|separator)='([\w-]+)'", r"--\1 \2", message)
    message = re.sub(r"(?<!['\w])separator='", "--separator '", message)
    message = re.sub(r"(?<!['\w])treat_floats_as_levels=True", "--treat-floats-as-levels", message)
    message = re.sub(r"(?<!['\w])leave_out=\[\.\.\.\]", "--leave-out NAME", message)
    message = re.sub(r"(?<!['\w])(missing_markers|min_margin|node_budget)(?!\w)", lambda it: dashed(it[0]), message)
    message = re.sub(r"(?<!['\w])orient=True", "--orient", message)
    message = re.sub(r"(?<!['\w])resume=True", "--resume", message)
    message = re.sub(r"(?<!['\w])journal=\.\.\.", "--journal FILE", message)
    return re.sub(r"^([a-z]+(?:_[a-z]+)*)(?= is )", lambda found: dashed(found[0]), message)


def dashed(option: str) -> str:
    """Return the name of a parameter as the option that it is."""
    return "--jobs" if option == "n_jobs" else f"--{option.replace('_', '-')}"
