"""Speed and quality of climbfast, measured.

``benchmarks`` holds the benchmarks (pytest-benchmark), ``shared`` what several of the others use. Every other script or
folder beside them is a command, ``python -m bench.NAME``, and keeps the tables and pictures that it writes beside
itself: ``check``, ``rates``, ``fit_costs``, ``growth``, ``peers``, ``best``, ``methods``, ``min_bits``, ``paper``, and
``simulate``, which writes data.
"""
