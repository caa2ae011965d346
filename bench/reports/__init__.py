"""Scripts that measure and write a table: each keeps it beside itself, or puts it into a page of docs/evidence."""
