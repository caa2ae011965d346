"""Checks all counts and sizes of a Parquet file with a long footer, which are in the compact protocol of Thrift.

What is checked is said in ``climbfast.dataset.parquet_pages``, which does it for short footers, and says what is wrong.
https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import kernel, leaf
from climbfast_kernels.bits import Array, Integer

UNSOUND = -1
# Structs whose numbers are used, as parquet.thrift has them: of the file, of a group of rows, of a column there and its
# description, of a page, and of what a page of data or of a dictionary says about itself.
OTHER, FILE, GROUP, CHUNK, COLUMN, PAGE, DATA, DICTIONARY = range(8)
STRUCTS, FIELDS = 8, 16  # fields with larger numbers are not used
# Fields of them.
ROWS_OF_FILE, GROUPS, CHUNKS, ROWS_OF_GROUP, DESCRIPTION = 3, 4, 1, 3, 3
VALUES, PACKED, DATA_PLACE, DICTIONARY_PLACE = 5, 7, 9, 11
UNPACKED_SIZE, PACKED_SIZE, DATA_HEADER, DICTIONARY_HEADER, DATA_HEADER_2, COUNT = 2, 3, 5, 7, 8, 1
ABSENT, NO_NUMBER = np.int64(-(2**63)), np.int64(-(2**63) + 1)  # no such field; one of another type
MOST_OF_A_PAGE = 1 << 31  # values, or bytes without compression
TRUE, FALSE, BYTE, I16, I64, DOUBLE, BINARY, LIST, SET, STRUCT = 1, 2, 3, 4, 6, 7, 8, 9, 10, 12
DEEPEST = 20
# What is known of each struct or list around the place that is read: what it is or has, the number of the field that
# was read last, and of a list the number and type of the elements that are left.
WHAT, LAST, LEFT, TYPE = range(4)
PLACE, DEPTH = range(2)


@kernel
def rows_of_sound_file(content: Array, footer: Integer) -> Integer:
    """Return the number of rows of a Parquet file of which all pages are surely sound; else ``UNSOUND``.

    Parameters
    ----------
    content : uint8 array, shape (bytes,)
        The whole file.
    footer : int
        Where the struct of the file begins.
    """
    around = np.empty((2, DEEPEST + 1, 4), dtype=np.int64)
    at = np.empty((2, 2), dtype=np.int64)
    found = np.empty((STRUCTS, FIELDS), dtype=np.int64)
    return _check_file(content, footer, around, at, found)


@leaf
def _check_file(content: Array, footer: Integer, around: Array, at: Array, found: Array) -> Integer:
    """Return what ``rows_of_sound_file`` does: with the first of ``around`` and ``at`` in the footer, else in pages."""
    _begin(FILE, footer, around[0], at[0], found)
    rows, groups, chunks, described = 0, 0, 0, 0
    fewest: Integer = 0
    bytes_left: Integer = content.shape[0]
    while True:
        ended = _next_end(content, around[0], at[0], found)
        if ended == COLUMN:
            if not 0 <= found[COLUMN, PACKED] <= bytes_left:
                return UNSOUND
            bytes_left -= found[COLUMN, PACKED]  # the time is linear also if columns overlap
            values: Integer = 0
            if found[COLUMN, VALUES] != 0:  # else it may have no pages, and no place
                values = _values_of_pages(content, around[1], at[1], found)
            if values < 0 or values != found[COLUMN, VALUES]:
                return UNSOUND
            fewest = min(fewest, values) if described else values
            described += 1
        elif ended == CHUNK:
            chunks += 1
        elif ended == GROUP:
            # A column of lists has more values than rows.
            if not 0 <= found[GROUP, ROWS_OF_GROUP] <= fewest or chunks == 0 or described != chunks:
                return UNSOUND
            rows += found[GROUP, ROWS_OF_GROUP]
            groups, chunks, described = groups + 1, 0, 0
        else:
            return rows if ended == FILE and groups > 0 and rows == found[FILE, ROWS_OF_FILE] else UNSOUND


@leaf
def _values_of_pages(content: Array, around: Array, at: Array, found: Array) -> Integer:
    """Return the number of values in the pages of the column that was described last; or ``UNSOUND``."""
    place = found[COLUMN, DATA_PLACE]
    if found[COLUMN, DICTIONARY_PLACE] != ABSENT and found[COLUMN, DICTIONARY_PLACE] != 0:
        place = min(place, found[COLUMN, DICTIONARY_PLACE])
    size = found[COLUMN, PACKED]
    if place <= 0 or not 0 <= size <= content.shape[0] - place:
        return UNSOUND
    end, values = place + size, 0
    while place < end:
        _begin(PAGE, place, around, at, found)
        ended = _next_end(content, around, at, found)
        while ended == DATA or ended == DICTIONARY:
            if not 0 <= found[ended, COUNT] < MOST_OF_A_PAGE:
                return UNSOUND
            if ended == DATA:
                values += found[DATA, COUNT]
            ended = _next_end(content, around, at, found)
        size = found[PAGE, PACKED_SIZE]
        if ended != PAGE or not 0 <= found[PAGE, UNPACKED_SIZE] <= MOST_OF_A_PAGE or not 0 <= size <= end - at[PLACE]:
            return UNSOUND
        place = at[PLACE] + size
    return values


@leaf
def _begin(struct: Integer, place: Integer, around: Array, at: Array, found: Array) -> None:
    """Begin to read at the first field of a struct."""
    at[PLACE], at[DEPTH] = place, -1
    _enter(struct, around, at, found)


@leaf
def _enter(struct: Integer, around: Array, at: Array, found: Array) -> None:
    """Go into a struct, of which no field is known yet."""
    at[DEPTH] += 1
    level = around[at[DEPTH]]
    level[WHAT], level[LAST], level[LEFT] = struct, 0, -1
    found[struct, :] = ABSENT


@leaf
def _next_end(content: Array, around: Array, at: Array, found: Array) -> Integer:
    """Read up to the end of a struct whose numbers are used, and return which it is; ``UNSOUND`` if it cannot be read.

    Refused is what no writer does, too: fields that are not in order, or a struct or list of another type.

    Parameters
    ----------
    content : uint8 array, shape (bytes,)
    around : int64 array, shape (DEEPEST + 1, 4)
        The structs and lists around the place, modified in place.
    at : int64 array, shape (2,)
        The place, and how many structs and lists there are around it, modified in place.
    found : int64 array, shape (STRUCTS, FIELDS)
        The fields of the last struct of each kind, modified in place: a number, ``NO_NUMBER`` or ``ABSENT``.
    """
    while at[PLACE] < content.shape[0]:
        level = around[at[DEPTH]]
        if level[LEFT] == 0:
            at[DEPTH] -= 1
            continue
        what = level[WHAT]
        number: Integer = FIELDS
        if level[LEFT] > 0:
            level[LEFT] -= 1
            kind, inside = level[TYPE], what
            if inside != OTHER and kind != STRUCT:
                return UNSOUND
        else:
            head = np.int64(content[at[PLACE]])
            at[PLACE] += 1
            if head == 0:
                at[DEPTH] -= 1
                if what != OTHER:
                    return what
                continue
            number = level[LAST] + (head >> 4) if head >> 4 else _integer(content, at)
            kind, inside = head & 15, _inside(what, number)
            is_list = inside == GROUP or inside == CHUNK
            if number <= level[LAST] or (inside != OTHER and kind != (LIST if is_list else STRUCT)):
                return UNSOUND
            level[LAST] = number
            if number < FIELDS:
                found[what, number] = NO_NUMBER
            if kind == TRUE or kind == FALSE:
                continue
        if I16 <= kind <= I64:
            value = _integer(content, at)
            if number < FIELDS:
                found[what, number] = value
        elif kind == BINARY:
            _skip(_natural(content, at), content, at)
        elif kind == STRUCT or kind == LIST or kind == SET:
            if at[DEPTH] == DEEPEST:
                return UNSOUND
            if kind == STRUCT:
                _enter(inside, around, at, found)
            else:
                _enter_list(inside, content, around, at)
        elif kind == TRUE or kind == FALSE or kind == BYTE:  # a bool is a byte where it is an element
            at[PLACE] += 1
        elif kind == DOUBLE:
            at[PLACE] += 8
        else:
            return UNSOUND
    return UNSOUND


@leaf
def _enter_list(inside: Integer, content: Array, around: Array, at: Array) -> None:
    """Read the size and the type of a list, and go into it."""
    if at[PLACE] >= content.shape[0]:
        return
    head = np.int64(content[at[PLACE]])
    at[PLACE] += 1
    at[DEPTH] += 1
    level = around[at[DEPTH]]
    level[WHAT], level[TYPE] = inside, head & 15
    level[LEFT] = head >> 4 if head >> 4 < 15 else _natural(content, at)


@leaf
def _inside(struct: Integer, number: Integer) -> Integer:
    """Return which struct, or list of structs, a field is."""
    if struct == FILE and number == GROUPS:
        return GROUP
    if struct == GROUP and number == CHUNKS:
        return CHUNK
    if struct == CHUNK and number == DESCRIPTION:
        return COLUMN
    if struct == PAGE and (number == DATA_HEADER or number == DATA_HEADER_2):
        return DATA
    return DICTIONARY if struct == PAGE and number == DICTIONARY_HEADER else OTHER


@leaf
def _natural(content: Array, at: Array) -> Integer:
    """Read a number of fewer than 64 bits; 0, and the place is past the end, if there is none."""
    number, shift = np.int64(0), 0
    while at[PLACE] < content.shape[0] and shift < 63:
        byte = np.int64(content[at[PLACE]])
        at[PLACE] += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number
        shift += 7
    at[PLACE] = content.shape[0] + 1
    return np.int64(0)


@leaf
def _integer(content: Array, at: Array) -> Integer:
    """Read a signed integer, which is written as 0, -1, 1, -2, ..."""
    natural = _natural(content, at)
    return natural >> 1 ^ -(natural & 1)


@leaf
def _skip(size: Integer, content: Array, at: Array) -> None:
    """Go on so many bytes, past the end if there are fewer."""
    left = content.shape[0] - at[PLACE]
    at[PLACE] = at[PLACE] + size if size <= left else content.shape[0] + 1
