"""The outside world to a Dataset: files and frames in, integer codes with their levels out.

The only door by which tables become data, and the only user of narwhals. The rooms, in the order of the way in:

- ``options``: what the user may say about missing cells, levels and columns
- ``delimited``: CSV and its relatives as a frame of text; ``files``: every suffix
- ``frames``: pandas, polars, arrow, NumPy and dicts as columns
- ``texts``: columns of text as integers, all at once
- ``columns``, ``levels``, ``numbers``: one column as integers, its values as sorted levels
- ``assemble``: all columns as one matrix of codes, the missing cells settled
- ``diagnostics``: constant, nearly unique and one-to-one columns
- ``table``: the frozen result
"""

from climbfast.dataset.dataset import Dataset, as_dataset
from climbfast.dataset.files import read
from climbfast.dataset.options import DEFAULT_MARKERS, ReadingOptions

__all__ = ["DEFAULT_MARKERS", "Dataset", "ReadingOptions", "as_dataset", "read"]
