"""What repository rules do with files and the values that they are given, each the program of one
repository: the list that real Bazels are asked, too."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree

_PATCH = "--- {0}\n+++ {1}\n@@ -1,1 +1,1 @@\n-hello\n+patched\n"
_FILES = {
    "BUILD": "",
    "tpl/BUILD": 'exports_files(glob(["**"]))\n',
    "tpl/one.txt": "hello %{A} world\n",
    "tpl/sub/two.txt": "",
    "tpl/of_a.diff": _PATCH.format("a.txt", "a.txt"),
    "tpl/of_none.diff": _PATCH.format("none.txt", "none.txt"),
    "tpl/new.diff": "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+fresh\n",
    "tpl/gone.diff": "--- a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-hello\n",
}
_MEMBERS = (
    *("attr", "delete", "download", "download_and_extract", "execute", "extract", "file"),
    *("getenv", "name", "original_name", "os", "patch", "path", "read", "rename"),
    *("repo_metadata", "report_progress", "symlink", "template", "watch", "watch_tree", "which"),
    "workspace_root",
)
_ONE = 'Label("//tpl:one.txt")'

PROGRAMS = {
    "types": 'v += [type(ctx), type(ctx.os), type(ctx.attr), type(ctx.path("a"))]',
    "members": f"v += [n for n in {_MEMBERS} if hasattr(ctx, n)]",
    "members of os": 'v += [n for n in ("arch", "environ", "name") if hasattr(ctx.os, n)]',
    "members of paths": 'v += [hasattr(ctx.path("a"), "is_dir"), dir(ctx.path("a"))]',
    "no such attribute": "ctx.attr.nope",
    "a member of later": 'ctx.rename("a", "b")',
    "another type": 'v.append(1 + "a")',
    "no such index": "v.append([][1])",
    "no such method": 'v.append("".nope())',
    "a relative label": 'Label(":x")',
    "which of a path": 'ctx.which("a/b")',
    "a file in a file": 'ctx.file("d", "")\nctx.file("d/x", "")',
    "a file on a directory": 'ctx.file("d/x", "")\nctx.file("d", "")',
    "a file on an empty directory": 'ctx.file("d/x")\nctx.delete("d/x")\nctx.file("d", "y")',
    "a file again": 'ctx.file("d/x", "1")\nctx.file("d/x", "2")\nv.append(ctx.read("d/x"))',
    "out of the repository": 'ctx.file("../x", "")',
    "on the workspace": f'ctx.file({_ONE}, "")',
    "a template in a file": f'ctx.file("d", "")\nctx.template("d/x", {_ONE}, {{}})',
    "no template": 'ctx.template("x", "none", {})',
    "a directory for a template": 'ctx.file("d/x", "")\nctx.template("x", "d", {})',
    "a template": f'ctx.template("x", {_ONE}, {{"%{{A}}": "B"}})\nv.append(ctx.read("x"))',
    "nothing to read": 'v.append(ctx.read("none"))',
    "a directory to read": 'ctx.file("d/x", "")\nv.append(ctx.read("d"))',
    "a link on a file": f'ctx.file("x", "")\nctx.symlink({_ONE}, "x")',
    "a link on a directory": f'ctx.file("d/x", "")\nctx.symlink({_ONE}, "d")',
    "a link on a link": f'ctx.symlink({_ONE}, "x")\nctx.symlink({_ONE}, "x")',
    "a link on a link to nothing": 'ctx.symlink("a", "x")\nctx.symlink("b", "x")',
    "a link below a link": 'ctx.symlink("a", "d/x")\nctx.symlink("b", "d")',
    "a link to nothing": 'ctx.symlink("none", "x")\nv.append(ctx.path("x").exists)',
    "a link to later": 'ctx.symlink("a", "x")\nctx.file("a", "1")\nv.append(ctx.read("x"))',
    "a link to a directory": (
        'ctx.file("d/x", "1")\nctx.symlink("d", "e")\nv.append(ctx.read("e/x"))'
    ),
    "a link and a file after it": 'ctx.symlink("a", "x")\nctx.file("x", "1")',
    "a file through a link": 'ctx.file("d/x", "")\nctx.symlink("d", "e")\nctx.file("e/y", "")',
    "a link through a link": (
        f'ctx.file("d/x", "")\nctx.symlink("d", "e")\nctx.symlink({_ONE}, "e/y")'
    ),
    "what a link leads to": f'ctx.symlink({_ONE}, "x")\nv.append(ctx.path("x").realpath.basename)',
    "what leads nowhere": 'v.append(ctx.path("none").realpath.basename)',
    "names of a directory": (
        'ctx.file("d/x", "")\nctx.file("d/e/y", "")\n'
        'v += sorted([one.basename for one in ctx.path("d").readdir()])'
    ),
    "names of a file": 'ctx.file("d", "")\nctx.path("d").readdir()',
    "names of a file of the workspace": f"ctx.path({_ONE}).readdir()",
    "names of nothing": 'ctx.path("none").readdir()',
    "nothing is made yet": 'v.append(ctx.path(".").exists)',
    "what is deleted": (
        'ctx.file("d/x", "")\n'
        'v += [ctx.delete("d/x"), ctx.delete("d/x"), ctx.path("d").exists, ctx.delete("d")]'
    ),
    "everything is deleted": (
        'ctx.file("BUILD.bazel", "")\nctx.file("d/x", "")\nctx.delete(".")\nctx.file("d", "")'
    ),
    "a patch": 'ctx.file("a.txt", "1\\n2\\nhello\\n")\nctx.patch(Label("//tpl:of_a.diff"))\n'
    'v.append(ctx.read("a.txt"))',
    "a patch that fits nowhere": 'ctx.file("a.txt", "1\\n")\nctx.patch(Label("//tpl:of_a.diff"))',
    "a patch of no file": 'ctx.patch(Label("//tpl:of_none.diff"))',
    "a patch of a new file": 'ctx.patch(Label("//tpl:new.diff"), strip = 1)\n'
    'v.append(ctx.read("new.txt"))',
    "a patch that deletes": 'ctx.file("a.txt", "hello\\n")\nctx.patch(Label("//tpl:gone.diff"))',
    "a subpackage": 'ctx.file("d/BUILD", "")\nctx.file("d/x", "")\nctx.file("e/x", "")',
    "a linked subpackage": 'ctx.file("b", "")\nctx.symlink("b", "d/BUILD")\nctx.file("d/x", "")',
}
"""Bodies of implementation functions, by what they show; what they add to `v` is told."""


def files() -> dict[str, str]:
    """A workspace with a repository `@rN` for each of the programs, in their order."""
    workspace, written = "", dict(_FILES)
    for number, body in enumerate(PROGRAMS.values()):
        lines = "".join(f"    {line}\n" for line in body.split("\n"))
        target = (
            'filegroup(name = "ok", tags = [%r], srcs = glob(["**"], exclude = ["WORKSPACE"]))\\n'
        )
        written[f"defs/r{number}.bzl"] = (
            f"def _impl(ctx):\n    v = []\n{lines}    ctx.file(\"BUILD\", '{target}' % repr(v))\n"
            "rr = repository_rule(implementation = _impl)\n"
        )
        workspace += (
            f'load("//defs:r{number}.bzl", r{number} = "rr")\nr{number}(name = "r{number}")\n'
        )
    return {**written, "WORKSPACE": workspace, "defs/BUILD": ""}


QUESTION = " + ".join(f"@r{number}//:ok" for number in range(len(PROGRAMS)))
"""The expression of query that all of them answer."""


def told(xml: str) -> Mapping[str, str]:
    """What each program has added, and the files that it has made, by the `--output=xml` of
    `QUESTION`; those that are refused are not among them."""
    names = tuple(PROGRAMS)
    outcome = {}
    for rule in ElementTree.fromstring(xml).iter("rule"):
        name = names[int(rule.get("name", "").removeprefix("@r").partition("//")[0])]
        tag = rule.find("list[@name='tags']/string")
        labels = sorted(one.get("value", "") for one in rule.findall("list[@name='srcs']/label"))
        made = " ".join(label.partition("//:")[2] for label in labels)
        outcome[name] = f"{'' if tag is None else tag.get('value')} {made}"
    return outcome


def _members(names: str) -> str:
    shown = ", ".join(f'"{name}"' for name in names.split())
    return f"[{shown}] BUILD"


_IN_4 = {
    "types": '["repository_ctx", "repository_os", "struct", "path"] BUILD',
    "members": _members(
        "attr delete download download_and_extract execute extract file name os patch path read"
        " report_progress symlink template which"
    ),
    "members of os": '["environ", "name"] BUILD',
    "members of paths": (
        '[False, ["basename", "dirname", "exists", "get_child", "readdir", "realpath"]] BUILD'
    ),
    "a file on an empty directory": "[] BUILD d",
    "a file again": '["2"] BUILD d/x',
    "a template": '["hello B world\\n"] BUILD x',
    "a link to nothing": "[False] BUILD",
    "a link to later": '["1"] BUILD a x',
    "a link to a directory": '["1"] BUILD d/x e/x',
    "a link and a file after it": "[] BUILD x",
    "a file through a link": "[] BUILD d/x d/y e/x e/y",
    "a link through a link": "[] BUILD d/x d/y e/x e/y",
    "what a link leads to": '["one.txt"] BUILD x',
    "names of a directory": '["e", "x"] BUILD d/e/y d/x',
    "nothing is made yet": "[False] BUILD",
    "what is deleted": "[True, False, True, True] BUILD",
    "everything is deleted": "[] BUILD d",
    "a patch": '["1\\n2\\npatched\\n"] BUILD a.txt',
    "a patch of a new file": '["fresh\\n"] BUILD new.txt',
    "a patch that deletes": "[] BUILD",
    "a subpackage": "[] BUILD e/x",
    "a linked subpackage": "[] BUILD b",
}
MEASURED = {
    "4.2.3": _IN_4,
    "2.1.0": _IN_4,
    "0.24.1": {
        **{
            name: told
            for name, told in _IN_4.items()
            if name
            not in (
                "a file on an empty directory",
                "a file again",
                "a template",
                "a link to later",
                "a link to a directory",
                "what is deleted",
                "everything is deleted",
                "a patch",
                "a patch of a new file",
                "a patch that deletes",
            )
        },
        "members": _members(
            "attr download download_and_extract execute extract file name os path report_progress"
            " symlink template which"
        ),
    },
}
"""What is told of those that real Bazels do not refuse."""
