"""The Starlark that a workspace's own files hold: its files and templates of such, those that
patches add to archives, and BUILD files that stand as strings where a repository is defined."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile
from bazelscope.check.workspace_facts import WorkspaceFacts

_DEFINED = lazy_pattern(r"^def (\w+)\(|^(\w+)\s*=", re.MULTILINE)
_LOAD = lazy_pattern(r"^load\(.*?\)", re.MULTILINE | re.DOTALL)
_TEXT = lazy_pattern(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*', re.DOTALL)
_ADDED = lazy_pattern(
    r"^--- /dev/null[^\n]*\n\+\+\+ (?P<path>[^\t\n]+)[^\n]*\n"
    r"(?P<lines>(?:@@[^\n]*\n|\+[^\n]*\n?)*)",
    re.MULTILINE,
)
_CONTENT = lazy_pattern(
    r'build_file_content\s*=\s*(?:(?P<name>\w+)|"""(?P<text>.*?)""")', re.DOTALL
)


@dataclass(frozen=True, slots=True)
class StarlarkText:
    """One text. `code` is it without comments and strings in three quotes, and without what is
    not of it, all blanked out: offsets are those of `source`. `own` are the names that it loads
    or defines."""

    source: SourceFile
    code: str
    own: frozenset[str]
    is_build: bool


def starlark_texts(facts: WorkspaceFacts) -> Iterator[StarlarkText]:
    """Every such text of a workspace, by path."""
    for source in facts.texts.sources:
        if source.path.endswith((".patch", ".diff")):
            yield from _added_files(source)
    for source in facts.texts.starlark:
        name = source.path.rpartition("/")[2].removesuffix(".tpl")
        is_build = "BUILD" in name
        # Templates are made of any text.
        if is_build or not source.path.endswith(".tpl") or name.endswith((".bzl", ".bazel")):
            yield _text(source, source.text, is_build)
            yield from _contents(source)


def _text(source: SourceFile, whole: str, is_build: bool) -> StarlarkText:
    code = _without_comments(whole)
    own = {name for load in _LOAD.findall(whole) for name in re.findall(r"\w+", load)}
    own |= {name for pair in _DEFINED.findall(code) for name in pair}
    return StarlarkText(source, code, frozenset(own), is_build)


def _added_files(source: SourceFile) -> Iterator[StarlarkText]:
    """The files that a patch makes anew; of others it does not show what they load."""
    for match in _ADDED.finditer(source.text):
        name = match["path"].rpartition("/")[2]
        if name in ("BUILD", "BUILD.bazel") or name.endswith(".bzl"):
            lines = re.sub(
                r"^@@[^\n]*", lambda head: " " * len(head[0]), match["lines"], flags=re.M
            )
            added = re.sub(r"^\+", "\n", lines, flags=re.M)
            yield _text(
                source, _alone(source, added, match.start("lines")), name.startswith("BUILD")
            )


def _contents(source: SourceFile) -> Iterator[StarlarkText]:
    """The strings that become BUILD files of repositories."""
    for match in _CONTENT.finditer(source.text):
        start, content = match.start("text"), match["text"]
        if match["name"]:
            constant = re.search(rf'^{match["name"]}\s*=\s*"""(.*?)"""', source.text, re.M | re.S)
            if constant is None:
                continue
            start, content = constant.start(1), constant[1]
        yield _text(source, _alone(source, content, start), is_build=True)


def _alone(source: SourceFile, part: str, start: int) -> str:
    """A part of a text at its offset, with nothing around it."""
    return "\n" * start + part + "\n" * (len(source.text) - start - len(part))


def _without_comments(text: str) -> str:
    def blank(match: re.Match[str]) -> str:
        matched = match[0]
        if matched.startswith('"') and not matched.startswith('"""'):
            return matched
        return re.sub(r"[^\n]", " ", matched)

    return _TEXT.sub(blank, text)
