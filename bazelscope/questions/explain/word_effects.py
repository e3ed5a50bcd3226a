"""What each word of the command line does: what it sets, beats and decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from bazelscope.analysis.compile.option_effects import OptionEffect
from bazelscope.analysis.conditions.match_result import MatchResult, Outcome
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import nearest
from bazelscope.base.source import Location, SourceFile
from bazelscope.flags.flag_values import FlagInstance, ResolvedFlags


@dataclass(frozen=True, slots=True)
class RcComment:
    """The lines of a comment without their marks, and where it begins."""

    lines: tuple[str, ...]
    location: Location


def comment_above(source: SourceFile, line: int) -> RcComment | None:
    """The comment that ends right above a line of an rc file; None if there is none."""
    texts = source.text.split("\n")
    start = line - 1
    while start > 0 and texts[start - 1].lstrip().startswith("#"):
        start -= 1
    lines = tuple(text.strip().lstrip("#").strip() for text in texts[start : line - 1])
    if not any(lines):
        return None
    return RcComment(lines, Location(source.path, start + 1, 1))


@dataclass(frozen=True, slots=True)
class WordEffect:
    """One setting that a word makes. `counts`: it is in force; else `beaten_by` is what
    beat it. `same_as` is a setting elsewhere of the same value, without which and without
    this word nothing would be different."""

    setting: FlagInstance
    counts: bool
    beaten_by: FlagInstance | None = None
    same_as: FlagInstance | None = None
    instead_of: FlagInstance | None = None
    """What would be in force without the word, where that is not the default."""


@dataclass(frozen=True, slots=True)
class WordAnswer:
    """One option of the command line: what it sets, after expansion, the `conditions` that
    hold because of it, and those `prevented`: they would hold without it. `number` counts
    words from 1."""

    text: str
    number: int
    effects: tuple[WordEffect, ...]
    conditions: tuple[Label, ...] = ()
    read_by: tuple[str, ...] = ()
    """The repositories whose rules read the variable of the environment that it sets."""
    is_undefined: bool = False
    """It names a config that nothing defines."""
    prevented: tuple[Label, ...] = ()
    compiler: tuple[OptionEffect, ...] = ()
    """What its options come to for the compiler and the linker."""
    comment: RcComment | None = None
    """What the rc file says above the first line of the config that it names."""
    near: tuple[str, ...] = ()
    """Flags of another name that something asks for, and that were perhaps meant: nothing is
    known to ask for the define or the variable that it sets."""


ReadersOf = Callable[[str], tuple[str, ...]]
"""The repositories whose rules read a variable of the environment."""

_NEAR = 2
VARIABLES_OF_RULES = frozenset({"action_env", "repo_env"})
"""The options that set variables which repository rules see."""


def what_words_do(
    flags: ResolvedFlags,
    conditions: Iterable[MatchResult] = (),
    readers_of: ReadersOf = lambda variable: (),
    compiler: Iterable[OptionEffect] = (),
    sources: Mapping[str, SourceFile] | None = None,
    variables: Callable[[], Iterable[str]] = tuple,
) -> tuple[WordAnswer, ...]:
    """Every option of the command line, in its order. `sources` are the texts of rc files,
    `variables` those that repositories' rules read."""
    effects: dict[int, list[WordEffect]] = {}
    texts: dict[int, str] = {}
    for counting, beaten, is_single in _competitions(flags):
        for instance in (*counting, *beaten):
            number = _word_of(instance)
            if number is None or instance.name == "config":
                continue
            effects.setdefault(number, []).append(_effect(instance, counting, beaten, is_single))
    for value in (*flags.values.values(), *flags.starlark_flags.values()):
        for instance in (*value.instances, *value.overridden):
            number = _word_of(instance)
            if number is not None:
                texts.setdefault(number, instance.chain[0].text)
    undefined = set()
    for instance in flags.undefined_configs:
        number = _word_of(instance)
        if number is not None:
            texts[number] = instance.chain[0].text
            if len(instance.chain) == 1:  # Else one that this config names is undefined.
                undefined.add(number)
    known = tuple(conditions)
    of_compiler: dict[int, list[OptionEffect]] = {}
    for one in compiler:
        of_compiler.setdefault(_word_of(one.setting) or 0, []).append(one)
    deciding = _deciding(known, effects)
    prevented = _prevented(known, effects)
    return tuple(
        WordAnswer(
            texts[number],
            number,
            tuple(effects.get(number, ())),
            tuple(deciding.get(number, ())),
            _readers(effects.get(number, ()), readers_of),
            number in undefined,
            tuple(prevented.get(number, ())),
            tuple(of_compiler.get(number, ())),
            _comment(effects.get(number, ()), sources or {}),
            _near(effects.get(number, ()), known, variables),
        )
        for number in sorted(texts)
    )


def _comment(effects: Iterable[WordEffect], sources: Mapping[str, SourceFile]) -> RcComment | None:
    """What stands above the first line of the config that a word names: a config that this one
    names says nothing of this one."""
    places = [one.setting.chain[1].location for one in effects if len(one.setting.chain) > 1]
    first = min((place for place in places if place is not None), default=None)
    source = sources.get(first.path) if first is not None else None
    return comment_above(source, first.line) if source is not None and first is not None else None


