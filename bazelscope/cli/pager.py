"""Answers that are longer than the screen, shown through a pager."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from pathlib import Path

_DEFAULT = "less"
_LESS = "FRX"
"""What `less` does unless the user has said otherwise: end at once if all fits the screen after
all, let colours through, and leave the text on the screen."""


def wants_pager(data: bytes) -> bool:
    """Whether data is text for a person at a terminal that it does not fit on."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return False
    import shutil  # With every compression that it knows; few answers come by here.

    return data.count(b"\n") >= shutil.get_terminal_size().lines


def show(data: bytes, keep_out: Path) -> bool:
    """Shows text through `$PAGER`, or `less`; False if there is none and nothing was shown.
    None is taken from below `keep_out`, the workspace.

    An empty `PAGER`, or `cat`, means none, as it does to git.
    """
    from bazelscope.render.programs import find_program

    command = shlex.split(os.environ.get("PAGER", _DEFAULT))
    program = find_program(command[0], keep_out) if command and command != ["cat"] else None
    if program is None:
        return False
    import subprocess

    from bazelscope.render.hyperlinks import without_links

    environment = {"LESS": _LESS, "LV": "-c", **os.environ}
    # Ctrl-C is for the pager alone: it ends a search there, not the pager.
    former = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with subprocess.Popen(
            [str(program), *command[1:]], stdin=subprocess.PIPE, env=environment
        ) as pager:
            pager.communicate(without_links(data))
    except BrokenPipeError:
        pass  # Whoever leaves the pager has read enough.
    finally:
        signal.signal(signal.SIGINT, former)
    return True
