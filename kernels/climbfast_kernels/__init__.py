"""The compiled ring of climbfast: arrays in, arrays and scalars out. It imports numpy and numba only, and never raises.

- ``_jit``: the decorators of the kernels
- ``_cache_folder``, ``_machine_code``: the folder of the compiled kernels, and the files in it
- ``_shipped``: compiled kernels that come with the package
- ``bits``, ``log_tables``, ``workspace``: the data as bitmaps; tables of logarithms; the scratch memory of counting
- ``entropy``, ``regret``, ``chi2``: the functions that scores and tests are sums of
- ``counts``, ``cost_model``: fill one contingency table by the strategy that is expected to be fastest
- ``counts_by_bitmaps``, ``counts_by_histogram``, ``counts_by_sorting``: the three strategies of counting
- ``distinct``: the distinct rows of some columns
- ``independence``: a contingency table -> the strength of a test
- ``pairs``, ``patterns``, ``screen``: marginal tests; tests of many candidates given many sets; all pairs of columns
- ``getpcd``, ``partition``, ``climb``: the searches around many targets; ``packed_results``: their results in arrays
- ``scores``: local scores of families
- ``coding``, ``quotes``, ``parquet_pages``: for reading files
"""
