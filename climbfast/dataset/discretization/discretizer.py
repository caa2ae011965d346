"""Cuts that can be kept, and applied to new rows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from climbfast.dataset.discretization.cuts import KINDS, chosen_cuts, cut_to_json, interval_names, texts_of_cuts
from climbfast.dataset.discretization.rules import (
    Cut,
    Cuts,
    Levels,
    NumbersOption,
    Quantile,
    Refuse,
    Rule,
    Rules,
    Width,
    check_cuts,
    parse_rules,
    rules_of_cuts,
)
from climbfast.errors import DataError, OptionError, UnknownColumnError

__all__ = ["Discretizer"]


@dataclass(frozen=True, repr=False)
class Discretizer:
    """Cuts of columns of numbers, dates and times, made from one table and applied to others.

    Parameters
    ----------
    numbers : str or mapping
        The rules, as ``climbfast.read`` takes them.

    Attributes
    ----------
    numbers : Rules
    cuts : mapping from name to tuple, or None
        The cuts of every column that is cut, ascending: numbers, dates or times; none if all rows have one level. None
        before ``fit``.
    kinds : mapping from name to str
        What the column has: "number", "date", "datetime", "instant" (a time with a zone, in UTC) or "time" (of a day).
    markers : mapping from name to tuple of str
        The texts of the values that stand for a missing cell.
    texts : mapping from name to tuple of str
        The cuts as the names of the intervals have them, with few digits.

    Examples
    --------
    >>> import climbfast as cf
    >>> discretizer = cf.Discretizer({"age": "quantile:2"}).fit({"age": [21, 35, 48, 62]})
    >>> discretizer
    <Discretizer: age cut into 2 levels>
    >>> discretizer.transform({"age": [18, None, 70], "sex": ["f", "m", "f"]})
    {'age': ['(-inf, 41.5)', None, '[41.5, inf)'], 'sex': ['f', 'm', 'f']}
    >>> cf.Discretizer.from_dict(discretizer.to_dict()) == discretizer
    True
    """

    numbers: NumbersOption | Rules
    cuts: Mapping[Hashable, tuple[Cut, ...]] | None = None
    kinds: Mapping[Hashable, str] = field(default_factory=dict)
    markers: Mapping[Hashable, tuple[str, ...]] = field(default_factory=dict)
    texts: Mapping[Hashable, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", parse_rules(self.numbers))
        for name in ("cuts", "kinds", "markers", "texts"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, MappingProxyType(dict(value)))

    def __hash__(self) -> int:
        # A mapping has none; that of the cuts is the one that matters.
        return hash((self.numbers, None if self.cuts is None else frozenset(self.cuts.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled.
        cuts = None if self.cuts is None else dict(self.cuts)
        return Discretizer, (self.numbers, cuts, dict(self.kinds), dict(self.markers), dict(self.texts))

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.data import discretizer_html

        return discretizer_html(self)

    def __repr__(self) -> str:
        if self.cuts is None:
            return f"<Discretizer: {self.rules.default}, {len(self.rules.named)} columns by name, not fitted>"
        if len(self.cuts) == 1:
            [(name, cuts)] = self.cuts.items()
            return f"<Discretizer: {name} cut into {len(cuts) + 1} levels>"
        most = max((len(cuts) + 1 for cuts in self.cuts.values()), default=0)
        return f"<Discretizer: {len(self.cuts):,} columns cut, up to {most:,} levels>"

    @property
    def rules(self) -> Rules:
        """The rules of the columns."""
        return cast("Rules", self.numbers)

    def levels(self, name: Hashable) -> tuple[str, ...]:
        """Return the names of all intervals of a column that is cut.

        Raises
        ------
        UnknownColumnError
            If the column is not cut.
        """
        cuts = self._fitted()
        if name not in cuts:
            raise UnknownColumnError(name, cuts, "column that is cut")
        return interval_names(self.texts_of(name))

    def texts_of(self, name: Hashable) -> tuple[str, ...]:
        """Return the cuts of a column as the names of its intervals have them."""
        return self.texts[name] if name in self.texts else texts_of_cuts(self._fitted()[name])

    def chosen(self) -> Discretizer:
        """Return the same cuts as if the user had chosen them: for rows that they were not made from."""
        rules = rules_of_cuts(self.rules, {name: cuts for name, cuts in self._fitted().items() if cuts})
        return replace(self, numbers=rules)

    def fit(self, frame: Any) -> Discretizer:
        """Return a discretizer with the cuts of a table, by the same rules.

        Parameters
        ----------
        frame : frame or dict of columns
            As ``Dataset.from_frame`` takes it.

        Raises
        ------
        DataError
            If the table cannot be read, or a rule does not fit its column.
        UnknownColumnError
            If a rule is for a column that does not exist.
        """
        from climbfast.dataset.frames import encode_frame
        from climbfast.dataset.options import check_options

        options = check_options(
            missing="level", missing_markers=None, declared_levels=None, numbers=_tolerant(self.rules), weights=None,
            keep_ids=False, columns=_columns_needed(self.rules), leave_out=None,
        )  # fmt: skip
        return replace(encode_frame(frame, options).discretizer, numbers=self.rules)

    def transform(self, frame: Any) -> Any:
        """Return the same table with the columns that are cut as ordered categories, the names of the intervals.

        Parameters
        ----------
        frame : pandas, polars or arrow frame, NumPy array, or dict of columns
            Other columns stay as they are. Values beyond those of the table that the cuts were made from fall into the
            first or last interval; missing cells stay missing.

        Returns
        -------
        frame
            Of the same kind, but a dict of columns for an array; columns that are cut are an ordered Categorical in
            pandas, an Enum in polars, an ordered dictionary in arrow, a list of texts in a dict. All intervals are
            categories.

        Raises
        ------
        UnknownColumnError
            If a column that is cut does not exist in the table.
        DataError
            If a column has other values than the one that its cuts were made from.
        OptionError
            If there are no cuts yet.
        """
        from climbfast.dataset.discretization.transforming import transform

        self._fitted()
        return transform(frame, self)

    def _fitted(self) -> Mapping[Hashable, tuple[Cut, ...]]:
        if self.cuts is None:
            raise OptionError("this Discretizer has no cuts yet; make one with fit()")
        return self.cuts

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists, texts and numbers, as JSON has them."""
        return {
            "numbers": _rule_to_json(self.rules.default),
            "columns": [[_name_to_json(name), _rule_to_json(rule)] for name, rule in self.rules.named.items()],
            "cuts": None
            if self.cuts is None
            else [
                {
                    "name": _name_to_json(name),
                    "kind": self.kinds[name],
                    "cuts": [cut_to_json(cut) for cut in cuts],
                    "texts": list(self.texts_of(name)),
                    "missing": list(self.markers.get(name, ())),
                }
                for name, cuts in self.cuts.items()
            ],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Discretizer:
        """Return the discretizer of which ``to_dict`` made the values.

        Raises
        ------
        DataError
            If they are not such values.
        """
        try:
            named = {_name_from_json(name): rule for name, rule in values["columns"]}
            rules = parse_rules({None: values["numbers"], **named})
            columns = values["cuts"]
            if columns is None:
                return cls(rules)
            names = [_name_from_json(column["name"]) for column in columns]
            kinds = {name: str(column["kind"]) for name, column in zip(names, columns, strict=True)}
            if not set(kinds.values()) <= set(KINDS):
                raise ValueError(f"a kind that is none of {', '.join(KINDS)}")
            cuts = {
                name: chosen_cuts(name, kinds[name], check_cuts(name, column["cuts"])) if column["cuts"] else ()
                for name, column in zip(names, columns, strict=True)
            }
            texts = {name: tuple(map(str, column["texts"])) for name, column in zip(names, columns, strict=True)}
            if any(len(texts[name]) != len(cuts[name]) for name in cuts):
                raise ValueError("cuts and texts of different numbers")
            markers = {name: tuple(map(str, column["missing"])) for name, column in zip(names, columns, strict=True)}
        except (LookupError, TypeError, ValueError) as error:
            raise DataError(f"not the values of a Discretizer: {error}") from None
        return cls(rules, cuts, kinds, markers, texts)


def _tolerant(rules: Rules) -> Rules:
    """Return the rules, where a column that is not cut is left alone, whatever numbers it has."""

    def without_refusal(rule: Rule) -> Rule:
        return Levels() if isinstance(rule, Refuse) else rule

    return Rules(without_refusal(rules.default), {name: without_refusal(rule) for name, rule in rules.named.items()})


def _columns_needed(rules: Rules) -> list[Hashable] | None:
    """Return the columns that are cut if no other has a say in it, else None."""
    alone = all(isinstance(rule, Refuse | Levels | Cuts | Quantile | Width) for rule in rules.named.values())
    if not alone or not isinstance(rules.default, Refuse | Levels) or not rules.named:
        return None
    return list(rules.named)


def _rule_to_json(rule: object) -> Any:
    return [cut_to_json(cut) for cut in rule.cuts] if isinstance(rule, Cuts) else str(rule)


def _name_to_json(name: Hashable) -> Any:
    if isinstance(name, tuple):
        return [_name_to_json(part) for part in name]
    return name.item() if isinstance(name, np.generic) else name


def _name_from_json(name: Any) -> Any:
    return tuple(map(_name_from_json, name)) if isinstance(name, list) else name
