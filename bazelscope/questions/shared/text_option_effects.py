"""What options for the compiler and the linker come to, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from bazelscope.analysis.compile.option_effects import OptionEffect, Stripping
from bazelscope.questions.shared.phrases import setting_place
from bazelscope.render.document import Row, good, row, warning

_REACHES = {
    "copt": "C and C++ sources",
    "conlyopt": "C sources alone",
    "cxxopt": "C++ sources alone",
}


def rows_of_effects(effects: Iterable[OptionEffect], indent: int = 0) -> Iterator[Row]:
    """What settings come to; of several in a row that come to the same it is said once."""
    for where, alike in groupby(effects, key=_where_alone):
        if where:
            words = ", ".join(dict.fromkeys(effect.setting.canonical for effect in alike))
            yield row(f"{words}: {where}", indent=indent)
        else:
            for effect in alike:
                yield from _effect_rows(effect, indent)


def _where_alone(effect: OptionEffect) -> str:
    """Where the words of a setting stand, if there is no more to say of it."""
    name = effect.setting.name
    is_special = effect.beaten_by or effect.same_as is not None or effect.beats
    if name not in _REACHES or is_special or effect.strips is not None:
        return ""
    return _where(effect)


def _where(effect: OptionEffect) -> str:
    if effect.unknown is not None:
        return "after the words of the toolchain, which are not known"
    return f"for {_REACHES[effect.setting.name]}, after the toolchain's words"


def _effect_rows(effect: OptionEffect, indent: int = 0) -> Iterator[Row]:
    """What one setting comes to: kept or beaten, and what becomes of debug symbols."""
    name = effect.setting.name
    # Each line names its option, so that `--why` can be asked for it.
    words = effect.setting.canonical
    if name == "compilation_mode":
        if effect.words:
            added = " ".join(effect.words)
            yield row(f"{effect.setting.canonical}: the toolchain adds {added}", indent=indent)
        elif effect.unknown is not None:
            what = f"{effect.setting.canonical}: what the toolchain adds is not known"
            yield row(f"{what}: {effect.unknown}", indent=indent)
        else:
            text = f"{effect.setting.canonical}: the toolchain adds nothing for the compiler"
            yield row(text, indent=indent)
    elif name == "strip":
        yield row(strip_text(effect.strips, effect.mode), indent=indent)
    elif name == "linkopt":
        yield row(f"{words}: behind the linkopts of all libraries that are linked", indent=indent)
    elif name in _REACHES:
        yield from _copt_rows(effect, words, indent)


def _copt_rows(effect: OptionEffect, word: str, indent: int) -> Iterator[Row]:
    name = effect.setting.name
    if effect.beaten_by:
        place = setting_place(effect.by) if effect.by is not None else ""
        later = f"{word} does not count: {effect.beaten_by} comes later"
        yield row(warning(later), aside=place, indent=indent)
    elif effect.same_as is not None:
        other = effect.same_as
        text = f"{word}: set already"
        if other.name != name:
            text = f"{word} changes nothing: --{other.name} has given it to {_REACHES[other.name]}"
        yield row(text, aside=setting_place(other), indent=indent)
    elif effect.beats:
        yield row(good(f"{word} counts, after {', '.join(effect.beats)}"), indent=indent)
    else:
        yield row(f"{word}: {_where(effect)}", indent=indent)
    if effect.strips is not None and not effect.beaten_by and effect.same_as is None:
        yield row(strip_text(effect.strips, effect.mode), indent=indent)


def strip_text(strips: Stripping | None, mode: str) -> str:
    """What becomes of debug symbols in a mode."""
    texts = {
        Stripping.KEPT: f"debug symbols stay under -c {mode}: --strip=sometimes strips fastbuild"
        " only",
        Stripping.FASTBUILD: "the linker drops debug symbols (-Wl,-S): --strip=sometimes strips"
        " fastbuild; --strip=never keeps them",
        Stripping.ALWAYS: "--strip=always: the linker drops debug symbols (-Wl,-S)",
        Stripping.NEVER: "--strip=never: debug symbols stay",
    }
    return texts[strips] if strips is not None else ""
