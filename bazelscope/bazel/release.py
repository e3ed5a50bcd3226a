"""Bazel versions, and the behaviours of flags and rc files that differ between them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

_VERSION = re.compile(r"v?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(-?(?:rc|pre)[.\w]*)?")


class Version(NamedTuple):
    """A release of Bazel; a candidate or prerelease sorts before its release."""

    major: int
    minor: int
    patch: int
    final: bool = True

    @staticmethod
    def parse(text: str) -> Version | None:
        """`"6.5.0"`, `"7.0.0rc1"`, `"4.2.3- (@non-git)"`; None if it is no version."""
        match = _VERSION.match(text.strip())
        if match is None:
            return None
        major, minor, patch, candidate = match.groups()
        return Version(int(major), int(minor), int(patch or 0), not candidate)

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def from_bazelversion(text: str) -> str | None:
    """The version that a `.bazelversion` file asks for; None for none (`latest`, ...).

    Bazelisk takes the first line; a fork's name before a slash is dropped.
    """
    for line in text.splitlines():
        word = line.partition("#")[0].strip().rpartition("/")[2]
        if word:
            return word if Version.parse(word) is not None else None
    return None


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a Bazel version does where versions differ; each field says since when."""

    tools_rc: bool
    """Before 0.19.0: `tools/bazel.rc` of the workspace is read."""
    always_section: bool
    """6.3.0: `always` lines count for every command, like `common` did before."""
    lenient_common: bool
    """6.3.0: a `common` option that this command lacks, but another has, is skipped."""
    wordless_starlark: bool
    """6.4.0: a command that takes no words (`version`) skips Starlark flags, too."""
    lenient_common_expansions: bool
    """7.1.0: so is such an option inside the expansion of a `common:x` section."""
    try_import_if_version: bool
    """8.7.0: `try-import-if-bazel-version CONDITION PATH`."""
    environment_rc: bool
    """9.0.0: `$BAZELRC` names rc files, separated by commas."""
    every_bazelrc: bool
    """4.1.0: each `--bazelrc` is read; before, the first one."""
    rc_words_first: bool
    """4.0.0: targets and Starlark flags of rc lines come before those of the command line.
    Before, the command line was parsed first."""
    starlark_no_prefix: bool
    """`--no//pkg:flag` is a Starlark flag; before 4.0.0 an unknown option."""
    starlark_takes_next_word: bool
    """`--//pkg:flag value` in two words; an error since 4.0.0."""
    starlark_in_order: bool
    """5.3.0: a Starlark flag from a config counts where the config stands; before, it beat
    the whole command line."""
    flag_alias: bool
    """`--flag_alias=short=//pkg:flag`."""

    @staticmethod
    def of(version: Version) -> Behaviour:
        return Behaviour(
            tools_rc=version < (0, 19, 0),
            always_section=version >= (6, 3, 0),
            lenient_common=version >= (6, 3, 0),
            wordless_starlark=version >= (6, 4, 0),
            lenient_common_expansions=version >= (7, 1, 0),
            try_import_if_version=version >= (8, 7, 0),
            environment_rc=version >= (9, 0, 0),
            every_bazelrc=version >= (4, 1, 0),
            rc_words_first=version >= (4, 0, 0),
            starlark_no_prefix=version >= (4, 0, 0),
            starlark_takes_next_word=version < (4, 0, 0),
            starlark_in_order=version >= (5, 3, 0),
            flag_alias=version >= (4, 0, 0),
        )
