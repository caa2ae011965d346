"""Pictures of graphs and blankets, layered by causal order; they need the extra ``plots``.

- ``picture``: what is shown; ``graph_picture``, ``blanket_picture``: from results; ``neighborhood``: part of a graph.
- ``labels``: lines of text and their size; ``layers``, ``crossings``, ``heights``, ``layout``: places.
- ``legend``, ``drawing``: on the axes of matplotlib; ``saving``: SVG, PNG and PDF.
- ``results``: all of these for a result, as its methods ask for it.
"""

from climbfast.plots.picture import MOST_NODES
from climbfast.plots.results import check_file, content, plot, save, svg

__all__ = ["MOST_NODES", "check_file", "content", "plot", "save", "svg"]
