"""Repository rules run dry do with files what they do in real Bazels, or are refused as there."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.targets import NoSuchPackage
from tests.support import repository_programs as measured
from tests.support.files import write_files
from tests.unit.loading.repositories.workspaces import Options, evaluate, lay_out, rule, text_of


@pytest.mark.parametrize("version", measured.MEASURED)
def test_programs_do_what_they_do_in_bazel(version: str, tmp_path: Path) -> None:
    write_files(tmp_path, measured.files())
    configured = Workspace.open(tmp_path, bazel_version=version).configure([])
    told = {}
    for number, name in enumerate(measured.PROGRAMS):
        package = configured.loader.package(PackageId(f"r{number}", ""))
        if isinstance(package, NoSuchPackage):
            continue
        attributes = package.targets["ok"].attributes
        made = " ".join(label.name for label in attributes["srcs"].value)
        told[name] = f"{attributes['tags'].value[0]} {made}"
    assert told == measured.MEASURED[version]


_WATCHED = {"getenv", "watch", "watch_tree"}
_LATEST = {"original_name", "rename", "repo_metadata"}
_LATER = ("arch", "delete", "patch", "read", "workspace_root", *_WATCHED, *_LATEST)


@pytest.mark.parametrize(
    ("version", "lacking"),
    [
        ("5.0.0", {"arch", "workspace_root", *_WATCHED, *_LATEST}),
        ("5.1.0", {"workspace_root", *_WATCHED, *_LATEST}),
        ("6.0.0", {*_WATCHED, *_LATEST}),
        ("7.1.0", _LATEST),
        ("7.7.0", {"rename", "repo_metadata"}),
        ("8.0.0", {"original_name", "repo_metadata"}),
        ("8.3.0", set[str]()),
    ],
)
def test_members_are_those_of_the_release(version: str, lacking: set[str], tmp_path: Path) -> None:
    """By what is documented of each release."""
    asked = f"[one for one in {_LATER} if not hasattr(ctx, one) and not hasattr(ctx.os, one)]"
    files = lay_out(tmp_path, rule(f'ctx.file("BUILD", "# " + " ".join({asked}))'))
    table = evaluate(files, Options(bazel_version=version, enable_workspace=True))
    assert set(text_of(table, "r", "BUILD").split()[1:]) == lacking


@pytest.mark.parametrize(
    ("body", "is_refused"),
    [
        ("v = [][1]", True),
        ('v = ctx.execute(["true"]).stdout\nv = [][1]', False),
        ('v = ctx.read("/etc/none")\nv = [][1]', False),
        ('if ctx.which("cc"):\n    v = [][1]', False),
        ('v = ctx.os.environ.get("NONE")\nv = [][1]', True),
        ("ctx.never_heard_of()", False),
    ],
)
def test_nothing_unknown_leads_to_a_refusal(body: str, is_refused: bool, tmp_path: Path) -> None:
    failure = evaluate(lay_out(tmp_path, rule(body))).failure_of("r")
    assert (failure is not None) is is_refused, failure


def test_a_label_twice_in_a_list_is_refused(tmp_path: Path) -> None:
    """Measured: 0.24.1, 2.1.0, 4.2.3."""
    files = rule('ctx.file("BUILD", "")', '{"l": attr.label_list()}')
    files["WORKSPACE"] = files["WORKSPACE"].replace('"r"', '"r", l = ["//:x", "@//:x"]')
    write_files(tmp_path, files)
    configured = Workspace.open(tmp_path, bazel_version="4.2.3").configure([])
    (refusal, *_) = configured.refusals("@r//:BUILD")
    assert "Label '//:x' is duplicated in the 'l' attribute of rule 'r'" in refusal.message


@pytest.mark.parametrize(
    "body",
    [
        'for i in range(15000): ctx.symlink("%d" % (i + 1), "%d" % i)\nctx.path("0").exists',
        'ctx.file("a", "x\\n" * 400000)\nctx.patch(Label("//:p"))',
        'ctx.file("d/x")\nfor i in range(90000): ctx.symlink("d", "e%d" % i)',
        'for i in range(9000):\n    ctx.file("%d/x" % i)\n    ctx.symlink("%d" % i, "l%d" % i)',
        'ctx.file("/".join(["a"] * 200000), "")',
    ],
)
def test_hostile_programs_end(body: str, tmp_path: Path) -> None:
    patch = "--- a\n+++ a\n@@ -1,2001 +1,1 @@\n" + "-x\n" * 2000 + "-y\n+z\n"
    begun = time.process_time()
    evaluate(lay_out(tmp_path, {**rule(f'{body}\nctx.file("BUILD")'), "p": patch}))
    assert time.process_time() - begun < 15
