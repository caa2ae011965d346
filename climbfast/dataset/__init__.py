"""Files and frames to a Dataset: integer codes with their levels. The only place where tables become data.

In the order of the steps:

- ``options``: the options for missing cells, levels and columns
- ``files``: a file or a pipe; ``sources``: its format and content; ``waiting``, ``panics``: Ctrl-C and standard error
  meanwhile
- ``delimited``: CSV and similar text files as a frame of text
- ``columnar``: Parquet and Arrow files; ``parquet_pages``, ``arrow_messages``: the counts and sizes there
- ``arff``: ARFF files; ``foreign``: a process that reads ``statistical_files`` (SPSS, Stata, SAS) and ``r_files``
- ``table``: such a table with its value labels; ``joining``: several files as one table
- ``frames``: pandas, polars, arrow, NumPy and dicts as columns; the only user of narwhals
- ``texts``: text columns as integers, all at once
- ``column_encoding``, ``levels``, ``numbers``: one column as integers, its values as sorted levels
- ``discretization``: numbers, dates and times cut into intervals
- ``assemble``: all columns as one matrix of codes, with the option for missing cells applied
- ``column_rank``: the order of the columns, from the data; ``representatives``: which of several copies is searched
- ``diagnostics``: constant, nearly unique and one-to-one columns
- ``dataset``: the frozen result
"""

from climbfast.dataset.dataset import Dataset, as_dataset
from climbfast.dataset.discretization import Discretizer
from climbfast.dataset.files import read
from climbfast.dataset.options import DEFAULT_MARKERS, ReadingOptions
from climbfast.dataset.representatives import Representative

__all__ = ["DEFAULT_MARKERS", "Dataset", "Discretizer", "ReadingOptions", "Representative", "as_dataset", "read"]
