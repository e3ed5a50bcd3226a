"""`python -m bazelscope`: the same as the console script."""

from __future__ import annotations

import sys

from bazelscope.cli import main

if __name__ == "__main__":
    sys.exit(main())
