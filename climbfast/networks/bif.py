"""Networks as text: the Interchange Format for Bayesian Networks (BIF), version 0.15.

The grammar is F. Cozman's, with two extensions that published files use: a label needs no quotation marks if it has no
white space and none of ``, | ; ( ) { } "``, and brackets can be part of a state, as in ``[18_39]``; between commas or
bars a name can consist of several words. Names that we write in another spelling (``bif_names``) are in a property.
"""

from __future__ import annotations

import gzip
import math
import os
import re
import zlib
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from climbfast.atomic_write import atomic_write
from climbfast.errors import NetworkError
from climbfast.names import name_text
from climbfast.networks.bif_names import KEYWORDS, Spelling, names_in_property, property_with_names, spelling_of
from climbfast.networks.network import MOST_CELLS, MOST_PARENTS, Network, configuration, faulty_row
from climbfast.options import flag

__all__ = ["bif_content", "read_bif", "write_bif"]

States = Mapping[str, tuple[str, ...]]

# Atomic groups, (?>...), and possessive quantifiers (++, *+) do not backtrack, so no input makes these patterns slow.
# Python before 3.11.5 misreads a possessive quantifier of a group: there must be none.
_QUOTED = r'"[^"\n]*"'
_BARE = r'[^\s,|;(){}\[\]"]+'
_NAME = rf"(?:{_QUOTED}|{_BARE})"
_WORDS = rf"(?:{_QUOTED}|{_BARE}(?>(?:[^\S\n]+{_BARE})*))"
_STATE = rf"(?:{_QUOTED}|[\[\]]*+{_BARE}(?>(?:[\[\]]++{_BARE})*)[\[\]]*+)"  # no bracket alone
_IN_PARENTHESES = rf'((?>(?:[^"()]++|{_QUOTED})*))'
_IN_BRACES = rf'((?>(?:[^"{{}}]++|{_QUOTED})*))'

_NETWORK = re.compile(rf"\s*network\b\s*({_WORDS})?\s*\{{\s*\}}")
_VARIABLE = re.compile(
    rf"\s*variable\b\s*({_WORDS})\s*\{{"
    rf"\s*type\s+discrete\s*\[\s*([0-9]{{1,9}})\s*\]\s*\{{{_IN_BRACES}\}}\s*;\s*\}}"
)
_PROBABILITY = re.compile(rf"\s*probability\s*\({_IN_PARENTHESES}\)\s*\{{{_IN_BRACES}\}}")
_ITEM = re.compile(rf'\s*(?:\({_IN_PARENTHESES}\)|(table|default)\b)([^;()"]*);')
_NAMES = re.compile(_STATE)
_MARKS_AND_NAMES = re.compile(rf"{_STATE}|[,|]")
_LIST_OF_NAMES = re.compile(rf"[\s,|]*+(?>(?:{_NAME}[\s,|]*+)*)")
_LIST_OF_STATES = re.compile(rf"[\s,|]*+(?>(?:{_STATE}[\s,|]*+)*)")
# A quoted name is matched first, to protect its content; a property includes the comments inside it, as in the grammar.
# Anything that is not closed matches up to the end, so that the search does not restart at every opening.
_IGNORED = re.compile(
    rf"{_QUOTED}"
    r"|//[^\n]*"
    r"|/\*.*?(?:\*/|\Z)"
    r'|(?<![^\s{};])property(?:\s+(?=["\w])|(?="))(?>(?>"[^"\n]*"|[^;])*)(?:;|\Z)',
    re.DOTALL,
)
_FORMS = {
    "network": "network NAME { }, where a name with commas or other separators is in quotation marks",
    "variable": "variable NAME { type discrete [ COUNT ] { STATE, ... }; } (discrete only)",
    "probability": "probability ( NAME | PARENT, ... ) { ENTRY; ... }",
}
# A limit of memory, checked before it is taken.
_MOST_BYTES = 1 << 28  # of text, unpacked


