"""``python -m climbfast``, the same as the command ``climbfast``."""

import sys

from climbfast.cli import main

if __name__ == "__main__":
    sys.exit(main())
