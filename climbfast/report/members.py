"""The members of a blanket in words: what each is to the target, what speaks for it, and how sure that is."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from climbfast.local.blanket import ROLES, Blanket
from climbfast.report.labels import Labels, counted
from climbfast.report.strengths import bits_text, strength_in_words, strength_text

__all__ = ["Member", "members_of", "role_text", "summary_of"]

_SURE_MARGIN = 10.0  # bits; see docs/evidence/confidence.md
_SURE_BY_STRENGTH = {"very strong": "sure", "strong": "sure", "moderate": "fairly sure", "weak": "unsure"}


class Member(NamedTuple):
    """A member in words.

    Attributes
    ----------
    column : name
    name, role, strength, direction, found, sure : str
        Short, for the cells of a table; ``found`` is empty without a bootstrap.
    sentences : tuple of str
    """

    column: Hashable
    name: str
    role: str
    strength: str
    direction: str
    found: str
    sure: str
    sentences: tuple[str, ...]


def summary_of(blanket: Blanket, labels: Labels) -> str:
    """Return what was found, in one sentence."""
    parts = [
        counted(len(blanket.parents), "parent (a direct cause)", "parents (direct causes)"),
        counted(len(blanket.children), "child (a direct effect)", "children (direct effects)"),
        counted(
            len(blanket.undecided), "neighbor that is a parent or a child", "neighbors that are parents or children"
        ),
        counted(len(blanket.spouses), "spouse (another cause of its effects)", "spouses (other causes of its effects)"),
    ]
    found = [part for part in parts if not part.startswith("0 ")]
    others = counted(blanket.columns - 1, "other column")
    size = f"Among the {others} of a table of {counted(blanket.rows, 'row')}"
    target = labels.quoted(blanket.target)
    if not found:
        return f"{size}, none was found to be close to {target}."
    listed = f"{', '.join(found[:-1])} and {found[-1]}" if len(found) > 1 else found[0]
    return f"{size}, climbfast found for {target}: {listed}."


def members_of(blanket: Blanket, labels: Labels) -> list[Member]:
    """Return the members by role, in each role the strongest first."""
    words = _Words(blanket, labels)
    found = []
    for field, role in ROLES.items():
        names = getattr(blanket, field)
        strengths = blanket.spouse_strengths if role == "spouse" else blanket.strengths
        place = {name: i for i, name in enumerate(names)}
        found += [words.member(name, role) for name in sorted(names, key=lambda x: (-strengths.get(x, 0.0), place[x]))]
    return found


def role_text(role: str) -> str:
    """Return a role for a cell."""
    return "parent or child" if role == "undecided" else role


class _Words:
    """The words about the members of one blanket."""

    def __init__(self, blanket: Blanket, labels: Labels) -> None:
        self._blanket, self._labels = blanket, labels
        self._alpha = float(blanket.options.get("alpha", 0.01))
        self._target = labels.quoted(blanket.target)
        self._unit = "sci" if blanket.method == "best" else blanket.test  # the score of best is in bits, too

    def member(self, name: Hashable, role: str) -> Member:
        """Return a member in words."""
        sentences = [self._what_it_is(name, role)]
        sentences += self._strength(name, role)
        sentences += self._side(name, role) if role != "spouse" else []
        sentences += self._frequency(name, role)
        sentences += self._copies(name)
        strengths = self._blanket.spouse_strengths if role == "spouse" else self._blanket.strengths
        shares = self._blanket.frequencies.get(name)
        return Member(
            column=name,
            name=self._labels.name(name),
            role=role_text(role),
            strength=strength_text(self._unit, strengths[name], self._alpha) if name in strengths else "not measured",
            direction=self._direction(name, role),
            found="" if shares is None else _percent(shares["found"]),
            sure=self._sure(name, role),
            sentences=tuple(sentences),
        )

    def _what_it_is(self, name: Hashable, role: str) -> str:
        this, target = self._labels.quoted(name), self._target
        if role == "parent":
            return f"A parent: {this} → {target}. In the graph that fits the data, {this} acts on {target} directly."
        if role == "child":
            return f"A child: {target} → {this}. In the graph that fits the data, {target} acts on {this} directly."
        if role == "undecided":
            return f"A neighbor: {this} and {target} are connected directly; which of them acts on the other is open."
        by = self._blanket.common_children.get(name, ())
        if not by:
            return f"A spouse: given the other members, {this} still says something about {target}."
        children = self._labels.listed(by)
        effect = "a common effect" if len(by) == 1 else "common effects"
        return (
            f"A spouse: {this} and {target} both act on {children}, {effect} of the two. What it says about {target} "
            f"shows when {children} {'is' if len(by) == 1 else 'are'} known."
        )

    def _strength(self, name: Hashable, role: str) -> list[str]:
        spouse = role == "spouse"
        strengths = self._blanket.spouse_strengths if spouse else self._blanket.strengths
        if name not in strengths:
            return []
        strength = strengths[name]
        text, words = strength_text(self._unit, strength, self._alpha), strength_in_words(self._unit, strength)
        if name in self._blanket.contradicted and strength <= 0:
            return [f"The data alone do not show it ({text}): it is a member only because its edge is required."]
        if self._blanket.method == "best":
            edge = "to the common child" if spouse else "between the two"
            how = f"{text} ({words})" if words else text
            return [f"Without the edge {edge} the graph describes the data worse by {how}."]
        dependence = f"The dependence is {words}" if words else "The two depend on each other"
        if spouse:
            return [f"{dependence} once a common child is known: {text}."]
        return [f"{dependence}: whatever other columns were held fixed, {_left_at_least(self._unit, text)}."]

    # ---- the side of a neighbor

    def _side(self, name: Hashable, role: str) -> list[str]:
        blanket, this, target = self._blanket, self._labels.quoted(name), self._target
        sentences = []
        if name in blanket.known:
            sentences.append("That was known beforehand, and not asked of the data.")
        if (seen := blanket.evidence.get(name)) is not None:
            end, other = (target, this) if role == "child" else (this, target)
            columns = self._labels.listed(seen.columns)
            was, depends = ("was", "depends") if len(seen.columns) == 1 else ("were", "depend")
            sentences.append(
                f"The direction is seen in the data: {columns} {was} separated from {end}, but {depends} on it once "
                f"{other} is known as well ({bits_text(seen.bits)}). That is what a common effect "
                "does: the two act on it."
            )
        if name in blanket.margins:
            sentences.append(self._margin(name, role))
        elif blanket.method == "best" and role != "undecided" and name not in blanket.known:
            sentences.append(
                "The direction follows from the whole graph: the graphs that describe the data as well have it, too, "
                "or it follows from other directions."
            )
        if (against := blanket.contradicted.get(name)) is not None and name in blanket.known:
            columns = self._labels.listed(against.columns) or "no other column"
            sentences.append(
                f"The data contradict what was known: see {columns} ({bits_text(against.bits)}). One of the two may be "
                "wrong."
            )
        return sentences

    def _margin(self, name: Hashable, role: str) -> str:
        bits, target, this = self._blanket.margins[name], self._target, self._labels.quoted(name)
        if role == "undecided":
            return (
                f"The two directions describe the data about equally well: they differ by {bits_text(bits)}, so the "
                "direction is left open."
            )
        other = f"{target} → {this}" if role == "parent" else f"{this} → {target}"
        return (
            f"The direction was weighed: with {other} instead, the description of the data would be longer by "
            f"{bits_text(bits)}. {_worth(bits)}"
        )

    def _direction(self, name: Hashable, role: str) -> str:
        """Return what shows the direction, for a cell."""
        blanket = self._blanket
        if role == "spouse":
            by = blanket.common_children.get(name, ())
            return f"by {self._labels.listed(by, limit=3)}" if by else "–"
        if name in blanket.known:
            return "known beforehand"
        if role == "undecided":
            return f"open ({bits_text(blanket.margins[name])})" if name in blanket.margins else "open"
        if name in blanket.evidence:
            return f"seen: {self._labels.listed(blanket.evidence[name].columns, limit=3)}"
        if name in blanket.margins:
            return f"weighed: {bits_text(blanket.margins[name])}"
        return "by the whole graph" if blanket.method == "best" else "–"

    # ---- how sure

    def _frequency(self, name: Hashable, role: str) -> list[str]:
        shares = self._blanket.frequencies.get(name)
        if shares is None:
            return []
        found, same = shares["found"], shares.get(role, 0.0)
        others = [
            f"as {_article(other)} in {_percent(share)}"
            for other, share in shares.items()
            if other not in ("found", role) and share >= 0.005
        ]
        more = f" ({', '.join(others)})" if others else ""
        drawn = self._blanket.options.get("bootstrap", {}).get("replicates")
        tables = f"the {drawn:,} resampled tables" if drawn else "the resampled tables"
        again = f"Found again in {_percent(found)} of {tables}, as {_article(role)} in {_percent(same)}{more}."
        return [f"{again} {_often(found)}"]

    def _sure(self, name: Hashable, role: str) -> str:
        """Return how sure it is that it is a member, and that it has this role, for a cell."""
        shares = self._blanket.frequencies.get(name)
        strengths = self._blanket.spouse_strengths if role == "spouse" else self._blanket.strengths
        if shares is not None:
            member = _by_frequency(shares["found"])
        elif name in strengths:
            words = strength_in_words(self._unit, strengths[name])
            member = _SURE_BY_STRENGTH.get(words, "–")
        else:
            member = "–"
        return member if role == "spouse" else f"member: {member}; direction: {self._sure_side(name, role)}"

    def _sure_side(self, name: Hashable, role: str) -> str:
        blanket = self._blanket
        if name in blanket.known:
            return "known"
        if role == "undecided":
            return "open"
        shares = blanket.frequencies.get(name)
        if shares is not None and shares.get(role, 0.0) < shares["found"] / 2:
            return "unsure"
        if name in blanket.evidence:
            return "well supported"
        if name not in blanket.margins:
            return "likely" if blanket.method == "best" else "open"
        return "likely" if blanket.margins[name] >= _SURE_MARGIN else "unsure"

    def _copies(self, name: Hashable) -> list[str]:
        others = self._blanket.copies.get(name, ())
        if not others:
            return []
        listed = self._labels.listed(others)
        return [
            f"{self._labels.quoted(name)} stands for its copies too ({listed}): no data can tell which of them it is."
        ]


def _article(role: str) -> str:
    return "undecided" if role == "undecided" else f"a {role}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\u00a0%"


def _left_at_least(unit: str, text: str) -> str:
    """Return how much dependence is left, or by how little chance shows as much."""
    return f"chance alone shows as much with {text} at most" if unit in ("g2", "x2") else f"at least {text} are left"


def _worth(bits: float) -> str:
    """Return what a margin is worth; the measurements are in docs/evidence/confidence.md."""
    if bits >= _SURE_MARGIN:
        return (
            "That is much, but no proof: of such directions nearly 9 of 10 were right on five test networks, and 6 of "
            "10 or fewer on four others."
        )
    return "That is little: of such directions 6 to 7 of 10 were right on five test networks, and fewer on four others."


def _often(found: float) -> str:
    """Return what a frequency is worth; the measurements are in docs/evidence/confidence.md."""
    if found >= 0.9:
        return "On test networks 98\u00a0% of the edges found so often were true."
    if found >= 0.6:
        return "On test networks more than 8 of 10 edges found so often were true."
    if found >= 0.3:
        return "That is a hint, no more."
    return "That is seldom: on test networks at most 2 of 10 edges found so seldom were true."


def _by_frequency(found: float) -> str:
    return "sure" if found >= 0.9 else "fairly sure" if found >= 0.6 else "unsure" if found >= 0.3 else "doubtful"