def read_bif(path: str | os.PathLike[str]) -> Network:
    """Read a network from a BIF file.

    Parameters
    ----------
    path : str or path-like
        The file, plain or compressed by gzip, in UTF-8.

    Returns
    -------
    Network
        Nodes are in the order of their declarations. If the name in the file is missing or ``unknown``, the network
        has the name of the file.

    Raises
    ------
    NetworkError
        The file cannot be opened, or it is not a network; the message gives the line and the reason.

    Notes
    -----
    Entries can be in any order of the parents' states. In a ``table`` of a node with parents, the state of the node
    varies slowest and that of its last parent fastest, as the format prescribes. Properties and comments are skipped.
    The text may have 2^28 bytes, unpacked, and all tables together 2^25 probabilities (256 MiB). Names that
    ``write_bif`` has spelled in another way are read as they were.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import climbfast as cf
    >>> text = '''network coin { }
    ... variable coin { type discrete [ 2 ] { heads, tails }; }
    ... probability ( coin ) { table 0.5, 0.5; }
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "coin.bif"
    ...     _ = path.write_text(text)
    ...     network = cf.read_bif(path)
    >>> network
    <Network: coin, 1 nodes, 0 arcs>
    >>> network.states["coin"]
    ('heads', 'tails')
    """
    file = Path(path)
    source = _Source(file, _text(file))
    return _parse(_blank_comments(source), source.text)


def write_bif(network: Network, path: str | os.PathLike[str], *, plain_names: bool = False) -> None:
    """Write a network as a BIF file; ``read_bif`` returns an equal network.

    Only a network that has no name, or the name "unknown", is read back with the name of the file.

    Parameters
    ----------
    network : Network
        The network.
    path : str or path-like
        The file; it is compressed if its name ends in ``.gz``. It is replaced in one step: a reader sees the complete
        old file or the complete new one.
    plain_names : bool
        Whether every name is written as a word of ASCII letters, digits and ``_ . -``. By default only those are that
        the BIF reader of pgmpy cannot take.

    Raises
    ------
    NetworkError
        If the file cannot be written.

    Notes
    -----
    A name that is written as a word is in a property of its variable, too, from which ``read_bif`` has it back. Other
    programs see the word: ``from_18_below_35`` for ``[18, 35)``, ``le_50K`` for ``<=50K``. ``Network.to_pgmpy`` and
    ``Network.to_pyagrum`` keep all names.

    The reader of pgmpy reads every file. Words are written for what it cannot take: names and states that are empty,
    begin or end with a blank or a backslash, or hold a quotation mark, a line break, other white space but blanks, or
    ``, ( ) { }``; names of nodes with ``|``, those with blanks of nodes without parents, those that are equal up to
    upper and lower case, and words of the format, such as ``table``; a single state with a blank.

    The reader of pyAgrum takes words alone, and states that are whole numbers, so it needs ``plain_names`` for all
    others; in no file does it take a node of a single state, which a constant column is.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import climbfast as cf
    >>> network = cf.load_example()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "health.bif"
    ...     cf.write_bif(network, path)
    ...     again = cf.read_bif(path)
    >>> again == network
    True
    """
    file = Path(path)
    content = bif_content(network, plain_names=plain_names)
    if file.suffix == ".gz":
        content = gzip.compress(content, mtime=0)  # no date: equal networks give equal files
    try:
        with atomic_write(file) as out:
            out.write(content)
    except (OSError, ValueError) as error:  # a path with a null character is a ValueError
        raise NetworkError(
            f"{name_text(file)} cannot be written: {getattr(error, 'strerror', None) or error}"
        ) from None


def bif_content(network: Network, *, plain_names: bool = False) -> bytes:
    """Return what ``write_bif`` writes to a file that is not compressed."""
    return "".join(_lines(network, spelling_of(network, plain=flag("plain_names", plain_names)))).encode()


# ---- reading


@dataclass(frozen=True)
class _Source:
    """The text of a file, and its path."""

    file: Path
    text: str

    def fail(self, position: int, message: str) -> NoReturn:
        while position < len(self.text) and self.text[position].isspace():
            position += 1  # the error is in the next word, which can be some lines below
        line = self.text.count("\n", 0, position) + 1
        raise NetworkError(f"{name_text(self.file)}, line {line}: {message}")

    def word(self, position: int) -> str:
        found = re.compile(rf"\s*({_NAME}|\S?)").match(self.text, position)
        return found[1][:40] if found and found[1] else "end of file"


