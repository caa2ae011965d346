import pytest

from climbfast.report.labels import Labels, counted, interval_text, level_text, level_texts, sentence_list


def test_names_with_the_same_text_are_told_apart():
    labels = Labels([1, "1", "age", "a\nb", "x y"])
    assert [labels.name(name) for name in (1, "1", "age", "a\nb")] == ["1", "'1'", "age", "'a\\nb'"]
    assert labels.listed(["age", "x y", 1]) == "age, “x y” and 1"
    assert labels.name("another") == "another"


def test_lists_in_sentences():
    assert [sentence_list(texts) for texts in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert sentence_list(list("abcd"), limit=2) == "a, b and 2 more"
    assert [counted(1, "row"), counted(2000, "row"), counted(2, "child", "children")] == [
        "1 row",
        "2,000 rows",
        "2 children",
    ]


@pytest.mark.parametrize(
    ("level", "text"),
    [
        ("(-inf, 18)", "below 18"),
        ("[18, 35)", "18 to below 35"),
        ("[35, inf)", "35 or more"),
        ("none", "none"),
        (None, "(missing)"),
    ],
)
def test_intervals_are_in_words(level, text):
    assert interval_text(level) == text


def test_levels():
    assert [level_text(None), level_text("yes"), level_text("a\tb")] == ["(missing)", "yes", "'a\\tb'"]
    assert level_texts([1, "1", None, "(missing)", "a"]) == ["1", "'1'", "None", "'(missing)'", "a"]
    assert level_texts(["(-inf, 1)", "[1, inf)"], are_intervals=True) == ["below 1", "1 or more"]
