"""The blankets of many columns: a run in parallel, with a journal.

- ``run``: ``markov_blankets``, the run and its three passes
- ``passes``: the work of each pass, as functions that run in any worker
- ``pool``: the choice of the workers, and the pool that runs a pass
- ``journal``: finished work in a file, from which a stopped run is continued
- ``progress``: the progress of a run on standard error
- ``packed_results``: results as flat arrays; ``lazy_blankets``: packed results as blankets
"""
