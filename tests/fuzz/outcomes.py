"""What readers make of mutants: a result, or an error of climbfast in one printable line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import climbfast as cf
from tests.fuzz.mutants import mutants

__all__ = ["outcomes"]


def outcomes(
    read: Callable[[Path], Any],
    file: Path,
    samples: Sequence[bytes],
    tokens: Sequence[bytes] = (),
    count: int | None = None,
) -> Iterator[tuple[int, bytes, Any]]:
    """Read mutants; yield the seed, the content and the result of each that is read, and print the counts at the end.

    Raises
    ------
    AssertionError
        For another exception than an error of climbfast, and for a message that is not one printable line.
    """
    seen = read_ = 0
    for seed, content in enumerate(mutants(samples, tokens, count)):
        seen += 1
        file.write_bytes(content)
        try:
            result = read(file)
        except cf.ClimbfastError as error:
            message = str(error)
            assert message.isprintable(), f"seed {seed}: {message!r}"
            assert len(message) < 2_000, f"seed {seed}: {message}"
            continue
        except Exception as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}; {content!r}") from error
        read_ += 1
        yield seed, content, result
    print(f"{file.suffix}: {seen:,} mutants, {read_:,} read, {seen - read_:,} refused")