@dataclass(frozen=True)
class _Block:
    """A probability block: its node and parents, the position where it starts, the range of its entries."""

    node: str
    parents: tuple[str, ...]
    start: int
    body: tuple[int, int]


def _text(file: Path) -> str:
    try:
        with file.open("rb") as raw:  # once: a pipe cannot be opened again
            packed = raw.peek(2)[:2] == b"\x1f\x8b"
            content = (gzip.GzipFile(fileobj=raw) if packed else raw).read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES:,} bytes")
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise NetworkError(f"{name_text(file)} cannot be read: {reason}") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        raise NetworkError(f"{name_text(file)}, line {line}: byte 0x{byte:02x} is not UTF-8 text") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _blank_comments(source: _Source) -> _Source:
    """Replace comments and properties by blanks: every other character keeps its position, and so its line."""

    def blank(found: re.Match[str]) -> str:
        ignored = found[0]
        if ignored[0] == '"':  # a name
            return ignored
        if ignored.startswith("/*") and not (ignored.endswith("*/") and len(ignored) >= 4):
            source.fail(found.start(), "a comment that does not end")
        if ignored.startswith("property") and not ignored.endswith(";"):
            source.fail(found.start(), "a property that does not end; a semicolon ends it")
        return re.sub(r"[^\n]", " ", ignored)

    if "//" not in source.text and "/*" not in source.text and "property" not in source.text:
        return source
    return _Source(source.file, _IGNORED.sub(blank, source.text))


def _parse(source: _Source, with_properties: str) -> Network:
    name, states, blocks = _declarations(source)
    parents: dict[str, tuple[str, ...]] = {}
    tables: dict[str, npt.NDArray[np.float64]] = {}
    cells = 0
    for block in (_header(source, found, states) for found in blocks):
        _check_block(source, block, states, parents)
        cells += math.prod(len(states[name][0]) for name in (block.node, *block.parents))
        if cells > MOST_CELLS:
            source.fail(block.start, f"probability tables of more than {MOST_CELLS:,} cells up to {block.node!r}")
        parents[block.node] = block.parents
        tables[block.node] = _table(source, block, states)
    for node, (_, start) in states.items():
        if node not in tables:
            source.fail(start, f"variable {node!r} has no probability block")
    true = _true_names(source, with_properties, states)
    head = _NETWORK.match(source.text)
    of_network = names_in_property(with_properties[slice(*head.span())]) if head else None
    try:
        return Network(
            of_network[0] if of_network else name,
            {true[node][0]: true[node][1:] for node in states},
            {true[node][0]: tuple(true[parent][0] for parent in family) for node, family in parents.items()},
            {true[node][0]: table for node, table in tables.items()},
        )
    except NetworkError as error:  # a cycle, which has no single line
        raise NetworkError(f"{name_text(source.file)}: {error}") from None


Declared = dict[str, tuple[tuple[str, ...], int]]


def _declarations(source: _Source) -> tuple[str, Declared, list[re.Match[str]]]:
    """Return the name of the network, the states and position of each variable, and the probability blocks."""
    text, position, end = source.text, 0, len(source.text.rstrip())
    name, states, blocks = "unknown", Declared(), list[re.Match[str]]()
    while position < end:
        if found := _VARIABLE.match(text, position):
            node, labels = _variable(source, found)
            if node in states:
                source.fail(position, f"variable {node!r} is declared twice")
            states[node] = labels, position
        elif found := _PROBABILITY.match(text, position):
            blocks.append(found)
        elif found := _NETWORK.match(text, position):
            name = (found[1] or "").strip('"') or name
        else:
            _fail_on_block(source, position)
        position = found.end()
    if not states:
        source.fail(0, "the file declares no variables; is it a BIF file?")
    return _stem(source.file) if name == "unknown" else name, states, blocks


