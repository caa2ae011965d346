"""The command line: argument names to functions, errors to exit codes.

The only door to typer and rich. What was asked for goes to standard output, all else to standard error.

- ``running``: `main`, from what was typed to the exit code; ``refusals``: errors in one line; ``exits``: the codes.
- ``app``: the commands in the order of the help; ``commands``: one module for each, with the page it shows.
- ``options``: what several commands take, in groups that are declared once; ``graphs``: what the commands of graphs
  share.
- ``pages``: tables for people; ``streams``: the two streams; ``spelling``: options as they are typed.
"""

from climbfast.cli.running import main

__all__ = ["main"]
