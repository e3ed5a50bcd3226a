"""What options for the compiler and the linker come to, whatever is built: where their words stand
beside the toolchain's, which of them count, and whether debug symbols stay.

Targets may add words behind these; `compile` tells that of one target.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping

from bazelscope.analysis.compile.feature_selection import enabled_features, requested_features
from bazelscope.analysis.compile.flag_expansion import expand
from bazelscope.analysis.compile.option_words import linkopt_words, option_words
from bazelscope.analysis.compile.toolchain import C_COMPILE, CPP_COMPILE, Action, Toolchain
from bazelscope.analysis.compile.toolchain_choice import toolchain_of
from bazelscope.analysis.compile.word_effects import Effect, EffectKind, effects_of, subject_of
from bazelscope.analysis.compile.words import FromOption, FromToolchain, Word
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.flags.flag_values import FlagInstance


class Stripping(enum.Enum):
    """What `--strip` comes to in a mode."""

    KEPT = "kept"
    """`--strip=sometimes`, but not in fastbuild."""
    NEVER = "never"
    ALWAYS = "always"
    FASTBUILD = "fastbuild"
    """`--strip=sometimes` in fastbuild: the linker drops debug symbols."""


@dataclass(frozen=True, slots=True)
class OptionEffect:
    """What one setting comes to. `words` are the compiler's or linker's own that it adds.

    `beats` are words of the toolchain that one of `words` comes after and beats, `beaten_by` a word
    of a later option that beats it (`by` is that setting), `same_as` an earlier option that gives
    the same word to the same sources. `strips` tells of debug symbols, where it is about these.
    """

    setting: FlagInstance
    words: tuple[str, ...] = ()
    mode: str = ""
    beats: tuple[str, ...] = ()
    beaten_by: str = ""
    by: FlagInstance | None = None
    same_as: FlagInstance | None = None
    strips: Stripping | None = None
    unknown: Unknown | None = None
    """Why the toolchain's words cannot be told."""


_MODES = frozenset({"opt", "dbg", "fastbuild"})
_OF_COMPILER = ("copt", "conlyopt", "cxxopt")
OPTIONS = frozenset({*_OF_COMPILER, "linkopt", "strip", "compilation_mode"})


def option_effects(
    configuration: Configuration,
    environment: Mapping[str, str],
    own: Toolchain | Unknown | None = None,
) -> tuple[OptionEffect, ...]:
    """What the settings of these options come to that are in force, in no order. `own` is the
    workspace's own toolchain, if one is chosen and packages may be looked at."""
    if not any(configuration.value(name).instances for name in OPTIONS):
        return ()
    return tuple(_effects(configuration, own or toolchain_of(configuration, environment)))


def stripping(configuration: Configuration) -> Stripping:
    """What becomes of debug symbols. Bazel: `CppConfiguration.shouldStripBinaries`."""
    asked = (configuration.value("strip").value or "sometimes").lower()
    if asked in ("always", "never"):
        return Stripping(asked)
    mode = configuration.value("compilation_mode").value
    return Stripping.FASTBUILD if mode == "fastbuild" else Stripping.KEPT


def _effects(configuration: Configuration, chosen: Toolchain | Unknown) -> Iterator[OptionEffect]:
    unknown = chosen if isinstance(chosen, Unknown) else None
    toolchain = None if isinstance(chosen, Unknown) else chosen
    mode = configuration.value("compilation_mode").value or "fastbuild"
    strips = stripping(configuration)
    for name in _OF_COMPILER:
        action = C_COMPILE if name == "conlyopt" else CPP_COMPILE
        line = _line(configuration, toolchain, mode, action)
        about: dict[int, list[Effect]] = {}
        for effect in effects_of([word.text for word in line]):
            about.setdefault(effect.later, []).append(effect)
            about.setdefault(effect.earlier, []).append(effect)
        for index, word in enumerate(line):
            origin = word.origin
            if isinstance(origin, FromOption) and origin.option == name and origin.instance:
                effects = about.get(index, ())
                yield _of_word(line, index, effects, origin.instance, mode, strips, unknown)
    for word in linkopt_words(configuration):
        if isinstance(word.origin, FromOption) and word.origin.option == "linkopt":
            assert word.origin.instance is not None
            yield OptionEffect(word.origin.instance, (word.text,))
    for instance in configuration.value("strip").instances[-1:]:
        yield OptionEffect(instance, mode=mode, strips=strips)
    for instance in configuration.value("compilation_mode").instances[-1:]:
        line = _line(configuration, toolchain, mode, CPP_COMPILE)
        words = tuple(
            word.text
            for word in line
            if isinstance(word.origin, FromToolchain) and _mode_of(word.origin) == mode
        )
        yield OptionEffect(instance, words, mode, unknown=unknown)


def _mode_of(origin: FromToolchain) -> str:
    """For what a toolchain has a word: a set of features, or the mode that has a feature."""
    return origin.when or (origin.feature if origin.feature in _MODES else "")


def _line(
    configuration: Configuration, toolchain: Toolchain | None, mode: str, action: Action
) -> list[Word]:
    names = ("copt", "conlyopt" if action == C_COMPILE else "cxxopt")
    users = [word for name in names for word in option_words(configuration, name)]
    if toolchain is None:
        return users
    levels = (configuration.value("features").values, (), ())
    enabled = enabled_features(toolchain, requested_features(toolchain, mode, levels))
    variables: dict[str, object] = {"user_compile_flags": tuple(users)}
    return list(expand(toolchain, enabled, action, variables))


def _of_word(
    line: list[Word],
    index: int,
    effects: Iterable[Effect],
    instance: FlagInstance,
    mode: str,
    strips: Stripping,
    unknown: Unknown | None,
) -> OptionEffect:
    """What the word at `index` of a line comes to; `effects` are those that it has part in."""
    beats: list[str] = []
    beaten_by, by, same_as = "", None, None
    for effect in effects:
        other = line[effect.earlier if effect.later == index else effect.later]
        origin = other.origin
        if effect.later == index:
            if isinstance(origin, FromToolchain) and effect.kind is not EffectKind.REPEATS:
                of = _mode_of(origin)
                beats.append(other.text + (f" of {of}" if of else ""))
            elif isinstance(origin, FromOption) and effect.kind is EffectKind.REPEATS:
                same_as = origin.instance
        elif effect.earlier == index and effect.kind is not EffectKind.REPEATS:
            beaten_by = other.text
            by = origin.instance if isinstance(origin, FromOption) else None
    text = line[index].text
    about_symbols = subject_of(text) == "debug" and text != "-g0"
    return OptionEffect(
        instance,
        (text,),
        mode,
        tuple(beats),
        beaten_by,
        by,
        same_as,
        strips if about_symbols else None,
        unknown,
    )
