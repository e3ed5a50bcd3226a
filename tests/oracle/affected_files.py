"""A workspace in which much hangs on where files lie: links, globs, folders that may become
packages, files that shadow others, repositories of this machine, chains of rc files. With one
edit of each kind."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.oracle import affected_rules
from tests.support.files import write_files

_SEEN = 'package(default_visibility = ["//visibility:public"])\n'
_REPOSITORY = """
def _impl(ctx):
    ctx.template("BUILD", ctx.attr.template, {"@NAME@": ctx.attr.word})
    ctx.symlink(ctx.path(ctx.attr.names), "names.bzl")
made = repository_rule(_impl, attrs = {
    "template": attr.label(), "names": attr.label(), "word": attr.string(),
})
"""
_TOOLCHAINS = """
def _chain_impl(ctx):
    return [platform_common.ToolchainInfo(word = ctx.attr.word)]
chain = rule(_chain_impl, attrs = {"word": attr.string()})
def _tooled_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".tooled")
    ctx.actions.write(out, ctx.toolchains["//tc:type"].word)
    return [DefaultInfo(files = depset([out]))]
tooled = rule(_tooled_impl, toolchains = ["//tc:type"])
"""
_WORKSPACE = """
local_repository(name = "ext", path = "third/ext")
new_local_repository(name = "newly", path = "third/newly", build_file = "//:newly.BUILD")
load("//tc:repository.bzl", "made")
made(name = "made", template = "//plain:made.tpl", names = "//plain:names.bzl", word = "w")
register_toolchains("//tc:first", "//tc:second")
bind(name = "bound", actual = "//plain:one.txt")
"""
_FILES = {
    "BUILD": "",
    "WORKSPACE": _WORKSPACE,
    ".bazelignore": "ignored\n",
    ".bazelrc": "import %workspace%/rc/first.bazelrc\ntry-import %workspace%/rc/maybe.bazelrc\n",
    "rc/first.bazelrc": "import %workspace%/rc/second.bazelrc\nbuild --define=y=1\n",
    "rc/second.bazelrc": "build --define=deep=1\nbuild:c --define=on=1\n",
    "rc/status.sh": "echo X 1\n",
    "ignored/BUILD": f'{_SEEN}filegroup(name = "i", srcs = ["i.txt"])\n',
    "ignored/i.txt": "",
    "newly.BUILD": f'{_SEEN}filegroup(name = "n", srcs = ["n.txt"])\n',
    "third/newly/n.txt": "",
    "third/newly/m.txt": "",
    "third/newly/sub/BUILD": f'{_SEEN}filegroup(name = "s", srcs = glob(["*.txt"]))\n',
    "third/newly/sub/s.txt": "",
    "plain/BUILD": f'{_SEEN}exports_files(["one.txt", "two.txt", "made.tpl", "names.bzl"])\n',
    "plain/one.txt": "one",
    "plain/two.txt": "two",
    "plain/names.bzl": 'NAMES = ["a", "b"]\n',
    "plain/made.tpl": 'load(":names.bzl", "NAMES")\npackage(default_visibility = '
    '["//visibility:public"])\n[genrule(name = "@NAME@" + n, outs = [n + ".out"], '
    'cmd = "echo @NAME@ > $@") for n in NAMES]\n',
    "tc/BUILD": f"""{_SEEN}
load(":tc.bzl", "chain")
toolchain_type(name = "type")
constraint_setting(name = "size", default_constraint_value = ":large")
constraint_value(name = "large", constraint_setting = ":size")
constraint_value(name = "small", constraint_setting = ":size")
platform(name = "tiny", constraint_values = [":small"], parents = ["@local_config_platform//:host"])
chain(name = "first_impl", word = "first")
chain(name = "second_impl", word = "second")
toolchain(name = "first", toolchain = ":first_impl", toolchain_type = ":type",
          target_compatible_with = [":small"])
toolchain(name = "second", toolchain = ":second_impl", toolchain_type = ":type")
""",
    "tc/tc.bzl": _TOOLCHAINS,
    "tc/repository.bzl": _REPOSITORY,
    "f/names.bzl": 'WORD = "word"\n',
    "f/BUILD": f"""{_SEEN}
