"""climbfast: causal Markov blankets in discrete data."""

from climbfast._version import __version__
from climbfast.batch.blankets import Blankets, read_blankets
from climbfast.batch.journal import JournalError, Status, journal_status
from climbfast.batch.run import Interrupted, markov_blankets
from climbfast.dataset import Dataset, read
from climbfast.errors import (
    ClimbfastError,
    ClimbfastWarning,
    DataError,
    GraphError,
    NetworkError,
    OptionError,
    UnknownColumnError,
)
from climbfast.evidence import CMI, G2, SCI, X2, Evidence, TestResult, log2_regret, test
from climbfast.graphs.causal import causal_graph
from climbfast.graphs.compare import Comparison, compare
from climbfast.graphs.cpdag import Graph
from climbfast.graphs.fges import fges
from climbfast.graphs.formats import read_graph
from climbfast.graphs.orient import orient
from climbfast.graphs.pc import pc
from climbfast.local.blanket import Blanket, NeighborSet
from climbfast.local.find import markov_blanket, neighbors
from climbfast.networks.bif import read_bif, write_bif
from climbfast.networks.examples import load_example
from climbfast.networks.network import Network
from climbfast.scores import AIC, BIC, FNML, QNML, BDeu, LocalScores

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
    "ClimbfastError",
    "ClimbfastWarning",
    "Comparison",
    "DataError",
    "Dataset",
    "Evidence",
    "Graph",
    "GraphError",
    "Interrupted",
    "JournalError",
    "LocalScores",
    "NeighborSet",
    "Network",
    "NetworkError",
    "OptionError",
    "Status",
    "TestResult",
    "UnknownColumnError",
    "__version__",
    "causal_graph",
    "compare",
    "fges",
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
    "read_graph",
    "test",
    "write_bif",
]
