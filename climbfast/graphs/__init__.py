"""Whole graphs: the graph itself, its equivalence class, its files, and how far it is from the truth.

- ``pdag``: directed and undirected edges by number, which the algorithms work on
- ``meek``: the rules that orient what other orientations force
- ``equivalence``: v-structures, the CPDAG of a DAG, the extension of a CPDAG to a DAG
- ``pc``: the search by tests, made of ``skeleton`` (what is adjacent) and ``colliders`` (v-structures and their
  conflicts), which ask their test through ``asking``
- ``orient``: directions by stochastic complexity; ``cycles``: what no search may close
- ``fges``: the search by score; ``equivalence_class``: the CPDAG that it steps through
- ``causal``: one call for all of them, and the best search: ``hill_climbing`` over DAGs, ``members`` of a class
- ``cpdag``: the frozen graph with its names; ``formats``: its files; ``listed``: what these list; ``dot``: the one that
  has a grammar
- ``sid``: the structural intervention distance; ``compare``: all distances of two graphs
"""
