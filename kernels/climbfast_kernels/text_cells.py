"""The cells of a text file as small integers: the distinct texts of a column are numbered as they first appear.

A text of up to 8 bytes is one word, its key. The key of a longer text is a hash that no short text has as its word: its
first byte is 0, its last is not, and there are no null characters. Reading takes some 6 ns for each cell, 3 to 10 times
less than polars takes to make strings of them: 8 bytes are searched at a time for the end of a cell, without a branch
on its length, and no text is copied but at its first appearance.

``number_cells`` only reads the vocabulary and lists the cells that it does not know, so that several threads may each
number a piece of the file; ``add_texts`` then adds what is new, in the order of the file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import inlined, leaf
from climbfast_kernels.bits import EACH_BYTE, LOW_BITS, Array, Integer, bytes_equal, popcount
from climbfast_kernels.quotes import CARRIAGE_RETURN, LINE_FEED, ONE, QUOTE, TOP, parity

ZERO, EIGHT, HALF = np.uint64(0), np.uint64(8), np.uint64(32)
LOW_HALF, FIRST_BYTE, TOP_BIT = np.uint64(0xFFFFFFFF), np.uint64(0xFF), np.uint64(1 << 63)
# Odd numbers whose bits look random: 2³² divided by the golden ratio, and a constant of MurmurHash.
FACTOR, OTHER_FACTOR = np.uint64(0x9E3779B1), np.uint64(0x85EBCA6B)
FIRST_SHIFT, SHIFTS = 28, (6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36)
MOST_SLOTS_OF_A_SMALL_TABLE = 64
KEY_OF_EMPTY = np.uint64(0x0100)  # its first byte is 0 and its last one too: neither a word of text nor a hash
NUMBERS_OF_A_BYTE = 256

IRREGULAR = -1  # a record has too many or too few cells
ADDED, NO_SLOTS, NO_ENTRIES, NO_WORDS, NO_HIGH = 0, 1, 2, 3, 4


class Vocabulary(NamedTuple):
    """The distinct texts of all columns. A column's hash table lies in the slots from its base on; its size is 2ⁿ.

    Attributes
    ----------
    base, mask, shift, count : int64 arrays, shape (columns,)
        First slot of the table; its size - 1; which bits of a hash are the place in it; the number of distinct texts.
    high : int64 array, shape (columns,)
        The row of `Cells.high` of a column with more than 256 texts; -1 for others.
    key : uint64 array, shape (slots,)
        0 in a free slot.
    number, entry : int32 arrays, shape (slots,)
        The number of the text in its column; its place in the arrays below.
    begin : int64 array, shape (entries,)
        Where the text begins in ``words``; entries are in the order in which texts were added.
    length, column : int32 arrays, shape (entries,)
        Its length in bytes, and its column.
    words : uint64 array
        The texts, each filled up with zeros to full words.
    used : int64 array, shape (3,)
        How many slots, entries and words are in use.
    """

    base: Array
    mask: Array
    shift: Array
    count: Array  # type: ignore[assignment]  # hides tuple.count, which is not used
    high: Array
    key: Array
    number: Array
    entry: Array
    begin: Array
    length: Array
    column: Array
    words: Array
    used: Array


class Cells(NamedTuple):
    """The numbers of all cells: ``low[x, row] + 256 · high[v.high[x], row]``.

    Attributes
    ----------
    low : uint8 array, shape (columns, ≥ rows)
    high : uint32 array, shape (≥ columns with more than 256 texts, ≥ rows)
        0 where nothing is set.
    """

    low: Array
    high: Array


@inlined
def _marks(word: np.uint64, byte: np.uint64) -> np.uint64:
    """Return a word with the top bit of every byte of ``word`` that equals ``byte``, which is repeated eight times."""
    t = word ^ byte
    return ~(t | ((t & LOW_BITS) + LOW_BITS) | LOW_BITS)


@inlined
def _bytes_before(marks: np.uint64) -> int:
    """Return the number of bytes before the first marked one."""
    return popcount((marks - ONE) & ~marks) >> 3


@inlined
def _first_bytes(word: np.uint64, number: Integer) -> np.uint64:
    """Return the first ``number`` < 8 bytes of a word, and zeros."""
    return word & ((ONE << (np.uint64(number) * EIGHT)) - ONE)


@inlined
def word_hash(key: np.uint64) -> np.uint64:
    """Return a hash; no product exceeds a word, so that interpreted it is the same."""
    return ((key & LOW_HALF) * FACTOR) ^ ((key >> HALF) * OTHER_FACTOR)


@inlined
def _key(windows: Array, begin: Integer, length: Integer) -> np.uint64:
    if length > 8:
        return _key_of_long(windows, begin, length)
    if length == 8:
        return windows[begin]
    return KEY_OF_EMPTY if length == 0 else _first_bytes(windows[begin], length)


@leaf
def _key_of_long(windows: Array, begin: Integer, length: Integer) -> np.uint64:
    key = np.uint64(length)
    end = begin + length
    for at in range(begin, end, 8):
        word = windows[at] if end - at >= 8 else _first_bytes(windows[at], end - at)
        key = word_hash(key ^ word)
        key ^= key >> HALF
    return (key & ~FIRST_BYTE) | TOP_BIT


@leaf
def _is_entry(windows: Array, begin: Integer, length: Integer, texts: Vocabulary, entry: Integer) -> bool:
    if texts.length[entry] != length:
        return False
    word, end = texts.begin[entry], begin + length
    for at in range(begin, end, 8):
        found = windows[at] if end - at >= 8 else _first_bytes(windows[at], end - at)
        if found != texts.words[word]:
            return False
        word += 1
    return True


@inlined
def _home(key: np.uint64, shift: Integer, mask: Integer) -> Integer:
    """Return the place of a key in a table where no other one is in its way."""
    return np.int64(word_hash(key) >> np.uint64(shift)) & mask


@inlined
def _slot(windows: Array, begin: Integer, length: Integer, key: np.uint64, texts: Vocabulary, x: Integer) -> Integer:
    """Return the slot of a text, or the free slot in which it belongs."""
    base, mask = texts.base[x], texts.mask[x]
    at = _home(key, texts.shift[x], mask)
    found = texts.key[base + at]
    while found != ZERO:
        if found == key and (length <= 8 or _is_entry(windows, begin, length, texts, texts.entry[base + at])):
            break
        at = (at + 1) & mask
        found = texts.key[base + at]
    return base + at


@leaf
def number_cells(
    text: Array,
    windows: Array,
    begin: Integer,
    end: Integer,
    separator: Integer,
    texts: Vocabulary,
    cells: Cells,
    first_row: Integer,
    tile: Array,
    unknown: Array,
    found: Array,
) -> int:
    """Number the cells of whole records, of which each quote is regular and no carriage return stands alone.

    Blank lines are skipped if there is more than one column.

    Parameters
    ----------
    text : uint8 array, shape (≥ end + 16,)
        Modified in place: doubled quotes are made single.
    windows : uint64 array, shape (≥ end + 8,)
        The eight bytes of ``text`` from each byte on: an array that is not aligned.
    begin, end : int
        Where the records lie in ``text``; the last byte is a line feed.
    separator : int
        The byte between cells.
    first_row : int
        The row of the first record in ``cells``.
    tile : uint8 array, shape (any number of rows, columns)
        Scratch memory. Records are turned into columns many at a time, for every byte that is written to a far place
        costs as much as reading several cells.
    unknown : int64 array, shape (4, ≥ cells)
        Column, row, begin and length of the cells whose text is not in the vocabulary. Modified in place.
    found : int64 array, shape (2,)
        The number of rows and that of unknown cells. Modified in place.

    Returns
    -------
    int
        0, or ``IRREGULAR``.
    """
    width = texts.base.shape[0]
    separators = np.uint64(separator) * EACH_BYTE
    line_feeds, quotes = np.uint64(LINE_FEED) * EACH_BYTE, np.uint64(QUOTE) * EACH_BYTE
    row, in_tile, x, unknowns = first_row, 0, 0, 0
    at = begin
    while at < end:
        word = windows[at]
        is_quoted = (word & FIRST_BYTE) == np.uint64(QUOTE)
        if is_quoted:
            at += 1
            stop = _find_one(windows, at, quotes)
            length = stop - at
            if text[stop + 1] == QUOTE:
                stop, length = _close_quotes(text, at, stop)
            stop += 2 if text[stop + 1] == CARRIAGE_RETURN else 1
            key = _key(windows, at, length)
        else:
            marks = _marks(word, separators) | _marks(word, line_feeds)
            if marks != ZERO:
                length = _bytes_before(marks)
                stop = at + length
                key = KEY_OF_EMPTY if length == 0 else _first_bytes(word, length)
            else:
                stop = _find_either(windows, at + 8, separators, line_feeds)
                length = stop - at
                key = _key(windows, at, length)
            if text[stop] == LINE_FEED and length > 0 and text[stop - 1] == CARRIAGE_RETURN:
                length -= 1
                key = _key(windows, at, length)
        is_last = text[stop] == LINE_FEED
        if is_last != (x == width - 1):
            if is_last and x == 0 and length == 0 and not is_quoted:
                at = stop + 1
                continue
            return IRREGULAR
        slot = _slot(windows, at, length, key, texts, x)
        if texts.key[slot] == ZERO:
            unknown[0, unknowns], unknown[1, unknowns] = x, row + in_tile
            unknown[2, unknowns], unknown[3, unknowns] = at, length
            unknowns += 1
        else:
            number = texts.number[slot]
            tile[in_tile, x] = number & 0xFF
            if number >= NUMBERS_OF_A_BYTE:
                cells.high[texts.high[x], row + in_tile] = number >> 8
        x += 1
        at = stop + 1
        if is_last:
            x = 0
            in_tile += 1
            if in_tile == tile.shape[0]:
                _turn(tile, in_tile, cells.low, row)
                row += in_tile
                in_tile = 0
    _turn(tile, in_tile, cells.low, row)
    found[0], found[1] = row + in_tile - first_row, unknowns
    return 0


@inlined
def _find_one(windows: Array, at: Integer, byte: np.uint64) -> Integer:
    while _marks(windows[at], byte) == ZERO:
        at += 8
    return at + _bytes_before(_marks(windows[at], byte))


@inlined
def _find_either(windows: Array, at: Integer, byte: np.uint64, other: np.uint64) -> Integer:
    while _marks(windows[at], byte) | _marks(windows[at], other) == ZERO:
        at += 8
    return at + _bytes_before(_marks(windows[at], byte) | _marks(windows[at], other))


@leaf
def _close_quotes(text: Array, begin: Integer, stop: Integer) -> tuple[Integer, Integer]:
    """Make the doubled quotes of a cell single, from the first one at ``stop`` on; return its end and its length."""
    to = stop
    while text[stop] != QUOTE or text[stop + 1] == QUOTE:
        if text[stop] == QUOTE:
            stop += 1
        text[to] = text[stop]
        to += 1
        stop += 1
    return stop, to - begin


@leaf
def _turn(tile: Array, rows: Integer, low: Array, row: Integer) -> None:
    for x in range(low.shape[0]):
        for i in range(rows):
            low[x, row + i] = tile[i, x]


@leaf
def add_texts(
    windows: Array, unknown: Array, first: Integer, end: Integer, texts: Vocabulary, cells: Cells, stopped: Array
) -> int:
    """Add the texts of the unknown cells ``first`` to ``end`` - 1 to the vocabulary, and number these cells.

    Parameters
    ----------
    stopped : int64 array, shape (2,)
        The unknown cell at which space was lacking, and its column. Modified in place.

    Returns
    -------
    int
        ``ADDED``, or what was lacking: ``NO_SLOTS``, ``NO_ENTRIES``, ``NO_WORDS``, or a row of ``cells.high``
        (``NO_HIGH``).
    """
    used = texts.used
    for i in range(first, end):
        x, row, begin, length = unknown[0, i], unknown[1, i], unknown[2, i], unknown[3, i]
        key = _key(windows, begin, length)
        slot = _slot(windows, begin, length, key, texts, x)
        if texts.key[slot] == ZERO:
            size = (length + 7) >> 3
            stopped[0], stopped[1] = i, x
            if used[1] == texts.begin.shape[0]:
                return NO_ENTRIES
            if used[2] + size > texts.words.shape[0]:
                return NO_WORDS
            if texts.count[x] >= NUMBERS_OF_A_BYTE and texts.high[x] < 0:
                return NO_HIGH
            size_of_table = texts.mask[x] + 1
            if used[0] + 4 * size_of_table > texts.key.shape[0]:  # it may be doubled, and moved once more
                return NO_SLOTS
            if 8 * (texts.count[x] + 1) > 5 * size_of_table:
                is_small = 2 * size_of_table <= MOST_SLOTS_OF_A_SMALL_TABLE
                _move_table(texts, x, 2 * size_of_table, texts.shift[x] if is_small else FIRST_SHIFT)
                slot = _slot(windows, begin, length, key, texts, x)
            texts.begin[used[1]], texts.length[used[1]], texts.column[used[1]] = used[2], length, x
            for w in range(size):
                word, left = windows[begin + 8 * w], length - 8 * w
                texts.words[used[2] + w] = word if left >= 8 else _first_bytes(word, left)
            texts.key[slot], texts.number[slot], texts.entry[slot] = key, texts.count[x], used[1]
            if slot - texts.base[x] != _home(key, texts.shift[x], texts.mask[x]):
                _part_keys(texts, x)
                slot = _slot(windows, begin, length, key, texts, x)
            texts.count[x] += 1
            used[1] += 1
            used[2] += size
        number = texts.number[slot]
        cells.low[x, row] = number & 0xFF
        if number >= NUMBERS_OF_A_BYTE:
            cells.high[texts.high[x], row] = number >> 8
    return ADDED


@leaf
def _part_keys(texts: Vocabulary, x: int) -> None:
    """Choose the bits of the hash by which the fewest keys of a small table are in another one's way.

    Which of two keys a cell has is random, so that processors guess it wrong: this took half of the time.
    """
    base, mask = texts.base[x], texts.mask[x]
    if mask >= MOST_SLOTS_OF_A_SMALL_TABLE:
        return
    best, fewest = texts.shift[x], mask + 1
    for shift in SHIFTS:
        taken, clashes = ZERO, 0
        for slot in range(base, base + mask + 1):
            if texts.key[slot] != ZERO:
                bit = ONE << np.uint64(_home(texts.key[slot], shift, mask))
                clashes += 1 if taken & bit else 0
                taken |= bit
        if clashes < fewest or (clashes == fewest and shift == texts.shift[x]):
            best, fewest = shift, clashes
    if best != texts.shift[x]:
        _move_table(texts, x, mask + 1, best)


@leaf
def _move_table(texts: Vocabulary, x: int, size: int, shift: int) -> None:
    """Move the table of a column to free slots."""
    base, mask, new = texts.base[x], size - 1, texts.used[0]
    texts.used[0] += size
    for slot in range(base, base + texts.mask[x] + 1):
        if texts.key[slot] == ZERO:
            continue
        at = _home(texts.key[slot], shift, mask)
        while texts.key[new + at] != ZERO:
            at = (at + 1) & mask
        texts.key[new + at], texts.number[new + at] = texts.key[slot], texts.number[slot]
        texts.entry[new + at] = texts.entry[slot]
    texts.base[x], texts.mask[x], texts.shift[x] = new, mask, shift


@leaf
def copy_tables(texts: Vocabulary, key: Array, number: Array, entry: Array) -> None:
    """Copy all tables into new slots, of which the free ones are 0, in the order of columns, as cells are read."""
    to = 0
    for x in range(texts.base.shape[0]):
        base, size = texts.base[x], texts.mask[x] + 1
        for i in range(size):
            key[to + i], number[to + i] = texts.key[base + i], texts.number[base + i]
            entry[to + i] = texts.entry[base + i]
        texts.base[x] = to
        to += size
    texts.used[0] = to


@leaf
def join_texts(texts: Vocabulary, entries: Array, out: Array) -> None:
    """Write the texts of some entries to ``out``, a byte 0 behind each; words hold their first byte lowest."""
    at = 0
    for e in entries:
        for i in range(texts.length[e]):
            word = texts.words[texts.begin[e] + (i >> 3)]
            out[at] = (word >> (np.uint64(i & 7) * EIGHT)) & FIRST_BYTE
            at += 1
        out[at] = 0
        at += 1


@leaf
def recode_columns(low: Array, rows: Integer, columns: Array, codes: Array) -> None:
    """low[x, row] = codes[j, low[x, row]] for every x = columns[j], in place."""
    for j in range(columns.shape[0]):
        x = columns[j]
        for row in range(rows):
            low[x, row] = codes[j, low[x, row]]


@leaf
def close_gaps(cells: Cells, first: Array, count: Array) -> None:
    """Move the rows ``first[p]`` to ``first[p] + count[p]`` - 1 of each piece p up behind those of the one before."""
    for x in range(cells.low.shape[0]):
        _close_gaps(cells.low[x], first, count)
    for h in range(cells.high.shape[0]):
        _close_gaps(cells.high[h], first, count)


@inlined
def _close_gaps(column: Array, first: Array, count: Array) -> None:
    to = 0
    for p in range(first.shape[0]):
        for i in range(count[p]):
            column[to + i] = column[first[p] + i]
        to += count[p]


@leaf
def count_lines(text: Array, found: Array) -> None:
    """Set ``found`` to the number of line feeds, and to the place behind the last one (0 if there is none)."""
    lines = 0
    for i in range(text.shape[0]):
        lines += 1 if text[i] == LINE_FEED else 0
    end = text.shape[0] if lines > 0 else 0
    while end > 0 and text[end - 1] != LINE_FEED:
        end -= 1
    found[0], found[1] = lines, end


@leaf
def count_records(text: Array, found: Array) -> None:
    """Set ``found`` to the number of line feeds outside quotes, and to the place behind the last one (0 if none).

    Parameters
    ----------
    text : uint8 array
        It begins outside quotes.
    found : int64 array, shape (2,)
        Modified in place.
    """
    records, end, is_open = 0, 0, ZERO
    whole = text.shape[0] >> 6
    eights = text[: whole << 6].view(np.uint64)
    for w in range(whole):
        opened = parity(bytes_equal(QUOTE, eights, w))
        if is_open:
            opened = ~opened
        ends = bytes_equal(LINE_FEED, eights, w) & ~opened
        if ends:
            records += popcount(ends)
            last = 63
            while not (ends >> np.uint64(last)) & ONE:
                last -= 1
            end = 64 * w + last + 1
        is_open = opened >> TOP
    inside = bool(is_open)
    for i in range(whole << 6, text.shape[0]):
        if text[i] == QUOTE:
            inside = not inside
        elif text[i] == LINE_FEED and not inside:
            records += 1
            end = i + 1
    found[0], found[1] = records, end


@leaf
def has_lone_carriage_return(text: Array) -> bool:
    """Whether a carriage return stands without a line feed behind it; the last byte is not seen."""
    lone = 0
    for i in range(text.shape[0] - 1):
        lone += 1 if (text[i] == CARRIAGE_RETURN) & (text[i + 1] != LINE_FEED) else 0
    return lone > 0
