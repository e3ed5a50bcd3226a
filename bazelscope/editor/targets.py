"""From what stands in a Starlark file to what it means: labels, targets, modules, symbols."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.base.errors import LabelError, LoadingError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.source import Location, SourceFile
from bazelscope.editor.state import EditorState
from bazelscope.loading.evaluation.bzl_files.module_files import load_label
from bazelscope.loading.origins.syntax_pieces import Piece
from bazelscope.loading.packages.encoded_targets import stack_of
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule, Target
from bazelscope.starlark.syntax import tree

_MOST_REEXPORTS = 50
"""A symbol may be loaded from a file that loads it itself, and so on, perhaps in a circle."""


def file_label(state: EditorState, path: str) -> Label | None:
    """The label of a file, by the path that answers show; None for a file elsewhere."""
    return None if path.startswith("/") else state.build.loader.label_of(path)


def package_of(state: EditorState, path: str) -> PackageId | None:
    """The package that labels in a file are written in."""
    label = file_label(state, path)
    return label.package_id if label is not None else None


def loaded_package(state: EditorState, path: str) -> Package | None:
    """The package that labels in a file are written in, loaded; None where that cannot be."""
    id = package_of(state, path)
    package = state.build.loader.package(id) if id is not None else None
    return package if isinstance(package, Package) else None


def label_in(state: EditorState, path: str, text: str) -> Label | None:
    """The label that `text` means in a file; None where it is none."""
    package = package_of(state, path)
    if package is None:
        return None
    try:
        return parse_label(text, package, _mapping(state, package))
    except LabelError:
        return None


def module_in(state: EditorState, path: str, text: str) -> Label | None:
    """The `.bzl` file that a load() of a file names."""
    package = package_of(state, path)
    if package is None:
        return None
    try:
        return load_label(text, package, _mapping(state, package))
    except (LabelError, LoadingError):
        return None


def _mapping(state: EditorState, package: PackageId) -> Mapping[str, str]:
    return state.build.loader.table.repo_mapping(package.repository)


def made_by(state: EditorState, call: Location) -> tuple[Target, ...]:
    """The rules that the call in a BUILD file whose parenthesis stands at `call` has made, in
    the order in which they were declared."""
    loaded = loaded_package(state, call.path)
    if loaded is None or loaded.path != call.path:
        return ()
    then = state.then(call)
    targets = loaded.targets
    stacks: dict[int, bool] = {}
    made: list[Target] = []
    for name in targets:
        encoded = targets.encoded(name)
        if encoded is None or not targets.is_rule(name):
            continue
        stack = stack_of(encoded)
        is_of_call = stacks.get(stack)
        if is_of_call is None:
            is_of_call = stacks[stack] = _begins_at(targets[name], then)
        if is_of_call:
            made.append(targets[name])
    return tuple(made)


def _begins_at(target: Target, place: Location) -> bool:
    stack = target.call_stack if isinstance(target, Rule) else ()
    return bool(stack) and stack[0].location == place


def definition_of(
    state: EditorState, source: SourceFile, name: str
) -> tuple[SourceFile, Piece] | None:
    """The statement that defines the name of a file, in that file or in the one that it is
    loaded from, however often it is passed on."""
    for _ in range(_MOST_REEXPORTS):
        piece = state.pieces(source).definition(source.path, name)
        if piece is None:
            return None
        statement = piece.statement
        if not isinstance(statement, tree.Load):
            return source, piece
        exported = {b.local: b.exported for b in statement.bindings}.get(name)
        following = module_source(state, source.path, str(statement.module.value))
        if exported is None or following is None:
            return source, piece
        source, name = following, exported
    return None


def module_source(state: EditorState, path: str, module: str) -> SourceFile | None:
    """The text of the file that a load() of a file names; None where it cannot be had."""
    label = module_in(state, path, module)
    shown = state.build.loader.display_path(label) if label is not None else None
    return state.source(shown) if shown is not None else None


def defined_name(piece: Piece, name: str) -> str:
    """The name that a statement defines; a symbol `name` may have been loaded as another one."""
    return piece.statement.name if isinstance(piece.statement, tree.Def) else name


def definition_place(piece: Piece, name: str) -> Location:
    """Where in the statement that defines it a name stands."""
    statement = piece.statement
    if isinstance(statement, tree.Def):
        return piece.location(statement.name_start)
    for node in tree.walk(statement):
        is_bound = isinstance(node, tree.Binding) and name in (node.local, node.exported)
        if is_bound or (isinstance(node, tree.Name) and node.name == name):
            return piece.location(node.start)
    return piece.location(statement.start)


def docstring_of(piece: Piece) -> str:
    """The first paragraph of what a function, or the `doc` of a rule or macro, says of itself."""
    statement = piece.statement
    text: object = ""
    if isinstance(statement, tree.Def) and statement.body:
        first = statement.body[0]
        if isinstance(first, tree.ExpressionStatement) and isinstance(first.value, tree.Literal):
            text = first.value.value
    elif isinstance(statement, tree.Assignment) and isinstance(statement.value, tree.Call):
        docs = (a.value for a in statement.value.arguments if a.name == "doc")
        text = next((doc.value for doc in docs if isinstance(doc, tree.Literal)), "")
    paragraph = text.strip().partition("\n\n")[0] if isinstance(text, str) else ""
    return " ".join(paragraph.split())


def parameters_of(piece: Piece) -> Iterator[tree.Parameter]:
    """The parameters of a function, but for a lone `*`."""
    if isinstance(piece.statement, tree.Def):
        yield from (p for p in piece.statement.parameters if p.name)
