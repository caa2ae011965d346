"""Speed and quality of climbfast, measured.

``benchmarks`` holds the benchmarks (pytest-benchmark), ``shared`` what several of the others use. The rest are
commands: ``python -m bench.reports.NAME``, each of which measures and keeps one table; ``python -m bench.tools.NAME``,
among them the check of speed; and the reports that fill a folder each, ``bench.growth``, ``bench.paper`` and
``bench.peers``.
"""