def _readers(effects: Iterable[WordEffect], readers_of: ReadersOf) -> tuple[str, ...]:
    readers: dict[str, None] = {}
    for effect in effects:
        if effect.setting.name in VARIABLES_OF_RULES and effect.counts:
            variable = (effect.setting.value or "").partition("=")[0]
            readers.update(dict.fromkeys(readers_of(variable)))
    return tuple(sorted(readers))


def _near(
    effects: Sequence[WordEffect],
    conditions: Iterable[MatchResult],
    variables: Callable[[], Iterable[str]],
) -> tuple[str, ...]:
    """What was perhaps meant by a word that sets one define, or variable, that nothing asks for."""
    setting = effects[0].setting if len(effects) == 1 else None
    if setting is None or len(setting.chain) > 1:
        return ()
    name = (setting.value or "").partition("=")[0]
    if setting.name in VARIABLES_OF_RULES:
        beginning, known = f"--{setting.name}=", list(variables())
    elif setting.name == "define":
        beginning = "--define="
        asked = {entry.what for condition in conditions for entry in condition.entries}
        known = [what.removeprefix(beginning) for what in sorted(asked) if beginning in what]
    else:
        return ()
    return () if name in known else tuple(beginning + one for one in nearest(name, known, _NEAR))


_Competition = tuple[tuple[FlagInstance, ...], tuple[FlagInstance, ...], bool]
"""The instances that count, those that they beat, and whether one value is all there is."""


def _competitions(flags: ResolvedFlags) -> Iterable[_Competition]:
    for name, value in flags.values.items():
        if name != "define":
            is_single = bool(value.overridden) or len(value.instances) == 1
            yield value.instances, value.overridden, is_single
    for define in flags.defines.values():
        yield (define.instance,), define.overridden, True
    for value in flags.starlark_flags.values():
        if flags.settings is None and value.overridden:
            # Nobody has looked whether each of its values counts.
            yield (*value.overridden, *value.instances), (), False
        else:
            yield value.instances, value.overridden, True


def _effect(
    instance: FlagInstance,
    counting: tuple[FlagInstance, ...],
    beaten: tuple[FlagInstance, ...],
    is_single: bool,
) -> WordEffect:
    if all(instance is not other for other in counting):
        winner = counting[-1] if counting else None
        return WordEffect(instance, False, beaten_by=winner)
    if not is_single:
        return WordEffect(instance, True)
    own = _word_of(instance)
    others = [other for other in beaten if _word_of(other) != own]
    if not others:
        return WordEffect(instance, True)
    without = max(others, key=lambda other: other.precedence)
    if without.value == instance.value:
        return WordEffect(instance, True, same_as=without)
    return WordEffect(instance, True, instead_of=without)


def _word_of(instance: FlagInstance) -> int | None:
    """The word that an instance comes from in the end, counted from 1."""
    index = instance.typed_word
    return index + 1 if index is not None else None


def _deciding(
    conditions: Iterable[MatchResult], effects: Mapping[int, Sequence[WordEffect]]
) -> dict[int, list[Label]]:
    """For each word, the conditions that hold because of it: not those that ask for nothing
    but what would be so without it."""
    idle = {
        (number, effect.setting.canonical)
        for number, of_word in effects.items()
        for effect in of_word
        if effect.same_as is not None
    }
    deciding: dict[int, list[Label]] = {}
    for condition in conditions:
        if condition.outcome is not Outcome.HOLDS:
            continue
        words = set()
        for entry in condition.entries:
            if entry.set_by is None:
                continue
            number = _word_of(entry.set_by)
            if number is not None and (number, entry.set_by.canonical) not in idle:
                words.add(number)
        for number in words:
            deciding.setdefault(number, []).append(condition.condition)
    return deciding


def _prevented(
    conditions: Iterable[MatchResult], effects: Mapping[int, Sequence[WordEffect]]
) -> dict[int, list[Label]]:
    """For each word, the conditions that want nothing but what would be so without it."""
    without = {
        (number, effect.setting.canonical): _single_value(effect.instead_of)
        for number, of_word in effects.items()
        for effect in of_word
        if effect.instead_of is not None
    }
    prevented: dict[int, list[Label]] = {}
    for condition in conditions:
        if condition.outcome is not Outcome.DOES_NOT_HOLD or not condition.unmet:
            continue
        words = set()
        for entry in condition.unmet:
            number = _word_of(entry.set_by) if entry.set_by is not None else None
            met = (
                number is not None
                and entry.set_by is not None
                and (without.get((number, entry.set_by.canonical)) == entry.wanted)
            )
            words.add(number if met else None)
        number = words.pop()
        if number is not None and not words:
            prevented.setdefault(number, []).append(condition.condition)
    return prevented


def _single_value(setting: FlagInstance) -> str | None:
    """The value as a condition asks for it: that of a define without its name."""
    value = setting.value
    return value.partition("=")[2] if setting.name == "define" and value else value
