"""The command line: from option names to functions, from errors to exit codes. The only part that knows typer and rich.

- ``main``: from what was typed to the exit code; ``exit_codes``: the codes, and the code of every error.
- ``commands``: the list of the commands, and one module for each with the page that it alone shows.
- ``options``: the options that several commands share: of reading data (``reading``), of tests (``tests``), of
  searches around one column (``blanket_searches``) and of graphs (``graph_searches``), of pictures (``pictures``);
  of replicates (``replicates``), of what is known (``knowledge``), and those of every command (``messages``); how they
  are declared (``groups``).
- ``option_names``: options in messages, as they are typed.
- ``output``: the two streams, ``--json``, and files that are not overwritten; ``standard_input``: a file on it.
- ``result_files``: a result as a page, as JSON or in the file of ``--out``.
- ``render``: tables, the members of a blanket and the page of a graph as text.
- ``graph_files``: graphs, read from files and written.
- ``examples``: those in the help; ``help_pages``: the help on narrow terminals; ``completion``: what shells offer.

The result goes to standard output, everything else to standard error.
"""

from climbfast.cli.main import main

__all__ = ["main"]
