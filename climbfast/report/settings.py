"""How a result was found, and the command and the lines of Python that find it again."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Collection, Hashable, Mapping
from typing import Any, NamedTuple

from climbfast.blankets.blankets import Blankets
from climbfast.dataset import Dataset
from climbfast.dataset.discretization.cuts import cut_to_json
from climbfast.dataset.discretization.rules import Cuts, Refuse
from climbfast.errors import ClimbfastError
from climbfast.graphs.graph import Graph
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import SCI, TESTS
from climbfast.local.blanket import Blanket
from climbfast.local.methods import BEST, METHODS
from climbfast.local.plan import plan_blanket
from climbfast.options import LARGEST_GIVEN
from climbfast.provenance import Provenance
from climbfast.report.labels import counted
from climbfast.scores import SCORES

__all__ = [
    "NOT_ALL_SETS",
    "Again",
    "blanket_again",
    "facts_of",
    "graph_again",
    "run_again",
    "seconds_text",
    "typed_option",
]

MOST_TARGETS = 20  # that lines of Python name
DATA = "DATA.csv"  # the name of the file is not known
NOT_ALL_SETS = "not all sets tried for"  # of given columns, around hubs
_OF_TREATMENT = ("missing", "cuts", "representative", "knowledge", "bootstrap")
_OPTIONS_OF_TESTS = ("min_bits", "alpha", "df", "min_rows_per_df", "cutoff")
_OPTIONS_OF_SCORES = ("penalty", "parent_code", "sample_prior", "structure_prior")


class Again(NamedTuple):
    """What finds a result again: a command, lines of Python, and what they leave open."""

    command: str
    python: str
    notes: tuple[str, ...]


def facts_of(result: Provenance) -> list[tuple[str, str]]:
    """Return how a result was found as pairs of words and values."""
    options: Mapping[str, Any] = getattr(result, "options", {})
    facts = [("method", result.method or "–")]
    if isinstance(result, Blanket):
        facts += [("search of neighbors", result.search), ("test", result.test), ("symmetry", result.symmetry)]
        facts += [("largest set of given columns", _largest_set(result))] if result.method != BEST else []
    elif isinstance(result, Graph):
        facts.append(("test or score", result.test_or_score))
    facts += [_option_fact(name, value) for name, value in options.items() if name not in _OF_TREATMENT]
    if drawn := options.get("bootstrap"):
        facts.append(("bootstrap", ", ".join(f"{name} {value}" for name, value in drawn.items())))
    facts += [("tests made", f"{result.tests:,}")] if result.tests else []
    facts += [("tests skipped", f"{result.skipped:,}")] if result.skipped else []
    if bounded := _number_bounded(result):
        facts.append((NOT_ALL_SETS, counted(bounded, "edge" if isinstance(result, Graph) else "neighbor")))
    if 0 < result.fewest_rows < result.rows:
        facts.append(("fewest rows of a test", f"{result.fewest_rows:,}"))
    facts += [("time of the search", seconds_text(result.seconds)), ("climbfast", result.version)]
    return [(what, value) for what, value in facts if value]


def _number_bounded(result: Provenance) -> int:
    """Return the number of neighbors or edges for which sets of given columns were left out around hubs."""
    return int(result.figures.get("bounded", 0) if isinstance(result, Graph) else getattr(result, "bounded", 0))


def _option_fact(name: str, value: object) -> tuple[str, str]:
    words = "most columns of which all sets are given" if name == "max_pool" else name.replace("_", " ")
    return words, "no limit" if value is None and name.startswith("max_") else _plain(value)


def _largest_set(blanket: Blanket) -> str:
    if blanket.max_given is None:
        return "no limit"
    if blanket.max_given != "default":
        return str(blanket.max_given)
    method = METHODS.get(blanket.method)
    grows_whole = method is not None and method.members is not None
    return f"{'no limit while the blanket grows, else ' if grows_whole else ''}{LARGEST_GIVEN} (the default)"


def seconds_text(seconds: float) -> str:
    """Return a time with no more digits than it is worth."""
    return "less than a second" if seconds < 1 else f"{seconds:,.0f} s"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def blanket_again(
    blanket: Blanket, data: Dataset, *, title: str | None = None, command: str | None = None, source: str = DATA
) -> Again:
    """Return what finds a blanket again.

    Parameters
    ----------
    blanket : Blanket
    data : Dataset
    title : str, optional
        The heading that was asked for.
    command : str, optional
        The command that was typed.
    source : str
        The file of the table.
    """
    options = _options_beside_defaults(blanket)
    arguments = [repr(blanket.target), *(f"{name}={value!r}" for name, value in options.items())]
    if (test := _test_in_python(blanket)) is not None:
        arguments.append(f"test={test}")
    arguments += ["knowledge=knowledge"] if "knowledge" in blanket.options else []
    around = ", ".join(arguments)
    python = ["import climbfast as cf", "", _reading_line(data, source), f"blanket = cf.markov_blanket(data, {around})"]
    if drawn := blanket.options.get("bootstrap"):
        values = ", ".join(f"{name}={value!r}" for name, value in drawn.items())
        python.append(f'often = cf.bootstrap(data, "blanket", target={around}, {values})')
        python.append("blanket = often.added_to(blanket)")
    python.append(_report_line("blanket", "report.html", title))
    typed = ["climbfast", "report", source, *_typed_reading(data), "--target", str(blanket.target)]
    typed += [each for name, value in options.items() for each in typed_option(name, value)]
    typed += [
        *_typed_test(blanket.test, blanket.options),
        *_typed_more(blanket.options),
        *_typed_title(title),
        "--out",
        "report.html",
    ]
    return Again(command or shlex.join(typed), "\n".join(python), _notes(blanket.options, source))


def run_again(
    blankets: Blankets,
    data: Dataset | None,
    *,
    title: str | None = None,
    command: str | None = None,
    source: str = DATA,
) -> Again:
    """Return what finds the blankets of a run again, as ``blanket_again`` does; the data may be unknown."""
    first = next(iter(blankets.values()))
    options = _options_beside_defaults(first)
    every = len(blankets) == first.columns
    arguments = [] if every else [f"targets={list(blankets) if len(blankets) <= MOST_TARGETS else 'targets'}"]
    arguments += [f"{name}={value!r}" for name, value in options.items()]
    if (test := _test_in_python(first)) is not None:
        arguments.append(f"test={test}")
    arguments += ["knowledge=knowledge"] if "knowledge" in blankets.how else []
    around = "".join(f", {each}" for each in arguments)
    reading = f"data = cf.read({source!r})" if data is None else _reading_line(data, source)
    python = ["import climbfast as cf", "", reading, f"blankets = cf.markov_blankets(data{around})"]
    if drawn := blankets.how.get("bootstrap"):
        values = ", ".join(f"{name}={value!r}" for name, value in drawn.items())
        python.append(f'often = cf.bootstrap(data, "blankets"{around}, {values})')
        python.append("blankets = often.added_to(blankets)")
    python.append(_report_line("blankets", "run.html", title))
    typed = ["climbfast", "report", source, *([] if data is None else _typed_reading(data))]
    typed += [] if every else ["--targets", _typed_names(blankets)]
    typed += [each for name, value in options.items() for each in typed_option(name, value)]
    typed += [
        *_typed_test(first.test, first.options),
        *_typed_more(blankets.how),
        *_typed_title(title),
        "--out",
        "run.html",
    ]
    notes = _notes(blankets.how, source)
    if not every and len(blankets) > MOST_TARGETS:
        stands = "targets, and the file targets.txt, stand for"
        notes = (*notes, f"{stands} the names of the {len(blankets):,} targets.")
    return Again(command or shlex.join(typed), "\n".join(python), notes)


def _typed_names(names: Collection[Hashable]) -> str:
    """Return names as ``--targets`` takes them: as a row of CSV, or many in a file."""
    if len(names) > MOST_TARGETS:
        return "@targets.txt"
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(map(str, names))
    return row.getvalue()


def graph_again(
    graph: Graph, data: Dataset, *, title: str | None = None, command: str | None = None, source: str = DATA
) -> Again:
    """Return what finds a graph again, as ``blanket_again`` does."""
    name, _, orientation = graph.method.partition("+")
    if name not in _GRAPH_SEARCHES:
        return Again(command or "", "", ())
    function, usual = _GRAPH_SEARCHES[name]
    options = _beside(usual, graph.options)
    if orientation:  # which has a seed and directions of its own
        options = {option: value for option, value in options.items() if option not in ("seed", "directions")}
    known = ["knowledge=knowledge"] if "knowledge" in graph.options else []
    arguments = [*(f"{option}={value!r}" for option, value in options.items()), *_test_or_score(graph, name), *known]
    given = ", ".join(arguments if name == "merge" else ["data", *arguments])
    python = ["import climbfast as cf", "", _reading_line(data, source), f"graph = {function}({given})"]
    of_orient = _beside(_ORIENTATION, graph.options) if orientation else {}
    if orientation:
        how = [repr(orientation), *(f"{option}={value!r}" for option, value in of_orient.items()), *known]
        python.append(f"graph = cf.orient(graph, data, {', '.join(how)})")
    python += _replicates_of_graphs(graph, [repr(graph.method), *arguments])
    python.append(_report_line("graph", "graph.html", title))
    if name == "merge" or of_orient.keys() - {"directions"}:
        return Again(command or "", "\n".join(python), _notes(graph.options, source))
    typed = ["climbfast", "report", source, *_typed_reading(data), "--search", graph.method]
    typed += [each for option, value in (options | of_orient).items() for each in typed_option(option, value)]
    typed += _typed_test(graph.test_or_score, graph.options) if name == "pc" else _typed_score(graph, name)
    typed += [*_typed_more(graph.options), *_typed_title(title), "--out", "graph.html"]
    return Again(command or shlex.join(typed), "\n".join(python), _notes(graph.options, source))


_GRAPH_SEARCHES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "pc": ("cf.pc", {"conflicts": "majority", "max_given": 3, "max_pool": MAX_POOL}),
    "fges": ("cf.fges", {"faithfulness": True, "max_degree": None}),
    "best": ("cf.causal_graph", {"perturbations": None, "seconds": None, "seed": 0, "directions": "decided"}),
    "merge": (
        "cf.markov_blankets(data).merge",
        {"rule": "and", "direction": "agreement", "directions": "decided"},
    ),
}
_ORIENTATION = {"directions": "decided", "restarts": 5, "min_gain": 1.0, "seed": 0}


def _beside(usual: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that differ from the defaults."""
    return {name: options[name] for name, value in usual.items() if name in options and options[name] != value}


