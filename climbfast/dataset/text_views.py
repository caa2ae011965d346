"""The text cells of polars where they lie: 16 bytes for each, which are its text or say where it is.

They come through the C stream interface of Arrow, without a copy, and a kernel numbers them. Few texts are few views:
those of a text of up to 12 bytes are equal, and those of a longer one are if it was a word of a dictionary. The
categorical type of polars, which compares texts, takes four times as long.

https://arrow.apache.org/docs/format/CDataInterface.html, https://arrow.apache.org/docs/format/CStreamInterface.html
"""

from __future__ import annotations

import ctypes
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.column_encoding import Column, make_column
from climbfast.dataset.levels import MISSING, arrange
from climbfast.dataset.options import Options

if TYPE_CHECKING:
    import polars as pl

__all__ = ["encode_views", "view_numbers"]

MOST_VIEWS = 256  # in a chunk: their numbers are bytes
_STRING_VIEW = b"vu"
_BYTES_OF_A_VIEW = 16


class _Schema(ctypes.Structure):
    """ArrowSchema."""

    _fields_ = (
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_void_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    )


class _Array(ctypes.Structure):
    """ArrowArray."""

    _fields_ = (
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.POINTER(ctypes.c_void_p)),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    )


class _Stream(ctypes.Structure):
    """ArrowArrayStream."""

    _fields_ = (
        ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Schema))),
        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Array))),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    )


_pointer_of_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of_capsule.restype, _pointer_of_capsule.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


class _Chunk(NamedTuple):
    """The views of some rows, and a bit for each cell that is not missing from ``first_bit`` on; none if all are."""

    views: NDArray[np.uint64]
    valid: NDArray[np.uint8]
    first_bit: int


def encode_views(name: Hashable, series: pl.Series, options: Options) -> Column | None:
    """Encode a text column of at most 256 texts; None if it has more, or a chunk of it has more views."""
    found = view_numbers(series)
    if found is None:
        return None
    numbers, bounds, rows = found
    texts = [series.gather(of_chunk).to_list() for of_chunk in rows]
    different = list(dict.fromkeys(text for of_chunk in texts for text in of_chunk))
    levels, places = arrange(name, different, options)
    gap = [MISSING] if MISSING in places else []
    if len(levels) + len(gap) > MOST_VIEWS:
        return None
    code = {text: len(levels) if place == MISSING else place for text, place in zip(different, places, strict=True)}
    for begin, end, of_chunk in zip(bounds, bounds[1:], texts, strict=False):
        _recode(numbers[begin:end], [code[text] for text in of_chunk])
    return make_column(levels, [*range(len(levels)), *gap], numbers)


def view_numbers(series: pl.Series) -> tuple[NDArray[np.uint8], list[int], list[NDArray[np.int64]]] | None:
    """Return the number of each cell's view in its chunk, the bounds of the chunks, and the first row of each view.

    None if a chunk has too many views, or polars gives no views.
    """
    from climbfast_kernels.coding import SLOTS_OF_VIEWS, number_views

    numbers = np.empty(len(series), dtype=np.uint8)
    known = np.empty((MOST_VIEWS, 2), dtype=np.uint64)
    bounds, rows = [0], []
    for chunk in _chunks(series):
        begin, first = bounds[-1], np.empty(MOST_VIEWS, dtype=np.int64)
        slots = np.zeros(SLOTS_OF_VIEWS, dtype=np.uint16)
        bounds.append(begin + len(chunk.views))
        found = number_views(
            chunk.views, chunk.valid, np.int64(chunk.first_bit), slots, known, numbers[begin : bounds[-1]], first
        )
        if found < 0:
            return None
        rows.append(first[:found] + begin)
    return (numbers, bounds, rows) if bounds[-1] == len(series) else None


def _chunks(series: pl.Series) -> Iterator[_Chunk]:
    """Yield the chunks of a text column, each until the next one is asked for; none if polars gives no views."""
    capsule = series.__arrow_c_stream__()  # it releases the stream when it is deleted
    address = _pointer_of_capsule(capsule, b"arrow_array_stream")
    stream, schema = _Stream.from_address(address), _Schema()
    if stream.get_schema(address, ctypes.byref(schema)):
        return
    is_known = schema.format == _STRING_VIEW
    schema.release(ctypes.addressof(schema))
    while is_known:
        array = _Array()
        if stream.get_next(address, ctypes.byref(array)) or not array.release:
            return
        try:
            if array.length:
                yield _chunk(array)
        finally:
            array.release(ctypes.addressof(array))


def _chunk(array: _Array) -> _Chunk:
    views = _memory(array.buffers[1] + _BYTES_OF_A_VIEW * array.offset, ctypes.c_uint64, 2 * array.length)
    end = array.offset + array.length
    valid = array.buffers[0] if array.null_count else None
    return _Chunk(
        views.reshape(-1, 2),
        np.empty(0, dtype=np.uint8) if valid is None else _memory(valid, ctypes.c_uint8, -(-end // 8)),
        array.offset,
    )


def _memory(address: int, kind: Any, size: int) -> NDArray[Any]:
    memory: NDArray[Any] = np.frombuffer((kind * size).from_address(address), dtype=kind)
    return memory


def _recode(numbers: NDArray[np.uint8], code: list[int]) -> None:
    """Replace numbers by their codes, in place."""
    from climbfast_kernels.text_cells import recode_columns

    codes = np.zeros((1, MOST_VIEWS), dtype=np.uint8)
    codes[0, : len(code)] = code
    recode_columns(numbers.reshape(1, -1), np.int64(numbers.size), np.array([0]), codes)
