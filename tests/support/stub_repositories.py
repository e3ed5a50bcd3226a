"""External repositories for a real tree, written from the labels and loads that the tree names.

No archive of a large tree can be had offline. What Bazel needs of them to load the tree's own
packages is little: the `.bzl` symbols that the tree loads, and targets under the labels that
it names. Both are read off the tree's text; what that cannot tell (the kind of a target, a
`.bzl` file whose functions must compute something) the caller says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.files import write_files

_BUILD_FILES = ("BUILD", "BUILD.bazel", "WORKSPACE", "WORKSPACE.bazel")
_LOAD = re.compile(r"^load\(\s*\"@(?P<repo>[\w.-]+)//(?P<file>[^\"]+)\"(?P<rest>[^)]*)\)", re.M)
_SYMBOL = re.compile(r"(?:\w+\s*=\s*)?\"(\w+)\"")
_LABEL = re.compile(
    r"[\"']@(?P<repo>[\w.-]+)(?://(?P<package>[\w./+-]*)(?::(?P<name>[^\"']+))?)?[\"']"
)
_FILE = re.compile(r"\.[a-zA-Z]\w*$")
_NAME = re.compile(r"[\w.+/=,@~-]+")

# A macro that makes a target of the name that it gets, whatever else it is told.
_MACRO = """
def {name}(name, **kwargs):
    native.filegroup(
        name = name,
        tags = kwargs.get("tags"),
        testonly = kwargs.get("testonly"),
        visibility = kwargs.get("visibility"),
    )
"""
_NOTHING = """
def {name}(**kwargs):
    pass
"""


@dataclass(frozen=True)
class StubbedTree:
    """What the text of a tree does not tell about the repositories that it names.

    `own` are names that need no stub: the tree's own, and what Bazel brings along. `native` are
    rules that Starlark wrappers of the same name hand on to. `kinds` gives the rule of targets
    that are no `cc_library`; `files` replaces whole files, by repository and path; `idle` are
    functions that do nothing, such as those that WORKSPACE calls. `rewritten` turns shorthands
    that macros of the tree make labels of into such labels.
    """

    own: frozenset[str]
    native: frozenset[str]
    idle: frozenset[str] = frozenset()
    kinds: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[tuple[str, str], str] = field(default_factory=dict)
    rewritten: tuple[tuple[str, str], ...] = ()

    def lay_out(self, tree: Path, folder: Path) -> tuple[str, ...]:
        """Writes a repository for each name under `folder`; returns the flags that put them
        in force."""
        written: dict[str, dict[str, str]] = {}
        for text in _texts(tree):
            for repository, file, symbols in _loads(text):
                self._add_symbols(written, repository, file, symbols)
        targets: dict[tuple[str, str], set[str]] = {}
        for text in _texts(tree):
            for pattern, label in self.rewritten:
                text = re.sub(pattern, label, text)
            for repository, package, name in _labels(text):
                if repository not in self.own:
                    targets.setdefault((repository, package), set()).add(name)
        for (repository, package), names in targets.items():
            files = written.setdefault(repository, {})
            build = f"{package}/BUILD" if package else "BUILD"
            prefix = f"@{repository}//{package}"
            files[build] = files.get(build, "") + "".join(
                self._target(f"{prefix}:{name}", name) for name in sorted(names)
            )
        for (repository, path), text in self.files.items():
            files = written.setdefault(repository, {})
            files[path] = text
            files.setdefault(_build_file_beside(path), "")
        return tuple(_write(folder / name, files, name) for name, files in sorted(written.items()))

    def _add_symbols(
        self,
        written: dict[str, dict[str, str]],
        repository: str,
        file: str,
        symbols: Iterable[str],
    ) -> None:
        if repository in self.own:
            return
        path = file.replace(":", "/").removeprefix("/")
        files = written.setdefault(repository, {})
        files.setdefault(f"{file.partition(':')[0]}/BUILD".removeprefix("/"), "")
        text = files.setdefault(path, "")
        for symbol in symbols:
            line = self._symbol(symbol)
            if line not in text:
                text += line
        files[path] = text

    def _symbol(self, name: str) -> str:
        if name in self.native:
            return f"{name} = native.{name}\n"
        if name.endswith("Info"):
            return f"{name} = provider()\n"
        if name.isupper():
            return f"{name} = {{}}\n"
        return (_NOTHING if name in self.idle else _MACRO).format(name=name)

    def _target(self, label: str, name: str) -> str:
        kind = self.kinds.get(label)
        visible = 'visibility = ["//visibility:public"]'
        if kind is None and _FILE.search(name):
            return f'exports_files(["{name}"])\n'
        more = ""
        if kind == "config_setting":
            more = f'values = {{"define": "stub={name}"}}, '
        elif kind == "alias":
            more = 'actual = "//:stub", '
        return f'{kind or "cc_library"}(name = "{name}", {more}{visible})\n'


def _texts(tree: Path) -> Iterator[str]:
    for path in sorted(tree.rglob("*")):
        if (path.name in _BUILD_FILES or path.suffix == ".bzl") and path.is_file():
            lines = path.read_text(errors="replace").splitlines()
            yield "\n".join(line for line in lines if not line.lstrip().startswith("#"))


def _loads(text: str) -> Iterator[tuple[str, str, list[str]]]:
    for found in _LOAD.finditer(text):
        yield found["repo"], found["file"], _SYMBOL.findall(found["rest"])


def _labels(text: str) -> Iterator[tuple[str, str, str]]:
    for found in _LABEL.finditer(text):
        package = found["package"] or ""
        name = found["name"] or package.rpartition("/")[2] or found["repo"]
        if _NAME.fullmatch(name) and not name.endswith(".bzl") and not package.endswith("..."):
            yield found["repo"], package, name


def _build_file_beside(path: str) -> str:
    return f"{path.rpartition('/')[0]}/BUILD".removeprefix("/")


def _write(root: Path, files: Mapping[str, str], name: str) -> str:
    write_files(root, {"WORKSPACE": f'workspace(name = "{name}")\n', **files})
    return f"--override_repository={name}={root}"
