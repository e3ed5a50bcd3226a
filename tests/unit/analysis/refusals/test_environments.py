"""What is told of targets that are for other environments than what needs them, in the words of
4.2.3, 2.1.0 and 0.24.1; which are refused is in `tests/oracle/data/refused_environments.txt`."""

from __future__ import annotations

from pathlib import Path

from bazelscope.analysis.refusals.refusal import RefusalKind
from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.unit.analysis.refusals.closure_world import FAR, refused

_TWO = """
environment(name = "one")
environment(name = "two")
environment_group(name = "g", defaults = [":one"], environments = [":one", ":two"])
"""
_CHOOSES = (
    _TWO
    + """
filegroup(name = "of_one", restricted_to = [":one"])
filegroup(name = "of_two", restricted_to = [":two"])
filegroup(name = "mid", restricted_to = [":one", ":two"],
          srcs = select({":a": [":of_two"], "//conditions:default": [":of_one"]}))
"""
)

_BY_MID = (
    ("//:two is removed by //:mid, which has a select() that chooses //:of_one, which lacks it"),
    "BUILD:12:10",
)


def test_a_dependency_that_is_for_others(tmp_path: Path) -> None:
    build = (
        'filegroup(name = "d", restricted_to = [":two"])\nfilegroup(name = "top", srcs = [":d"])'
    )
    (one,) = refused(tmp_path, _TWO + build)
    assert one.kind is RefusalKind.ENVIRONMENT
    assert one.message == (
        "in filegroup rule //:top: dependency //:d doesn't support expected environment: //:one"
    )
    assert (str(one.target), one.attribute, str(one.location)) == ("//:top", "srcs", "BUILD:10:10")
    assert [(cause.text, str(cause.location)) for cause in one.causes] == [
        ("//:top names none of //:g, and is for its defaults: //:one", "BUILD:8:18"),
        ("//:d is for //:two of //:g", "BUILD:9:10"),
    ]
    assert one.remedy == "let //:d be for //:one, or //:top for less (`restricted_to`)"


def test_branches_that_leave_nothing(tmp_path: Path) -> None:
    build = _CHOOSES + 'filegroup(name = "top", srcs = [":mid"], restricted_to = [":two"])\n'
    (one,) = refused(tmp_path, build)
    assert one.message == (
        "in filegroup rule //:top: the current command line flags disqualify all supported"
        " environments because of incompatible select() paths"
    )
    assert [(cause.text, str(cause.location)) for cause in one.causes] == [_BY_MID]
    assert not refused(tmp_path, build, "--define=a=1")


def test_what_flags_want(tmp_path: Path) -> None:
    build = (
        _CHOOSES + 'filegroup(name = "top", srcs = [":mid"], restricted_to = [":one", ":two"])\n'
    )
    (one,) = refused(tmp_path, build, "--target_environment=//:two")
    assert one.message == (
        "This is a restricted-environment build. //:top does not support: //:two"
    )
    assert [cause.text for cause in one.causes] == [
        "//:top is for //:one, //:two of //:g",
        _BY_MID[0],
    ]
    assert not refused(tmp_path, build, "--target_environment=//:one")
    (one,) = refused(tmp_path, build, "--target_environment=two")
    assert one.message.startswith("invalid target environment: no such package 'two'")
    assert not refused(tmp_path, build, "--target_environment=//:two", "--noenforce_constraints")


def test_groups_that_nobody_can_tell(tmp_path: Path) -> None:
    """Of environments in repositories that are not there nothing is refused, and they are told to
    be unknown."""
    build = """
filegroup(name = "d", restricted_to = ["@far//:one"])
filegroup(name = "top", srcs = [":d"], restricted_to = ["@far//:two"])
"""
    assert not refused(tmp_path, build, workspace=FAR)
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    asked = workspace.configure([])
    assert asked.deps("//:top", configured=True).envelope.completeness.unknown_targets
    assert not workspace.configure(["--target_environment=@far//:x"]).refusals("//:top")


def test_one_target_on_the_way(tmp_path: Path) -> None:
    """Whoever looks at single targets sees what these are refused for."""
    build = _CHOOSES + 'filegroup(name = "top", srcs = [":mid"], restricted_to = [":two"])\n'
    write_files(
        tmp_path,
        {"WORKSPACE": "", "BUILD": 'config_setting(name = "a", values = {"cpu": "x"})' + build},
    )
    asked = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux").configure([])
    (one,) = asked.path("//:top", "//:mid", configured=True).envelope.refusals
    assert one.kind is RefusalKind.ENVIRONMENT


def test_the_same_when_asked_again(tmp_path: Path) -> None:
    """What an earlier run has kept of a package says which of its targets name environments."""
    build = (
        'filegroup(name = "d", restricted_to = [":two"])\nfilegroup(name = "top", srcs = [":d"])'
    )
    first = refused(tmp_path, _TWO + build)
    (tmp_path / "lib" / "BUILD").write_text("")
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    assert workspace.configure([]).refusals("//:top") == first
