"""What is known beforehand about the edges of a graph: tiers, required and forbidden edges, and what they allow."""

from climbfast.knowledge.allowed_arcs import AllowedArcs
from climbfast.knowledge.files import read_knowledge
from climbfast.knowledge.knowledge import Knowledge, KnowledgeOption, as_knowledge

__all__ = ["AllowedArcs", "Knowledge", "KnowledgeOption", "as_knowledge", "read_knowledge"]
