"""The blankets of many targets: the result of a run, its files, and one graph of all blankets.

- ``blankets``: the result; ``merging``: all blankets as one graph
- ``formats``: files by suffix; ``jsonl_format``, ``parquet_format``, ``csv_format``: one file format each
- ``blanket_json``: a blanket as plain fields, and back; ``name_encoding``: names of columns in files
- ``edge_table``: one row per target and member
"""
