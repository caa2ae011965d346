"""How names are written in BIF files: as they are, or as words that every program reads, with the names in a property.

The readers of other programs are less able than the format: that of pgmpy takes quotation marks for blanks and splits
at commas and parentheses, that of pyAgrum takes words of ASCII letters and digits, and states that are whole numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from climbfast.networks.network import Network

__all__ = ["KEYWORDS", "Spelling", "names_in_property", "property_with_names", "spelling_of", "takes_plain_names"]

KEYWORDS = {"network", "variable", "probability", "property", "type", "discrete", "table", "default"}

_PROPERTY = re.compile(r"^  property climbfast_names = ([^;\s]*);$", re.MULTILINE)  # at the begin of a line: in no name
_WORD = re.compile(r"(?:[0-9]+[A-DF-Za-df-z_]|[A-Za-z_])[A-Za-z0-9_.-]*")  # 1e3 is a number
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+")
# What pgmpy reads: no white space but single blanks inside, and nothing that stands between names.
_SIGNS = r'[^\s,(){}"\x00-\x1f]+'
_READ_BY_PGMPY = re.compile(rf"{_SIGNS}(?>(?: +{_SIGNS})*)(?<!\\)")
# What is said instead of signs, so that "<=50K" and ">50K" are different words.
_SAID = (("<=", "le_"), (">=", "ge_"), ("≤", "le_"), ("≥", "ge_"), ("<", "lt_"), (">", "gt_"))
_INTERVAL = re.compile(r"[\[(]([^\s,]+), ([^\s,]+)\)")  # the level between two cuts
_MINUS = re.compile(r"(?<![A-Za-z0-9])-(?=[0-9])")


class Spelling(NamedTuple):
    """The names of a network as they are written.

    Attributes
    ----------
    name : str
        That of the network.
    nodes : dict of str to str
        By node.
    states : dict of str to tuple of str
        By node.
    """

    name: str
    nodes: dict[str, str]
    states: dict[str, tuple[str, ...]]


def spelling_of(network: Network, *, plain: bool) -> Spelling:
    """Return the spelling of all names of a network.

    Parameters
    ----------
    network : Network
    plain : bool
        Whether every name is a word; else only those are that pgmpy cannot read.
    """
    roots = {node for node, parents in network.parents.items() if not parents}
    alone = {node for node, states in network.states.items() if len(states) == 1}

    def keeps_node(node: str) -> bool:
        if plain:
            return _is_word(node)
        return _is_read(node) and node not in KEYWORDS and "|" not in node and not (node in roots and " " in node)

    def keeps_state(state: str) -> bool:
        return _is_plain_state(state) if plain else _is_read(state)

    def keeps_state_alone(state: str) -> bool:
        return keeps_state(state) and " " not in state

    def keeps_network(name: str) -> bool:
        return _is_word(name) if plain else name == "" or (_is_read(name) and not _holds_block(name))

    nodes = _distinct(network.nodes, keeps_node, str.casefold)
    states = {
        node: _distinct(labels, keeps_state_alone if node in alone else keeps_state, str)
        for node, labels in network.states.items()
    }
    (name,) = _distinct([network.name or "unknown"], keeps_network, str)
    return Spelling(name, dict(zip(network.nodes, nodes, strict=True)), states)


def takes_plain_names(network: Network) -> bool:
    """Whether every program reads the names of a network as they are."""
    return all(map(_is_word, network.nodes)) and all(
        _is_plain_state(state) for states in network.states.values() for state in states
    )


def property_with_names(written: Iterable[str], names: Sequence[str]) -> str:
    """Return a line with names, from which they are read; none if they are written as they are."""
    if tuple(written) == tuple(names):
        return ""
    return f"  property climbfast_names = {','.join(quote(name, safe='', errors='surrogatepass') for name in names)};\n"


def names_in_property(text: str) -> tuple[str, ...] | None:
    """Return the names in such a line of the text of a block; None if it has none."""
    found = _PROPERTY.search(text)
    return None if found is None else tuple(unquote(name, errors="surrogatepass") for name in found[1].split(","))


def _is_word(name: str) -> bool:
    return _WORD.fullmatch(name) is not None and name.casefold() not in KEYWORDS


def _is_plain_state(state: str) -> bool:
    return _is_word(state) or _WHOLE_NUMBER.fullmatch(state) is not None


def _is_read(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which no file has
        return False
    return _READ_BY_PGMPY.fullmatch(name) is not None


def _holds_block(name: str) -> bool:
    """Whether pgmpy would take the name of a network for the begin of a block."""
    return "variable" in name or "probability" in name


def _distinct(names: Sequence[str], keeps: Callable[[str], bool], key: Callable[[str], str]) -> tuple[str, ...]:
    """Return names with words in the place of those that are not kept; all are different by their key."""
    kept: dict[str, str] = {}
    for name in names:
        if keeps(name) and key(name) not in kept:
            kept[key(name)] = name
    found, used = [], set(kept)
    for name in names:
        word = name
        if kept.get(key(name)) != name:
            base, number = _word(name), 1
            word = base
            while key(word) in used:
                number += 1
                word = f"{base}_{number}"
            used.add(key(word))
        found.append(word)
    return tuple(found)


def _word(name: str) -> str:
    """Return a word that is similar to a name."""
    if interval := _INTERVAL.fullmatch(name):
        begin, end = interval.groups()
        name = "_".join([f"from_{begin}"] * (begin != "-inf") + [f"below_{end}"] * (end != "inf"))
    for sign, said in _SAID:
        name = name.replace(sign, said)
    letters = unicodedata.normalize("NFKD", _MINUS.sub("minus", name).replace("ß", "ss"))
    ascii_only = "".join(char for char in letters if not unicodedata.combining(char))
    word = re.sub(r"[^A-Za-z0-9.-]+", "_", ascii_only).strip("_.-")
    return word if _is_word(word) else f"_{word}"
