import pickle
import re
from copy import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import climbfast as cf
from climbfast.errors import KnowledgeError, OptionError, UnknownColumnError
from climbfast.knowledge import as_knowledge

NAMES = ("age", "sex", "smoking", "disease", "gene_1", "gene_2")
EVERYTHING = cf.Knowledge(
    tiers=[["sex", "age"], ["gene_*"], ["disease"]],
    required=[("smoking", "disease"), ("age", "disease")],
    forbidden=[("disease", "smoking"), ("gene_*", "smoking")],
    roots=["sex"],
    leaves=["disease"],
    closed=[1],
)


# ---- the value


def test_it_is_sorted_but_for_the_order_of_the_tiers():
    assert EVERYTHING.tiers == (("age", "sex"), ("gene_*",), ("disease",))
    assert EVERYTHING.required == (("age", "disease"), ("smoking", "disease"))
    assert EVERYTHING.closed == (1,)


def test_it_is_equal_whatever_the_order_and_the_type_of_the_lists():
    other = cf.Knowledge(
        tiers=(("age", "sex", "age"), {"gene_*"}, "disease"),
        required=iter([["age", "disease"], ("smoking", "disease"), ("age", "disease")]),
        forbidden=[("gene_*", "smoking"), ("disease", "smoking")],
        roots={"sex"},
        leaves="disease",
        closed={1},
    )
    assert other == EVERYTHING
    assert hash(other) == hash(EVERYTHING)
    assert cf.Knowledge(tiers=[["a"], ["b"]]) != cf.Knowledge(tiers=[["b"], ["a"]])


@pytest.mark.parametrize("known", [EVERYTHING, cf.Knowledge(), EVERYTHING.checked(NAMES), EVERYTHING.about(["age"])])
def test_copies_of_all_kinds(known):
    assert eval(repr(known), {"Knowledge": cf.Knowledge}) == known
    assert cf.Knowledge(**known.to_dict()) == known
    assert pickle.loads(pickle.dumps(known)) == copy(known) == known
    assert hash(pickle.loads(pickle.dumps(known))) == hash(known)


def test_repr():
    assert repr(cf.Knowledge(tiers=[["b", "a"]], closed=True)) == "Knowledge(tiers=[['a', 'b']], closed=[0])"
    assert repr(cf.Knowledge()) == "Knowledge()"


def test_str():
    assert str(EVERYTHING) == (
        "tiers: age, sex | gene_* | disease\n"
        "no edges inside: tier 2\n"
        "required: age -> disease, smoking -> disease\n"
        "forbidden: disease -> smoking, gene_* -> smoking\n"
        "roots: sex\n"
        "leaves: disease"
    )
    assert str(cf.Knowledge()) == "nothing is known"
    assert str(cf.Knowledge(required=[("a,b", "c")])) == "required: 'a,b' -> c"


def test_names_of_other_types():
    known = cf.Knowledge(tiers=[[1, 2], [("x", 1)]], required=[(1, ("x", 1))], roots=[("x", 0)])
    assert known.to_dict() == {
        "tiers": [[1, 2], [("x", 1)]],
        "required": [[1, ("x", 1)]],
        "roots": [("x", 0)],
    }
    assert cf.Knowledge(**known.to_dict()) == known
    numbers = cf.Knowledge(tiers=np.array([[1, 2], [3, 4]]), required=np.array([["a", "b"]]))
    assert repr(numbers) == "Knowledge(tiers=[[1, 2], [3, 4]], required=[['a', 'b']])"
    assert {type(name) for name in numbers.entries()} == {int, str}


def test_bool():
    assert not cf.Knowledge()
    assert not cf.Knowledge(closed=True)
    for field, value in EVERYTHING.to_dict().items():
        assert field == "closed" or cf.Knowledge(**{field: value})


# ---- what is refused

REFUSED = {
    "tiers": [
        (5, "tiers is 5; it is a list"),
        ("age", "tiers is 'age'; it is a list"),
        ({"a": 1}, "tiers is {'a': 1}; it is a list"),
        ([["a"], []], "tiers: tier 2 is empty; name its columns, or leave it out"),
        ([["a"], 5], "tiers, tier 2 is 5; it is a list"),
        ([["a", ["b"]]], "tiers, tier 1 has ['b'], which is not a name"),
        ({("a",)}, "tiers is {('a',)}, which has no order; it is a list"),
    ],
    "required": [
        (5, "required is 5; it is a list"),
        ("ab", "required is 'ab'; it is a list"),
        (("a", "b"), "required has 'a'; an edge is a pair, (source, target)"),
        ([("a",)], "required has ('a',); an edge is a pair, (source, target)"),
        ([("a", "b", "c")], "required has ('a', 'b', 'c'); an edge is a pair, (source, target)"),
        (["ab"], "required has 'ab'; an edge is a pair, (source, target)"),
        ([{"a": "b"}], "required has {'a': 'b'}; an edge is a pair, (source, target)"),
        ([[["a"], "b"]], "required has ['a'], which is not a name"),
        ([("a", "a")], "required has a -> a, an edge of a column to itself"),
    ],
    "forbidden": [([("a", "a")], "forbidden has a -> a, an edge of a column to itself")],
    "roots": [(5, "roots is 5; it is a list"), ([["a"]], "roots has ['a'], which is not a name")],
    "leaves": [({"a": 1}, "leaves is {'a': 1}; it is a list")],
}


