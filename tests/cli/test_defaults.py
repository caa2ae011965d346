"""Every default that the help shows is the default of the Python function."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import typer

import climbfast as cf
from climbfast.cli.commands import command_line
from climbfast.networks.examples import load_example

COMMANDS = typer.main.get_command(command_line()).commands
TESTS = (cf.SCI, cf.G2, cf.X2, cf.CMI)
# The functions of each command; where two have an option of the same name, the first one counts.
FUNCTIONS = {
    "blanket": (*TESTS, cf.markov_blanket, cf.read),
    "blankets": (*TESTS, cf.markov_blankets, cf.read),
    "neighbors": (*TESTS, cf.neighbors, cf.read),
    "test": (*TESTS, cf.test, cf.read),
    "graph": (*TESTS, cf.BIC, cf.AIC, cf.BDeu, cf.pc, cf.fges, cf.causal_graph, cf.read),
    "orient": (cf.orient, cf.read),
    "report": (*TESTS, cf.BIC, cf.AIC, cf.BDeu, cf.markov_blanket, cf.pc, cf.fges, cf.causal_graph, cf.read),
    "fit": (cf.Graph.fit, cf.Network.write_bif, cf.read),
    "bootstrap": (*TESTS, cf.BIC, cf.AIC, cf.BDeu, cf.bootstrap, cf.markov_blankets, cf.Bootstrap.graph, cf.read),
    "inspect": (cf.inspect,),
    "sample": (cf.Network.sample,),
}
IN_PYTHON = {"jobs": "n_jobs"}
# blankets --resume: a command line that is typed once more must not continue an old journal without being asked to.
# graph --orient names a rule, and blanket --orient is a switch that turns None, the default of the method, into True.
# graph --score and --parent-code: fges and best have different defaults, see below.
OTHERS = {
    ("blankets", "resume"), ("bootstrap", "resume"), ("bootstrap", "score"), ("bootstrap", "parent_code"),
    ("report", "target"), ("report", "orient"), ("report", "score"), ("report", "parent_code"),
     ("blanket", "orient"), ("blankets", "orient"), ("graph", "score"), ("graph", "parent_code"),
}  # fmt: skip


def options_in_both():
    for command, functions in FUNCTIONS.items():
        for option in COMMANDS[command].params:
            name = IN_PYTHON.get(option.name, option.name)
            function = next((f for f in functions if name in inspect.signature(f).parameters), None)
            if function is not None and (command, option.name) not in OTHERS:
                default = inspect.signature(function).parameters[name].default
                yield pytest.param(command, option, default, id=f"{command} {option.name}")


@pytest.fixture(scope="module")
def chosen_by_functions():
    """What functions make of None, as their results say."""
    data = load_example().sample(200, 1)
    best = cf.causal_graph(data, perturbations=None)
    orientation = cf.orient(best, data, "global").options
    best_options = {**best.options, "perturbations": f"{best.options['perturbations'] / data.columns:g} per column"}
    blanket = cf.markov_blanket(data, "sleep")
    assert blanket.options["colliders"]
    of_blankets = {
        "neighbors": blanket.search,
        "colliders": "yes for climb",
        "min_margin": blanket.options["min_margin"],
    }
    of_graphs = {"seconds": "none", "max_degree": "no limit", "max_given": cf.pc(data).options["max_given"]}
    return {
        "graph": {**best_options, **of_graphs},
        "orient": {**orientation, "edges": f"undirected for climb, {orientation['edges']} for global"},
        "blanket": of_blankets,
        "blankets": of_blankets,
        "bootstrap": {"max_given": cf.pc(data).options["max_given"]},
        "report": {**best_options, **of_blankets, **of_graphs},
    }


@pytest.mark.parametrize(("command", "option", "default"), list(options_in_both()))
def test_default(command, option, default, chosen_by_functions):
    if default is inspect.Parameter.empty:
        assert option.required
        return
    assert not option.required
    if isinstance(option.show_default, str):  # an option that is None when it is not typed
        assert option.default is None
        if default in (None, "default"):
            default = chosen_by_functions[command][option.name]
        assert option.show_default == as_text(default)
    else:
        assert option.default == (None if default == () else default)  # typer has no empty list


def as_text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def test_the_help_of_the_score_names_the_default_of_each_search():
    data = load_example().sample(200, 1)
    best, fges = cf.causal_graph(data), cf.fges(data)
    assert best.test_or_score == "vote"
    shown = {option.name: option.show_default for option in COMMANDS["graph"].params}
    assert shown["score"] == f"{fges.test_or_score} for fges; a {best.test_or_score} of several for best"
    assert shown["parent_code"] == f"{cf.AIC().parent_code:g}"


@pytest.mark.parametrize("command", ["blanket", "blankets", "graph"])
def test_frequencies_are_drawn_as_by_default(command):
    defaults = inspect.signature(cf.bootstrap).parameters
    shown = {option.name: option.show_default for option in COMMANDS[command].params}
    for option in ("scheme", "seed"):
        assert shown[f"bootstrap_{option}"] == str(defaults[option].default)


def test_the_options_that_are_compared():
    """Those that a command declares for itself have no counterpart; a new one has to be thought of here."""
    compared = {(param.values[0], param.values[1].name) for param in options_in_both()} | OTHERS
    declared = {(command, option.name) for command in FUNCTIONS for option in COMMANDS[command].params}
    assert {name for _, name in declared - compared} == {
        "as_json",
        "bootstrap",
        "bootstrap_scheme",
        "bootstrap_seed",
        "cut",
        "target",
        "tier",
        "require",
        "forbid",
        "no_header",
        "out",
        "out_format",
        "graph",
        "graph_format",
        "quiet",
        "orient",
        "network",
        "plot",
        "plot_columns",
        "quote_formulas",
        "search",
        "targets",
        "title",
        "verbose",
    }
