"""What a question was asked about: stands at the top of every answer."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Setup:
    """What the question was asked about, and what was assumed for it.

    `version_source` is where the Bazel version came from (`.bazelversion`,
    `--bazel-version`, or that it was assumed); `table_version` is the flag table used. `hint`:
    which files of the tree ask for the version, where it is assumed for them.
    """

    workspace: str
    command: str
    bazel_version: str
    version_source: str
    table_version: str
    host: str
    hint: str = ""
