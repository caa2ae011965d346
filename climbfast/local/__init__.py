"""Searches around one target.

- ``find``: from names to a search and back, ``markov_blanket`` and ``neighbors``; ``plan``: their options, checked
- one file for each published search: ``getpcd``, ``mmpc``, ``hiton``, ``recognize_pc`` (neighbors), ``grow_shrink``,
  ``iamb``, ``iamb_fdr`` (whole blankets), ``climb`` (causal blankets); ``methods``: their names
- ``partition``: parents told from children; ``compiled``: GetPCD, partition and Climb of many targets
- ``rounds``: searches of whole blankets around many targets, whose tests are made together
- ``candidates``, ``neighborhoods``, ``target_search``: a search while it runs; ``neighbors``, ``blanket``: its results
"""
