"""The environment that a question is asked in."""

from __future__ import annotations

import os

_OF_THE_SHELL = frozenset({"OLDPWD", "SHLVL", "_"})
"""Variables that a shell changes with each command or `cd`: no question is told of them, so that
the answer to an earlier one holds."""


def environment() -> dict[str, str]:
    """Returns the variables of the environment that an answer may depend on."""
    return {name: value for name, value in os.environ.items() if name not in _OF_THE_SHELL}
