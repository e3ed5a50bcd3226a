"""The answer to `compile` as text: each line in order, words of one origin together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from bazelscope.analysis.compile.word_effects import EffectKind
from bazelscope.analysis.compile.words import (
    FromAction,
    FromAttribute,
    FromBazel,
    FromDependency,
    FromEnvironment,
    FromOption,
    FromToolchain,
    WordOrigin,
)
from bazelscope.questions.compile.answer import ActionLine, CompileAnswer, LineEffect, LineWord
from bazelscope.questions.shared.phrases import (
    listed,
    location_text,
    macro_text,
    setting_place,
    term_text,
)
from bazelscope.questions.shared.text_endpoints import more_rows, name_rows, suggestion_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.render.counting import plural
from bazelscope.render.document import (
    Document,
    Row,
    good,
    name,
    pieces,
    quiet,
    row,
    strong,
    warning,
)

_SOURCES_SHOWN = 4
_UNKNOWNS_SHOWN = 3
_OBJECTS_SHOWN = 3
_COMPILERS_SHOWN = 3
_OF_DIRECTORIES = ("includes", "strip_include_prefix", "include_prefix")
_EFFECTS = {
    EffectKind.BEATS: "beats",
    EffectKind.REPEATS: "repeats",
    EffectKind.REDEFINES: "defines again, so that the compiler warns,",
    EffectKind.SWITCHES_OFF: "switches off",
}


def compile_document(answer: CompileAnswer, full: bool = False) -> Document:
    """The lines of the compiler and of the linker, or why there is none."""
    document = Document()
    document.add(name_rows(answer.target, full))
    add_head(document, answer.envelope)
    if answer.node is not None:
        title = pieces((strong(str(answer.node.label)), "  ", quiet(macro_text(answer.node))))
        document.add(list(_head_rows(answer)), title)
    for action in answer.actions:
        title = pieces((name(action.mnemonic), "  ", _title_of(action)))
        document.add(list(_action_rows(action, answer, full)), title)
    if full and answer.environment:
        document.add(list(_environment_rows(answer)), "Environment of the actions")
    add_foot(document, answer.envelope, full)
    return document


def _head_rows(answer: CompileAnswer) -> Iterator[Row]:
    if answer.problem:
        yield row(warning(answer.problem))
        yield from suggestion_rows(answer.suggestions)
    if answer.other_compilers:
        others = listed([str(label) for label in answer.other_compilers], _COMPILERS_SHOWN)
        yield row(quiet(f"compiled by {others}, too"))
    toolchain = answer.toolchain
    if toolchain is not None and not answer.problem:
        if toolchain.unknown is not None:
            unknown = toolchain.unknown
            yield row(warning(f"unknown: {unknown}"), aside=location_text(unknown.location))
        else:
            assumed = f"; assumed that {toolchain.assumed}" if toolchain.assumed else ""
            place = location_text(toolchain.location)
            yield row(quiet(f"toolchain {toolchain.name}{assumed}"), aside=place)
    for unknown in answer.unknowns:
        yield row(warning(f"unknown: {unknown}"), aside=location_text(unknown.location))


def _title_of(action: ActionLine) -> str:
    return f"{action.source} -> {action.output}" if action.source else action.output


def _action_rows(action: ActionLine, answer: CompileAnswer, full: bool) -> Iterator[Row]:
    if action.also:
        same = listed(action.also, None if full else _SOURCES_SHOWN)
        yield row(quiet(f"the same for {same}"))
    if action.twin:
        yield row(quiet(f"once more, without -fPIC: {action.twin}"))
    if answer.word is not None:
        for word in action.words:
            yield from _why_rows(word)
        return
    for key, group in groupby(action.words, lambda word: _group_of(word, full)):
        words = tuple(group)
        if key == _UNKNOWN:
            yield from _unknown_rows(words)
        elif key == _OBJECTS:
            count = sum(word.text not in _AROUND_LIBRARIES for word in words)
            whose = len({one.origin for one in words if isinstance(one.origin, FromDependency)})
            libraries = plural(whose, "library", "libraries")
            yield row(quiet(f"... {plural(count, 'file')} of {libraries} (--full)"))
        elif key == _OWN_OBJECTS and len(words) > _OBJECTS_SHOWN:
            yield row(f"{words[0].text} ... {words[-1].text}", aside=f"its {len(words)} objects")
        elif key == _DIRECTORIES:
            count = sum(not word.text.startswith("-i") for word in words)
            what = "include directories of dependencies"
            yield row(quiet(f"... {count} {what} (--full)"))
        else:
            yield from _group_rows(words, full)


_UNKNOWN = "unknown"
_DIRECTORIES = "directories"
_OBJECTS = "objects"
_OWN_OBJECTS = "own objects"
_AROUND_LIBRARIES = frozenset(
    {"-Wl,--start-lib", "-Wl,--end-lib", "-Wl,-whole-archive", "-Wl,-no-whole-archive"}
)


def _group_of(word: LineWord, full: bool) -> object:
    """Words that stand together: those of one origin, and, where not `full`, directories and
    unknown words of dependencies."""
    origin = word.origin
    if word.unknown is not None:
        return _UNKNOWN if not full and isinstance(origin, FromBazel) else word.number
    if word.text in _AROUND_LIBRARIES and not full:
        return _OBJECTS
    if isinstance(origin, FromDependency) and not full:
        return _OBJECTS
    if isinstance(origin, FromBazel) and origin.what == "its objects" and not full:
        return _OWN_OBJECTS
    if isinstance(origin, FromBazel) and origin.what.startswith("files of @") and not full:
        return _DIRECTORIES
    if isinstance(origin, FromAttribute):
        if origin.path and origin.attribute in _OF_DIRECTORIES and not full:
            return _DIRECTORIES
        return (origin_text(origin), origin_place(origin))
    return (type(origin), origin_text(origin), origin_place(origin))


def _unknown_rows(words: Sequence[LineWord]) -> Iterator[Row]:
    """Dependencies of which nobody can tell what they hand on, the first ones by name."""
    unknowns = dict.fromkeys(word.unknown for word in words if word.unknown is not None)
    by_text = {str(unknown): unknown for unknown in reversed(unknowns)}
    told = list(by_text.values())[::-1]
    shown = told[:_UNKNOWNS_SHOWN]
    rest = len(told) - len(shown)
    handing = plural(len(words), "dependency", "dependencies")
    reasons = f" ({plural(len(told), 'reason')})" if len(told) != len(words) else ""
    yield row(warning("... "), f"{handing} may hand on more{reasons}:")
    for unknown in shown:
        yield row(quiet(str(unknown)), aside=location_text(unknown.location), indent=2)
    yield from more_rows(rest, indent=2)


def _group_rows(words: Sequence[LineWord], full: bool) -> Iterator[Row]:
    first = words[0]
    origin = first.origin
    aside = origin_text(origin)
    place = origin_place(origin)
    aside = f"{aside}  {place}" if place else aside
    if first.unknown is not None:
        yield row(warning(first.text), f" {first.unknown}")
        return
    beaten = [word for word in words if word.beaten_by is not None]
    shown = " ".join(_quoted(word.text) for word in words)
    yield row(shown, aside=aside)
    for word in words:
        for effect in word.effects:
            if not full and (effect.kind is EffectKind.REPEATS or _is_within(words, effect)):
                continue
            yield row(good(f"{word.text} {_EFFECTS[effect.kind]} {effect.word}"), indent=2)
    for word in beaten if full else ():
        assert word.beaten_by is not None
        yield row(quiet(f"{word.text} does not count: {word.beaten_by.word} comes later"), indent=2)


def _is_within(words: Sequence[LineWord], effect: LineEffect) -> bool:
    """Whether a word and the one that it beats are both the toolchain's."""
    return isinstance(words[0].origin, FromToolchain) and effect.is_of_toolchain


