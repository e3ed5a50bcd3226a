"""Files that the value of an option names: what is asked for or built stands in them."""

from __future__ import annotations

import errno
from pathlib import Path

from bazelscope.base import looks
from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.paths import read_file
from bazelscope.base.source import SourceFile
from bazelscope.flags.flag_values import FlagValue, ResolvedFlags


def read_named_file(flag: FlagValue, directory: Path, root: Path) -> SourceFile | None:
    """Returns the text of the file that an option names; None if it names none. Relative paths
    begin at `directory`.

    Raises `UsageError` for what cannot be read, or may not be: a workspace at `root` may be
    hostile, and its rc files name no file outside of it.
    """
    if not flag.value or flag.set_by is None:
        return None
    path = directory / flag.value
    place = flag.set_by.location
    try:
        if place is not None and not Path(place.path).is_absolute():
            real = Path(looks.real_path(str(path)))
            if not real.is_relative_to(looks.real_path(str(root))):
                raise PermissionError(
                    errno.EPERM, f"outside the workspace, and {place.short} names it"
                )
        looks.at(str(path))
        return SourceFile(flag.value, read_file(path).decode("utf-8"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no UTF-8"
        message = f"--{flag.name}: cannot read `{flag.value}`: {why}"
        raise UsageError(Diagnostic("unreadable-file", message)) from error


def patterns_of_file(flags: ResolvedFlags, directory: Path, root: Path) -> tuple[str, ...]:
    """The target patterns of a line with `--target_pattern_file`: one a line of the file, without
    comments. Raises `UsageError` for a file beside other patterns, or one that cannot be read.
    Bazel: `TargetPatternsHelper`."""
    flag = flags.values["target_pattern_file"]
    texts = tuple(target.text for target in flags.targets)
    if flag.value and texts:
        message = "Command-line target pattern and --target_pattern_file cannot both be specified"
        raise UsageError(Diagnostic("two-sources-of-patterns", message))
    source = read_named_file(flag, directory, root)
    if source is None:
        return texts
    lines = (line.partition("#")[0].strip() for line in source.text.splitlines())
    return tuple(line for line in lines if line)
