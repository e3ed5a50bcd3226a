"""What a pattern of many targets stands for in a build, and where packages are looked for."""

from __future__ import annotations

from pathlib import Path

from bazelscope.api import Workspace
from tests.support.files import write_files

_FILES = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3\n",
    "BUILD": """\
filegroup(name = "taken")
filegroup(name = "manual", tags = ["x", "manual"])
config_setting(name = "setting", values = {"define": "a=1"})
constraint_setting(name = "constraint")
constraint_value(name = "value", constraint_setting = ":constraint")
platform(name = "platform")
test_suite(name = "suite", tests = [])
""",
    "external/x/BUILD": 'filegroup(name = "x")\n',
    "b/external/y/BUILD": 'filegroup(name = "y")\n',
}


def test_manual_targets_and_settings_are_left_out_of_patterns(tmp_path: Path) -> None:
    """As `bazel build` leaves them out; named, they are built."""
    write_files(tmp_path, _FILES)
    opened = Workspace.open(tmp_path, host="linux")
    answer = opened.configure(["//:all", "//:manual"]).explain()
    assert [(one.pattern, one.targets) for one in answer.patterns] == [("//:all", 2)]
    assert [one.pattern for one in answer.targets] == ["//:manual"]


def test_a_folder_called_external_is_passed_over(tmp_path: Path) -> None:
    """Measured with 4.2.3, 2.1.0 and 0.24.1: `//...` passes it over, `//external/...` does not."""
    write_files(tmp_path, _FILES)
    asked = Workspace.open(tmp_path, host="linux").configure([])
    found = {str(one.label) for one in asked.query("//...").targets}
    assert "//b/external/y:y" in found and "//external/x:x" not in found
    below = {str(one.label) for one in asked.query("//external/...").targets}
    assert below == {"//external/x:x"}