def _true_names(source: _Source, with_properties: str, states: Declared) -> dict[str, tuple[str, ...]]:
    """Return for every variable its name and its states, as they were before ``write_bif`` spelled them otherwise."""
    found: dict[str, tuple[str, ...]] = {}
    seen: set[str] = set()
    for node, (labels, start) in states.items():
        block = _VARIABLE.match(source.text, start)
        names = names_in_property(with_properties[slice(*block.span())]) if block else None
        names = (node, *labels) if names is None else names
        if len(names) != len(labels) + 1:
            source.fail(start, f"the property climbfast_names of {node!r} should have {len(labels) + 1} names")
        if names[0] in seen:
            source.fail(start, f"variable {names[0]!r} is declared twice")
        seen.add(names[0])
        found[node] = names
    return found


def _stem(file: Path) -> str:
    # A name that is no UTF-8 could not be written again.
    return os.fsencode(file.name.removesuffix(".gz").removesuffix(".bif")).decode(errors="replace")


def _fail_on_block(source: _Source, position: int) -> NoReturn:
    word = source.word(position)
    if word in _FORMS:
        source.fail(position, f"this {word} block cannot be read; it should be: {_FORMS[word]}")
    source.fail(position, f"found {word!r} where a variable or probability block should begin")


def _unquoted(name: str) -> str:
    return name[1:-1] if name[0] == '"' else name


def _names(text: str) -> list[str]:
    """Return every word or quoted name of a list."""
    if '"' in text:
        return [_unquoted(name) for name in _NAMES.findall(text)]
    return _split(text)  # ten times as fast as the pattern; there is one call per entry


def _split(text: str) -> list[str]:
    return text.replace(",", " ").replace("|", " ").split()  # four times as fast as str.translate


def _names_between_marks(text: str) -> list[str]:
    """Return what stands between commas and bars, as one name each: its words, joined by single blanks."""
    found: list[list[str]] = [[]]
    for token in _MARKS_AND_NAMES.findall(text):
        if token in (",", "|"):
            found.append([])
        else:
            found[-1].append(_unquoted(token))
    return [" ".join(words) for words in found if words]


def _names_of(text: str, count: int) -> list[str]:
    """Return a list of so many names: of its words, or of what stands between commas if only those are as many."""
    words = _names(text)
    if len(words) == count:
        return words
    between = _names_between_marks(text)
    return between if len(between) == count else words


def _variable(source: _Source, found: re.Match[str]) -> tuple[str, tuple[str, ...]]:
    node, count = _unquoted(found[1]), int(found[2])
    labels = tuple(_names_of(found[3], count))
    _check_between_names(source, found, 3, _LIST_OF_STATES)
    if len(labels) != count or count == 0:
        source.fail(found.start(2), f"variable {node!r} should have {count} states; it lists {len(labels)}")
    if len(set(labels)) < count:
        twice = next(label for label, times in Counter(labels).items() if times > 1)
        source.fail(found.start(3), f"variable {node!r} lists the state {twice!r} twice")
    return node, labels


def _check_between_names(source: _Source, found: re.Match[str], group: int, legal: re.Pattern[str]) -> None:
    """Raise an error at the first character that is neither part of a name nor a separator."""
    names = legal.match(source.text, *found.span(group))
    stop = names.end() if names else found.start(group)
    if stop < found.end(group):
        source.fail(stop, f"found {source.text[stop]!r} among names; write it in quotation marks")


def _header(source: _Source, block: re.Match[str], declared: Container[str]) -> _Block:
    """Read node and parents; the bar between them may be missing, and then the first name is the node."""
    _check_between_names(source, block, 1, _LIST_OF_NAMES)
    text = block[1]
    bars = [found.start() for found in _MARKS_AND_NAMES.finditer(text) if found[0] == "|"]
    nodes = _declared_names(text[: bars[0]] if bars else text, declared)
    parents = _declared_names(text[bars[0] + 1 :], declared) if bars else nodes[1:]
    if not nodes or len(bars) > 1 or (bars and len(nodes) > 1):
        source.fail(block.start(), f"a probability block begins: {_FORMS['probability']}")
    return _Block(nodes[0], tuple(parents), block.start(), block.span(2))


def _declared_names(text: str, declared: Container[str]) -> list[str]:
    """Return the words of a list if they are declared names, or else what stands between its commas if that is."""
    words, between = _names(text), _names_between_marks(text)
    return between if all(name in declared for name in between) and not all(w in declared for w in words) else words


