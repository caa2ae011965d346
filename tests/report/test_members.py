"""The members in words: what is said follows from the figures of the blanket."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.report.labels import Labels
from climbfast.report.members import members_of, summary_of


def words_of(blanket):
    members = members_of(blanket, Labels([blanket.target, *blanket.members]))
    return {member.column: member for member in members}


def test_members_come_by_role_and_strength():
    blanket = cf.markov_blanket(cf.load_example().sample(2000, seed=1), "heart_disease")
    members = members_of(blanket, Labels([blanket.target, *blanket.members]))
    assert [member.role for member in members] == ["parent"] * 2 + ["child"] * 4 + ["spouse"] * 2
    children = [member.column for member in members if member.role == "child"]
    assert children == sorted(blanket.children, key=lambda x: -blanket.strengths[x])
    fatigue = words_of(blanket)["fatigue"]
    assert (fatigue.strength, fatigue.direction) == ("74.4\u00a0bits", "seen: sleep")
    text = " ".join(fatigue.sentences)
    assert "heart_disease → fatigue" in text
    assert "sleep was separated from heart_disease, but depends on it once fatigue is known as well" in text
    assert "very strong" in text
    sleep = words_of(blanket)["sleep"]
    assert (sleep.direction, sleep.sure) == ("by fatigue", "sure")
    assert "sleep and heart_disease both act on fatigue, a common effect of the two" in sleep.sentences[0]
    ecg, cholesterol = words_of(blanket)["ecg"], words_of(blanket)["cholesterol"]
    assert "with ecg → heart_disease instead" in " ".join(ecg.sentences)
    assert "with heart_disease → cholesterol instead" in " ".join(cholesterol.sentences)
    assert ecg.sure.endswith("direction: likely")
    assert cholesterol.sure.endswith("direction: unsure")


def test_collider_evidence_of_a_parent_names_the_target_as_the_effect():
    evidence = {"a": cf.ColliderEvidence(("b", "c"), 12.0)}
    blanket = cf.Blanket("t", parents=("a",), strengths={"a": 3.0}, evidence=evidence, columns=4, rows=100)
    text = " ".join(words_of(blanket)["a"].sentences)
    assert "b and c were separated from a, but depend on it once t is known as well (12.0\u00a0bits)" in text
    assert words_of(blanket)["a"].sure == "member: unsure; direction: well supported"


def test_what_is_known_and_contradicted_is_said():
    blanket = cf.Blanket(
        "t",
        parents=("a", "b"),
        strengths={"a": 20.0, "b": -2.0},
        known=("a", "b"),
        contradicted={"a": cf.ColliderEvidence(("c",), 9.0), "b": cf.ColliderEvidence(("d",), -2.0)},
    )
    words = words_of(blanket)
    assert words["a"].direction == "known beforehand"
    assert "The data contradict what was known: see c (9.0\u00a0bits)" in " ".join(words["a"].sentences)
    assert "a member only because its edge is required" in " ".join(words["b"].sentences)


def test_open_directions_and_spouses_without_a_child():
    blanket = cf.Blanket("t", undecided=("a",), spouses=("b",), margins={"a": 0.4}, strengths={"a": 7.0})
    words = words_of(blanket)
    assert (words["a"].role, words["a"].direction) == ("parent or child", "open (0.4\u00a0bits)")
    assert words["a"].sure == "member: fairly sure; direction: open"
    assert (words["b"].strength, words["b"].direction, words["b"].sure) == ("not measured", "–", "–")


@pytest.mark.parametrize(("found", "sure"), [(1.0, "sure"), (0.7, "fairly sure"), (0.4, "unsure"), (0.1, "doubtful")])
def test_frequencies_decide_how_sure_it_is(found, sure):
    shares = {"found": found, "parent": 0.0, "child": found, "undecided": 0.0, "spouse": 0.0}
    blanket = cf.Blanket(
        "t",
        children=("a",),
        strengths={"a": 50.0},
        frequencies={"a": shares},
        options={"bootstrap": {"replicates": 200}},
    )
    member = words_of(blanket)["a"]
    assert member.found == f"{100 * found:.0f}\u00a0%"
    assert member.sure == f"member: {sure}; direction: open"
    assert f"of the 200 resampled tables, as a child in {100 * found:.0f}\u00a0%." in " ".join(member.sentences)


@pytest.mark.parametrize(("child", "sure"), [(0.3, "unsure"), (0.5, "likely")])
def test_a_role_that_most_resampled_tables_deny_is_unsure(child, sure):
    shares = {"found": 0.9, "parent": 0.9 - child, "child": child, "undecided": 0.0, "spouse": 0.0}
    blanket = cf.Blanket("t", children=("a",), method="best", strengths={"a": 50.0}, frequencies={"a": shares})
    assert words_of(blanket)["a"].sure == f"member: sure; direction: {sure}"


def test_strengths_have_the_unit_of_their_test():
    def strength(**how):
        return words_of(cf.Blanket("t", undecided=("a",), strengths={"a": 4.0}, **how))["a"].strength

    assert strength(test="sci") == "4.0\u00a0bits"
    assert strength(test="g2", options={"alpha": 0.05}) == "p = 5·10⁻⁶"
    assert strength(test="cmi") == "4 bits per row"
    assert strength(test="g2", method="best") == "4.0\u00a0bits"


def test_copies_are_named():
    blanket = cf.Blanket("t", undecided=("a",), copies={"a": ("b", "c")})
    assert "stands for its copies too (b and c)" in " ".join(words_of(blanket)["a"].sentences)


def test_the_summary_counts_what_there_is():
    labels = Labels(["t", "a", "b"])
    one = cf.Blanket("t", parents=("a",), undecided=("b",), rows=1, columns=3)
    assert summary_of(one, labels) == (
        "Among the 2 other columns of a table of 1 row, climbfast found for t: 1 parent (a direct cause) and 1 "
        "neighbor that is a parent or a child."
    )
    assert summary_of(cf.Blanket("t", rows=10, columns=3), labels).endswith("none was found to be close to t.")