def _why_rows(word: LineWord) -> Iterator[Row]:
    """Everything that is known of one word."""
    yield row(strong(_quoted(word.text)), aside=f"word {word.number}")
    place = origin_place(word.origin)
    yield row(f"from {origin_text(word.origin)}", aside=place, indent=1)
    origin = word.origin
    if isinstance(origin, FromAttribute):
        if origin.term is not None:
            text = term_text(origin.term)
            if text:
                yield row(quiet("written in "), text, indent=1)
        if origin.condition is not None:
            yield row(
                quiet("in the branch "),
                str(origin.condition),
                aside=location_text(origin.select_at),
                indent=1,
            )
        if origin.path:
            yield row(quiet("through "), " -> ".join(map(str, origin.path)), indent=1)
    if isinstance(origin, FromOption) and origin.instance is not None:
        for cause in origin.instance.chain[:-1]:
            yield row(
                quiet("because of "), cause.text, aside=location_text(cause.location), indent=1
            )
    for effect in word.effects:
        yield row(f"{_EFFECTS[effect.kind]} {effect.word} (word {effect.number})", indent=1)
    if word.beaten_by is not None:
        later = word.beaten_by
        if later.kind is EffectKind.REPEATS:
            yield row(f"comes again as word {later.number}", indent=1)
        else:
            yield row(
                warning(f"does not count: {later.word} (word {later.number}) comes later"), indent=1
            )
    elif not isinstance(word.origin, FromBazel):
        yield row(good("counts"), indent=1)
    if word.unknown is not None:
        yield row(warning(f"unknown: {word.unknown}"), indent=1)


def _environment_rows(answer: CompileAnswer) -> Iterator[Row]:
    for one in answer.environment:
        text = f"{one.name}={one.value}" if one.value is not None else f"{one.name} as the client's"
        if one.unknown is not None:
            text = f"{one.name}: {one.unknown}"
        place = origin_place(one.origin)
        yield row(text, aside="  ".join(filter(None, (origin_text(one.origin), place))))


def origin_text(origin: WordOrigin) -> str:
    """Who put a word there: `toolchain, opt`, `--copt`, `copts of //a:b`."""
    match origin:
        case FromToolchain(feature, when):
            text = when or ("" if feature.startswith("default_") else feature)
            return f"toolchain, {text}" if text else "toolchain"
        case FromOption(option, instance):
            return f"--{option}" if instance is not None else f"--{option} of Bazel's own"
        case FromEnvironment(variable):
            return f"{variable} of the environment"
        case FromBazel(what):
            return what
        case FromAction(function):
            return function
        case FromDependency(target):
            return str(target)
        case FromAttribute(target, attribute, path=path):
            whose = f"{attribute} of {target}" if path else attribute
            term = term_text(origin.term, origin.select_at) if origin.term is not None else ""
            branch = f" [{origin.condition}]" if origin.condition is not None else ""
            return f"{whose}{': ' + term if term else ''}{branch}"


def origin_place(origin: WordOrigin) -> str:
    """Where that stands: `.bazelrc:160, --config=mkl`, `a/BUILD:3`."""
    match origin:
        case FromOption(instance=instance) | FromEnvironment(instance=instance):
            return setting_place(instance) if instance is not None else ""
        case FromAttribute():
            if origin.select_at is not None:
                return origin.select_at.short
            return location_text(origin.term.location) if origin.term is not None else ""
        case FromToolchain(location=location) | FromAction(location=location):
            return location_text(location)
    return ""


def _quoted(text: str) -> str:
    return f"'{text}'" if not text or any(char in text for char in ' "\\$') else text
