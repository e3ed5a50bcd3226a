"""Implementations that another process looks at first: the same is refused, in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.refusals import judged_ahead
from bazelscope.analysis.refusals.sound_ahead import SoundAhead, Told
from bazelscope.api import Workspace
from bazelscope.loading import evaluators
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    "defs.bzl": """
Made = provider()
def _made(ctx):
    out = ctx.actions.declare_file(ctx.attr.out or ctx.label.name + ".txt")
    ctx.actions.write(out, ctx.label.name)
    if ctx.attr.fails:
        fail("it ends here")
    return [DefaultInfo(files = depset([out])), Made()]
made = rule(_made, attrs = {
    "deps": attr.label_list(providers = [Made]),
    "fails": attr.bool(),
    "out": attr.string(),
})
def _turned(settings, attr):
    return {"//command_line_option:compilation_mode": "opt"}
_turns = transition(
    implementation = _turned,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)
def _turning(ctx):
    return []
turning = rule(_turning, attrs = {
    "deps": attr.label_list(cfg = _turns),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
})
""",
    "BUILD": """
load(":defs.bzl", "made", "turning")
made(name = "a", out = "same")
made(name = "b", deps = [":a"])
made(name = "sound", deps = [":b"])
made(name = "broken", deps = [":b"], fails = True)
made(name = "twin", deps = [":b"], out = "same")
made(name = "other", deps = [":b"], out = "own")
made(name = "other_twin", deps = [":other"], out = "own")
filegroup(name = "files", srcs = [":a"])
made(name = "untaken", deps = [":b", ":files"])
turning(name = "turning", deps = [":sound"])
genrule(name = "unexpanded", srcs = [":b"], outs = ["u"], cmd = "$(location :far)")
filegroup(name = "all", srcs = [
    ":sound", ":unexpanded", ":other_twin", ":broken", ":untaken", ":twin"])
""",
}


@pytest.mark.parametrize(
    ("target", "are_told_sound", "refused"),
    [
        ("sound", True, 0),
        ("broken", False, 1),
        ("twin", False, 1),
        ("untaken", False, 1),
        ("unexpanded", True, 1),
        ("turning", True, 0),
        ("all", True, 5),
    ],
)
def test_what_is_refused_is_what_one_process_finds(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
    are_told_sound: bool,
    refused: int,
) -> None:
    write_files(tmp_path, FILES)
    told: list[Told | None] = []

    def told_of(self: SoundAhead, node: ConfiguredNode) -> Told | None:
        told.append(of_one(self, node))
        return told[-1]

    of_one = SoundAhead.told_of
    monkeypatch.setattr(SoundAhead, "told_of", told_of)
    monkeypatch.setattr(judged_ahead, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(judged_ahead, "_TOGETHER", 2)
    found = []
    for cores in (1, 2):
        monkeypatch.setattr(evaluators, "cores", lambda cores=cores: cores)
        workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
        found.append(workspace.configure([]).refusals(f"//:{target}"))
        assert bool(told) == (cores == 2)
    assert found[0] == found[1]
    assert len(found[0]) == refused
    assert Told.SOUND in told and (None not in told) == are_told_sound
    assert (Told.ASKS in told) == (target == "turning")