def _replicates_of_graphs(graph: Graph, arguments: list[str]) -> list[str]:
    drawn = graph.options.get("bootstrap")
    if not drawn:
        return []
    values = [f"{name}={value!r}" for name, value in drawn.items()]
    return [f"often = cf.bootstrap(data, {', '.join([*arguments, *values])})", "graph = often.added_to(graph)"]


def _report_line(result: str, page: str, title: str | None) -> str:
    return f'{result}.report("{page}"{"" if title is None else f", title={title!r}"})'


def _typed_title(title: str | None) -> list[str]:
    return [] if title is None else ["--title", title]


# ---- the table


def _reading_line(data: Dataset, source: str) -> str:
    arguments = [repr(source)]
    if data.missing:
        arguments.append('missing="test-wise"')
    if data.cuts:
        default, named = _rules(data)
        numbers: object = default
        if named:
            numbers = named if default is None else {None: default, **named}
        arguments.append(f"numbers={numbers!r}")
    line = f"data = cf.read({', '.join(arguments)})"
    chosen = data.representative
    if chosen is None:
        return line
    return f"{line}.represented_by({chosen if isinstance(chosen, str) else list(chosen)!r})"


def _rules(data: Dataset) -> tuple[str | None, dict[Hashable, str | list[Any]]]:
    """Return the rule of all columns of numbers, None for the default, and those of single columns."""
    rules = data.discretizer.rules
    named: dict[Hashable, str | list[Any]] = {
        name: list(map(cut_to_json, rule.cuts)) if isinstance(rule, Cuts) else str(rule)
        for name, rule in rules.named.items()
    }
    return None if isinstance(rules.default, Refuse) else str(rules.default), named