@pytest.mark.parametrize(
    ("field", "value", "message"), [(field, *case) for field, cases in REFUSED.items() for case in cases]
)
def test_refused(field, value, message):
    with pytest.raises(KnowledgeError, match=f"^{re.escape(message)}$") as raised:
        cf.Knowledge(**{field: value})
    assert raised.value.option == field  # which the command line spells as it is typed


def test_a_set_is_no_edge():
    with pytest.raises(KnowledgeError, match="an edge is a pair"):
        cf.Knowledge(required=[{"a", "b"}])


@pytest.mark.parametrize("closed", [[2], [-1], ["1"], [True], [0.0]])
def test_refused_places_of_closed_tiers(closed):
    with pytest.raises(KnowledgeError) as raised:
        cf.Knowledge(tiers=[["a"], ["b"]], closed=closed)
    assert str(raised.value) == (
        f"closed has {closed[0]!r}; it is True for all tiers, or places in tiers, of which there are 2, from 0"
    )


def test_closed():
    assert cf.Knowledge(tiers=[["a"], ["b"]], closed=True).closed == (0, 1)
    assert cf.Knowledge(tiers=[["a"], ["b"]], closed=False).closed == ()
    assert cf.Knowledge(tiers=[["a"], ["b"]], closed=np.array([1, 1])).closed == (1,)


def test_a_group_without_edges_inside_is_no_edge_to_itself():
    allowed = cf.Knowledge(forbidden=[("gene_*", "gene_*")]).allowed_arcs(NAMES)
    assert not allowed.allows_edge(4, 5)
    assert allowed.allows(0, 4)


# ---- the columns of data


def test_unknown_columns():
    with pytest.raises(UnknownColumnError, match="no column named 'agee'; the nearest are 'age'"):
        cf.Knowledge(required=[("agee", "sex")]).check(NAMES)
    with pytest.raises(UnknownColumnError, match=r"no column fits the pattern or is named 'gen_\*'"):
        cf.Knowledge(tiers=[["gen_*"]]).check(NAMES)
    EVERYTHING.check(NAMES)


def test_a_column_that_is_left_out_later_does_not_make_its_name_a_pattern():
    """Searches see one of several copies; the name of another must not stand for other columns then."""
    known = cf.Knowledge(tiers=[["late"], ["x*", "1"]])
    names = ["late", "x*", "x1", 1, "1"]
    assert known.checked(names).allowed_arcs(["late", "x1", 1]).matrix([0, 1, 2], [0, 1, 2]).sum() == 6
    # Not checked against all columns, they are a pattern and a text.
    assert known.allowed_arcs(["late", "x1", 1]).matrix([0, 1, 2], [0, 1, 2]).sum() == 4


def test_about():
    assert EVERYTHING.about(["age", "gene_1", "smoking"]) == cf.Knowledge(
        tiers=[["age"], ["gene_*"]], forbidden=[("gene_*", "smoking")], closed=[1]
    )
    assert EVERYTHING.about(["gene_2", "disease"]) == cf.Knowledge(
        tiers=[["gene_*"], ["disease"]], leaves=["disease"], closed=[0]
    )
    assert EVERYTHING.about(["disease", "smoking", "sex"]) == cf.Knowledge(
        tiers=[["sex"], ["disease"]],
        required=[("smoking", "disease")],
        forbidden=[("disease", "smoking")],
        roots=["sex"],
        leaves=["disease"],
    )
    assert not EVERYTHING.about(["other"])
    assert EVERYTHING.about(NAMES) == EVERYTHING


@given(st.sets(st.sampled_from(NAMES)))
def test_about_is_the_same_once_checked_and_allows_the_same(names):
    part = EVERYTHING.about(names)
    assert EVERYTHING.checked(NAMES).about(names) == part
    columns = sorted(names)
    everything = range(len(columns))
    np.testing.assert_array_equal(
        part.allowed_arcs(columns).matrix(everything, everything),
        EVERYTHING.allowed_arcs(columns).matrix(everything, everything),
    )


def test_as_knowledge(tmp_path):
    file = tmp_path / "known.toml"
    EVERYTHING.save(file)
    assert as_knowledge(EVERYTHING, NAMES) == as_knowledge(file, NAMES) == as_knowledge(str(file), NAMES) == EVERYTHING
    assert as_knowledge(None, NAMES) is None
    assert as_knowledge(cf.Knowledge(), NAMES) is None
    with pytest.raises(OptionError, match="knowledge is a Knowledge, or the path of a file with it, not list"):
        as_knowledge([["age"]], NAMES)
    with pytest.raises(UnknownColumnError, match="no column named 'smoking'"):
        as_knowledge(EVERYTHING, ["age", "sex", "disease", "gene_1"])


def test_about_a_target_all_its_edges():
    known = cf.Knowledge(forbidden=[("a", "b"), ("c", "a"), ("b", "c")], required=[("a", "d")], roots=["b"])
    assert not known.about(["a"])
    part = known.about(["a"], at=["a"])
    assert part == cf.Knowledge(forbidden=[("a", "b"), ("c", "a")], required=[("a", "d")])
