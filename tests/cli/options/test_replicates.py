"""Options of replicates: what is refused before a table is read, and what is asked of the bootstrap."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.batch.run import Interrupted
from climbfast.cli.exit_codes import InterruptMessage
from climbfast.cli.option_names import as_typed
from climbfast.cli.options.replicates import FrequencyArguments, ReplicateArguments, parse_threshold
from climbfast.cli.output import tell_as_usual, tell_less
from climbfast.errors import Option
from climbfast.resampling import run


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(200, seed=1)


def test_the_defaults_are_legal():
    ReplicateArguments().check()
    FrequencyArguments().check()
    assert ReplicateArguments().keywords() == {"replicates": 200, "scheme": "bootstrap", "seed": 0}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (ReplicateArguments(replicates=0), "--replicates is 0; it has to be a whole number from 1 up"),
        (ReplicateArguments(scheme="third"), "--scheme is 'third'; it is one of bootstrap, half, complementary"),
        (ReplicateArguments(seed=-1), "--seed is -1; it has to be a whole number from 0 up"),
        (FrequencyArguments(bootstrap=-2), "--bootstrap is -2; it has to be a whole number from 1 up"),
        (
            FrequencyArguments(bootstrap=5, bootstrap_scheme=""),
            "--bootstrap-scheme is ''; it is one of bootstrap, half",
        ),
        (FrequencyArguments(bootstrap=5, bootstrap_seed=-1), "--bootstrap-seed is -1; it has to be a whole number"),
        (FrequencyArguments(bootstrap_scheme="half"), "--bootstrap-scheme is for replicates; ask for some with --boot"),
        (FrequencyArguments(bootstrap_seed=0), "--bootstrap-seed is for replicates; ask for some with --bootstrap N"),
    ],
)
def test_what_is_refused(arguments, says):
    with pytest.raises(cf.OptionError) as refused:
        arguments.check()
    assert as_typed(refused.value).startswith(says)


def test_without_replicates_a_result_stays_as_it_is(data):
    result = cf.Graph("ab")
    assert FrequencyArguments().added_to(result, data, "pc") is result


def test_frequencies_are_added(data):
    graph = cf.pc(data, max_given=1)
    asked = FrequencyArguments(bootstrap=4, bootstrap_scheme="half", bootstrap_seed=3)
    options = {"max_given": 1, "n_jobs": 1}
    sure = cf.bootstrap(data, "pc", replicates=4, scheme="half", seed=3, progress=False, **options)
    added = asked.added_to(graph, data, "pc", **options)
    assert added == sure.added_to(graph)
    assert added.frequencies != FrequencyArguments(bootstrap=4).added_to(graph, data, "pc", **options).frequencies


@pytest.mark.parametrize("quiet", [True, False])
def test_progress_goes_to_standard_error(data, capsys, quiet):
    if quiet:
        tell_less()
    FrequencyArguments(bootstrap=4).added_to(cf.pc(data), data, "pc", n_jobs=1)
    tell_as_usual()
    out, err = capsys.readouterr()
    assert out == ""
    assert ("replicates: 4/4" in err) is not quiet


def test_a_failing_replicate_is_named_with_the_option_of_its_seed(data):
    def fail(data):
        raise RuntimeError("too warm")

    with pytest.raises(cf.ReplicateError) as failed:
        FrequencyArguments(bootstrap=4, bootstrap_seed=7).added_to(cf.pc(data), data, fail, n_jobs=1)
    assert as_typed(failed.value) == ("the search failed in replicate 0 of --bootstrap-seed 7: RuntimeError: too warm")


def test_ctrl_c_says_what_keeps_replicates(data, monkeypatch):
    def stop(*_, **__):
        raise Interrupted("only a run with ", Option("journal", ...), " can be continued")

    monkeypatch.setattr(run, "bootstrap", stop)
    with pytest.raises(InterruptMessage, match="`climbfast bootstrap` with --journal FILE keeps them"):
        FrequencyArguments(bootstrap=4).added_to(cf.Graph("ab"), data, "pc")


@pytest.mark.parametrize(
    ("text", "threshold"), [("auto", "auto"), ("AUTO", "auto"), ("0.7", 0.7), ("0", 0.0), ("1", 1.0)]
)
def test_thresholds(text, threshold):
    assert parse_threshold(text) == threshold


@pytest.mark.parametrize("text", ["", "most", "-0.1", "1.1", "70", "nan"])
def test_what_is_no_threshold(text):
    with pytest.raises(cf.OptionError, match=f"^threshold is '{text}'; it is a share from 0 to 1, or auto"):
        parse_threshold(text)
