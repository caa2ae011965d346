import math

import pytest

import climbfast as cf
from climbfast.report.strengths import bits_text, strength_in_words, strength_text, test_of, unit_of_strengths


def test_the_test_of_a_result_comes_with_its_options():
    assert test_of("g2", {"alpha": 0.05, "df": "nominal", "orient": True}) == (cf.G2(alpha=0.05, df="nominal"), True)
    assert test_of("MyTest", {}) == (cf.SCI(), False)
    assert test_of("g2", {"alpha": "much"}) == (cf.G2(), False)


def test_bits_have_a_minus_sign_that_is_one():
    assert [bits_text(bits) for bits in (1234.56, -2.34, -0.01)] == [
        "1,234.6\u00a0bits",
        "−2.3\u00a0bits",
        "0.0\u00a0bits",
    ]


def test_strengths_of_tests_with_a_level_are_p_values():
    data = cf.load_example().sample(500, seed=1)
    result = cf.test(data, "heart_disease", "chest_pain", test=cf.G2(alpha=0.05))
    text = strength_text("g2", result.strength, 0.05)
    digits, _, power = text.removeprefix("p = ").partition("·10⁻")
    exponent = int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))
    assert math.isclose(float(digits) * 10.0**-exponent, result.p_value, rel_tol=0.5)
    assert strength_text("g2", math.log10(0.01) - math.log10(0.5)) == "p = 0.5"
    assert strength_text("cmi", -0.00123) == "−0.00123 bits per row"
    assert strength_text("oracle", 1) == "1"


@pytest.mark.parametrize(
    ("bits", "words"), [(-1, "none"), (2, "weak"), (7, "moderate"), (20, "strong"), (80, "very strong")]
)
def test_strengths_in_words(bits, words):
    assert strength_in_words("sci", bits) == words
    assert strength_in_words("g2", bits * math.log10(2)) == words
    assert strength_in_words("cmi", bits) == ("none" if bits < 0 else "")


def test_every_test_has_its_unit_explained():
    texts = {
        unit_of_strengths(*each, {})
        for each in (("sci", "climb"), ("sci", "best"), ("g2", ""), ("cmi", ""), ("mine", ""))
    }
    assert len(texts) == 5
    assert "below 0.05" in unit_of_strengths("x2", "climb", {"alpha": 0.05})
