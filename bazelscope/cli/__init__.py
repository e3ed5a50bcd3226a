"""The command line: parse, call, render, exit code; nothing else.

Only this package touches `sys`, the environment and the console. Importing it is nothing; the
commands are imported once Ctrl-C is taken care of.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # To import `typing` takes as long as all else that `--version` needs.
    from collections.abc import Sequence
    from typing import NoReturn

__all__ = ["main", "run"]


def run() -> NoReturn:
    """The console script: runs one command, and ends the process with its exit code."""
    from bazelscope.cli import interrupts

    interrupts.take_over()
    import gc
    import sys

    words = sys.argv[1:]
    if words == ["--version"] and sys.stdout is not None:
        code = _say_version()
    elif words:
        from bazelscope.cli import kept_answers

        code = kept_answers.run(words, main, _cannot_write)
    else:
        code = main()
    # On its way out Python would look once more through every target and edge for garbage
    # in cycles, which takes as long as finding a path between them.
    gc.freeze()
    sys.exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code. Never lets a Python traceback out."""
    from bazelscope.cli import entry

    return entry.main(arguments)


def _say_version() -> int:
    """What click's option of the group says, without click."""
    import sys

    from bazelscope import __version__

    try:
        sys.stdout.write(f"bazelscope {__version__}\n")
        sys.stdout.flush()
    except OSError as error:
        return _cannot_write(error)
    return 0


def _cannot_write(error: OSError) -> int:
    from bazelscope.cli import entry

    return entry.cannot_write(error)
