"""Options that a release of Bazel still takes and that do nothing there, each with who says so."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.facts.fact import Numbers
from bazelscope.bazel.release import Release


@dataclass(frozen=True, slots=True)
class IdleOption:
    """An option that does nothing from Bazel `since` on; `remedy` says what to write."""

    since: Numbers
    remedy: str
    source: str


_JAVA = "Bazel's issue 7849"
_IDLE = {
    "javabase": IdleOption((5, 0, 0), "write `--java_runtime_version`", _JAVA),
    "host_javabase": IdleOption((5, 0, 0), "write `--tool_java_runtime_version`", _JAVA),
    "java_toolchain": IdleOption(
        (5, 0, 0), "write `--java_language_version`, or register the toolchain", _JAVA
    ),
    "host_java_toolchain": IdleOption(
        (5, 0, 0), "write `--tool_java_language_version`, or register the toolchain", _JAVA
    ),
    "distinct_host_configuration": IdleOption((6, 0, 0), "delete it", "Bazel's issue 17731"),
}


def idle_option(name: str, release: Release) -> IdleOption | None:
    """What there is to know of an option that does nothing under a release; None for others."""
    option = _IDLE.get(name)
    return option if option is not None and option.since <= release.numbers else None
