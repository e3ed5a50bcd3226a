"""Which Bazel a tree without `.bazelversion` asks for, as its own files say.

They are read as text and never run, so this is an assumption, and told as one: a call
`versions.check(...)` or `check_bazel_version...(...)` with the versions in it, or constants
called `..MIN_BAZEL_VERSION` and `..MAX_BAZEL_VERSION`; the `bazel_compatibility` of MODULE.bazel;
and whether `.bazelrc` turns modules off.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.flag_conversion import boolean
from bazelscope.bazel.release import Release, ReleaseRange, known_releases

PLACES = ("configure.py", "WORKSPACE", "WORKSPACE.bazel")
"""The files of a workspace's root that say so, the one that says most first."""

_QUOTED = r"""["'](\d+\.\d+(?:\.\d+)?)["']"""
_MINIMUM = r"(?:minimum_bazel_version\s*=\s*)?"
_MAXIMUM = r"(?:maximum_bazel_version\s*=\s*)?"
_CALL = lazy_pattern(
    rf"^[^#\n]*?\b(?:versions\.check|check_bazel_version\w*)\(\s*{_MINIMUM}{_QUOTED}"
    rf"(?:\s*,\s*{_MAXIMUM}{_QUOTED})?",
    re.MULTILINE,
)
_MODULES_SWITCH = lazy_pattern(
    r"^[ \t]*(?:common|always|build)[ \t](?:[^#\n]*[ \t])?"
    r"--(no)?(?:experimental_)?enable_bzlmod(?:=(\w+))?(?=\s|$)",
    re.MULTILINE,
)
_COMPATIBILITY = lazy_pattern(
    r"^[^#\n]*\bbazel_compatibility[ \t]*=[ \t]*\[([^\]]*)\]", re.MULTILINE
)
_CONDITION = lazy_pattern(r"""["']((?:>=|<=|>|<|-)\d[\d.]*)["']""")
_CONSTANT = lazy_pattern(rf"^\w*(MIN|MAX)_BAZEL_VERSION\s*=\s*{_QUOTED}", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WantedVersions:
    """The oldest Bazel that a tree asks for, the newest (None: any), and who says so."""

    least: str
    most: str | None
    path: str
    line: int

    def refuses(self, release: Release) -> bool:
        """Whether that release is outside of the range."""
        return release not in self._range

    @property
    def best(self) -> str:
        """The version to assume: the newest, where that is a release and no open end."""
        return self._range.best

    @property
    def _range(self) -> ReleaseRange:
        return ReleaseRange(self.least, self.most)

    @property
    def text(self) -> str:
        """What a reader is told of the tree."""
        versions = f"{self.least} to {self.most}" if self.most else f"{self.least} or newer"
        return f"this tree asks for Bazel {versions} ({self.path}:{self.line})"


def wanted_versions(read: Callable[[str], str | None]) -> WantedVersions | None:
    """Returns what the first file says that says anything; `read` gives the text of a file of
    the workspace's root, None where there is none."""
    for path in PLACES:
        text = read(path)
        versions = _in_text(path, text) if text is not None else None
        if versions is not None:
            return versions
    return None


def _in_text(path: str, text: str) -> WantedVersions | None:
    constants = {match[1]: match for match in _CONSTANT.finditer(text)}
    match = constants.get("MIN")
    if match is not None:
        newest = constants.get("MAX")
        return WantedVersions(
            match[2], newest[2] if newest is not None else None, path, _line(text, match)
        )
    match = _CALL.search(text)
    return WantedVersions(match[1], match[2], path, _line(text, match)) if match else None


def modules_turned_off(read: Callable[[str], str | None]) -> str | None:
    """Where the tree's rc file turns modules off for every build (`.bazelrc:3`): such a tree is
    one of WORKSPACE, whatever else lies beside it. None where it does not."""
    text = read(".bazelrc") or ""
    last = max(_MODULES_SWITCH.finditer(text), key=re.Match.start, default=None)
    if last is None or (not last[1] and boolean(last[2] or "yes") is not False):
        return None
    return f".bazelrc:{_line(text, last)}"


def compatible_release(
    read: Callable[[str], str | None], newest: Release
) -> tuple[Release, str] | None:
    """Returns the newest known release that the `bazel_compatibility` of MODULE.bazel allows, and
    what a reader is told of it; None if `newest` may be used, or if none may."""
    text = read("MODULE.bazel") or ""
    match = _COMPATIBILITY.search(text)
    conditions = _CONDITION.findall(match[1]) if match is not None else []
    if match is None or all(map(newest.suits_module, conditions)):
        return None
    for release in reversed(known_releases()):
        if all(map(release.suits_module, conditions)):
            place = f"MODULE.bazel:{_line(text, match)}"
            return release, f"this tree asks for Bazel {', '.join(conditions)} ({place})"
    return None


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1
