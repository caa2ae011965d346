"""Scripts that measure and write a table: each keeps its table beside itself, or puts it into the README."""
