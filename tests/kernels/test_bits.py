"""Bitmaps hold every cell once, whatever the number of rows, levels and bytes a code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings

from climbfast_kernels import bits
from climbfast_kernels._jit import leaf
from tests.factories import EXAMPLES, codes_with_gaps, draw_codes, random_gaps, small_codes


def pack(codes: np.ndarray, arities: Sequence[int]) -> bits.Bits:
    """Bitmaps; a code that is the arity of its column is a missing cell."""
    arity = np.array(arities)
    codes = codes.view()
    codes.flags.writeable = False
    return bits.pack(codes, arity, (codes == arity[:, None]).any(axis=1), codes.shape[1])


def unpack(packed: bits.Bits, column: int) -> np.ndarray:
    """Levels × rows booleans of one column."""
    first = packed.offset[column]
    words = packed.words[first : first + packed.arity[column]]
    return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").astype(bool)


@given(small_codes(least=1))
@settings(max_examples=EXAMPLES)
def test_a_row_is_in_the_bitmap_of_its_level_alone(drawn):
    codes, arities = drawn
    packed = pack(codes, arities)
    for column, arity in enumerate(arities):
        expected = codes[column] == np.arange(arity)[:, None]
        found = unpack(packed, column)
        assert np.array_equal(found[:, : codes.shape[1]], expected)
        assert not found[:, codes.shape[1] :].any(), "bits past the last row are 0"
        first = packed.offset[column]
        assert packed.count[first : first + arity].tolist() == expected.sum(axis=1).tolist()


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 127, 128, 1_000])
@pytest.mark.parametrize(
    "levels", [1, 2, 7, bits.MOST_LEVELS_COMPARED, bits.MOST_LEVELS_COMPARED + 1, bits.MOST_LEVELS]
)
def test_bitmaps_are_the_same_for_every_type_of_codes(levels, rows):
    codes = draw_codes([levels, 3, levels], rows)  # the second and third begin at odd addresses
    arities = np.array([levels, 3, levels])
    of_bytes, of_words = pack(codes, arities), pack(codes.astype(np.uint16), arities)
    assert codes.dtype == np.uint8
    assert np.array_equal(of_bytes.words, of_words.words)
    assert of_bytes.count.tolist() == of_words.count.tolist()
    for column in range(3):
        expected = codes[column] == np.arange(arities[column])[:, None]
        assert np.array_equal(unpack(of_bytes, column)[:, :rows], expected)


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 511, 512, 513])
def test_bitmaps_are_padded_to_whole_blocks(rows):
    packed = pack(draw_codes([3, 2], rows), [3, 2])
    assert packed.words.shape == (5, -(-rows // 512) * 8)
    assert packed.n_rows == rows
    assert [int(packed.count[:3].sum()), int(packed.count[3:].sum())] == [rows, rows]


@pytest.mark.parametrize(("rows", "words"), [(262_080, 4_096), (262_145, 4_352), (261_632, 4_088)])
def test_bitmaps_of_very_many_rows_are_whole_blocks_of_rows(rows, words):
    assert pack(np.zeros((1, rows), np.uint8), [1]).words.shape == (1, words)


def test_a_column_of_many_levels_has_no_bitmaps():
    arities = [2, bits.MOST_LEVELS, bits.MOST_LEVELS + 1, 300, 3]
    packed = pack(draw_codes(arities, 400), arities)
    assert packed.offset.tolist() == [0, 2, -1, -1, 66]
    assert packed.words.shape[0] == 69


def test_bitmaps_are_read_only():
    packed = pack(draw_codes([2], 10), [2])
    assert not any(
        a.flags.writeable for a in (packed.words, packed.offset, packed.arity, packed.count, packed.incomplete)
    )


@pytest.mark.parametrize("word", [0, 1, 2**63, 2**64 - 1, 0x5555_5555_5555_5555])
def test_intersections(word):
    ones = word.bit_count()
    a = np.array([[0] * 8, [word, 7, 0, 0, 0, 0, 0, word]], np.uint64)
    b = np.array([[word, 2, 0, 0, 0, 0, 0, 2**64 - 1]], np.uint64)
    out = np.ones((2, 8), np.uint64)
    assert bits.intersection_size(a, 1, b, 0) == 2 * ones + 1
    assert bits.intersect(a, 1, b, 0, out, 1) == 2 * ones + 1
    assert out.tolist() == [[1] * 8, [word, 2, 0, 0, 0, 0, 0, word]]


@pytest.mark.parametrize("rows", [1, 500, 20_000])
def test_bitmaps_begin_with_a_line_of_the_cache(rows):
    codes = np.zeros((3, rows), np.uint8)
    packed = pack(codes, [2, 3, 1])
    assert packed.words.ctypes.data % 64 == 0
    assert packed.words.flags.c_contiguous
    assert bits.cache_aligned(np.empty, 5, 8).ctypes.data % 64 == 0


@given(codes_with_gaps(least=1))
@settings(max_examples=EXAMPLES)
def test_a_missing_cell_is_in_no_bitmap(drawn):
    codes, arities = drawn
    packed = pack(codes, arities)
    for column, arity in enumerate(arities):
        expected = codes[column] == np.arange(arity)[:, None]
        found = unpack(packed, column)
        assert np.array_equal(found[:, : codes.shape[1]], expected)
        assert packed.incomplete[column] == (not expected.any(axis=0).all())
        first = packed.offset[column]
        assert packed.count[first : first + arity].tolist() == expected.sum(axis=1).tolist()


@pytest.mark.parametrize("rows", [63, 64, 65, 200])
@pytest.mark.parametrize("levels", [2, bits.MOST_LEVELS_COMPARED, bits.MOST_LEVELS_COMPARED + 1, bits.MOST_LEVELS])
def test_missing_cells_for_every_type_of_codes(levels, rows):
    codes, arities = random_gaps([levels, 3, levels], rows), np.array([levels, 3, levels])
    of_bytes, of_words = pack(codes, arities), pack(codes.astype(np.uint16), arities)
    assert np.array_equal(of_bytes.words, of_words.words)
    assert of_bytes.count.tolist() == of_words.count.tolist()
    assert of_bytes.incomplete.tolist() == [True, False, True]
    assert of_bytes.count[:levels].sum() == np.sum(codes[0] != levels)


def test_rows_that_stand_for_several_have_no_bits():
    packed = bits.pack(draw_codes([2, 3], 10), np.array([2, 3]), np.zeros(2, np.bool_), 11)
    assert packed.offset.tolist() == [-1, -1]
    assert (packed.words.shape[0], packed.n_rows) == (0, 11)


@pytest.mark.parametrize("blocks", range(1, 8))
def test_the_size_of_an_intersection(blocks):
    words = bits.cache_aligned(np.zeros, 3, bits.WORDS_PER_BLOCK * blocks)
    words[:] = np.random.default_rng(blocks).integers(0, 2**64, words.shape, np.uint64)
    words[2] = 2**64 - 1
    for i in range(3):
        for j in range(3):
            expected = np.unpackbits((words[i] & words[j]).view(np.uint8)).sum()
            assert bits.intersection_size(words, i, words, j) == expected


def test_bitmaps_in_another_order():
    arities, order = [3, bits.MOST_LEVELS + 1, 2, 4], [2, 3, 1, 0]
    codes = random_gaps(arities, 700)
    codes[2] %= 2
    found = bits.in_order(pack(codes, arities), np.array(order))
    for of_found, of_expected in zip(found, pack(codes[order], [arities[i] for i in order]), strict=True):
        assert np.array_equal(of_found, of_expected)
    assert found.words.ctypes.data % 64 == 0
    assert not any(array.flags.writeable for array in found[:-1])


@pytest.mark.parametrize("blocks", range(1, 8))
@pytest.mark.parametrize("rows", [[], [3, 0, 5, 3], [1, 2, 3, 4, 5, 0, 0, 0]])
def test_several_intersections_at_once(blocks, rows):
    words = bits.cache_aligned(np.zeros, 6, bits.WORDS_PER_BLOCK * blocks)
    words[:] = np.random.default_rng(blocks).integers(0, 2**64, words.shape, np.uint64)
    sizes = np.full(len(rows) + 1, -1, np.int64)
    set_sizes(words, np.array(rows, np.int64), len(rows), 4, sizes)
    assert sizes.tolist() == [*(bits.intersection_size(words, i, words, 4) for i in rows), -1]


@leaf
def set_sizes(words, rows, n, j, sizes):
    """The function is a part of kernels, and cannot be called from Python."""
    bits.ones_in_each(words, rows, n, words, j, sizes)


@pytest.mark.parametrize("blocks", range(1, 8))
def test_an_intersection_of_many_words(blocks):
    words = bits.cache_aligned(np.zeros, 3, bits.WORDS_PER_BLOCK * blocks)
    words[:] = np.random.default_rng(blocks).integers(0, 2**64, words.shape, np.uint64)
    assert bits.intersect(words, 0, words, 1, words, 2) == bits.intersection_size(words, 0, words, 1)
    assert np.array_equal(words[2], words[0] & words[1])
