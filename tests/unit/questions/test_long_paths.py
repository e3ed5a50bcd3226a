"""A path of many steps fits a screen: what hangs on no flag is folded, what does is told."""

from __future__ import annotations

from pathlib import Path

from bazelscope.api import Workspace
from bazelscope.questions.path.text import path_document
from bazelscope.render.console import to_text

_STEPS = 60
_CONDITIONAL = 30


def _workspace(root: Path) -> Workspace:
    """A chain of libraries; one of its edges hangs on a define."""
    (root / "WORKSPACE").write_text("")
    (root / ".bazelversion").write_text("4.2.3\n")
    texts = ['config_setting(name = "on", define_values = {"on": "1"})\n']
    for number in range(_STEPS):
        deps = f'[":a_library_with_a_name_of_its_own_{number + 1}"]'
        if number == _CONDITIONAL:
            deps = f'select({{":on": {deps}, "//conditions:default": []}})'
        deps = deps if number < _STEPS - 1 else "[]"
        name = f"a_library_with_a_name_of_its_own_{number}"
        texts.append(f'cc_library(name = "{name}", deps = {deps})\n')
    folder = root / "a_folder_with_a_name_as_long_as_some_are"
    folder.mkdir()
    (folder / "BUILD").write_text("".join(texts))
    return Workspace.open(root, host="linux")


def test_steps_that_hang_on_no_flag_are_folded(tmp_path: Path) -> None:
    ends = [f"//...:a_library_with_a_name_of_its_own_{n}" for n in (0, _STEPS - 1)]
    ends = [one.replace("...", "a_folder_with_a_name_as_long_as_some_are") for one in ends]
    answer = _workspace(tmp_path).configure([]).path(*ends)
    lines = to_text(path_document(answer), 100).splitlines()
    assert len(lines) <= 40
    assert [line.strip() for line in lines if "more steps" in line] == [
        f"{_CONDITIONAL - 1} more steps, whatever the flags (--full)",
        f"{_STEPS - _CONDITIONAL - 2} more steps, whatever the flags (--full)",
    ]
    told = "\n".join(lines)
    assert "if //a_folder_with_a_name_as_long_as_some_are:on  --define=on=1" in told
    assert f"own_{_CONDITIONAL}  deps" in told and ends[0] in told and ends[1] in told
    whole = to_text(path_document(answer, full=True), 100)
    assert all(f"its_own_{number}" in whole for number in range(_STEPS))


def test_beside_what_bazel_refuses_the_steps_of_a_cut_path_are_counted(tmp_path: Path) -> None:
    ends = [f"//a_folder_with_a_name_as_long_as_some_are:a_library_with_a_name_of_its_own_{n}"
            for n in (0, _STEPS - 1)]  # fmt: skip
    answer = _workspace(tmp_path).configure(["--define=on=0"]).path(*ends)
    shown = to_text(path_document(answer, around=10), 100)
    assert "The path that is cut\n" in shown
    brief = to_text(path_document(answer, around=25), 100)
    assert f"The path that is cut has {_STEPS - 1} steps (--full)" in brief
    assert len(brief.splitlines()) <= 40 - 25
