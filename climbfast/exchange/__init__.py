"""Graphs for other programs, and from them: one module for each program.

Objects of Python packages
    - ``pgmpy``, ``pyagrum``, ``causal_learn``, ``dowhy``; ``named``: names for nodes that may have none

Text, files and matrices
    - ``dagitty``, ``lavaan``: models as text; ``tetrad``: the text that causal-learn also writes, XML and JSON
    - ``cytoscape``: JSON with the figures of edges; ``andrey``: its saved results; ``pcalg``: matrices

A graph has directed and undirected edges. What another program has beyond these, such as circles and edges with two
arrowheads, is refused, with the edge and its marks in the message.
"""
