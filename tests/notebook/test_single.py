"""One test, knowledge and journals in a notebook."""

from __future__ import annotations

import climbfast as cf
from climbfast.batch.journal import PassStatus
from tests.notebook.results import check_html


def test_figures_of_a_test():
    data = cf.load_example().sample(2000, seed=1)
    text = check_html(cf.test(data, "cholesterol", "chest_pain", given=["heart_disease"])._repr_html_()).text
    assert text.startswith("cholesterol and chest_pain given heart_disease : independent by sci figure rows 2,000")
    assert "strength −10.206" in text
    text = check_html(cf.test(data, "cholesterol", "chest_pain", test="g2")._repr_html_()).text
    assert text.startswith("cholesterol and chest_pain : dependent by g2")
    assert "df 2" in text
    few = cf.test(data, "cholesterol", "chest_pain", test=cf.G2(min_rows_per_df=5000))
    assert "Too few rows: the test was not made." in check_html(few._repr_html_()).text


def test_knowledge():
    known = cf.Knowledge(
        tiers=[["age", "sex"], ["smoking", "gene_*"]], closed=[0], required=[("age", "smoking")],
        forbidden=[("a", "b"), ("a", "c,d")], roots=["r"], leaves=["l"],
    )  # fmt: skip
    text = check_html(known._repr_html_()).text
    assert text.startswith("Knowledge tier columns 1 age, sex no edges inside 2 gene_*, smoking")
    assert "required age → smoking forbidden a → b, a → 'c,d' roots r leaves l" in text
    assert check_html(cf.Knowledge()._repr_html_()).text == "Knowledge : nothing is known"
    many = cf.Knowledge(forbidden=[(f"x{i}", "y") for i in range(100)])
    assert "and 80 more" in check_html(many._repr_html_()).text


def test_journal():
    running = cf.JournalStatus(
        {}, (PassStatus("screen", 4, 4, 2.0), PassStatus("neighbors", 250, 1000, 60.0)), 10.0, 3.2
    )
    text = check_html(running._repr_html_()).text
    assert text.startswith("Journal : neighbors is running, about 75 s left in it")
    assert "neighbors 250 1,000 25\u00a0% 60" in text
    assert text.endswith("The last unit was finished 3 seconds ago.")
    assert check_html(cf.JournalStatus({}, (), 0.0, None)._repr_html_()).text == "Journal : nothing yet"
    complete = cf.JournalStatus({}, (PassStatus("screen", 4, 4, 2.0),), 10.0, 3.2)
    assert check_html(complete._repr_html_()).text.startswith("Journal : complete")
