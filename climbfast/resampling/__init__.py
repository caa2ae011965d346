"""Replicates of searches on resampled tables: frequencies of edges, directions and members, and their consensus.

- ``schemes``: which rows a replicate has; ``searches``: what is searched in it; ``option_values``: with which options
- ``records``: what is found in one replicate, and counted over all
- ``run``: replicates in parallel, with a journal; ``result``: the frequencies; ``table`` and ``files``: as a table
- ``thresholds`` and ``consensus``: the graph on which the replicates agree
"""
