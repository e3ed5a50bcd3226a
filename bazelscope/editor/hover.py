"""Hover: from a position to what stands there to what there is to tell of it."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile, Span
from bazelscope.editor import (
    find_conditions,
    find_flags,
    find_modules,
    find_targets,
    pointed_rc,
    pointed_starlark,
)
from bazelscope.editor.facts import Facts
from bazelscope.editor.file_kinds import TextKind, kind_of
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


@dataclass(frozen=True, slots=True)
class HoverAnswer:
    """What there is to tell of what stands at `span`."""

    span: Span
    facts: Facts


def pointed(state: EditorState, source: SourceFile, offset: int) -> Pointed | None:
    """What stands at an offset of a text."""
    kind = kind_of(source.path)
    if kind is TextKind.RC:
        return pointed_rc.pointed_at(source, offset)
    if kind.starlark is not None:
        return pointed_starlark.pointed_at(source, offset, state.pieces(source))
    return pointed_rc.pointed_in_script(source, offset)


def hover(state: EditorState, source: SourceFile, offset: int) -> HoverAnswer | None:
    """What there is to tell of the place at `offset` of a text; None where that is nothing."""
    at = pointed(state, source, offset)
    if at is None:
        return None
    facts = facts_of(state, at)
    return HoverAnswer(at.span, facts) if facts is not None else None


def facts_of(state: EditorState, at: Pointed) -> Facts | None:
    """What there is to tell of what stands somewhere."""
    if kind_of(at.span.path) is TextKind.MODULE:
        dependency = find_modules.dependency(state, at)
        if dependency is not None:
            return dependency
    match at:
        case RcOptionAt():
            return find_flags.rc_option(state, at)
        case ScriptFlagAt():
            return find_flags.script_flag(state, at)
        case ConfigAt():
            return find_flags.config(state.build, at.name)
        case RcImportAt():
            return find_flags.rc_import(state, at)
        case SelectKeyAt():
            return find_conditions.select_key(state, at)
        case LabelAt():
            return find_targets.label(state, at)
        case LoadAt():
            return find_targets.module(state, at)
        case SymbolAt():
            return find_targets.symbol(state, at)
        case NameAt():
            return find_targets.name(state, at)
        case TargetNameAt():
            return find_targets.target_name(state, at)
        case AttributeAt():
            return find_targets.attribute(state, at)
