"""What a label, a load, a name, a call or an attribute of a Starlark file is."""

from __future__ import annotations

from collections.abc import Iterable

from bazelscope.analysis.conditions.matcher import is_condition
from bazelscope.base.label import Label
from bazelscope.base.source import Location, SourceFile
from bazelscope.bazel.attribute_types import LABEL_TYPES
from bazelscope.editor.facts import (
    AttributeFacts,
    CallFacts,
    MadeTarget,
    ModuleFacts,
    SymbolFacts,
    TargetFacts,
)
from bazelscope.editor.find_conditions import condition
from bazelscope.editor.pointed import AttributeAt, LabelAt, LoadAt, NameAt, SymbolAt, TargetNameAt
from bazelscope.editor.state import EditorState
from bazelscope.editor.targets import (
    defined_name,
    definition_of,
    definition_place,
    docstring_of,
    label_in,
    made_by,
    module_in,
    module_source,
)
from bazelscope.loading.origins.syntax_pieces import Piece
from bazelscope.loading.packages.targets import Absent, NoSuchTarget, Rule, Target, UnknownResult
from bazelscope.questions.shared.nodes import NodeAnswer
from bazelscope.questions.shared.phrases import macro_text
from bazelscope.starlark.syntax import tree

_LONGEST_SIGNATURE = 300


def label(state: EditorState, at: LabelAt) -> TargetFacts | None:
    """What a string that is a label means; None where it is none: text that only could be."""
    label = label_in(state, at.span.path, at.text)
    if label is None or not _means_label(state, at):
        return None
    return target(state, label)


def _means_label(state: EditorState, at: LabelAt) -> bool:
    """Whether a string is a label, for certain or by the attribute that it is in."""
    if at.text.startswith(("//", "@", ":")):
        return True
    if at.call is None:
        return False
    for made in made_by(state, at.call):
        if isinstance(made, Rule):
            definition = made.rule_class.attributes.get(at.attribute)
            if definition is not None:
                return definition.type in LABEL_TYPES
    return at.attribute in ("srcs", "hdrs", "deps", "data", "actual")


def target(state: EditorState, label: Label) -> TargetFacts:
    """What a label names, or why there is nothing."""
    world = state.build.world
    result = world.graph.node(label)
    if isinstance(result, Absent):
        nearest = result.suggestions if isinstance(result, NoSuchTarget) else ()
        return TargetFacts(label, problem=result.message, nearest=nearest)
    if isinstance(result, UnknownResult):
        return TargetFacts(label, problem=str(result.unknown), is_unknown=True)
    kind = result.kind.removesuffix(" rule")
    place = state.now(result.location)
    if not isinstance(result, Rule):
        return TargetFacts(label, kind, location=place)
    node = NodeAnswer(
        label, result.kind, result.location, result.generator_function, result.call_stack
    )
    made = macro_text(node) if result.generator_function else ""
    dependencies = len({e.target for e in world.configured.taken(world.configured.top(label))})
    holds = condition(state, label) if is_condition(result) else None
    return TargetFacts(label, kind, made, place, dependencies, holds)


def module(state: EditorState, at: LoadAt) -> ModuleFacts | None:
    """The file that a load() names, and what it defines."""
    label = module_in(state, at.span.path, at.module)
    if label is None:
        return None
    shown = state.build.loader.display_path(label)
    source = state.source(shown) if shown is not None else None
    if source is None:
        return ModuleFacts(label, None, (), problem=f"`{label}` is not there, or not downloaded")
    names, says = _exports(state, source)
    return ModuleFacts(label, shown, names, says)


def _exports(state: EditorState, source: SourceFile) -> tuple[tuple[str, ...], str]:
    """The public names that a file defines, and its own docstring."""
    names: dict[str, None] = {}
    says = ""
    for number, piece in enumerate(state.pieces(source).every(source.path)):
        statement = piece.statement
        if isinstance(statement, tree.Def):
            names[statement.name] = None
        elif isinstance(statement, tree.Assignment) and isinstance(statement.target, tree.Name):
            names[statement.target.name] = None
        elif number == 0 and isinstance(statement, tree.ExpressionStatement):
            text = statement.value.value if isinstance(statement.value, tree.Literal) else ""
            says = str(text).strip().partition("\n\n")[0]
    return tuple(name for name in names if not name.startswith("_")), says


def symbol(state: EditorState, at: SymbolAt) -> SymbolFacts | None:
    """What a symbol that a load() brings in is, wherever it is defined."""
    source = module_source(state, at.span.path, at.module)
    return _symbol(state, source, at.name) if source is not None else None


def name(state: EditorState, at: NameAt) -> CallFacts | SymbolFacts | None:
    """What an identifier is; for a call in a BUILD file, with the targets that it makes."""
    source = state.source(at.span.path)
    symbol = _symbol(state, source, at.name) if source is not None else None
    if at.call is None:
        return symbol
    makes = _made(made_by(state, at.call))
    is_native = symbol is None and at.name in state.build.loader.parts.rules.names
    if not makes and not is_native:
        return symbol
    return CallFacts(symbol, at.name, makes, is_native)


def target_name(state: EditorState, at: TargetNameAt) -> CallFacts | TargetFacts | None:
    """The target of that name, or all that the call makes of it."""
    made = made_by(state, at.call)
    own = [t for t in made if t.label.name == at.name]
    if own and len(made) == 1:
        return target(state, own[0].label)
    return CallFacts(None, at.name, _made(made)) if made else None


def _made(targets: Iterable[Target]) -> tuple[MadeTarget, ...]:
    return tuple(MadeTarget(one.label, one.kind.removesuffix(" rule")) for one in targets)


def _symbol(state: EditorState, source: SourceFile, name: str) -> SymbolFacts | None:
    definition = definition_of(state, source, name)
    if definition is None:
        return None
    _, piece = definition
    place = definition_place(piece, name)
    return SymbolFacts(defined_name(piece, name), _signature(piece), place, docstring_of(piece))


def _signature(piece: Piece) -> str:
    statement = piece.statement
    if isinstance(statement, tree.Def):
        parameters = ", ".join(piece.text(p) for p in statement.parameters)
        return _cut(f"def {statement.name}({' '.join(parameters.split())})")
    return _cut(" ".join(piece.text(statement).split()))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_SIGNATURE else f"{text[:_LONGEST_SIGNATURE]} ..."


def attribute(state: EditorState, at: AttributeAt) -> AttributeFacts | None:
    """What an attribute takes: of the rule that the call makes, or of the native rule."""
    rules, native = state.build.loader.parts.rules, at.function.removeprefix("native.")
    made = (one for one in made_by(state, at.call) if isinstance(one, Rule))
    rule_class = next((one.rule_class for one in made if one.generator_function is None), None)
    if rule_class is None and native in rules.names:
        rule_class = rules.get(native)
    definition = rule_class.attributes.get(at.name) if rule_class is not None else None
    if rule_class is None or definition is None:
        return None
    default = "" if definition.default in (None, (), "", False) else str(definition.default)
    return AttributeFacts(
        at.name, rule_class.name, definition.type.value, definition.mandatory, default
    )


def place_of(state: EditorState, label: Label) -> Location | None:
    """Where a target stands now: where its rule was called, or the beginning of its file."""
    result = state.build.world.graph.node(label)
    if isinstance(result, Absent | UnknownResult):
        return None
    if result.kind == "source file":
        shown = state.build.loader.display_path(label)
        return Location(shown, 1, 1) if shown is not None else state.now(result.location)
    return state.now(result.location)
