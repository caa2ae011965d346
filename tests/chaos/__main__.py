"""``python -m tests.chaos 200 [SEED]``: so many faults of all kinds, one after the other, and a table of them."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.chaos.faults import FAULTS, make_case


def main(faults: int, seed: int) -> int:
    """Let faults happen until there were so many; return the number of those that did harm."""
    rng = random.Random(seed)
    counts, harm = Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        case = make_case(Path(folder))
        while counts.total() < faults:
            for name, fault in FAULTS.items():
                if counts.total() >= faults:
                    break
                here = Path(tempfile.mkdtemp(dir=folder))
                begun = time.monotonic()
                try:
                    counts[name] += fault(here, case, rng)
                except Exception as error:
                    harm[name] += 1
                    counts[name] += 1
                    print(f"{name}: {type(error).__name__}: {error}", flush=True)
                print(f"{counts.total():5} {name}: {time.monotonic() - begun:.1f} s", flush=True)
    print("\nfaults  harm  kind")
    for name in FAULTS:
        print(f"{counts[name]:6} {harm[name]:5}  {name}")
    print(f"{counts.total():6} {harm.total():5}  in all (seed {seed})")
    return harm.total()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, int(sys.argv[2]) if len(sys.argv) > 2 else 1) > 0)
