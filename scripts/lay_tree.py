#!/usr/bin/env python3
"""Lays out a tree of WORKSPACE files with its archives, so that a real Bazel analyses it offline:

    scripts/lay_tree.py TREE DEST --git FOLDER [--stubs FOLDER] [--also NAME=OWNER/NAME@REVISION]

DEST gets `tree`, a copy without what the Bazel refuses of the rc file, `repositories`, a folder for
each archive that the tree defines, and `laid.tsv`: what each holds. Both sides take them as
`--override_repository`; repositories that a rule of the tree makes on the machine are left to each.

FOLDER holds bare git directories, `OWNER+NAME/repo`. An archive is, of these the first that can be
had: the revision of such a directory that its URL names, with the tree's patch; the BUILD file that
the tree lays over it, alone; what the tree lays there for a library of the system; a rule for a
jar. Files of the folder of stubs, `NAME/...`, are added. What is laid may define more, so that this
goes on until nothing new is defined. `--also` names what Bazel defines by itself.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from bazelscope.api import Workspace
from bazelscope.loading.packages.targets import RepositoryDefinition

_GITHUB = re.compile(
    r"github\.com/(?P<owner>[^/]+)/(?P<name>[^/]+)"
    r"/(?:archive/(?:refs/tags/)?(?P<rev>.+?)\.(?:tar\.gz|zip)|releases/download/(?P<tag>[^/]+)/)"
)
_ROUNDS = 6


def main() -> int:
    """Lays the tree out; returns 1 if archives are missing, and says which."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("dest", type=Path)
    parser.add_argument("--git", type=Path, required=True)
    parser.add_argument("--stubs", type=Path)
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--bazel-version", default="4.2.3")
    asked = parser.parse_args()
    tree = asked.dest.resolve() / "tree"
    if not tree.exists():
        shutil.copytree(asked.tree, tree, symlinks=True)
        _drop_refused_lines(tree, asked.bazel_version)
    laying = _Laying(tree, asked.dest.resolve() / "repositories", asked.git.resolve(), asked.stubs)
    laying.lay_also(asked.also)
    for _ in range(_ROUNDS):
        if not laying.lay(_definitions(tree, laying.flags(), asked.bazel_version)):
            break
    laying.lay_stubs()
    lines = [f"{name}\t{what}\n" for name, what in sorted(laying.held.items())]
    (asked.dest / "laid.tsv").write_text("".join(lines))
    print(f"{len(laying.held)} archives laid, {len(laying.missing)} missing:", file=sys.stderr)
    print("\n".join(sorted(laying.missing)), file=sys.stderr)
    return 1 if laying.missing else 0


def _drop_refused_lines(tree: Path, version: str) -> None:
    """A distribution may build its Bazel without options that the tree's rc file names."""
    answer = Workspace.open(tree, bazel_version=version).configure().repos()
    for span in (said.span for said in answer.envelope.line_diagnostics):
        if span is not None and (path := tree / span.path).is_file():
            lines = path.read_text().splitlines(keepends=True)
            lines[span.line - 1] = f"# {lines[span.line - 1]}"
            path.write_text("".join(lines))


def _definitions(
    tree: Path, flags: Iterable[str], version: str
) -> Mapping[str, RepositoryDefinition]:
    configured = Workspace.open(tree, bazel_version=version).configure(list(flags))
    return configured.world.loader.table.definitions


