"""Which versions of rule sets a release of Bazel needs, each with who says so.

A rule set that is too old fails where it uses what that Bazel took away; nothing in the workspace
tells it, since the rule set is not downloaded.
"""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.facts.fact import Numbers
from bazelscope.bazel.release import Release


@dataclass(frozen=True, slots=True)
class NeededVersion:
    """From Bazel `since` on, a rule set has to be `version` or newer; none is new enough where that
    is empty, and `instead` says what to take. `repositories` are the names that WORKSPACE files
    give it, besides that of its module. `only_named`: a module that only others ask for is seldom
    loaded, so nothing is said of it."""

    module: str
    repositories: tuple[str, ...]
    since: Numbers
    version: str
    source: str
    instead: str = ""
    only_named: bool = False


_GO = ("io_bazel_rules_go",)
_GAZELLE = ("bazel_gazelle",)
_DOCKER = ("io_bazel_rules_docker",)


def _of_apple(module: str, *least: tuple[int, str]) -> tuple[NeededVersion, ...]:
    """What the README of a rule set for Apple's platforms says of each major Bazel."""
    return tuple(
        NeededVersion(
            module,
            (f"build_bazel_{module}",),
            (major, 0, 0),
            version,
            f"{module}'s README",
            only_named=True,
        )
        for major, version in least
    )


NEEDED = (
    NeededVersion("rules_go", _GO, (0, 20, 0), "0.15.8", "bazel-remote's pull request 60"),
    NeededVersion("rules_go", _GO, (0, 25, 0), "0.17.0", "rules_go's README of May 2019"),
    NeededVersion("rules_go", _GO, (0, 26, 0), "0.18.5", "release notes of rules_go 0.18.5"),
    NeededVersion("rules_go", _GO, (2, 0, 0), "0.21.0", "release notes of rules_go 0.21.0"),
    NeededVersion("rules_go", _GO, (7, 0, 0), "0.38.0", "rules_go's pull request 3404"),
    NeededVersion("rules_go", _GO, (8, 5, 0), "0.58.2", "rules_go's issue 4480"),
    NeededVersion("rules_go", _GO, (9, 0, 0), "0.60.0", "rules_python's issue 3660"),
    NeededVersion("gazelle", _GAZELLE, (0, 25, 0), "0.17.0", "bazel-remote's pull request 90"),
    NeededVersion("gazelle", _GAZELLE, (7, 0, 0), "0.29.0", "gazelle's pull request 1395"),
    NeededVersion("rules_docker", _DOCKER, (0, 25, 0), "0.7.0", "bazel-remote's pull request 90"),
    NeededVersion("rules_docker", _DOCKER, (6, 0, 0), "0.25.0", "rules_docker's issue 1953"),
    NeededVersion(
        "rules_docker", _DOCKER, (7, 0, 0), "", "rules_docker's pull request 2196", "take rules_oci"
    ),
    *_of_apple("rules_apple", (4, "0.30.0"), (5, "0.33.0"), (6, "2.0.0")),
    *_of_apple(
        "rules_swift",
        *((3, "0.14.0"), (4, "0.19.0"), (5, "0.25.0"), (6, "0.27.0")),
        *((7, "1.8.0"), (8, "1.14.0"), (9, "3.5.0")),
    ),
    NeededVersion("rules_cc", (), (8, 0, 0), "0.0.14", "rules_python's pull request 2379"),
    NeededVersion(
        "protobuf", ("com_google_protobuf",), (8, 0, 0), "28.0", "rules_python's pull request 2379"
    ),
    NeededVersion("aspect_bazel_lib", (), (9, 0, 0), "2.21.2", "intellij's pull request 8004"),
    NeededVersion("rules_android", (), (9, 0, 0), "0.7.1", "batfish's pull request 9835"),
)


def needed_versions(release: Release) -> dict[str, NeededVersion]:
    """What `release` needs, by the names of modules and of repositories in WORKSPACE files."""
    versions: dict[str, NeededVersion] = {}
    for one in NEEDED:
        if one.since <= release.numbers:
            versions.update(dict.fromkeys((one.module, *one.repositories), one))
    return versions
