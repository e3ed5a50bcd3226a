"""What may be written at a position: options and configs, labels, attributes, keys, symbols.

The text before the cursor decides, since a line that is being typed seldom parses.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from bazelscope.analysis.conditions.match_result import Outcome
from bazelscope.base.label import PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile, Span
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.flag_catalog import FlagDefinition
from bazelscope.bazel.option_summaries import summary
from bazelscope.editor import find_modules
from bazelscope.editor.cursor import BACK, call_around, is_key, open_string
from bazelscope.editor.file_kinds import TextKind, kind_of
from bazelscope.editor.state import EditorState
from bazelscope.editor.targets import (
    definition_of,
    label_in,
    loaded_package,
    module_source,
    package_of,
    parameters_of,
)
from bazelscope.loading.packages.package import Package
from bazelscope.starlark.syntax import tree

MOST_CANDIDATES = 500
_IMPORT_LINE = lazy_pattern(r"^\s*(?:try-)?import\b")
_NAME_BEFORE = lazy_pattern(r"[A-Za-z_]\w*$")
_LOAD_BEFORE = lazy_pattern(r"""\bload\(\s*(["'])([^"'\n]*)\1\s*,[^()]*$""")
_LOAD_OPEN = lazy_pattern(r"""\bload\(\s*["'][^"'\n]*$""")


class CandidateKind(enum.Enum):
    OPTION = "option"
    CONFIG = "config"
    VALUE = "value"
    LABEL = "label"
    PACKAGE = "package"
    CONDITION = "condition"
    ATTRIBUTE = "attribute"
    RULE = "rule"
    SYMBOL = "symbol"
    FILE = "file"
    MODULE = "module"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may stand in place of what `span` has now; `detail` is what it is in short."""

    text: str
    kind: CandidateKind
    span: Span
    detail: str = ""
    says: str = ""


def complete(state: EditorState, source: SourceFile, offset: int) -> tuple[Candidate, ...]:
    """What may stand at `offset` of a text, `MOST_CANDIDATES` at most, in a useful order."""
    place = source.location(offset)
    before = source.line(place.line)[: place.column - 1]
    if before.lstrip().startswith("#"):
        return ()
    kind = kind_of(source.path)
    if kind is TextKind.RC:
        candidates = _in_rc(state, source, offset, before)
    elif kind.starlark is not None:
        candidates = _in_starlark(state, source, offset, before)
    else:
        candidates = _in_script(state, source, offset, before)
    return tuple(islice(candidates, MOST_CANDIDATES))


# ---- Options and configs


def _in_rc(state: EditorState, source: SourceFile, offset: int, before: str) -> Iterator[Candidate]:
    words = before.split()
    if _IMPORT_LINE.match(before) or not words:
        return
    if not before[-1:].isspace() and len(words) == 1:
        command, colon, _ = words[0].partition(":")
        if colon:
            span = source.span(offset - len(words[0]) + len(command) + 1, offset)
            yield from _configs(state, span)
        return
    command = words[0].partition(":")[0]
    word = "" if before[-1:].isspace() else words[-1]
    previous = words[-1] if not word else words[-2]
    yield from _option(state, source, offset, word, previous, command)


def _in_script(
    state: EditorState, source: SourceFile, offset: int, before: str
) -> Iterator[Candidate]:
    words = before.split()
    programs = [n for n, w in enumerate(words) if w.rpartition("/")[2] in ("bazel", "bazelisk")]
    # The command may stand on an earlier line, which ends in a backslash.
    command = "build"
    if programs:
        behind = [word for word in words[programs[-1] + 1 :] if not word.startswith("-")]
        command = behind[0] if behind else "build"
    elif not _goes_on(source, source.location(offset).line):
        return
    word = "" if before[-1:].isspace() or not words else words[-1]
    if word.startswith("-"):
        yield from _option(state, source, offset, word, "", command)


def _goes_on(source: SourceFile, line: int) -> bool:
    """Whether a line goes on with a `bazel` command of the lines above."""
    while line > 1 and source.line(line - 1).endswith("\\"):
        line -= 1
        if re.search(r"\bbazel(isk)?\s", source.line(line)):
            return True
    return False


def _option(
    state: EditorState, source: SourceFile, offset: int, word: str, previous: str, command: str
) -> Iterator[Candidate]:
    name, equals, value = word.partition("=")
    if name == "--config" and equals:
        yield from _configs(state, source.span(offset - len(value), offset))
    elif previous == "--config" and not word.startswith("-"):
        yield from _configs(state, source.span(offset - len(word), offset))
    elif equals and name.startswith("--"):
        definition = state.build.workspace.catalog.find(name[2:], command)
        span = source.span(offset - len(value), offset)
        for text in _values(definition) if definition is not None else ():
            if text.startswith(value):
                yield Candidate(text, CandidateKind.VALUE, span)
    elif not word or word.startswith("-"):
        yield from _options(state, source.span(offset - len(word), offset), word, command)


def _options(state: EditorState, span: Span, word: str, command: str) -> Iterator[Candidate]:
    catalog = state.build.workspace.catalog
    known = command if command in catalog.commands else "build"
    typed = word.lstrip("-")
    for definition in catalog.definitions(known):
        for name in _names(definition, typed):
            text = f"--{name}=" if definition.takes_value and name == definition.name else None
            yield Candidate(
                text or f"--{name}",
                CandidateKind.OPTION,
                span,
                definition.type_text,
                summary(definition.name),
            )


def _names(definition: FlagDefinition, typed: str) -> Iterator[str]:
    if definition.hidden:
        return
    if definition.name.startswith(typed):
        yield definition.name
    if definition.negatable and typed.startswith("no") and f"no{definition.name}".startswith(typed):
        yield f"no{definition.name}"


def _values(definition: FlagDefinition) -> tuple[str, ...]:
    if definition.enum_values:
        return definition.enum_values
    return ("true", "false") if definition.negatable else ()


def _configs(state: EditorState, span: Span) -> Iterator[Candidate]:
    for config in state.build.configs().configs:
        first = next((line for section in config.sections for line in section.lines), None)
        says = f"{first.text} {first.location.short}" if first is not None else ""
        commands = ", ".join(config.commands)
        yield Candidate(config.name, CandidateKind.CONFIG, span, commands, says)


# ---- Starlark


def _in_starlark(
    state: EditorState, source: SourceFile, offset: int, before: str
) -> Iterator[Candidate]:
    back = source.text[max(0, offset - BACK) : offset]
    load = _LOAD_BEFORE.search(back)
    string = open_string(before)
    if string is not None:
        span = source.span(offset - len(string), offset)
        is_module = kind_of(source.path) is TextKind.MODULE
        modules = find_modules.offered(back) if is_module else None
        if modules is not None:
            for text, detail in modules:
                if text.startswith(string):
                    yield Candidate(text, CandidateKind.MODULE, span, detail)
        elif load is not None:
            yield from _symbols(state, source, load[2], span)
        elif _LOAD_OPEN.search(back):
            yield from _files(state, source, string, span)
        elif is_key(source.text, offset - len(string) - 1):
            yield from _conditions(state, source, span, string)
        else:
            yield from labels(state, source, string, span)
        return
    name = _NAME_BEFORE.search(before)
    typed = name[0] if name is not None else ""
    span = source.span(offset - len(typed), offset)
    call = call_around(source.text, offset - len(typed))
    if call is not None:
        yield from _attributes(state, source, call, span)
    else:
        yield from _functions(state, source, span, typed)


def labels(state: EditorState, source: SourceFile, typed: str, span: Span) -> Iterator[Candidate]:
    """The labels that begin with what is typed."""
    package = package_of(state, source.path)
    if package is None:
        return
    loader = state.build.loader
    if typed.startswith("@") and "//" not in typed:
        for name in sorted(loader.table.repo_mapping("")) or sorted(loader.table.definitions):
            if name and f"@{name}".startswith(typed):
                yield Candidate(f"@{name}//", CandidateKind.PACKAGE, span, "repository")
        return
    head, colon, name = typed.rpartition(":")
    if colon or not typed.startswith(("//", "@")):
        where = package
        if head:
            label = label_in(state, source.path, f"{head}:x")
            where = label.package_id if label is not None else package
        prefix = f"{head}:" if colon else ""
        for target, kind in _targets(state, where):
            if target.startswith(name if colon else typed):
                yield Candidate(f"{prefix}{target}", CandidateKind.LABEL, span, kind)
        return
    repository = "" if typed.startswith("//") else typed[1:].partition("//")[0]
    start = typed.partition("//")[2]
    lead = typed[: len(typed) - len(start)]
    for path in _packages(state, repository, start):
        yield Candidate(f"{lead}{path}", CandidateKind.PACKAGE, span, "package")
    for target, kind in _targets(state, PackageId(repository, start)):
        yield Candidate(f"{typed}:{target}", CandidateKind.LABEL, span, kind)


def _packages(state: EditorState, repository: str, start: str) -> Iterator[str]:
    for package in state.build.loader.trees.packages(repository):
        if package.package.startswith(start):
            yield package.package


def _targets(state: EditorState, package: PackageId) -> Iterator[tuple[str, str]]:
    result = state.build.loader.package(package)
    if isinstance(result, Package):
        for name in result.targets:
            yield name, result.targets.kind(name).removesuffix(" rule")


def _conditions(
    state: EditorState, source: SourceFile, span: Span, typed: str
) -> Iterator[Candidate]:
    """The keys of the workspace's select()s, and what else begins so."""
    conditions = state.build.world.conditions
    yield Candidate("//conditions:default", CandidateKind.CONDITION, span, "where nothing holds")
    known: set[str] = set()
    for label in state.select_uses.conditions():
        text = str(label)
        if text.startswith(typed):
            known.add(text)
            holds = conditions.match(label).outcome is Outcome.HOLDS
            detail = "holds" if holds else "does not hold"
            yield Candidate(text, CandidateKind.CONDITION, span, detail)
    for candidate in labels(state, source, typed, span):
        if candidate.text not in known and candidate.detail in _KEYS:
            yield candidate


_KEYS = frozenset({"alias", "config_setting", "constraint_value", "package", "repository"})


def _files(state: EditorState, source: SourceFile, typed: str, span: Span) -> Iterator[Candidate]:
    """The `.bzl` files that a load() may name."""
    workspace = state.build.loader.workspace
    package = package_of(state, source.path)
    if package is None:
        return
    head, colon, name = typed.rpartition(":")
    if not colon and not typed.startswith((":", "//", "@")):
        head, name = "", typed
    elif not colon:
        for path in _packages(state, "", typed.removeprefix("//")):
            names = workspace.listing(path).entries
            if any(entry.endswith(".bzl") for entry in names):
                yield Candidate(f"//{path}", CandidateKind.PACKAGE, span, "package")
        return
    label = label_in(state, source.path, f"{head}:x") if head else None
    directory = label.package if label is not None else package.package
    for entry in workspace.listing(directory).entries:
        if entry.endswith((".bzl", ".scl")) and entry.startswith(name):
            yield Candidate(f"{head}:{entry}", CandidateKind.FILE, span)


def _symbols(
    state: EditorState, source: SourceFile, module: str, span: Span
) -> Iterator[Candidate]:
    """What a load() may bring in from its file."""
    there = module_source(state, source.path, module)
    if there is None:
        return
    for piece in state.pieces(there).every(there.path):
        for name in _defined(piece.statement):
            if not name.startswith("_"):
                yield Candidate(name, CandidateKind.SYMBOL, span, there.path)


def _defined(statement: tree.Statement) -> Iterable[str]:
    if isinstance(statement, tree.Def):
        return (statement.name,)
    if isinstance(statement, tree.Assignment) and isinstance(statement.target, tree.Name):
        return (statement.target.name,)
    return ()


_OF_BAZEL_ALONE = frozenset(
    {"generator_function", "generator_location", "generator_name", "transitive_configs"}
)
"""Attributes that Bazel sets and nobody writes."""


def _attributes(
    state: EditorState, source: SourceFile, function: str, span: Span
) -> Iterator[Candidate]:
    """The arguments that a rule or a macro takes."""
    known: set[str] = set()
    defined = definition_of(state, source, function)
    for parameter in parameters_of(defined[1]) if defined is not None else ():
        if parameter.form in ("", "="):
            known.add(parameter.name)
            yield Candidate(f"{parameter.name} = ", CandidateKind.ATTRIBUTE, span, function)
    rule_class = _rule_class(state, source, function)
    for name, definition in rule_class.attributes.items() if rule_class is not None else ():
        if name not in known and name not in _OF_BAZEL_ALONE and not definition.is_implicit:
            detail = definition.type.value + (", mandatory" if definition.mandatory else "")
            yield Candidate(f"{name} = ", CandidateKind.ATTRIBUTE, span, detail)


def _rule_class(state: EditorState, source: SourceFile, function: str) -> RuleClass | None:
    """The class of rule that a call of `function` makes, itself and not by a macro."""
    rules = state.build.loader.parts.rules
    name = function.removeprefix("native.")
    if name in rules.names:
        return rules.get(name)
    loaded = loaded_package(state, source.path)
    if loaded is not None:
        for rule in loaded.targets.rules_of({name}):
            return rule.rule_class
    return None


def _functions(
    state: EditorState, source: SourceFile, span: Span, typed: str
) -> Iterator[Candidate]:
    """What a statement may begin with: names of the file, and Bazel's own."""
    known: set[str] = set()
    pieces = state.pieces(source)
    for load in pieces.loads(source.path):
        for binding in load.bindings:
            if binding.local.startswith(typed) and binding.local not in known:
                known.add(binding.local)
                text = str(load.module.value)
                yield Candidate(binding.local, CandidateKind.SYMBOL, span, text)
    if kind_of(source.path) is TextKind.BUILD:
        for name in sorted(state.build.loader.parts.rules.names):
            if name.startswith(typed) and name not in known:
                yield Candidate(name, CandidateKind.RULE, span, "rule")
    for name in ("glob", "load", "package", "select", "exports_files", "package_group"):
        if name.startswith(typed) and name not in known:
            yield Candidate(name, CandidateKind.SYMBOL, span)
