"""climbfast: causal Markov blankets in discrete data."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from climbfast._version import __version__
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
from climbfast.knowledge import Knowledge, read_knowledge
from climbfast.local.blanket import Blanket, ColliderEvidence, NeighborSet
from climbfast.local.find import neighbors
from climbfast.networks.bif import read_bif, write_bif
from climbfast.networks.examples import load_example
from climbfast.networks.files import read_network
from climbfast.networks.network import Network
from climbfast.scores import AIC, BIC, FNML, QNML, BDeu, LocalScores, Score

if TYPE_CHECKING:
    from climbfast.inspection import ColumnReport, Finding, Inspection, inspect
    from climbfast.resampling import Bootstrap, ReplicateError, bootstrap, read_bootstrap

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
    "test",
    "write_bif",
]


_IMPORTED_LATER = {
    **dict.fromkeys(("ColumnReport", "Finding", "Inspection", "inspect"), "climbfast.inspection"),
    **dict.fromkeys(("Bootstrap", "ReplicateError", "bootstrap", "read_bootstrap"), "climbfast.resampling"),
}


def __getattr__(name: str) -> Any:
    """Import what few use when it is asked for: the inspection of tables would double the time that all others take."""
    if name in _IMPORTED_LATER:
        return getattr(import_module(_IMPORTED_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
