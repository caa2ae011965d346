"""Replicates of a search on resampled tables, and their options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from climbfast.cli.exit_codes import InterruptMessage
from climbfast.cli.output import is_quiet
from climbfast.errors import Legal, Option, OptionError
from climbfast.resampling.schemes import SCHEMES

if TYPE_CHECKING:
    from climbfast.dataset import Dataset
    from climbfast.resampling.added import Result

__all__ = ["REPLICATES_PANEL", "FrequencyArguments", "ReplicateArguments", "parse_threshold"]

REPLICATES_PANEL = "Replicates"


@dataclass(frozen=True, kw_only=True)
class ReplicateArguments:
    """How many replicates there are, and how their rows are drawn."""

    replicates: Annotated[
        int, typer.Option(metavar="N", help="Number of resampled tables.", rich_help_panel=REPLICATES_PANEL)
    ] = 200
    scheme: Annotated[
        str,
        typer.Option(
            metavar="|".join(SCHEMES),
            help="bootstrap draws as many rows as there are, with replacement; half draws half of them without it; "
            "complementary draws pairs of halves without a common row.",
            rich_help_panel=REPLICATES_PANEL,
        ),
    ] = "bootstrap"
    seed: Annotated[int, typer.Option(help="Random seed of the rows.", rich_help_panel=REPLICATES_PANEL)] = 0

    def check(self) -> None:
        """Check the options before the table is read."""
        _check(self.replicates, self.scheme, self.seed, ("replicates", "scheme", "seed"))

    def keywords(self) -> dict[str, Any]:
        """Return the options as keywords of `climbfast.bootstrap`."""
        return {"replicates": self.replicates, "scheme": self.scheme, "seed": self.seed}


@dataclass(frozen=True, kw_only=True)
class FrequencyArguments:
    """The options by which a search adds frequencies to its result."""

    bootstrap: Annotated[
        int | None,
        typer.Option(
            "--bootstrap",
            metavar="N",
            help="Search N resampled tables as well, with the same options, and add how often each edge or member was "
            "found. No journal has them; `climbfast bootstrap` keeps them in one.",
            show_default=False,
            rich_help_panel=REPLICATES_PANEL,
        ),
    ] = None
    bootstrap_scheme: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(SCHEMES),
            help="How their rows are drawn, see `climbfast bootstrap --help`.",
            show_default="bootstrap",
            rich_help_panel=REPLICATES_PANEL,
        ),
    ] = None
    bootstrap_seed: Annotated[
        int | None,
        typer.Option(help="Random seed of their rows.", show_default="0", rich_help_panel=REPLICATES_PANEL),
    ] = None

    def check(self) -> None:
        """Check the options before the table is read."""
        if self.bootstrap is None:
            for name, value in (("scheme", self.bootstrap_scheme), ("seed", self.bootstrap_seed)):
                if value is not None:
                    raise OptionError(
                        Option(f"bootstrap_{name}"), " is for replicates; ask for some with --bootstrap N"
                    )
            return
        _check(self.bootstrap, self._scheme, self._seed, ("bootstrap", "bootstrap_scheme", "bootstrap_seed"))

    @property
    def _scheme(self) -> str:
        return "bootstrap" if self.bootstrap_scheme is None else self.bootstrap_scheme

    @property
    def _seed(self) -> int:
        return self.bootstrap_seed or 0

    def added_to(self, result: Result, data: Dataset, search: str | Callable[..., Any], **options: Any) -> Result:
        """Return a result with its frequencies, if they are asked for.

        Parameters
        ----------
        result : Graph, Blanket or Blankets
            What the search has found in the data.
        data : Dataset
        search : str or function
        **options
            Options of the search, and ``n_jobs``.
        """
        if self.bootstrap is None:
            return result
        from climbfast.batch.run import Interrupted
        from climbfast.resampling.run import ReplicateError, bootstrap

        drawn: dict[str, Any] = {"replicates": self.bootstrap, "scheme": self._scheme, "seed": self._seed}
        try:
            sure = bootstrap(data, search, progress=not is_quiet(), **drawn, **options)
        except Interrupted:
            raise InterruptMessage(
                "interrupted; the replicates are not saved: `climbfast bootstrap` with --journal FILE keeps them"
            ) from None
        except ReplicateError as error:
            raise ReplicateError(*map(_renamed, error.parts)) from error.__cause__
        return sure.added_to(result)


def _check(replicates: int, scheme: str, seed: int, options: tuple[str, str, str]) -> None:
    """Refuse values outside the legal ones, by the names of the three options."""
    if replicates < 1:
        raise OptionError(Option(options[0]), f" is {replicates}; it has to be ", Legal("a whole number from 1 up"))
    if scheme not in SCHEMES:
        raise OptionError(Option(options[1]), f" is {scheme!r}; it is one of ", Legal(tuple(SCHEMES)))
    if seed < 0:
        raise OptionError(Option(options[2]), f" is {seed}; it has to be ", Legal("a whole number from 0 up"))


def _renamed(part: str | Option | Legal) -> str | Option | Legal:
    """Return a part of a message about replicates with the option as it is called beside a search."""
    return Option("bootstrap_seed", part.value) if isinstance(part, Option) and part.name == "seed" else part


def parse_threshold(text: str) -> float | str:
    """Return a threshold that was typed: a share, or auto.

    Raises
    ------
    OptionError
        For anything else.
    """
    if text.lower() == "auto":
        return "auto"
    try:
        threshold = float(text)
    except ValueError:
        threshold = -1.0
    if not 0 <= threshold <= 1:
        raise OptionError(Option("threshold"), f" is {text!r}; it is ", Legal("a share from 0 to 1, or auto"))
    return threshold
