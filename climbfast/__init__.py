"""climbfast: causal Markov blankets in discrete data."""

from climbfast._version import __version__
from climbfast.batch.journal import JournalError, JournalStatus, journal_status
from climbfast.batch.run import Interrupted, markov_blankets
from climbfast.blankets.blankets import Blankets, read_blankets
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
from climbfast.local.blanket import Blanket, NeighborSet
from climbfast.local.find import markov_blanket, neighbors
from climbfast.networks.bif import read_bif, write_bif
from climbfast.networks.examples import load_example
from climbfast.networks.network import Network
from climbfast.scores import AIC, BIC, FNML, QNML, BDeu, LocalScores, Score

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
    "Graph",
    "GraphError",
    "Interrupted",
    "JournalError",
    "JournalStatus",
    "LocalScores",
    "NeighborSet",
    "Network",
    "NetworkError",
    "OptionError",
    "Score",
    "Test",
    "TestResult",
    "Tester",
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