load(":names.bzl", "WORD")
load("//tc:tc.bzl", "tooled")
config_setting(name = "deep", define_values = {{"deep": "2"}})
filegroup(name = "globbed", srcs = glob(["data/**"]))
genrule(name = "listed", srcs = glob(["data/*.txt"]), outs = ["listed.out"], cmd = "x > $@" + WORD)
genrule(name = "linked", srcs = ["link.txt"], outs = ["linked.out"], cmd = "cat $< > $@")
filegroup(name = "through_folder", srcs = glob(["folder/*.txt"]))
filegroup(name = "far", srcs = ["@ext//:e"])
filegroup(name = "newly", srcs = ["@newly//:n"])
filegroup(name = "newly_below", srcs = ["@newly//sub:s"])
filegroup(name = "made", srcs = ["@made//:wa"])
genrule(name = "bound", srcs = ["//external:bound"], outs = ["bound.out"], cmd = "cat $< > $@")
filegroup(name = "by_flag", srcs = select({{":deep": ["link.txt"], "//conditions:default": []}}))
filegroup(name = "by_platform", srcs = select(
    {{"//tc:small": ["link.txt"], "//conditions:default": []}}))
filegroup(name = "other_package", srcs = ["//plain:two.txt"])
sh_binary(name = "program", srcs = ["program.sh"], data = [":globbed"])
sh_test(name = "tried_test", srcs = ["program.sh"], size = "small")
test_suite(name = "suite", tags = ["-slow"])
alias(name = "alias", actual = ":listed")
tooled(name = "tooled")
""",
    "f/program.sh": "",
    "f/data/one.txt": "",
    "f/data/sub/two.txt": "",
    "f/data/sub/three.txt": "",
}


def write(root: Path) -> tuple[str, ...]:
    """Writes the workspace beside a small one of many rules. Returns the flags that put stubs
    where Bazel would fetch."""
    flags = affected_rules.write(root, 1, packages=1, targets=3)
    write_files(root, _FILES)
    (root / "f/link.txt").symlink_to("../plain/one.txt")
    (root / "f/folder").symlink_to("data/sub")
    (root / "f/program.sh").chmod(0o755)
    return flags


def _text(path: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(root: Path) -> None:
        text = (root / path).read_text()
        assert old in text, path
        (root / path).write_text(text.replace(old, new))

    return edit


def _new(path: str, text: str = "") -> Callable[[Path], None]:
    return lambda root: write_files(root, {path: text})


def _gone(path: str) -> Callable[[Path], None]:
    return lambda root: (root / path).unlink()


def _renamed(old: str, new: str) -> Callable[[Path], None]:
    def edit(root: Path) -> None:
        (root / old).rename(root / new)

    return edit


def _link(path: str, to: str) -> Callable[[Path], None]:
    def edit(root: Path) -> None:
        if (root / path).is_dir() and not (root / path).is_symlink():
            shutil.rmtree(root / path)
        else:
            (root / path).unlink(missing_ok=True)
        (root / path).symlink_to(to)

    return edit


def _folder_for_file(root: Path) -> None:
    (root / "f/data/one.txt").unlink()
    write_files(root, {"f/data/one.txt/x": ""})


def _file_for_link(root: Path) -> None:
    (root / "f/link.txt").unlink()
    write_files(root, {"f/link.txt": "one"})


def _module_renamed(root: Path) -> None:
    (root / "f/names.bzl").rename(root / "f/other.bzl")
    _text("f/BUILD", ":names.bzl", ":other.bzl")(root)


EDITS: dict[str, Callable[[Path], None]] = {
    "an rc file that an imported one imports": _text("rc/second.bazelrc", "deep=1", "deep=2"),
    "a config in it that nobody asks for": _text("rc/second.bazelrc", "on=1", "on=2"),
    "an rc file that only try-import names": _new("rc/maybe.bazelrc", "build --define=deep=2\n"),
    "the same, of a command that does not build": _new("rc/maybe.bazelrc", "run --define=deep=2\n"),
    "a platform in an rc file": _new("rc/maybe.bazelrc", "build --platforms=//tc:tiny\n"),
    "a status command: a comment": _new(
        "rc/maybe.bazelrc", "build --workspace_status_command=rc/status.sh\n"
    ),
    "what that would print: a comment": _text("rc/status.sh", "1", "2"),
    ".bazelignore names a package": _text(".bazelignore", "ignored", "ignored\nplain"),
    ".bazelignore names no folder": _text(".bazelignore", "ignored", ""),
    ".bazelignore is gone": _gone(".bazelignore"),
    "a comment in .bazelignore": _text(".bazelignore", "ignored", "# why\nignored"),
    "a folder that globs see becomes a package": _new("f/data/sub/BUILD"),
    "the same by BUILD.bazel": _new("f/data/sub/BUILD.bazel", "exports_files(['two.txt'])"),
    "that folder becomes a link": _link("f/data/sub", "../../plain"),
    "that folder has another name": _renamed("f/data/sub", "f/data/sub2"),
    "a file in it has another name": _renamed("f/data/sub/two.txt", "f/data/sub/a.txt"),
    "a file that globs see becomes a folder": _folder_for_file,
    "a link that leads nowhere": _link("f/data/dangling.txt", "nowhere"),
    "a link to a file that globs see": _link("f/data/again.txt", "one.txt"),
    "a link leads elsewhere": _link("f/link.txt", "../plain/two.txt"),
    "a link leads nowhere any more": _link("f/link.txt", "nowhere"),
    "a link becomes a file of that content": _file_for_link,
    "what a link leads to": _text("plain/one.txt", "one", "other"),
    "a link to a folder leads elsewhere": _link("f/folder", "data"),
    "a file behind a link to its folder": _text("f/data/sub/three.txt", "", "three"),
    "a file becomes a link to the same content": _link("f/data/sub/two.txt", "three.txt"),
    "BUILD.bazel comes beside BUILD": _new(
        "plain/BUILD.bazel", f'{_SEEN}exports_files(["one.txt", "made.tpl", "names.bzl"])\n'
    ),
    "BUILD has the name BUILD.bazel: a comment": _renamed("f/BUILD", "f/BUILD.bazel"),
    "a BUILD file is gone": _gone("plain/BUILD"),
    "a BUILD file is empty": _new("plain/BUILD"),
    "WORKSPACE.bazel comes beside WORKSPACE": _new(
        "WORKSPACE.bazel", _WORKSPACE.replace("plain:one", "plain:two")
    ),
    "WORKSPACE has the name WORKSPACE.bazel: a comment": _renamed("WORKSPACE", "WORKSPACE.bazel"),
    "a file of a local repository": _new("third/ext/e.txt", "edited"),
    "a BUILD file of one": _text("third/ext/BUILD", '"e.txt"', '"e.txt", "BUILD"'),
    "BUILD.bazel comes there": _new("third/ext/BUILD.bazel", f'{_SEEN}filegroup(name = "e")\n'),
    "a local repository lies elsewhere": _text("WORKSPACE", '"third/ext"', '"third/newly/sub"'),
    "the BUILD file laid over one": _text("newly.BUILD", "n.txt", "m.txt"),
    "a file below it": _new("third/newly/n.txt", "edited"),
    "a file below it that nobody names": _new("third/newly/m.txt", "edited"),
    "a package below it gets a file": _new("third/newly/sub/more.txt"),
    "the template of a repository": _text("plain/made.tpl", "echo", "printf"),
    "a file that a repository links to": _text("plain/names.bzl", '"b"', '"b", "c"'),
    "a word of its definition": _text("WORKSPACE", 'word = "w"', 'word = "w", names2 = None'),
    "the word of the toolchain in force": _text("tc/BUILD", 'word = "second"', 'word = "other"'),
    "the word of the other toolchain": _text("tc/BUILD", 'word = "first"', 'word = "other"'),
    "which constraint a toolchain asks for": _text(
        "tc/BUILD", 'target_compatible_with = [":small"]', 'target_compatible_with = [":large"]'
    ),
    "the default of a constraint": _text("tc/BUILD", '":large")\n', '":small")\n'),
    "toolchains in another order": _text(
        "WORKSPACE", '"//tc:first", "//tc:second"', '"//tc:second", "//tc:first"'
    ),
    "what is bound": _text("WORKSPACE", "plain:one", "plain:two"),
    "a .bzl file has another name: a comment": _module_renamed,
    "a .bzl file is gone": _gone("f/names.bzl"),
    "a value of it": _text("f/names.bzl", '"word"', '"other"'),
    "the mode of a program: a comment": lambda root: (root / "f/program.sh").chmod(0o644),
    "the tags of a test": _text("f/BUILD", 'size = "small"', 'size = "small", tags = ["slow"]'),
    "what an alias stands for": _text("f/BUILD", 'actual = ":listed"', 'actual = ":linked"'),
    "features of a package": _text("plain/BUILD", "package(", 'package(features = ["x"], '),
    "the default of a visibility": _text("f/BUILD", "//visibility:public", "//visibility:private"),
}
"""By what it is."""


def _copied(old: str, new: str) -> Callable[[Path], None]:
    return lambda root: write_files(
        root, {f"{new}/{one.name}": one.read_text() for one in (root / old).iterdir()}
    )


def _all(*edits: Callable[[Path], None]) -> Callable[[Path], None]:
    def edit(root: Path) -> None:
        for one in edits:
            one(root)

    return edit


_RC, _IGNORED = ".bazelrc", ".bazelignore"
_GLOBBED = 'glob(["data/**"])'
_CUT = f'{_SEEN}filegroup(name = "cut", srcs = glob(["*.txt"]))'
_IMPORTS = "try-import %workspace%/rc/maybe.bazelrc\n"
_PRELUDE = {
    "tools/build_rules/BUILD": "",
    "tools/build_rules/prelude_bazel": 'load("//f:names.bzl", PRELUDED = "WORD")\n',
}
_MAPPING = "platforms:\n  //tc:tiny\n    --define=deep=2\n"

TOGETHER: dict[str, Callable[[Path], None]] = {
    "an rc file asks for a branch whose file has another name": _all(
        _text("rc/second.bazelrc", "deep=1", "deep=2"),
        _text("f/BUILD", '":deep": ["link.txt"]', '":deep": ["program.sh"]'),
    ),
    "an rc file asks for a branch that is made the same: all, by the configuration": _all(
        _text("rc/second.bazelrc", "deep=1", "deep=2"),
        _text("f/BUILD", '":deep": ["link.txt"]', '":deep": []'),
    ),
    "a setting and the line that it asks for change alike": _all(
        _text("rc/second.bazelrc", "deep=1", "deep=3"),
        _text("f/BUILD", '{"deep": "2"}', '{"deep": "3"}'),
    ),
    "a value in a .bzl file and the word that it is joined to": _all(
        _text("f/names.bzl", '"word"', '"wor"'),
        _text("f/BUILD", '"x > $@" + WORD', '"x > $@" + WORD + "d"'),
    ),
    "a folder becomes a package that its parent names": _all(
        _new("f/data/sub/BUILD", _CUT),
        _text("f/BUILD", _GLOBBED, f'{_GLOBBED} + ["//f/data/sub:cut"]'),
    ),
    "a folder becomes a package, and its file lies elsewhere": _all(
        _new("f/data/sub/BUILD", _CUT), _renamed("f/data/sub/two.txt", "f/data/two.txt")
    ),
    "a folder becomes a package that is ignored": _all(
        _new("f/data/sub/BUILD", _CUT), _text(_IGNORED, "ignored", "ignored\nf/data/sub")
    ),
    "a folder becomes a package that a flag deletes": _all(
        _new("f/data/sub/BUILD", _CUT), _text(_RC, _IMPORTS, "common --deleted_packages=f/data/sub")
    ),
    "a flag deletes a package that nobody names: a comment": _text(
        _RC, _IMPORTS, "build --deleted_packages=ignored"
    ),
    "a file goes to another package, and its users follow": _all(
        _renamed("plain/two.txt", "f/two.txt"),
        _text("plain/BUILD", '"two.txt", ', ""),
        _text("f/BUILD", '"//plain:two.txt"', '"two.txt"'),
    ),
    "two files change places": _all(
        _renamed("plain/one.txt", "plain/other.txt"),
        _renamed("plain/two.txt", "plain/one.txt"),
        _renamed("plain/other.txt", "plain/two.txt"),
    ),
    "a link and what it leads to change places": _all(
        _link("f/data/one.txt", "three.txt"), _new("f/data/three.txt", "")
    ),
    "a config is written, and asked for": _all(
        _text("rc/second.bazelrc", "on=1", "deep=2"), _text(_RC, _IMPORTS, "build --config=c\n")
    ),
    "a line moves to a file that is imported: a comment": _all(
        _text("rc/first.bazelrc", "build --define=y=1\n", ""),
        _new("rc/maybe.bazelrc", "build --define=y=1\n"),
    ),
    "an rc file has another name, and is imported by it: a comment": _all(
        _renamed("rc/second.bazelrc", "rc/third.bazelrc"),
        _text("rc/first.bazelrc", "rc/second", "rc/third"),
    ),
    "a platform and what its mapping says": _all(
        _new("platform_mappings", _MAPPING),
        _new("rc/maybe.bazelrc", "build --platforms=//tc:tiny\n"),
    ),
    "a mapping of a platform that nobody asks for: a comment": _new("platform_mappings", _MAPPING),
    "WORKSPACE.bazel takes the place of WORKSPACE, and a repository lies elsewhere": _all(
        _renamed("WORKSPACE", "WORKSPACE.bazel"),
        _text("WORKSPACE.bazel", "plain:one", "plain:two"),
    ),
    "a repository lies elsewhere that holds the same": _all(
        _copied("third/ext", "third/copy"),
        _text("WORKSPACE", '"third/ext"', '"third/copy"'),
    ),
    "the BUILD file laid over a repository has another name": _all(
        _renamed("newly.BUILD", "laid.BUILD"), _text("WORKSPACE", "newly.BUILD", "laid.BUILD")
    ),
    "a prelude that nobody needs": lambda root: write_files(root, _PRELUDE),
    "a prelude whose name a BUILD file takes": _all(
        lambda root: write_files(root, _PRELUDE),
        _text("f/BUILD", '"x > $@" + W', '"x" + PRELUDED + W'),
    ),
    "a package is gone, and its users with it": _all(
        lambda root: shutil.rmtree(root / "ignored"), _text(_IGNORED, "ignored", "")
    ),
    "a toolchain is registered by a flag, with another word": _all(
        _text("WORKSPACE", "register_toolchains(", "# register_toolchains("),
        _text("tc/BUILD", 'word = "second"', 'word = "other"'),
        _text(_RC, _IMPORTS, "build --extra_toolchains=//tc:second\n"),
    ),
    "what a macro of a repository makes, and who names it": _all(
        _text("plain/names.bzl", '"a", "b"', '"b", "c"'),
        _text("f/BUILD", "@made//:wa", "@made//:wc"),
    ),
    "an alias and its target change names": _all(
        _text(
            "f/BUILD",
            'alias(name = "alias", actual = ":listed"',
            'alias(name = "alias", actual = ":l2"',
        ),
        _text("f/BUILD", 'genrule(name = "listed"', 'genrule(name = "l2"'),
    ),
    "features of a package, and a BUILD file of another name": _all(
        _text("plain/BUILD", "package(", 'package(features = ["x"], '),
        _renamed("plain/BUILD", "plain/BUILD.bazel"),
    ),
    "a program can be run no more, and holds another text": _all(
        _new("f/program.sh", "echo"), lambda root: (root / "f/program.sh").chmod(0o644)
    ),
}
"""Several edits at once, by what they come to."""
