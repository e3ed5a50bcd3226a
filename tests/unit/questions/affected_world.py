"""A workspace in a git repository, edits of it, and what these affect."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bazelscope.api import Workspace
from bazelscope.questions.affected.answer import AffectedAnswer
from tests.support.files import write_files
from tests.support.repositories import Repository

FILES = {
    "WORKSPACE": 'local_repository(name = "r", path = "third/r")\n',
    ".bazelrc": "build --define=y=1\nbuild:x --define=x=1\n",
    ".gitignore": "*.ignored\n",
    "BUILD": "",
    "defs.bzl": """
load(":impl.bzl", "impl")
mine = rule(
    implementation = impl,
    attrs = {"srcs": attr.label_list(allow_files = True), "_tool": attr.label(default = "//t:t")},
)
def both(name, **kwargs):
    native.filegroup(name = name + "_1", **kwargs)
    native.filegroup(name = name + "_2", srcs = [name + "_1"])
""",
    "impl.bzl": """
ONE = 1
def unused():
    return 5
def other():
    return 0
def helper():
    return {other(): ONE, True: "workspace_name"}
def impl(ctx):
    helper()
""",
    "t/BUILD": 'filegroup(name = "t", srcs = ["t.txt"], visibility = ["//visibility:public"])',
    "t/t.txt": "",
    "p/BUILD": """
load("//:defs.bzl", "both", "mine")
config_setting(name = "x", values = {"define": "x=1"})
filegroup(
    name = "chosen",
    srcs = select({":x": ["x.txt"], "//conditions:default": ["y.txt"]}),
    tags = ["a"],
)
filegroup(name = "above", srcs = [":chosen"])
filegroup(name = "globbed", srcs = glob(["g/**"]))
sh_test(name = "test", srcs = ["test.sh"], data = [":above"])
filegroup(name = "far", srcs = ["@r//:f"])
mine(name = "mine")
both("m", srcs = ["m.txt"])
""",
    "p/x.txt": "",
    "p/y.txt": "",
    "p/test.sh": "",
    "p/g/one": "",
    "p/m.txt": "",
    "third/r/WORKSPACE": "",
    "third/r/BUILD": 'filegroup(name="f", srcs=["f.txt"], visibility=["//visibility:public"])',
    "third/r/f.txt": "",
}
ALL = {"above", "chosen", "far", "globbed", "m_1", "m_2", "mine", "t", "test", "x"}
X = ("--config=x",)


def affected(repository: Repository, *words: str, **options: str) -> AffectedAnswer:
    opened = Workspace.open(
        repository.root, bazel_version="4.2.3", cache_dir=repository.root.parent / "cache"
    )
    configured = opened.configure(words)
    answer = configured.affected(**options)
    configured.save()
    return answer


def names(answer: AffectedAnswer) -> set[str]:
    return {label.name for label in answer.labels}


def replace(path: str, old: str, new: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        text = (root / path).read_text()
        assert old in text
        (root / path).write_text(text.replace(old, new))

    return change


def write(path: str, text: str = "new") -> Callable[[Path], None]:
    return lambda root: write_files(root, {path: text})
