"""What Starlark calls that another release of Bazel has taken away: in a workspace's own files and
templates of such, in those that patches add to archives, and in BUILD files that stand as strings
where a repository is defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from bazelscope.base.edits import Edit, Fix, fixes
from bazelscope.base.label import MAIN_ROOT
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile, Span
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.release import Release
from bazelscope.bazel.removed_functions import (
    STRUCTS_ASKED_FOR,
    STRUCTS_RETURNED,
    places_of,
    removed_between,
)
from bazelscope.bazel.removed_natives import (
    is_removed_symbol,
    loaded_from,
    of_module,
    removed_names,
)
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.load_edits import LabelOf, load_edits, without_comments
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.loading.evaluation.bzl_files.module_files import load_label

_DEFINED = lazy_pattern(r"^def (\w+)\(|^(\w+(?:\s*,\s*\w+)*)\s*=", re.MULTILINE)
_LOAD = lazy_pattern(r"^load\(.*?\)", re.MULTILINE | re.DOTALL)
_READ_AS_THEY_ARE = (".bzl", "BUILD", "BUILD.bazel")
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
    or defines. `is_file`: it is all of a file that Bazel reads as it is."""

    source: SourceFile
    code: str
    own: frozenset[str]
    is_build: bool
    is_file: bool


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
    code = without_comments(whole)
    own = {name for load in _LOAD.findall(whole) for name in re.findall(r"\w+", load)}
    defined = (" ".join(pair) for pair in _DEFINED.findall(code))
    own |= {name for names in defined for name in re.findall(r"\w+", names)}
    is_file = whole is source.text and source.path.endswith(_READ_AS_THEY_ARE)
    return StarlarkText(source, code, frozenset(own), is_build, is_file)


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


_MOST_PLACES = 8
_IMPLEMENTATION = lazy_pattern(
    r"\bimplementation\s*=\s*(?P<named>\w+)|(?<![\w.])(?:rule|aspect)\(\s*(?P<first>\w+),"
)
_KIND = lazy_pattern(r"(?<![\w.])(\w*rule|aspect|macro|module_extension|transition)\(")
_STRUCT = lazy_pattern(r"^\s+return (struct\()", re.MULTILINE)
_SUBSTITUTION = lazy_pattern(r"^%?\{+\w+\}+\s*$", re.MULTILINE)
"""A line of a template that may become anything, as loads."""


def starlark_findings(facts: WorkspaceFacts, target: Release) -> Iterator[Finding]:
    """Rules, providers and functions that `target` lacks, each with how often it is written."""
    texts = tuple(starlark_texts(facts))
    if target.natives_removed and not facts.release.natives_removed:
        yield from _natives(facts, texts, target)
    for function in removed_between(facts.release, target):
        places: list[Span] = []
        for text in texts:
            if function.only_build_files and not text.is_build:
                continue
            places += [
                text.source.span(start, end)
                for match, start, end in places_of(function, text.code)
                if match[0].rstrip("(") not in text.own
            ]
        if places:
            message = f"Bazel {target.text} does not have {function.what}"
            yield _finding("BZS511", function.what, message, function.remedy, places)
    for kind, may_return in STRUCTS_RETURNED.items():
        is_asked = "incompatible_disallow_struct_provider_syntax" in facts.rc.flags.values
        if not may_return.holds(facts.release) or may_return.holds(target):
            continue
        places = [] if is_asked and STRUCTS_ASKED_FOR.holds(target) else _structs(texts, kind)
        if places:
            message = f"Bazel {target.text} refuses a `struct` that the code of {kind}s returns"
            remedy = "return a list of providers"
            yield _finding("BZS511", f"`struct` of {kind}s", message, remedy, places)


def _structs(texts: Sequence[StarlarkText], kind: str) -> list[Span]:
    """Where the implementation of a rule, or of an aspect, returns a struct of providers."""
    places: list[Span] = []
    for text in texts:
        if "return struct(" not in text.code:
            continue
        names = {
            match["named"] or match["first"]
            for match in _IMPLEMENTATION.finditer(text.code)
            if (kinds := _KIND.findall(text.code, 0, match.end())) and kinds[-1] == kind
        }
        for name in sorted(names):
            body = re.search(rf"^def {name}\((?:.*\n(?![^\s)]))*.*", text.code, re.MULTILINE)
            if body is not None:
                found = _STRUCT.finditer(text.code, *body.span())
                places += [text.source.span(*match.span(1)) for match in found]
    return places


def _natives(
    facts: WorkspaceFacts, texts: Sequence[StarlarkText], target: Release
) -> Iterator[Finding]:
    names = "|".join(map(re.escape, removed_names()))
    either = re.compile(rf"(?<![\w.\"'])(native\.)?({names})(?![\w\"'])")
    places_of: dict[str, list[Span]] = {}
    edits: dict[str, list[Edit]] = {}
    label_of = _labels_seen(facts, target)
    for text in texts:
        if _SUBSTITUTION.search(text.code):
            continue
        named: dict[str, list[re.Match[str]]] = {}
        for match in either.finditer(text.code):
            name, rest = match[2], text.code[match.end() : match.end() + 3].lstrip()
            if match[1] is None:
                is_argument = rest.startswith("=") and not rest.startswith("==")
                is_read = rest.startswith(("(", ",", ")", "]")) or is_removed_symbol(name)
                # Rules stand in a `.bzl` file as members of `native` alone.
                is_native = text.is_build or is_removed_symbol(name)
                if name in text.own or is_argument or not is_read or not is_native:
                    continue
            places_of.setdefault(name, []).append(text.source.span(*match.span()))
            named.setdefault(name, []).append(match)
        if named and text.is_file:
            for name, new in load_edits(text.source, text.code, text.own, named, label_of).items():
                edits.setdefault(name, []).extend(new)
    for name, places in places_of.items():
        file = loaded_from(name)
        remedy = f'load("{file}", "{name}")' if file else f"do without `{name}`"
        message = f"Bazel {target.text} has no native `{name}`"
        label, is_there = label_of(file) if file else ("", False)
        found = fixes(f"load `{name}` from {label}", edits.get(name, ()), is_there)
        yield _finding("BZS510", name, message, remedy, places, found)


def _labels_seen(facts: WorkspaceFacts, target: Release) -> LabelOf:
    """Tells how the workspace calls a file of a rule set under `target`."""
    loader = facts.world.loader
    table = loader.table
    mapping = table.repo_mapping("")
    names = {*mapping} if table.resolved_modules is not None else set()
    if target.workspace_by_default:
        names |= {*table.definitions}

    @cache
    def label_of(file: str) -> tuple[str, bool]:
        seen = (one for one in (file, of_module(file)) if one[1:].partition("//")[0] in names)
        text = next(seen, None)
        if text is None:
            return file, False
        where = loader.module_files.find(load_label(text, MAIN_ROOT, mapping), table)
        return text, not isinstance(where, Unknown)

    return label_of


def _finding(
    code: str,
    subject: str,
    message: str,
    remedy: str,
    places: list[Span],
    proposed: tuple[Fix, ...] = (),
) -> Finding:
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
        ranked[0][0], subject, f"{message}{times}", remedy, tuple(causes), len(places), proposed
    )
