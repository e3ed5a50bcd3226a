"""Every place in the workspace that names what stands at a position.

Files are searched by their texts: those of unsaved files first of all, and only those that have
the name in them are looked at closely. What a macro puts together (`name + "_lib"`) is named
nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base import budget
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.source import Location, SourceFile, Span
from bazelscope.editor.definitions import definitions_of
from bazelscope.editor.file_kinds import TextKind, kind_of
from bazelscope.editor.find_flags import config_heads, rc_sources
from bazelscope.editor.hover import pointed
from bazelscope.editor.pointed import (
    ConfigAt,
    LabelAt,
    LoadAt,
    NameAt,
    Pointed,
    RcOptionAt,
    ScriptFlagAt,
    SelectKeyAt,
    SymbolAt,
    TargetNameAt,
)
from bazelscope.editor.quoted import tokens
from bazelscope.editor.said_words import Words
from bazelscope.editor.state import EditorState
from bazelscope.editor.targets import (
    defined_name,
    definition_of,
    file_label,
    label_in,
    made_by,
    module_in,
    module_source,
)
from bazelscope.flags.rcfile import parse as parse_rc
from bazelscope.loading.tree.disk import EntryKind

_MOST = 5_000
"""Further places are left out: nobody reads so many."""


def references(
    state: EditorState, source: SourceFile, offset: int, with_definitions: bool = True
) -> tuple[Location | Span, ...]:
    """The places that name what stands at `offset` of a text, by file; with the definitions at
    the beginning if these are wanted."""
    at = pointed(state, source, offset)
    if at is None:
        return ()
    defined = {_key(place): place for place in definitions_of(state, source, at)}
    places: dict[tuple[str, int, int], Location | Span] = {}
    if with_definitions:
        places.update(defined)
    for place in _places(state, source, at):
        if len(places) >= _MOST:
            break
        if _key(place) not in defined:
            places[_key(place)] = place
    return tuple(places.values())


def _key(place: Location | Span) -> tuple[str, int, int]:
    return place.path, place.line, place.column


def _places(state: EditorState, source: SourceFile, at: Pointed) -> Iterator[Span]:
    match at:
        case ConfigAt():
            yield from _of_config(state, at.name)
        case RcOptionAt() | ScriptFlagAt():
            name, _, value = at.text.partition("=")
            label = label_in(state, "", name.removeprefix("--").removeprefix("no"))
            if name == "--config":
                yield from _of_config(state, value)
            elif label is not None and "//" in name:
                yield from of_label(state, label)
        case LabelAt() | SelectKeyAt():
            repository = _repository_alone(at.text)
            label = label_in(state, source.path, at.text)
            if repository is not None:
                yield from of_repository(state, repository)
            elif label is not None:
                yield from of_label(state, label)
        case TargetNameAt():
            if kind_of(source.path) in (TextKind.WORKSPACE, TextKind.MODULE):
                yield from of_repository(state, at.name)
            for target in made_by(state, at.call):
                if target.label.name == at.name:
                    yield from of_label(state, target.label)
        case LoadAt():
            label = module_in(state, source.path, at.module)
            if label is not None:
                yield from of_label(state, label)
        case SymbolAt():
            there = module_source(state, source.path, at.module)
            if there is not None:
                yield from of_symbol(state, there, at.name)
        case NameAt():
            yield from of_symbol(state, source, at.name)
        case _:
            return


# ---- Labels


def of_label(state: EditorState, label: Label) -> Iterator[Span]:
    """The strings that mean a label."""
    word = label.name.rpartition("/")[2]
    mapping = state.build.loader.table.repo_mapping("")

    def means(text: str, package: PackageId) -> bool:
        try:
            return parse_label(text, package, mapping) == label
        except LabelError:
            return False

    for path, words in _said(state):
        places = words.of(word)
        own = file_label(state, path) if places else None
        if own is None:
            continue
        is_own_package = own.package_id == label.package_id
        for said in places:
            is_label = is_own_package or said.text.startswith(("//", "@"))
            if said.is_string and is_label and means(said.text, own.package_id):
                yield said.span(path)


def _repository_alone(text: str) -> str | None:
    """The repository that a string names without a target of it (`@name`)."""
    return text.lstrip("@") if text.startswith("@") and "//" not in text else None


def of_repository(state: EditorState, name: str) -> Iterator[Span]:
    """The strings that have an external repository's name in them (`@name//...`), and calls that
    have it as their name in WORKSPACE and MODULE.bazel."""
    for path, words in _said(state):
        for said in words.of(f"@{name}"):
            span = said.span(path)
            begin = span.column + said.text.index(name)
            yield span._replace(column=begin, end_column=begin + len(name))
        if kind_of(path) in (TextKind.WORKSPACE, TextKind.MODULE):
            for said in words.of(name):
                if said.is_string and said.text == name:
                    yield said.span(path)


# ---- Symbols


def of_symbol(state: EditorState, source: SourceFile, name: str) -> Iterator[Span]:
    """The uses of a function, rule or value: in the file that defines it, and in all that load it
    from there."""
    definition = definition_of(state, source, name)
    if definition is None:
        return
    where, piece = definition
    defined = defined_name(piece, name)
    yield from _uses(where, defined)
    home = file_label(state, where.path)
    if home is None:
        return
    for path, words in _said(state):
        names = {
            name
            for load in (words.loads if path != where.path else ())
            if defined in load.names.values() and module_in(state, path, load.module) == home
            for local, there in load.names.items()
            if there == defined
            for name in (local, there)
        }
        yield from sorted(
            said.span(path)
            for name in names
            for said in words.of(name)
            if said.text == name and (said.is_loaded or not said.is_string)
        )


def _uses(source: SourceFile, name: str) -> Iterator[Span]:
    """Where a file has a name, or a string of a load() that is it."""
    in_load = False
    for token in tokens(source.text):
        if not token.is_string:
            in_load = token.text == "load" or (in_load and source.text[token.end] in " =")
        if token.text == name and (not token.is_string or in_load):
            yield source.span(token.start, token.end)


# ---- Configs


def _of_config(state: EditorState, name: str) -> Iterator[Span]:
    """The heads of rc lines and the words that name a config, in rc files and root scripts."""
    yield from config_heads(state, name)
    for source in rc_sources(state):
        for line in parse_rc(source):
            words = line.words[1:]
            for number, word in enumerate(words):
                is_value = number > 0 and words[number - 1].text == "--config"
                if word.text == f"--config={name}" or (is_value and word.text == name):
                    yield word.span._replace(column=word.span.end_column - len(name))
    for script in state.build.workspace.root_files():
        shown = state.source(script.path) or script
        start = shown.text.find(f"--config={name}")
        while start >= 0:
            end = start + len("--config=") + len(name)
            if not (shown.text[end : end + 1].isalnum() or shown.text[end : end + 1] in ("_", "-")):
                yield shown.span(end - len(name), end)
            start = shown.text.find(f"--config={name}", end)


# ---- Files


def read_ahead(state: EditorState) -> Iterator[None]:
    """Reads what the files say, one after the other, before anybody asks."""
    for _ in _said(state):
        yield


def _said(state: EditorState) -> Iterator[tuple[str, Words]]:
    """The workspace's Starlark files, and what they say."""
    for path in _paths(state):
        budget.current().check()
        words = state.words_of(path)
        if words is not None:
            yield path, words


def _paths(state: EditorState) -> Iterator[str]:
    loader = state.build.loader
    workspace = loader.workspace
    names = ("WORKSPACE", "WORKSPACE.bazel", "WORKSPACE.bzlmod", "MODULE.bazel")
    root = [name for name in names if workspace.is_file(name)]
    yield from root
    for package in loader.trees.packages():
        listing = workspace.listing(package.package)
        prefix = f"{package.package}/" if package.package else ""
        for name, kind in listing.entries.items():
            is_wanted = name == listing.build_file or name.endswith((".bzl", ".scl"))
            if kind is EntryKind.FILE and is_wanted and name not in root:
                yield prefix + name
