"""What contradicts itself is refused, and the message names the columns."""

import re
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

import climbfast as cf
from climbfast.errors import KnowledgeError
from climbfast.knowledge import AllowedArcs, resolved
from climbfast.knowledge.resolved import entry_text

NAMES = ["age", "sex", "smoking", "disease", "gene_1", "gene_2", "gene_3", "free"]
TIERS = [["age", "sex"], ["smoking"], ["disease"]]

REFUSED = {
    "required and forbidden": (
        {"required": [("age", "sex")], "forbidden": [("age", "sex")]},
        "the required edge age -> sex is forbidden as well",
    ),
    "cycle": (
        {"required": [("age", "sex"), ("sex", "smoking"), ("smoking", "age")]},
        "the required edges form a cycle: age -> sex -> smoking -> age",
    ),
    "both directions": (
        {"required": [("age", "sex"), ("sex", "age")]},
        "the required edges form a cycle: age -> sex -> age",
    ),
    "back to an earlier tier": (
        {"tiers": TIERS, "required": [("disease", "age")]},
        "the required edge disease -> age leads from tier 3 back to tier 1",
    ),
    "inside a closed tier": (
        {"tiers": TIERS, "closed": [0], "required": [("age", "sex")]},
        "the required edge age -> sex is inside tier 1, which has no edges inside",
    ),
    "into a root": (
        {"roots": ["sex"], "required": [("age", "sex")]},
        "the required edge age -> sex cannot be there: 'sex' is a root, a column without parents",
    ),
    "out of a leaf": (
        {"leaves": ["age"], "required": [("age", "sex")]},
        "the required edge age -> sex cannot be there: 'age' is a leaf, a column without children",
    ),
    "in two tiers": ({"tiers": [["age"], ["sex"], ["age"]]}, "'age' is in two tiers, 1 and 3"),
}
REFUSED_WITH_COLUMNS = {
    "in two tiers by a pattern": ({"tiers": [["gene_1"], ["gene_*"]]}, "'gene_1' is in two tiers, 1 and 2"),
    "in two tiers by two patterns": ({"tiers": [["gene_*"], ["*_2"]]}, "'gene_2' is in two tiers, 1 and 2"),
    "forbidden by a pattern": (
        {"required": [("gene_1", "disease")], "forbidden": [("gene_*", "d*")]},
        "the required edge gene_1 -> disease is forbidden as well",
    ),
    "required by a pattern into a root": (
        {"required": [("gene_*", "disease")], "roots": ["d*"]},
        "the required edge gene_1 -> disease cannot be there: 'disease' is a root, a column without parents",
    ),
    "cycle by patterns": (
        {"required": [("gene_*", "disease"), ("disease", "gene_2")]},
        "the required edges form a cycle: disease -> gene_2 -> disease",
    ),
}


@pytest.mark.parametrize(("given", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_at_once(given, message):
    with pytest.raises(KnowledgeError) as raised:
        cf.Knowledge(**given)
    assert str(raised.value) == message


@pytest.mark.parametrize(("given", "message"), REFUSED_WITH_COLUMNS.values(), ids=REFUSED_WITH_COLUMNS)
def test_refused_for_the_columns_of_the_data(given, message):
    known = cf.Knowledge(**given)
    for resolve in (known.check, known.allowed_arcs):
        with pytest.raises(KnowledgeError) as raised:
            resolve(NAMES)
        assert str(raised.value) == message


def test_a_cycle_through_a_free_column_and_the_tiers():
    with pytest.raises(KnowledgeError) as raised:
        cf.Knowledge(tiers=TIERS, required=[("disease", "free"), ("free", "age")])
    cycle = "disease -> free -> age -> disease"
    assert str(raised.value) == f"the required edges form a cycle with the order of the tiers: {cycle}"
    cf.Knowledge(tiers=TIERS, required=[("age", "free"), ("free", "disease")])
    cf.Knowledge(tiers=TIERS, required=[("age", "free"), ("free", "sex")])


def test_a_long_cycle_is_found_without_recursion():
    names = [f"c{i}" for i in range(4_000)]
    edges = list(pairwise(names))
    cf.Knowledge(required=edges)
    with pytest.raises(KnowledgeError, match="form a cycle"):
        cf.Knowledge(required=[*edges, (names[-1], names[0])])


def test_a_required_pattern_leaves_out_its_own_target():
    allowed = cf.Knowledge(required=[("gene_*", "gene_1")]).allowed_arcs(NAMES)
    one = NAMES.index("gene_1")
    assert allowed.required == {(NAMES.index(f"gene_{i}"), one) for i in (2, 3)}


def test_too_many_required_edges(monkeypatch):
    monkeypatch.setattr(resolved, "MOST_REQUIRED", 5)
    with pytest.raises(KnowledgeError, match=re.escape("g* -> [as]* makes more than 5 required edges")):
        cf.Knowledge(required=[("g*", "[as]*")]).check(NAMES)


@pytest.mark.parametrize("most", [0, 1_000])
def test_groups_and_single_arcs_forbid_the_same(monkeypatch, most):
    monkeypatch.setattr(resolved, "MOST_ONE_BY_ONE", most)
    known = cf.Knowledge(forbidden=[("gene_*", "age"), ("gene_*", "s*"), ("sex", "gene_*"), ("age", "s*")])
    allowed = known.allowed_arcs(NAMES)
    everything = np.arange(len(NAMES))
    for x, y in zip(*np.nonzero(~allowed.matrix(everything, everything)), strict=True):
        source, target = NAMES[x], NAMES[y]
        assert (
            x == y
            or (source.startswith("gene") and target in ("age", "sex", "smoking"))
            or (source == "sex" and target.startswith("gene"))
            or (source == "age" and target in ("sex", "smoking"))
        )
    assert allowed.matrix(everything, everything).sum() == 8 * 7 - 3 * 3 - 3 - 2


def test_columns_of_others_are_left_out():
    known = cf.Knowledge(tiers=TIERS, required=[("age", "sex")], forbidden=[("smoking", "disease")], roots=["age"])
    allowed = known.allowed_arcs(["sex", "disease", "other"])
    assert isinstance(allowed, AllowedArcs)
    assert allowed.required == frozenset()
    assert allowed.allows(0, 1)
    assert not allowed.allows(1, 0)
    assert allowed.allows(2, 0)


def test_memory_is_linear_in_the_number_of_columns():
    """A matrix of 20,000 x 20,000 bools has 400 MB, and a set of the arcs that are forbidden many times as much."""
    names = [f"{'abc'[i % 3]}_{i}" for i in range(20_000)]
    known = cf.Knowledge(
        tiers=[["a_*"], ["b_*"], ["c_*"]],
        closed=True,
        required=[(f"a_{3 * i}", f"b_{3 * i + 1}") for i in range(1_000)],
        forbidden=[(f"a_{3 * i}", "c_*") for i in range(1_000, 2_000)],
    )
    tracemalloc.start()
    try:
        allowed = known.checked(names).allowed_arcs(names)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert allowed.columns == 20_000
    assert peak < 40e6


def test_entry_text():
    assert entry_text("a") == "a"
    assert entry_text(1) == "1"
    assert entry_text("a,b") == "'a,b'"
    assert entry_text("a|b") == "'a|b'"
    assert entry_text("") == "''"