def _typed_reading(data: Dataset) -> list[str]:
    typed = ["--missing", "test-wise"] if data.missing else []
    default, named = _rules(data) if data.cuts else (None, {})
    typed += ["--numbers", default] if default is not None else []
    for name, rule in named.items():
        typed += ["--numbers", f"{name}={rule}"] if isinstance(rule, str) else []
        typed += ["--cut", f"{name}={','.join(map(str, rule))}"] if isinstance(rule, list) else []
    chosen = data.representative
    names = () if chosen is None else (chosen,) if isinstance(chosen, str) else chosen
    return typed + [each for name in names for each in ("--representative", str(name))]


def _notes(options: Mapping[str, Any], source: str) -> tuple[str, ...]:
    notes = [f"{DATA} stands for the file of the table; options by which it was read may have to be added."]
    if source != DATA:
        notes = []
    if "knowledge" in options:
        notes.append("knowledge stands for what was known beforehand: cf.read_knowledge(FILE), or --knowledge FILE.")
    return tuple(notes)


# ---- the options of a search


def _options_beside_defaults(blanket: Blanket) -> dict[str, Any]:
    """Return the options of a blanket that differ from the defaults of its method."""
    options: dict[str, Any] = {} if blanket.method == "climb" else {"method": blanket.method}
    directions = blanket.options.get("directions", "decided")
    if blanket.method == BEST:
        return options | ({"directions": directions} if directions != "decided" else {})
    try:
        plan = plan_blanket(blanket.method).provenance(SCI())
    except ClimbfastError:  # a search of the caller's
        return {}
    usual = {**plan, **plan["options"]}
    found = {
        "neighbors": blanket.search,
        "symmetry": blanket.symmetry,
        "max_given": blanket.max_given,
        **blanket.options,
    }
    usual["neighbors"] = plan["search"]
    names = ["neighbors", "symmetry", "max_given", "max_pool", "orient", "colliders", "directions"]
    names += ["min_margin", "node_budget"]
    if directions == "all":
        names.remove("min_margin")  # which follows from it
    return options | {name: found[name] for name in names if name in found and found[name] != usual.get(name)}


