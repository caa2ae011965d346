"""climbfast: causal Markov blankets in discrete data."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from climbfast._version import __version__

if TYPE_CHECKING:
    from climbfast.batch.journal import JournalError, JournalStatus, journal_status
    from climbfast.batch.run import Interrupted, markov_blankets
    from climbfast.blankets.blankets import Blankets, read_blankets
    from climbfast.blankets.find import markov_blanket
    from climbfast.dataset import Dataset, Discretizer, read
    from climbfast.errors import (
        ClimbfastError,
        ClimbfastWarning,
        DataError,
        GraphError,
        KnowledgeError,
        MissingPackageError,
        NetworkError,
        OptionError,
        UnknownColumnError,
    )
    from climbfast.graphs.causal import causal_graph
    from climbfast.graphs.compare import Comparison, compare
    from climbfast.graphs.fges import fges
    from climbfast.graphs.formats import read_graph
    from climbfast.graphs.graph import Graph
    from climbfast.graphs.orient import orient
    from climbfast.graphs.pc import pc
    from climbfast.independence.single import TestResult, test
    from climbfast.independence.tester import Tester
    from climbfast.independence.tests import CMI, G2, SCI, X2, Test, log2_regret
    from climbfast.inspection import ColumnReport, Finding, Inspection, inspect
    from climbfast.knowledge import Knowledge, read_knowledge
    from climbfast.local.blanket import Blanket, ColliderEvidence, NeighborSet
    from climbfast.local.find import neighbors
    from climbfast.networks.bif import read_bif, write_bif
    from climbfast.networks.examples import load_example
    from climbfast.networks.files import read_network
    from climbfast.networks.network import Network
    from climbfast.resampling.result import Bootstrap, read_bootstrap
    from climbfast.resampling.run import ReplicateError, bootstrap
    from climbfast.schemas import schema
    from climbfast.scores import AIC, BIC, FNML, QNML, BDeu, LocalScores, Score
    from climbfast.versions import show_versions

__all__ = [
    "AIC",
    "BIC",
    "CMI",
    "FNML",
    "G2",
    "QNML",
    "SCI",
    "X2",
    "BDeu",
    "Blanket",
    "Blankets",
    "Bootstrap",
    "ClimbfastError",
    "ClimbfastWarning",
    "ColliderEvidence",
    "ColumnReport",
    "Comparison",
    "DataError",
    "Dataset",
    "Discretizer",
    "Finding",
    "Graph",
    "GraphError",
    "Inspection",
    "Interrupted",
    "JournalError",
    "JournalStatus",
    "Knowledge",
    "KnowledgeError",
    "LocalScores",
    "MissingPackageError",
    "NeighborSet",
    "Network",
    "NetworkError",
    "OptionError",
    "ReplicateError",
    "Score",
    "Test",
    "TestResult",
    "Tester",
    "UnknownColumnError",
    "__version__",
    "bootstrap",
    "causal_graph",
    "compare",
    "fges",
    "inspect",
    "journal_status",
    "load_example",
    "log2_regret",
    "markov_blanket",
    "markov_blankets",
    "neighbors",
    "orient",
    "pc",
    "read",
    "read_bif",
    "read_blankets",
    "read_bootstrap",
    "read_graph",
    "read_knowledge",
    "read_network",
    "schema",
    "show_versions",
    "test",
    "write_bif",
]

_NAMES_OF_MODULES = {
    "climbfast.batch.journal": ("JournalError", "JournalStatus", "journal_status"),
    "climbfast.batch.run": ("Interrupted", "markov_blankets"),
    "climbfast.blankets.blankets": ("Blankets", "read_blankets"),
    "climbfast.blankets.find": ("markov_blanket",),
    "climbfast.dataset": ("Dataset", "Discretizer", "read"),
    "climbfast.errors": (
        "ClimbfastError",
        "ClimbfastWarning",
        "DataError",
        "GraphError",
        "KnowledgeError",
        "MissingPackageError",
        "NetworkError",
        "OptionError",
        "UnknownColumnError",
    ),
    "climbfast.graphs.causal": ("causal_graph",),
    "climbfast.graphs.compare": ("Comparison", "compare"),
    "climbfast.graphs.fges": ("fges",),
    "climbfast.graphs.formats": ("read_graph",),
    "climbfast.graphs.graph": ("Graph",),
    "climbfast.graphs.orient": ("orient",),
    "climbfast.graphs.pc": ("pc",),
    "climbfast.independence.single": ("TestResult", "test"),
    "climbfast.independence.tester": ("Tester",),
    "climbfast.independence.tests": ("CMI", "G2", "SCI", "X2", "Test", "log2_regret"),
    "climbfast.inspection": ("ColumnReport", "Finding", "Inspection", "inspect"),
    "climbfast.knowledge": ("Knowledge", "read_knowledge"),
    "climbfast.local.blanket": ("Blanket", "ColliderEvidence", "NeighborSet"),
    "climbfast.local.find": ("neighbors",),
    "climbfast.networks.bif": ("read_bif", "write_bif"),
    "climbfast.networks.examples": ("load_example",),
    "climbfast.networks.files": ("read_network",),
    "climbfast.networks.network": ("Network",),
    "climbfast.resampling.result": ("Bootstrap", "read_bootstrap"),
    "climbfast.resampling.run": ("ReplicateError", "bootstrap"),
    "climbfast.schemas": ("schema",),
    "climbfast.scores": ("AIC", "BIC", "FNML", "QNML", "BDeu", "LocalScores", "Score"),
    "climbfast.versions": ("show_versions",),
}
_MODULE_OF_NAME = {name: module for module, names in _NAMES_OF_MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for first: a small search needs less than half of all modules."""
    if name not in _MODULE_OF_NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF_NAME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF_NAME})
