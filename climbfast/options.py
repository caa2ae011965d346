"""Options that users hand over, checked once: what was given, and what is legal."""

from __future__ import annotations

import difflib
import math
import sys
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import TypeGuard

import numpy as np

from climbfast.errors import Legal, Option, OptionError

__all__ = [
    "LARGEST_GIVEN",
    "choice",
    "flag",
    "is_number",
    "limit_of",
    "max_given_option",
    "max_pool_option",
    "number",
    "refuse_unknown_options",
    "whole_number",
    "workers_asked_for",
]

# Options of a test or a score that people hand to the function, and how they are handed over.
OPTIONS_OF_OBJECTS = {
    "alpha": ("test", "G2"),
    "df": ("test", "G2"),
    "min_rows_per_df": ("test", "G2"),
    "min_bits": ("test", "SCI"),
    "cutoff": ("test", "CMI"),
    "penalty": ("score", "BIC"),
    "parent_code": ("score", "AIC"),
    "sample_prior": ("score", "BDeu"),
    "structure_prior": ("score", "BDeu"),
}
# Names that functions have for their own options, to find the one that was misspelled.
OPTIONS_OF_FUNCTIONS = (
    "colliders",
    "conflicts",
    "counting",
    "directions",
    "edges",
    "faithfulness",
    "given",
    "journal",
    "knowledge",
    "max_degree",
    "max_given",
    "max_pool",
    "method",
    "min_bits",
    "min_gain",
    "min_margin",
    "n_jobs",
    "neighbors",
    "node_budget",
    "orient",
    "perturbations",
    "progress",
    "representative",
    "restarts",
    "resume",
    "score",
    "seconds",
    "seed",
    "symmetry",
    "target",
    "targets",
    "test",
)
LARGEST_GIVEN = 3  # conditioning set by default; recall was better with 2 or 3 than without a limit
MOST = 2**62  # a kernel takes an int64
MOST_OF_A_FLOAT = 1e100  # so that no product with rows, levels and units is infinite


def whole_number(name: str, value: object, *, least: int = 0, otherwise: str = "") -> int:
    """Return the value as an int.

    Raises
    ------
    OptionError
        For anything but a whole number from ``least`` to 2^62 - 1; ``otherwise`` names what is legal besides.
    """
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < least:
        raise OptionError(
            Option(name), f" is {_text(value)}; it has to be ", Legal(f"a whole number from {least} up{otherwise}")
        )
    if int(value) >= MOST:
        raise OptionError(Option(name), f" is {_text(value)}; it has to be ", Legal(f"below 2^62{otherwise}"))
    return int(value)


def _text(value: object) -> str:
    """Return what was given as Python writes it; Python refuses to write a number of thousands of digits."""
    try:
        return repr(value)
    except ValueError:
        return f"a number of more than {sys.get_int_max_str_digits():,} digits"


def refuse_unknown_options(given: Mapping[str, object], known: Iterable[str]) -> None:
    """Raise OptionError for the first option whose name is not known, with the nearest name, or where it belongs.

    Parameters
    ----------
    given : mapping of str to value
    known : iterable of str
        The options that may be given here.
    """
    names = tuple(known)
    unknown = next((name for name in given if name not in names), None)
    if unknown is None:
        return
    if unknown in OPTIONS_OF_OBJECTS:
        option, kind = OPTIONS_OF_OBJECTS[unknown]
        raise OptionError(Option(unknown), f" is an option of {kind}: {option}=cf.{kind}({unknown}={given[unknown]!r})")
    if unknown in OPTIONS_OF_FUNCTIONS:
        raise OptionError(Option(unknown), " is an option of other functions, not of this one")
    near = difflib.get_close_matches(unknown, [*names, *OPTIONS_OF_FUNCTIONS, *OPTIONS_OF_OBJECTS], n=1)
    right = f"the nearest is {near[0]!r}" if near else f"the options for reading a frame are {', '.join(names)}"
    raise OptionError("no option '", Option(unknown), f"'; {right}")


def workers_asked_for(n_jobs: object) -> int | None:
    """Return a number of workers as joblib takes it.

    Raises
    ------
    OptionError
        For 0, and for what is no whole number.
    """
    if n_jobs is None:
        return None
    if not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise OptionError(
            Option("n_jobs"), f" is {_text(n_jobs)}; it is ", Legal("a number of workers, or -1 for one on every core")
        )
    return int(n_jobs)


def max_given_option(max_given: object) -> int | str | None:
    """Return the largest conditioning set as it was asked for: a number, None for no limit, or "default".

    Raises
    ------
    OptionError
        For anything else.
    """
    if max_given is None or (isinstance(max_given, str) and max_given == "default"):
        return max_given
    return whole_number("max_given", max_given, otherwise=", or None for no limit")


def limit_of(max_given: object) -> int | None:
    """Return the size of the largest set out of neighbors to condition on; None is no limit.

    Raises
    ------
    OptionError
        For anything but a whole number, None and "default".
    """
    option = max_given_option(max_given)
    return LARGEST_GIVEN if isinstance(option, str) else option


def max_pool_option(max_pool: object) -> int | None:
    """Return the most columns of which all sets are given; None is no bound.

    Raises
    ------
    OptionError
        For anything but a whole number from 1 up, and None.
    """
    return None if max_pool is None else whole_number("max_pool", max_pool, least=1, otherwise=", or None for no bound")


def choice(name: str, value: object, legal: Iterable[str]) -> str:
    """Return the value, one of some names.

    Raises
    ------
    OptionError
        For anything else; the message lists the legal names.
    """
    names = tuple(legal)
    if not isinstance(value, str) or value not in names:
        raise OptionError(Option(name), f" is {_text(value)}; it is one of ", Legal(names))
    return value


def number(name: str, value: object, *, otherwise: str = "") -> float:
    """Return the value as a float.

    Raises
    ------
    OptionError
        For anything but a number from 0 to 1e100; ``otherwise`` names what is legal besides.
    """
    if not is_number(value) or float(value) < 0:
        raise OptionError(Option(name), f" is {_text(value)}; it has to be ", Legal(f"a number from 0 up{otherwise}"))
    if float(value) > MOST_OF_A_FLOAT:
        raise OptionError(
            Option(name), f" is {value!r}; it has to be ", Legal(f"at most {MOST_OF_A_FLOAT:g}{otherwise}")
        )
    return float(value)


def flag(name: str, value: object) -> bool:
    """Return the value as a bool.

    Raises
    ------
    OptionError
        For anything but True and False.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise OptionError(Option(name), f" is {_text(value)}; it is ", Legal("True or False"))
    return bool(value)


def is_number(value: object) -> TypeGuard[Real]:
    """Whether the value is a real number that a float can be of; True and False are none."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an int past all floats
        return False