class _Laying:
    """The folder of repositories: `held` is what each of them was made of."""

    def __init__(self, tree: Path, folder: Path, git: Path, stubs: Path | None) -> None:
        self._tree = tree
        self._folder = folder
        self._git = git
        self._stubs = stubs
        self.held: dict[str, str] = {}
        self.missing: set[str] = set()

    def flags(self) -> list[str]:
        """What puts the laid repositories in force."""
        return [f"--override_repository={name}={self._folder / name}" for name in self.held]

    def lay_also(self, words: Iterable[str]) -> None:
        """Lays what no file of the tree defines."""
        for word in words:
            name, source = word.split("=")
            repository, revision = source.split("@")
            address = f"https://github.com/{repository}/archive/{revision}.zip"
            self._lay_named(name, {"urls": (address,)})

    def lay_stubs(self) -> None:
        """Lays what is made of stubs alone."""
        for stub in sorted(self._stubs.iterdir()) if self._stubs is not None else ():
            if stub.name not in self.held:
                self._lay_named(stub.name, {})

    def lay(self, definitions: Mapping[str, RepositoryDefinition]) -> int:
        """Lays what is not yet there; returns how many that were."""
        before = len(self.held)
        for name, definition in definitions.items():
            if name not in self.held and any(key in definition.attributes for key in _ADDRESSES):
                self._lay_named(name, definition.attributes)
        return len(self.held) - before

    def _lay_named(self, name: str, attributes: Mapping[str, object]) -> None:
        what = self._lay_one(name, attributes, self._folder / name)
        if what:
            self.held[name] = what
            self.missing.discard(name)
        else:
            self.missing.add(name)

    def _lay_one(self, name: str, attributes: Mapping[str, object], at: Path) -> str:
        shutil.rmtree(at, ignore_errors=True)
        at.mkdir(parents=True)
        parts = [self._check_out(attributes, at)]
        build, links = attributes.get("build_file"), _links(attributes, _LINKS)
        if not parts[0] and not build and not links and attributes.get("system_build_file"):
            build, links = attributes["system_build_file"], _links(attributes, _SYSTEM_LINKS)
        if build and (text := self._text(build)) is not None:
            (at / "BUILD.bazel").write_text(text.replace("%prefix%", "external"))
            parts.append(f"overlay {build}")
        elif content := attributes.get("build_file_content"):
            (at / "BUILD.bazel").write_text(str(content))
            parts.append("overlay of the definition")
        elif "jar_urls" in attributes:
            (at / "BUILD").write_text(_JAR.format(name=name))
            parts.append("jar")
        for label, path in links.items():
            if (text := self._text(label)) is not None:
                (at / path).parent.mkdir(parents=True, exist_ok=True)
                (at / path).write_text(text)
                parts.append(f"{path} of {label}")
        if self._stubs is not None and (stubs := self._stubs / name).is_dir():
            shutil.copytree(stubs, at, dirs_exist_ok=True)
            parts.append("stubs")
        if (workspace := at / "WORKSPACE").is_symlink() or not workspace.exists():
            workspace.write_text(f'workspace(name = "{name}")\n')
        return " + ".join(part for part in parts if part)

    def _check_out(self, attributes: Mapping[str, object], at: Path) -> str:
        """The revision that an address names, of a git directory that is there."""
        for owner, name, revision in _sources(attributes):
            source = self._git / f"{owner}+{name}" / "repo"
            if source.is_dir() and _laid_out(source, revision, at):
                self._patch(attributes, at)
                return f"real {owner}/{name}@{revision}"
        return ""

    def _patch(self, attributes: Mapping[str, object], at: Path) -> None:
        single = attributes.get("patch_file")
        patches = [single] if single else attributes.get("patches") or ()
        for label in patches if isinstance(patches, tuple | list) else ():
            text = self._text(label)
            strip = 1 if single else _strip(attributes)
            subprocess.run(
                ["patch", f"-p{strip}", "--silent", "-d", at], input=text, text=True, check=True
            )

    def _text(self, label: object) -> str | None:
        """The text of a file of the tree, or of a repository that is laid."""
        text = str(label)
        repository, _, rest = text.partition("//")
        root = self._folder / repository.strip("@") if repository.strip("@") else self._tree
        path = root / rest.replace(":", "/").lstrip("/")
        return path.read_text() if path.is_file() else None


def _laid_out(source: Path, revision: str, at: Path) -> bool:
    """Writes the files of a revision, if it is there. A blob that the directory lacks is an empty
    file: `git archive` would end at it."""
    tree = subprocess.run(
        ["git", "-C", source, "ls-tree", "-r", "-z", f"{revision}^{{tree}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if tree.returncode != 0:
        return False
    entries = [line.partition("\t") for line in tree.stdout.split("\0") if " blob " in line]
    blobs = subprocess.run(
        ["git", "-C", source, "cat-file", "--batch"],
        input="".join(f"{meta.split()[2]}\n" for meta, _, _ in entries).encode(),
        capture_output=True,
        check=True,
    ).stdout
    start = 0
    for meta, _, path in entries:
        end = blobs.index(b"\n", start)
        header, start = blobs[start:end].split(), end + 1
        content = b""
        if header[1] == b"blob":
            content = blobs[start : start + int(header[2])]
            start += len(content) + 1
        file = at / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if meta.startswith("120000"):
            file.symlink_to(content.decode())
        else:
            file.write_bytes(content)
            file.chmod(int(meta.split()[0][-3:], 8))
    return True


_ADDRESSES = ("url", "urls", "jar_urls", "remote")
_JAR = 'java_import(name = "{name}", jars = ["{name}.jar"], visibility = ["//visibility:public"])\n'
_LINKS = ("link_files", "additional_build_files")
_SYSTEM_LINKS = ("system_link_files",)


def _links(attributes: Mapping[str, object], names: Iterable[str]) -> dict[object, str]:
    found: dict[object, str] = {}
    for name in names:
        given = attributes.get(name)
        if isinstance(given, Mapping):
            found.update({label: str(path) for label, path in given.items()})
    return found


def _strip(attributes: Mapping[str, object]) -> int:
    arguments = attributes.get("patch_args") or ()
    given = [str(one) for one in arguments] if isinstance(arguments, tuple | list) else []
    return next((int(one[2:]) for one in given if one.startswith("-p")), 0)


def _sources(attributes: Mapping[str, object]) -> Iterable[tuple[str, str, str]]:
    """Owner, name and revision, as the addresses of a definition name them."""
    for key in _ADDRESSES:
        given = attributes.get(key)
        for url in given if isinstance(given, tuple | list) else (given,):
            match = _GITHUB.search(str(url))
            if match is not None:
                yield match["owner"], match["name"], match["rev"] or match["tag"]
            elif key == "remote" and (
                match := re.search(r"github\.com/([^/]+)/(.+?)(?:\.git)?$", str(url))
            ):
                yield match[1], match[2], str(attributes.get("commit") or attributes.get("tag"))


if __name__ == "__main__":
    sys.exit(main())
