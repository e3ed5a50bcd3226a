"""What Starlark files call that another release of Bazel has taken away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bazelscope.base.source import SourceFile, Span
from bazelscope.bazel.release import Release
from bazelscope.bazel.removed_functions import removed_between
from bazelscope.bazel.removed_natives import is_removed_symbol, loaded_from, removed_names
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.workspace_facts import WorkspaceFacts

_MOST_PLACES = 8
_DEFINED = re.compile(r"^def (\w+)\(|^(\w+)\s*=", re.MULTILINE)
_LOAD = re.compile(r"^load\(.*?\)", re.MULTILINE | re.DOTALL)
_TEXT = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*', re.DOTALL)


def starlark_findings(facts: WorkspaceFacts, target: Release) -> Iterator[Finding]:
    """Rules, providers and functions that `target` lacks, each with how often it is written."""
    yield from _natives(facts, target)
    for function in removed_between(facts.release, target):
        places: list[Span] = []
        for source in _starlark(facts):
            if function.only_build_files and not _is_build(source):
                continue
            if function.pattern.search(source.text) is not None:
                text = _without_comments(source.text)
                own = _own_names(source.text, text)
                places += [
                    source.span(*match.span())
                    for match in function.pattern.finditer(text)
                    if match[0].rstrip("(") not in own
                ]
        if places:
            message = f"Bazel {target.text} does not have {function.what}"
            yield _finding("BZS511", function.what, message, function.remedy, places)


def _natives(facts: WorkspaceFacts, target: Release) -> Iterator[Finding]:
    if not target.natives_removed or facts.release.natives_removed:
        return
    names = "|".join(map(re.escape, removed_names()))
    either = re.compile(rf"(?<![\w.\"'])(native\.)?({names})(?![\w\"'])")
    places_of: dict[str, list[Span]] = {}
    for source in _starlark(facts):
        text = _without_comments(source.text)
        own = _own_names(source.text, text)
        for match in either.finditer(text):
            name, rest = match[2], text[match.end() : match.end() + 3].lstrip()
            if match[1] is None:
                is_argument = rest.startswith("=") and not rest.startswith("==")
                is_read = rest.startswith(("(", ",", ")", "]")) or is_removed_symbol(name)
                if name in own or is_argument or not is_read:
                    continue
            places_of.setdefault(name, []).append(source.span(*match.span()))
    for name, places in places_of.items():
        file = loaded_from(name)
        remedy = f'load("{file}", "{name}")' if file else f"do without `{name}`"
        message = f"Bazel {target.text} has no native `{name}`"
        yield _finding("BZS510", name, message, remedy, places)


def _own_names(whole: str, text: str) -> set[str]:
    """The names that a file loads or defines; `text` is it without comments."""
    own = {name for load in _LOAD.findall(whole) for name in re.findall(r"\w+", load)}
    return own | {name for pair in _DEFINED.findall(text) for name in pair}


def _finding(code: str, subject: str, message: str, remedy: str, places: list[Span]) -> Finding:
    files: dict[str, list[Span]] = {}
    for span in places:
        files.setdefault(span.path, []).append(span)
    ranked = sorted(files.values(), key=lambda spans: (-len(spans), spans[0].path))
    causes = [
        FindingCause(f"{len(spans)} times here" if len(spans) > 1 else "and here", spans[0])
        for spans in ranked[1:_MOST_PLACES]
    ]
    if len(ranked) > _MOST_PLACES:
        causes.append(FindingCause(f"and in {len(ranked) - _MOST_PLACES} more files"))
    where = f" in {len(files)} files" if len(files) > 1 else ""
    times = f", written {len(places)} times{where}" if len(places) > 1 else ""
    return CODES[code].at(
        ranked[0][0], subject, f"{message}{times}", remedy, tuple(causes), len(places)
    )


def _starlark(facts: WorkspaceFacts) -> Iterable[SourceFile]:
    return (source for source in facts.texts.starlark if not source.path.endswith(".tpl"))


def _is_build(source: SourceFile) -> bool:
    return "BUILD" in source.path.rpartition("/")[2]


def _without_comments(text: str) -> str:
    """A text with its comments, and strings in three quotes, blanked out, so that offsets stay."""

    def blank(match: re.Match[str]) -> str:
        matched = match[0]
        if matched.startswith('"') and not matched.startswith('"""'):
            return matched
        return re.sub(r"[^\n]", " ", matched)

    return _TEXT.sub(blank, text)