def _test_in_python(blanket: Blanket) -> str | None:
    return _object_of(_KINDS.get(blanket.test), blanket)


def _object_of(kind: str | None, result: Blanket | Graph) -> str | None:
    """Return a test or a score as Python writes it; None for the default one."""
    import climbfast as cf

    if kind is None:
        return None
    names = (*_OPTIONS_OF_TESTS, *_OPTIONS_OF_SCORES)
    given = {name: result.options[name] for name in names if name in result.options}
    made: Any = getattr(cf, kind)
    usual = made()
    changed = {name: value for name, value in given.items() if hasattr(usual, name) and getattr(usual, name) != value}
    if kind == "SCI" and not changed:
        return None
    return f"cf.{kind}({', '.join(f'{name}={value!r}' for name, value in changed.items())})"


def _test_or_score(graph: Graph, name: str) -> list[str]:
    """Return the argument that names the test or the score of a graph; none for the default."""
    chosen = _object_of(_KINDS.get(graph.test_or_score), graph)
    if chosen is None or chosen == _USUAL_SCORES.get(name):
        return []
    return [f"{'test' if name == 'pc' else 'score'}={chosen}"]


_KINDS = {
    "sci": "SCI", "g2": "G2", "x2": "X2", "cmi": "CMI",
    "bdeu": "BDeu", "bic": "BIC", "aic": "AIC", "fnml": "FNML", "qnml": "QNML",
}  # fmt: skip
_USUAL_SCORES = {"fges": "cf.BDeu()"}


# ---- as it is typed


def typed_option(option: str, value: object) -> list[str]:
    """Return an option with its value as they are typed on the command line."""
    name = f"--{option.replace('_', '-')}"
    if value is True:
        return [name]
    if value is False:
        return [f"--no-{option.replace('_', '-')}"]
    return [name, "none" if value is None else str(value)]


def _typed_test(test: str, options: Mapping[str, Any]) -> list[str]:
    if test not in TESTS:
        return []
    typed = [] if test == "sci" else ["--test", test]
    return typed + _typed_beside(TESTS[test](), options)


def _typed_score(graph: Graph, search: str) -> list[str]:
    score = graph.test_or_score
    if score not in SCORES:  # a vote, which is the default
        return []
    typed = [] if (search, score) == ("fges", "bdeu") else ["--score", score]
    return typed + _typed_beside(SCORES[score](), graph.options)


def _typed_beside(usual: object, options: Mapping[str, Any]) -> list[str]:
    """Return the options of a test or a score that differ from its defaults, as they are typed."""
    changed = {
        name: options[name]
        for name in (*_OPTIONS_OF_TESTS, *_OPTIONS_OF_SCORES)
        if name in options and hasattr(usual, name) and getattr(usual, name) != options[name]
    }
    return [each for name, value in changed.items() for each in typed_option(name, value)]


def _typed_more(options: Mapping[str, Any]) -> list[str]:
    typed = ["--knowledge", "FILE"] if "knowledge" in options else []
    if drawn := options.get("bootstrap"):
        typed += ["--bootstrap", str(drawn["replicates"])]
        typed += ["--bootstrap-scheme", str(drawn["scheme"])] if drawn["scheme"] != "bootstrap" else []
        typed += ["--bootstrap-seed", str(drawn["seed"])] if drawn["seed"] != 0 else []
    return typed