def _check_block(source: _Source, block: _Block, states: Declared, done: Mapping[str, tuple[str, ...]]) -> None:
    for name in (block.node, *block.parents):
        if name not in states:
            source.fail(block.start, f"variable {name!r} is not declared")
    if block.node in done:
        source.fail(block.start, f"variable {block.node!r} has a second probability block")
    if block.node in block.parents:
        source.fail(block.start, f"variable {block.node!r} is its own parent")
    if len(set(block.parents)) < len(block.parents):
        source.fail(block.start, f"a parent of {block.node!r} is named twice")


def _items(source: _Source, block: _Block) -> Iterator[re.Match[str]]:
    """Yield the entries of a block; raise an error if there is other text between them."""
    position, stop = block.body
    while match := _ITEM.match(source.text, position, stop):
        yield match
        position = match.end()
    if source.text[position:stop].strip():
        word = source.word(position)
        source.fail(position, f"found {word!r} where '(STATE, ...) NUMBERS;' or 'table NUMBERS;' should be")


class _Entries:
    """The entries of a probability block, before they are known to be complete."""

    def __init__(self, source: _Source, block: _Block, states: States) -> None:
        self.source, self.block, self.states = source, block, states
        self.arity = len(states[block.node])
        self.shape = tuple(len(states[parent]) for parent in block.parents)
        self.rows = math.prod(self.shape)
        self.codes: list[int] = []  # per entry, the row of the flattened table
        self.positions: list[int] = []  # per entry, its position in the text
        self.values: list[float] = []  # the probabilities of all entries, in order
        self.whole: dict[str, tuple[int, list[float]]] = {}  # "table" and "default": position and probabilities
        self._steps = _steps(block.parents, states)
        for item in _items(source, block):
            self._add(item)

    def _add(self, item: re.Match[str]) -> None:
        keyword = item[2]
        if keyword is None:
            self.codes.append(self._code(item))
            self.positions.append(item.start(1))
            self.values += self._numbers(item, self.arity)
            return
        if keyword in self.whole:
            self.source.fail(item.start(2), f"a second {keyword} entry for {self.block.node!r}")
        size = self.arity if keyword == "default" else self.arity * self.rows
        self.whole[keyword] = item.start(2), self._numbers(item, size)

    def _code(self, item: re.Match[str]) -> int:
        parents = self.block.parents
        labels = _names_of(item[1], len(parents))
        if len(labels) != len(parents):
            counts = f"{len(labels)} states for the {len(parents)} parents of {self.block.node!r}"
            self.source.fail(item.start(1), f"this entry names {counts}")
        code = 0
        for label, steps, parent in zip(labels, self._steps, parents, strict=True):
            if label not in steps:
                legal = ", ".join(map(name_text, self.states[parent][:12]))
                self.source.fail(item.start(1), f"{label!r} is not a state of {parent!r}; it has {legal}")
            code += steps[label]
        return code

    def _numbers(self, item: re.Match[str], count: int) -> list[float]:
        tokens = _split(item[3])
        if len(tokens) != count:
            found = f"{len(tokens)} probabilities for {self.block.node!r}; there should be {count}"
            self.source.fail(item.start(3), found)
        # Python's float() would accept these. All are looked at together: there is one call per entry.
        suspect = "_" in item[3] or not item[3].isascii()
        if suspect and (odd := next((token for token in tokens if "_" in token or not token.isascii()), None)):
            self.source.fail(item.start(3), f"{odd!r} is not a number")
        try:
            return [*map(float, tokens)]
        except ValueError as error:
            word = str(error).rpartition(": ")[2]
            self.source.fail(item.start(3), f"{word} is not a number")

    def position_of(self, row: int) -> int:
        """Return the position in the text of the entry for a row of the flattened table."""
        if row in self.codes:
            return self.positions[self.codes.index(row)]
        return next((position for position, _ in self.whole.values()), self.block.start)


