"""The data of the page of a run say what its blankets say, with every name once."""

import json
import math

import climbfast as cf
from climbfast.local.blanket import ColliderEvidence
from climbfast.report.run_data import MEMBER_FIELDS, has_directions, run_data, shown_names
from tests.report.runs import run_with_odd_names


def members_of(data, target):
    """The members of a target by the text of their name, as the script sees them."""
    column = data["names"].index(target)
    [found] = [each for each in data["targets"] if each["column"] == column]
    members = [dict(zip(MEMBER_FIELDS, fields, strict=False)) for fields in found["members"]]
    return {data["names"][member["column"]]: member for member in members}


def test_every_member_has_its_figures():
    blankets = run_with_odd_names()
    texts = shown_names(blankets)
    data = run_data(blankets, texts)
    assert len(set(texts.values())) == len(texts)
    assert [data["names"][each["column"]] for each in data["targets"]] == [texts[name] for name in blankets]
    for target, blanket in blankets.items():
        if not blanket.members:
            continue
        found = members_of(data, texts[target])
        assert set(found) == {texts[name] for name in blanket.members}
        for name in blanket.members:
            member = found[texts[name]]
            role = data["roles"][member["role"]]
            assert name in getattr(blanket, {"child": "children", "undecided": "undecided"}.get(role, f"{role}s"))
            strength = blanket.spouse_strengths[name] if role == "spouse" else blanket.strengths[name]
            assert math.isclose(member["strength"], strength, rel_tol=1e-4)
            if name in blanket.margins:
                assert math.isclose(member["margin"], blanket.margins[name], rel_tol=1e-4)
            if name in blanket.evidence:
                assert [data["names"][x] for x in member["seenBy"]] == [
                    texts[x] for x in blanket.evidence[name].columns
                ]
            children = [data["names"][x] for x in member.get("commonChildren") or ()]
            assert children == [texts[x] for x in blanket.common_children.get(name, ())]


def test_what_is_not_there_takes_no_place():
    data = run_data(blankets := cf.Blankets([cf.Blanket("a", undecided=("b",), test="g2")]), shown_names(blankets))
    assert data["targets"] == [{"column": 0, "members": [[1, 2]]}]
    assert data["test"] == "g2"
    assert "alpha" not in data


def test_notes_of_a_target():
    blanket = cf.Blanket(
        "a",
        parents=("b",),
        strengths={"b": math.inf},
        known=("b",),
        contradicted={"b": ColliderEvidence(("c",), 3.25)},
        unexplained={"d": 123456.789},
        rows_per_stratum=2.5,
        determined_by=("c",),
        copies={"a": ("e",)},
        frequencies={"b": {"found": 0.75, "parent": 0.5}},
        exact=False,
        gap=7.0,
        options={"alpha": 0.05},
        test="g2",
    )
    blankets = cf.Blankets([blanket])
    data = run_data(blankets, shown_names(blankets))
    [target] = data["targets"]
    assert data["names"] == ["a", "b", "c", "d", "e"]
    assert target == {
        "column": 0,
        "members": [[1, 0, None, None, None, [], [], 0.75, 0.5, 1, 3.25, [2]]],  # JSON has no infinity
        "unexplained": [[3, 123460]],
        "rows": 2.5,
        "determinedBy": [2],
        "copies": [4],
        "gap": 7,
    }
    assert data["alpha"] == 0.05
    json.dumps(data, allow_nan=False)


def test_names_with_the_same_text_are_told_apart():
    names = (1, "1", "'1'", "a", "a\nb", r"'a\nb'")
    texts = shown_names(cf.Blankets([cf.Blanket(name) for name in names]))
    assert len(set(texts.values())) == len(names)
    assert texts["a"] == "a"
    assert texts[1] == "1"


def test_whether_there_are_directions():
    assert has_directions(cf.Blankets([cf.Blanket("a", parents=("b",)), cf.Blanket("b", undecided=("a",))]))
    assert has_directions(cf.Blankets([cf.Blanket("a", undecided=("b",), method="best")]))
    assert not has_directions(cf.Blankets([cf.Blanket("a", undecided=("b",), spouses=("c",))]))


def test_strengths_of_a_graph_are_bits():
    blankets = cf.Blankets([cf.Blanket("a", parents=("b",), method="best", test="g2")])
    data = run_data(blankets, shown_names(blankets))
    assert (data["test"], data["best"]) == ("sci", True)


def test_blankets_of_several_tests_have_no_unit():
    blankets = cf.Blankets([cf.Blanket("a", test="g2"), cf.Blanket("b", test="sci")])
    assert run_data(blankets, shown_names(blankets))["test"] == ""
