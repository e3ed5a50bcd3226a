"""Where `query` says that targets are, what `attr()` finds of visibility, which directories a
pattern goes into, and which calls are refused: all of it differs between three Bazels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = pytest.mark.oracle

_NO_LINKS = "DONT_FOLLOW_SYMLINKS_WHEN_TRAVERSING_THIS_DIRECTORY_VIA_A_RECURSIVE_TARGET_PATTERN"
_FILES = {
    "WORKSPACE": 'bind(name = "bound", actual = "//p:direct")\n',
    "p/d.bzl": """
def _impl(ctx):
    return []
r = rule(implementation = _impl, attrs = {"deps": attr.label_list()})
def m(name, **kw):
    r(name = name, **kw)
def mm(name, **kw):
    if True:
        m(name = name, **kw)
s = struct(m = m, d = {"k": m})
""",
    "p/BUILD": """
load(":d.bzl", "m", "mm", "r", "s")
r(name = "direct", deps = [":b"])
m(name = "b", visibility = ["//x:__pkg__", "//x:__pkg__"])
mm(
    name = "across")
[filegroup(name = "x" + i) for i in "ab".elems()]
[  m(name = "y" + i) for i in "ab".elems()]
s . m ( name = "dot")
s.d["k"](name = "sub")
alias(name = "file", actual = "f.txt", visibility = ["//x:__pkg__", "//x:g", "//x:__pkg__"])
exports_files(["f.txt"])
X = filegroup(name = "assigned")
genrule(
    name = "g", outs = ["o"], cmd = "", visibility = ["//visibility:private"])
Y = [mm(name = "i"), m(
    name = "j")]
""",
    "p/f.txt": "",
    "x/BUILD": """
package(default_visibility = ["//p:__pkg__"])
package_group(name = "g", packages = ["//..."])
[package_group(name = "h" + i, packages = ["//..."]) for i in ["1"]]
filegroup(name = "of_package")
filegroup(name = "private", visibility = ["//visibility:private"])
filegroup(name = "public", visibility = ["//visibility:public"])
filegroup(name = "empty", visibility = [])
""",
    **{f"{name}/BUILD": 'filegroup(name = "t")\n' for name in ("l", "l/in", "real", "real/sub")},
    f"l/{_NO_LINKS}": "",
    "stars/BUILD": 'K = {}\nfilegroup(name = "k", **K)\nfilegroup(name = "after")\n',
}
_FORMS = (
    ("//p:* + //x:*", "--output=location"),
    ("//p:* + //x:*", "--output=xml"),
    ("//p:all + //x:all", "--output=build"),
    ("//external:bound", "--output=proto"),
    ("//p:file", "--output=proto"),
    ("//external:bound", "--output=xml", "--xml:default_values"),
    ("//p:all", "--output=location", "--relative_locations"),
    *((f'attr(visibility, "{text}", //p:all + //x:all)',) for text in (r"^\[\]$", "private", "p")),
    ("//l/...",),
    ("//stars:all",),
)


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_the_same_is_printed(
    version: str,
    warm_root: Path,
    bazel: Callable[[str], Bazel],
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    write_files(warm_root, _FILES)
    (warm_root / "l/link").symlink_to("../real")
    (warm_root / "l/in/link").symlink_to("../../real")
    real = bazel(version)
    for expression, *flags in _FORMS:
        theirs = real.run(warm_root, "query", "--noshow_progress", *flags, expression)
        ours = ["-w", str(warm_root), "--bazel-version", version, "--no-cache"]
        code = main(["query", *ours, *flags, expression])
        mine = capfdbinary.readouterr().out.decode("utf-8", "surrogateescape")
        assert (mine, code) == (theirs.stdout, theirs.exit_code), expression
