import pickle

import pytest

from climbfast.errors import KnowledgeError, UnknownColumnError
from climbfast.knowledge.columns import Columns, is_pattern


def test_a_column_of_just_this_name_comes_first():
    columns = Columns(["gene_*", "gene_1", "x[1]", "x1"])
    assert columns.fitting("gene_*") == ("gene_*",)
    assert columns.fitting("x[1]") == ("x[1]",)
    assert columns.fitting("gene_?") == ("gene_*", "gene_1")


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [("a*", ("a1", "a2\n", "ab")), ("a?", ("a1", "ab")), ("a[0-9]", ("a1",)), ("a[!0-9]", ("ab",)), ("A*", ())],
)
def test_patterns(pattern, fits):
    assert Columns(["a1", "a2\n", "ab", "b"]).fitting(pattern) == fits


def test_a_name_is_found_by_its_text():
    columns = Columns([1, 20, "x"])
    assert columns.fitting("1") == (1,)
    assert columns.fitting("2?") == (20,)
    assert Columns(["1"]).fitting(1) == ("1",)
    assert Columns([1, "1"]).fitting("1") == ("1",)
    assert Columns([1, "1"]).fitting(1) == (1,)


def test_a_text_of_several_names_is_refused():
    with pytest.raises(KnowledgeError, match=r"'\(1, 2\)' can be each of the columns"):
        Columns([(1, 2), _Named("(1, 2)")]).fitting("(1, 2)")


class _Named:
    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text


def test_no_column():
    columns = Columns(["gene_1", "gene_2", "age"])
    assert columns.fitting("gen") == columns.fitting(3) == columns.fitting(("gene_1",)) == ()
    with pytest.raises(UnknownColumnError, match="no column named 'agee'; the nearest are 'age'"):
        columns.refuse_unknown(["age", "agee"])
    with pytest.raises(UnknownColumnError, match="no column fits the pattern or is named 'gen_\\*'; the nearest are"):
        columns.refuse_unknown(["gen_*"])


def test_pickle():
    columns = pickle.loads(pickle.dumps(Columns(["a", 1])))
    assert columns.names == ("a", 1)
    assert columns.fitting("1") == (1,)


def test_is_pattern():
    assert all(map(is_pattern, ("a*", "a?", "a[1]")))
    assert not any(map(is_pattern, ("a", 1, ("*",))))
