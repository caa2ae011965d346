"""The paper reproduced: every figure and the table of Marx and Vreeken (2018), ours beside the published numbers.

``python -m bench.paper all`` measures everything and writes ``results/*.csv``, ``figures/*.png``, ``RESULTS.md`` and
the table of docs/evidence/paper.md; ``--quick`` does it with two seeds and fewer sizes, in a separate folder; the
name of an experiment instead of ``all`` measures that one; ``report`` writes the pages anew from the CSV files. An
experiment is a module in ``experiments``: what it draws, what it measures, what the paper claims.
"""
