"""The command line: parse, call, render, exit code; nothing else.

Only this package touches `sys`, the environment and the console.
"""

from bazelscope.cli.entry import cli, main, run

__all__ = ["cli", "main", "run"]
