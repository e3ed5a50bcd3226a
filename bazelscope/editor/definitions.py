"""Where what stands at a position is defined."""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.base.source import Location, SourceFile
from bazelscope.editor.find_flags import config_heads, imported_file
from bazelscope.editor.find_targets import place_of
from bazelscope.editor.hover import pointed
from bazelscope.editor.pointed import (
    AttributeAt,
    ConfigAt,
    LabelAt,
    LoadAt,
    NameAt,
    Pointed,
    RcImportAt,
    RcOptionAt,
    ScriptFlagAt,
    SelectKeyAt,
    SymbolAt,
    TargetNameAt,
)
from bazelscope.editor.state import EditorState
from bazelscope.editor.targets import (
    definition_of,
    definition_place,
    label_in,
    module_in,
    module_source,
)


def definitions(state: EditorState, source: SourceFile, offset: int) -> tuple[Location, ...]:
    """The places where what stands at `offset` of a text is defined, the first one first."""
    at = pointed(state, source, offset)
    return definitions_of(state, source, at) if at is not None else ()


def definitions_of(state: EditorState, source: SourceFile, at: Pointed) -> tuple[Location, ...]:
    """The places where something is defined."""
    match at:
        case ConfigAt():
            return _of_config(state, at.name)
        case RcOptionAt() | ScriptFlagAt():
            return _of_flag(state, at.text)
        case RcImportAt():
            file = imported_file(state, at)
            return (Location(file.path, 1, 1),) if file is not None else ()
        case LoadAt():
            label = module_in(state, source.path, at.module)
            shown = state.build.loader.display_path(label) if label is not None else None
            return (Location(shown, 1, 1),) if shown is not None else ()
        case SymbolAt():
            there = module_source(state, source.path, at.module)
            return _of_name(state, there, at.name) if there is not None else ()
        case NameAt():
            return _of_name(state, source, at.name)
        case LabelAt() | SelectKeyAt():
            return _of_label(state, label_in(state, source.path, at.text))
        case TargetNameAt():
            start = at.span.start
            return (start._replace(column=start.column + 1),)  # Behind the quote.
        case AttributeAt():
            return ()


def _of_config(state: EditorState, name: str) -> tuple[Location, ...]:
    return tuple(head.start for head in config_heads(state, name))


def _of_flag(state: EditorState, text: str) -> tuple[Location, ...]:
    """Of `--config=NAME`, the lines that define it; of `--//pkg:flag`, the rule."""
    name, _, value = text.partition("=")
    if name == "--config":
        return _of_config(state, value)
    label = name.removeprefix("--").removeprefix("no")
    if label.startswith(("//", "@")):
        return _of_label(state, label_in(state, "", label))
    return ()


def _of_label(state: EditorState, label: Label | None) -> tuple[Location, ...]:
    place = place_of(state, label) if label is not None else None
    return (place,) if place is not None else ()


def _of_name(state: EditorState, source: SourceFile, name: str) -> tuple[Location, ...]:
    definition = definition_of(state, source, name)
    return (definition_place(definition[1], name),) if definition is not None else ()
