"""Graphs given to other programs and read back by them: ``python -m bench.exchange``."""
