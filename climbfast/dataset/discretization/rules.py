"""Which rule makes levels out of the numbers of which column: the option ``numbers``, checked once.

A rule is a small frozen object, written as people write it: ``str(Quantile(4))`` is "quantile:4".
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from climbfast.errors import Legal, Option, OptionError, UnknownColumnError

__all__ = [
    "RULES",
    "Auto",
    "Cut",
    "Cuts",
    "Hartemink",
    "Levels",
    "Mdlp",
    "NumbersOption",
    "Quantile",
    "Refuse",
    "Rule",
    "Rules",
    "Width",
    "check_cuts",
    "parse_rule",
    "parse_rules",
    "rules_of_cuts",
]

Cut = int | float | dt.date | dt.time  # a datetime is a date
NumbersOption = str | Mapping[Any, Any]  # the option as it is handed over

RULES = ("refuse", "levels", "auto", "quantile:4", "width:5", "hartemink:3", "mdlp:TARGET")
_MOST_LEVELS = 1000
_FEWEST_LEVELS = 2


@dataclass(frozen=True, slots=True)
class Refuse:
    """Fractional numbers are an error; whole numbers, dates and times are levels."""

    def __str__(self) -> str:
        return "refuse"


@dataclass(frozen=True, slots=True)
class Levels:
    """Each number is a level."""

    def __str__(self) -> str:
        return "levels"


@dataclass(frozen=True, slots=True)
class Auto:
    """What one recommends to somebody who does not want to choose; see ``automatic``."""

    def __str__(self) -> str:
        return "auto"


@dataclass(frozen=True, slots=True)
class Quantile:
    """Levels with about equal numbers of rows."""

    levels: int

    def __str__(self) -> str:
        return f"quantile:{self.levels}"


@dataclass(frozen=True, slots=True)
class Width:
    """Levels of equal width."""

    levels: int

    def __str__(self) -> str:
        return f"width:{self.levels}"


@dataclass(frozen=True, slots=True)
class Hartemink:
    """Quantile levels, merged until so many are left; see ``hartemink``."""

    levels: int

    def __str__(self) -> str:
        return f"hartemink:{self.levels}"


@dataclass(frozen=True, slots=True)
class Mdlp:
    """Cuts that tell the levels of a target apart; see ``mdlp``."""

    target: Hashable

    def __str__(self) -> str:
        return f"mdlp:{self.target}"


@dataclass(frozen=True, slots=True)
class Cuts:
    """Cuts that the user chose."""

    cuts: tuple[Cut, ...]

    def __str__(self) -> str:
        return ",".join(str(cut) for cut in self.cuts)


Rule = Refuse | Levels | Auto | Quantile | Width | Hartemink | Mdlp | Cuts
_OF_LEVELS: dict[str, type[Quantile] | type[Width] | type[Hartemink]] = {
    "quantile": Quantile,
    "width": Width,
    "hartemink": Hartemink,
}


@dataclass(frozen=True)
class Rules:
    """The rule of every column.

    Attributes
    ----------
    default : Rule
        For the columns that are not named.
    named : mapping of name to Rule
    """

    default: Rule = Refuse()  # frozen
    named: Mapping[Hashable, Rule] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "named", MappingProxyType(dict(self.named)))

    def __hash__(self) -> int:
        return hash((self.default, frozenset(self.named.items())))  # a mapping has none

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules, (self.default, dict(self.named))  # a read-only mapping cannot be pickled

    def rule_for(self, name: Hashable) -> Rule:
        """Return the rule of a column."""
        return self.named.get(name, self.default)

    def cuts(self, name: Hashable) -> bool:
        """Whether the numbers of a column are to be cut: by its own rule, or by the one for the whole table."""
        return not isinstance(self.rule_for(name), Refuse | Levels)

    def forces(self, name: Hashable) -> bool:
        """Whether a column is named with a rule that cuts, so that few whole numbers are cut, too."""
        return name in self.named and self.cuts(name)

    def for_names(self, names: Sequence[Hashable]) -> Rules:
        """Return the rules with the targets of ``mdlp`` as the table has them: the text of a number may name it.

        Raises
        ------
        UnknownColumnError
            If a target does not exist.
        """
        if not any(isinstance(rule, Mdlp) for rule in (self.default, *self.named.values())):
            return self
        by_text = {str(name): name for name in reversed(names)}
        return Rules(
            _with_target(self.default, names, by_text),
            {name: _with_target(rule, names, by_text) for name, rule in self.named.items()},
        )


def _with_target(rule: Rule, names: Sequence[Hashable], by_text: Mapping[str, Hashable]) -> Rule:
    if not isinstance(rule, Mdlp) or rule.target in names:
        return rule
    if str(rule.target) not in by_text:
        raise UnknownColumnError(rule.target, names)
    return Mdlp(by_text[str(rule.target)])


def parse_rules(numbers: object) -> Rules:
    """Return the option ``numbers`` as rules.

    Parameters
    ----------
    numbers : str, mapping from names to rules or lists of cuts, or Rules
        In a mapping, the key None is for all columns that are not named; it is "refuse" by default.

    Raises
    ------
    OptionError
        For anything else; the message says what is legal.
    """
    if isinstance(numbers, Rules):
        return numbers
    if isinstance(numbers, str):
        return Rules(parse_rule(numbers))
    if not isinstance(numbers, Mapping):
        raise OptionError(
            Option("numbers"), f" is {numbers!r}; it is a rule ({', '.join(RULES)}), or a mapping from columns to "
            "rules or lists of cuts",
        )  # fmt: skip
    rules = {name: _rule_of_column(name, value) for name, value in numbers.items()}
    return Rules(rules.pop(None, Refuse()), rules)


def rules_of_cuts(rules: Rules, cuts: Mapping[Hashable, tuple[Cut, ...]]) -> Rules:
    """Return rules with these cuts; other columns keep the rule "levels", and are not cut."""
    named = {name: rule for name, rule in rules.named.items() if isinstance(rule, Levels)}
    default = rules.default if isinstance(rules.default, Levels) else Refuse()
    return Rules(default, named | {name: Cuts(of_column) for name, of_column in cuts.items()})


def _rule_of_column(name: Hashable, value: object) -> Rule:
    place = "" if name is None else f" for column {name!r}"
    if isinstance(value, str):
        return parse_rule(value, place)
    if isinstance(value, Rule):
        return value
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise OptionError(
            Option("numbers"), f"{place} is {value!r}; it is a rule ({', '.join(RULES)}) or a list of cuts"
        )
    if name is None:
        raise OptionError(Option("numbers"), " has cuts for all other columns; cuts are for one column by its name")
    return Cuts(check_cuts(name, list(value)))


def parse_rule(text: str, place: str = "") -> Rule:
    """Return the rule that a text is, such as "quantile:4"; ``place`` says for which column.

    Raises
    ------
    OptionError
        For any other text; the message lists the rules.
    """
    simple: dict[str, Rule] = {"refuse": Refuse(), "levels": Levels(), "auto": Auto()}
    if text in simple:
        return simple[text]
    kind, colon, rest = text.partition(":")
    if kind == "mdlp" and rest:
        return Mdlp(rest)
    if kind not in _OF_LEVELS or not colon:
        raise OptionError(Option("numbers"), f"{place} is {text!r}; the rules are ", Legal(tuple(RULES)))
    if not rest.isascii() or not rest.isdigit():
        raise OptionError(
            Option("numbers"), f"{place} is {text!r}; behind the colon stands a whole number of levels, as in {kind}:4"
        )
    levels = int(rest[:9])
    if levels < _FEWEST_LEVELS:
        raise OptionError(
            Option("numbers"), f"{place} is {text!r}; a column is cut into {_FEWEST_LEVELS} levels or more"
        )
    if levels > _MOST_LEVELS:
        raise OptionError(
            Option("numbers"), f"{place} is {text!r}; a column is cut into {_MOST_LEVELS:,} levels at most"
        )
    return _OF_LEVELS[kind](levels)


def check_cuts(name: Hashable, values: Sequence[object]) -> tuple[Cut, ...]:
    """Return the cuts of a column as plain Python values.

    Parameters
    ----------
    name : Hashable
        For messages.
    values : sequence
        Numbers, dates or times, ascending; dates and times also as texts in ISO form.

    Raises
    ------
    OptionError
        For an empty list, values that are no cuts or of several kinds, and cuts that do not ascend.
    """
    place = f"the cuts of column {name!r}"
    if not values:
        raise OptionError(f"{place} are an empty list; give one cut or more, or the rule 'levels'")
    cuts = [_cut(place, value) for value in values]
    if any(isinstance(cut, dt.datetime) for cut in cuts):
        cuts = [_as_datetime(cut) for cut in cuts]
    if len({_kind_of_cut(cut) for cut in cuts}) > 1:
        raise OptionError(f"{place} are of several kinds; give numbers alone, dates alone or times alone")
    ordered: list[Any] = cuts
    for left, right in itertools.pairwise(ordered):
        if not left < right:
            raise OptionError(f"{place} do not ascend: {left} stands before {right}")
    return tuple(cuts)


def _cut(place: str, value: object) -> Cut:
    if isinstance(value, np.generic):
        value = value.astype("datetime64[us]").item() if isinstance(value, np.datetime64) else value.item()
    if isinstance(value, str):
        return _time_of_text(place, value)
    if hasattr(value, "to_pydatetime"):  # a Timestamp of pandas
        return _cut(place, value.to_pydatetime())
    if isinstance(value, dt.date | dt.time):
        return value
    try:
        if isinstance(value, bool):
            raise TypeError
        number: Any = value
        real = float(number)
    except (TypeError, ValueError, OverflowError):
        raise OptionError(f"{place} have {value!r}, which is not a number, a date or a time") from None
    if not math.isfinite(real):
        raise OptionError(f"{place} have {value!r}; the ends are infinite without being named")
    return number if isinstance(number, int) else real


def _time_of_text(place: str, text: str) -> Cut:
    for kind in (dt.date, dt.datetime, dt.time):
        try:
            return kind.fromisoformat(text.strip())
        except ValueError:
            continue
    raise OptionError(f"{place} have {text!r}, which is not a number, nor a date or a time such as 2024-12-31")


def _as_datetime(cut: Cut) -> Cut:
    is_date = isinstance(cut, dt.date) and not isinstance(cut, dt.datetime)
    return dt.datetime.combine(cut, dt.time()) if is_date else cut  # type: ignore[arg-type]  # a date


def _kind_of_cut(cut: Cut) -> str:
    if isinstance(cut, dt.datetime):
        return "datetime" if cut.tzinfo is None else "instant"
    return "date" if isinstance(cut, dt.date) else "time" if isinstance(cut, dt.time) else "number"
