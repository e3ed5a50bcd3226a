"""How far what an aspect needs is from the rule that carries it, as 4.2.3 counts: it is met behind
what the aspect is on."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli.entry import main

_RULES = """
def _nothing(target, ctx):
    return []

needing = aspect(implementation = _nothing, attrs = {"_tool": attr.label(default = "//p:tool")})

def _impl(ctx):
    pass

carrier = rule(
    implementation = _impl,
    attrs = {"deps": attr.label_list(aspects = [needing])},
)
plain = rule(implementation = _impl, attrs = {"deps": attr.label_list()})
"""
_BUILD = """
load(":rules.bzl", "carrier", "plain")
plain(name = "above", deps = [":top"])
carrier(name = "top", deps = [":middle"])
plain(name = "middle", deps = [":low"])
plain(name = "low")
plain(name = "tool", deps = [":below_tool"])
plain(name = "below_tool")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "p").mkdir()
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "p/rules.bzl").write_text(_RULES)
    (tmp_path / "p/BUILD").write_text(_BUILD)
    return tmp_path


@pytest.mark.parametrize(
    ("expression", "flags", "names"),
    [
        ("deps(//p:top, 1)", (), "top middle"),
        ("deps(//p:top, 2)", (), "top middle low tool"),
        ("deps(//p:top, 3)", (), "top middle low tool below_tool"),
        ("deps(//p:above, 2)", (), "above top middle"),
        ("deps(//p:above + //p:top, 2)", (), "above top middle low tool"),
        # What an earlier walk has met, stands in the graph that a later one goes by.
        ("deps(//p:top) ^ deps(//p:top, 1)", (), "top middle tool"),
        ("deps(//p:top, 1) ^ deps(//p:top)", (), "top middle"),
        ("rdeps(//p:above, //p:tool, 1)", (), "top tool"),
        ("deps(//p:top, 2)", ("--noimplicit_deps",), "top middle low"),
        (
            "deps(//p:top, 1)",
            ("--universe_scope=//p:top", "--order_output=no"),
            "top middle tool",
        ),
    ],
)
def test_steps(
    root: Path,
    capfd: pytest.CaptureFixture[str],
    expression: str,
    flags: tuple[str, ...],
    names: str,
) -> None:
    options = ["-w", str(root), "--bazel-version", "4.2.3", "--no-cache"]
    main(["query", *options, *flags, expression])
    assert set(capfd.readouterr().out.split()) == {f"//p:{name}" for name in names.split()}
