"""How cost grows as work grows: ``python -m bench.growth``."""
