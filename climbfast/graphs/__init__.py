"""Causal graphs of all columns: searches, orientation, files, and comparison with the truth.

The graph
    - ``graph``: ``Graph``, with the names of the nodes and how it was found; ``formats``: its files, with ``edge_list``
      for what all of them list and ``dot`` for the one that needs a parser
    - ``pdag``: the same by number, on which all algorithms work
    - ``meek``: Meek's rules; ``equivalence``: v-structures, the CPDAG of a DAG, the extension of a CPDAG to a DAG

The searches
    - ``pc``: by tests; ``pc_skeleton`` finds what is adjacent, ``pc_orientation`` the v-structures and what to do when
      they conflict; ``runner`` runs the tests, also in parallel
    - ``fges``: by score, from one ``equivalence_class`` to the next; ``family_cache``: each score computed once
    - ``orient``: directions by stochastic complexity; ``class_directions``: those within one class, and their odds
    - ``causal``: one function for all of them; ``best``: the search of that name, of several scores: ``families``
      counts, ``hill_climbing`` searches, ``votes`` brings the DAGs together
    - ``copies``: columns that are equal to others, put back into a graph

The comparison
    - ``compare``: all distances between two graphs; ``sid``: the structural intervention distance
"""
