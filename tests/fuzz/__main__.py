"""More mutants than the suite reads: ``python -m tests.fuzz 20000`` reads so many of each format, and prints counts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    os.environ["FUZZ_COUNT"] = sys.argv[1] if len(sys.argv) > 1 else "20000"
    command = [sys.executable, "-m", "pytest", "-s", "-q", str(Path(__file__).parent), *sys.argv[2:]]
    sys.exit(subprocess.run(command, check=False).returncode)
