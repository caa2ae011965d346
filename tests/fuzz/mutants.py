"""Mutants of files: each seed makes one, the same on every machine.

A mutant is a sample file with one to four random changes. Special tokens are what readers of text files stumble over;
a format adds its own.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence

__all__ = ["COUNT", "TOKENS", "mutant", "mutants"]

COUNT = int(os.environ.get("FUZZ_COUNT", "200"))  # mutants of each format

TOKENS: tuple[bytes, ...] = (
    *(b"\0", b"\r", b"\n", b"\r\n", b"\t", b" ", b",", b";", b"|", b'"', b'""', b"'", b"\\", b"\\n", b"=", b"/", b"#"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xff", b"\x80", b"\xc3", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xc2\x85"),
    *(b"\x1b[31m", b"\x0b", b"\x0c", b"\x1a", b"\x7f", b"\xc2\xa0", b"\xef\xbc\x91", b"\xf0\x9f\x98\x80"),
    *(b"0", b"-1", b"1e400", b"1e-400", b"NaN", b"Infinity", b"9007199254740993", b"9" * 120, b"0x10", b"1_0", b"+1"),
    *(b"null", b"true", b"[]", b"{}", b"[" * 50, b"{" * 50, b"(", b")", b"<", b">", b"<!--", b"&", b"%s", b"{0}"),
)

Change = Callable[[random.Random, bytes, Sequence[bytes], Sequence[bytes]], bytes]


def mutants(samples: Sequence[bytes], tokens: Sequence[bytes] = (), count: int | None = None) -> Iterator[bytes]:
    """Yield the mutants with the seeds 0, 1, ..., count - 1; without a count, ``COUNT``.

    Parameters
    ----------
    samples : sequence of bytes
        Correct files of one format.
    tokens : sequence of bytes
        The format's own special tokens, which are inserted beside ``TOKENS``.
    """
    for seed in range(COUNT if count is None else count):
        yield mutant(seed, samples, tokens)


def mutant(seed: int, samples: Sequence[bytes], tokens: Sequence[bytes] = ()) -> bytes:
    """Return the mutant of one seed."""
    rng = random.Random(seed)
    content = rng.choice(samples)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        content = rng.choice(_CHANGES)(rng, content, samples, tokens)
    return content


def _flip(rng: random.Random, content: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes]) -> bytes:
    """Change one bit of one byte."""
    at = _position(rng, content)
    return content[:at] + bytes(byte ^ (1 << rng.randrange(8)) for byte in content[at : at + 1]) + content[at + 1 :]


def _replace(rng: random.Random, content: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes]) -> bytes:
    """Put any byte in the place of one."""
    at = _position(rng, content)
    return content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]


def _replace_alike(rng: random.Random, content: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes]) -> bytes:
    """Put a byte of the file in the place of another one: the format mostly stays correct."""
    at = _position(rng, content)
    return content[:at] + bytes([rng.choice(content or b" ")]) + content[at + 1 :]


def _move_line(rng: random.Random, content: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes]) -> bytes:
    """Delete a line, double it, or put it in another place."""
    lines = content.splitlines(keepends=True) or [b""]
    at = rng.randrange(len(lines))
    line = lines[at] if rng.random() < 0.4 else lines.pop(at)
    if rng.random() < 0.6:
        lines.insert(rng.randint(0, len(lines)), line)
    return b"".join(lines)


def _delete(rng: random.Random, content: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes]) -> bytes:
    first, last = _slice(rng, content)
    return content[:first] + content[last:]


def _duplicate(rng: random.Random, content: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes]) -> bytes:
    """Insert a copy of a slice anywhere."""
    first, last = _slice(rng, content)
    at = _position(rng, content)
    return content[:at] + content[first:last] + content[at:]


def _truncate(rng: random.Random, content: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes]) -> bytes:
    return content[: _position(rng, content)]


def _splice(rng: random.Random, content: bytes, samples: Sequence[bytes], _tokens: Sequence[bytes]) -> bytes:
    """Continue with the end of another sample."""
    other = rng.choice(samples)
    return content[: _position(rng, content)] + other[_position(rng, other) :]


def _insert(rng: random.Random, content: bytes, _samples: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    """Insert a special token."""
    at = _position(rng, content)
    return content[:at] + _token(rng, tokens) + content[at:]


def _overwrite(rng: random.Random, content: bytes, _samples: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    """Put a special token in the place of a slice."""
    first, last = _slice(rng, content)
    return content[:first] + _token(rng, tokens) + content[last:]


def _position(rng: random.Random, content: bytes) -> int:
    return rng.randint(0, len(content))


def _slice(rng: random.Random, content: bytes) -> tuple[int, int]:
    """Return the ends of a slice, mostly a short one."""
    first = _position(rng, content)
    return first, min(len(content), first + rng.choice((1, 1, 2, 4, 8, 16, 64, 256)))


def _token(rng: random.Random, tokens: Sequence[bytes]) -> bytes:
    return rng.choice(tokens if tokens and rng.random() < 0.5 else TOKENS)


_CHANGES: tuple[Change, ...] = (
    *(_flip, _replace, _delete, _duplicate, _truncate, _splice, _insert, _overwrite),
    *(_replace_alike, _replace_alike, _move_line, _move_line),
)
