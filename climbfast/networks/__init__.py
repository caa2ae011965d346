"""Bayesian networks: the truth that searches are compared with, and what graphs become with tables from data.

- ``network``: the network, its parents, children, spouses and blankets
- ``bif``: networks as BIF files; ``bif_names``: how names are spelled in them
- ``files``: network files of all formats; ``foreign``: those that pyAgrum reads
- ``fitting``: tables from data, and the likelihood of data; ``exchange``: networks of pgmpy and pyAgrum
- ``sampling``: rows drawn from a network; ``saving``: a sample as a file
- ``examples``: the example network of the documentation and the tests
"""
