"""`python -m bazelscope`: the same as the console script."""

from __future__ import annotations

from bazelscope.cli import run

if __name__ == "__main__":
    run()