def _steps(parents: Sequence[str], states: States) -> list[dict[str, int]]:
    """Return for each parent the summand of each state in the row number of the flattened table."""
    steps: list[dict[str, int]] = []
    stride = 1
    for parent in reversed(parents):
        steps.append({label: stride * code for code, label in enumerate(states[parent])})
        stride *= len(states[parent])
    return steps[::-1]


def _table(source: _Source, block: _Block, declared: Declared) -> npt.NDArray[np.float64]:
    """Return P(node | parents), shape (states of parent 1, ..., states of the node)."""
    states = {name: declared[name][0] for name in (block.node, *block.parents)}
    entries = _Entries(source, block, states)
    _check_complete(entries)
    rows = _from_table(entries) if "table" in entries.whole else _from_entries(entries)
    fault = faulty_row(rows)
    if fault is not None:
        where = f"{block.node!r}{configuration(fault[0], block.parents, states)}"
        source.fail(entries.position_of(fault[0]), f"{where}: {fault[1]}")
    return rows.reshape(*entries.shape, entries.arity)


def _check_complete(entries: _Entries) -> None:
    """Check that each configuration has exactly one entry, or that there is a default, or one table and no entries."""
    source, block = entries.source, entries.block
    seen = set(entries.codes)
    if len(seen) < len(entries.codes):
        first = {code: i for i, code in reversed([*enumerate(entries.codes)])}
        again = next(i for i, code in enumerate(entries.codes) if first[code] < i)
        where = configuration(entries.codes[again], block.parents, entries.states)
        source.fail(entries.positions[again], f"a second entry for {block.node!r}{where}")
    if "table" in entries.whole and (seen or len(entries.whole) > 1):
        source.fail(entries.whole["table"][0], f"{block.node!r} has a table, and other entries too")
    if not entries.whole and len(seen) < entries.rows:
        missing = next(code for code in range(entries.rows) if code not in seen)
        where = configuration(missing, block.parents, entries.states)
        source.fail(block.start, f"no entry for {block.node!r}{where}")
    if len(entries.shape) > MOST_PARENTS:
        source.fail(block.start, f"{block.node!r} has {len(entries.shape)} parents; the most are {MOST_PARENTS}")


def _from_table(entries: _Entries) -> npt.NDArray[np.float64]:
    values = np.array(entries.whole["table"][1])
    return np.ascontiguousarray(values.reshape(entries.arity, -1).T)


def _from_entries(entries: _Entries) -> npt.NDArray[np.float64]:
    rows = np.empty((entries.rows, entries.arity))
    if "default" in entries.whole:
        rows[:] = entries.whole["default"][1]
    rows[entries.codes] = np.array(entries.values).reshape(-1, entries.arity)
    return rows


# ---- writing


def _lines(network: Network, spelling: Spelling) -> Iterator[str]:
    line = property_with_names([spelling.name], [network.name or "unknown"])
    yield f"network {_encode_name(spelling.name)} {{\n{line}}}\n"
    nodes = {node: _encode_name(name) for node, name in spelling.nodes.items()}
    encoded = {node: [_encode_name(state) for state in states] for node, states in spelling.states.items()}
    for node, states in encoded.items():
        written = spelling.nodes[node], *spelling.states[node]
        yield f"variable {nodes[node]} {{\n"
        yield f"  type discrete [ {len(states)} ] {{ {', '.join(states)} }};\n"
        yield f"{property_with_names(written, (node, *network.states[node]))}}}\n"
    for node, parents in network.parents.items():
        names = [nodes[name] for name in (node, *parents)]
        yield f"probability ( {names[0]}{' | ' if parents else ''}{', '.join(names[1:])} ) {{\n"
        table = network.tables[node]
        for index in np.ndindex(table.shape[:-1]):
            key = ", ".join(encoded[parent][code] for parent, code in zip(parents, index, strict=True))
            # repr is the shortest text that is read back as the same number.
            yield f"  {f'({key})' if parents else 'table'} {', '.join(map(repr, table[index].tolist()))};\n"
        yield "}\n"


def _encode_name(name: str) -> str:
    """Return the name, in quotation marks if it could not be read back without them."""
    bare = re.fullmatch(_BARE, name) and name not in KEYWORDS and "//" not in name and "/*" not in name
    return name if bare else f'"{name}"'
