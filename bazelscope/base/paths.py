"""What lies at a path that anybody may have written.

Nothing does where no file can have such a name: `Path.is_file` and the like raise `OSError` for one
that is too long, up to Python 3.13.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_file(path: Path) -> bool:
    """Whether a file lies there."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Whether a folder lies there."""
    return os.path.isdir(path)  # noqa: PTH112


def is_there(path: Path) -> bool:
    """Whether anything lies there."""
    return os.path.exists(path)  # noqa: PTH110
