"""Bayesian networks with known arcs, whose blankets and graphs are the truth that searches are compared with.

- ``network``: the network, its parents, children, spouses and blankets
- ``bif``: networks as BIF files
- ``sampling``: rows drawn from a network; ``saving``: a sample as a file
- ``examples``: the example network of the documentation and the tests
"""
