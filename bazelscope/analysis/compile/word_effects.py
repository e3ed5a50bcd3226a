"""What a word of a compiler's or linker's command line does to the words before it.

Of some options the last one counts (`-O3` after `-O2`); each is said by what it sets. Sources: the
manuals of GCC, Clang and MSVC.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern


class EffectKind(enum.Enum):
    """What a later word does to an earlier one."""

    BEATS = "beats"
    """It sets the same to something else: the earlier one counts no more."""
    REPEATS = "repeats"
    """It sets the same to the same."""
    REDEFINES = "redefines"
    """It defines the same macro with another value: the compiler warns, the later one counts."""
    SWITCHES_OFF = "switches-off"
    """`-Wno-x` after `-Wx`, `-UX` after `-DX`."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What the word at `later` does to the one at `earlier`, both counted from 0."""

    kind: EffectKind
    later: int
    earlier: int


_TAKES_NEXT = frozenset(
    {
        *("-o", "-c", "-MF", "-MT", "-MQ", "-iquote", "-isystem", "-idirafter", "-include", "-x"),
        *("-Xclang", "-mllvm", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-arch", "-target"),
        *("-framework", "-isysroot", "-imacros", "-Xarch_host", "--param"),
    }
)
_DEFINES = lazy_pattern(r"(?:-|/)(D|U)([A-Za-z_]\w*)(?:\(|=|$)")
_SINGLE = lazy_pattern(
    r"(?P<debug>-g(?:\d|gdb\d?|line-tables-only)?$|-ggdb\d?$)"
    r"|(?P<optimize>-O(?:\d|s|z|g|fast)?$|/O[12dxst]$)"
    r"|(?P<standard>-std=|/std:)"
    r"|(?P<equal>-m(?:arch|tune|cpu|fpu|float-abi|fpmath)=|--sysroot=|-stdlib=|-fuse-ld=|-flto(?:=|$)"
    r"|-fvisibility=|-fdiagnostics-color=|--target=|-ffp-contract=)"
    r"|(?P<arch>/arch:)"
    r"|(?P<runtime>/M[DT]d?$)"
    r"|(?P<exceptions>/EH)"
    r"|(?P<level>/W[0-4x]$|/Wall$)"
)
_SWITCH = lazy_pattern(r"-(?P<letter>[Wfm])(?P<no>no-)?(?P<name>[A-Za-z][\w+.=-]*)$")
_VARIANTS = {"stack-protector-strong": "stack-protector", "stack-protector-all": "stack-protector"}
_NO_SWITCHES = ("-Wl,", "-Wa,", "-Wp,", "-frandom-seed=", "-fdebug-prefix-map=")


def effects_of(words: Sequence[str]) -> tuple[Effect, ...]:
    """What words do to the earlier ones, in the order of the later words."""
    return tuple(_effects(words))


def _effects(words: Sequence[str]) -> Iterator[Effect]:
    last: dict[str, int] = {}
    is_argument = False
    for index, word in enumerate(words):
        if is_argument:
            is_argument = False
            continue
        is_argument = word in _TAKES_NEXT
        subject = subject_of(word)
        if subject is None:
            continue
        before = last.get(subject)
        if before is not None:
            kind = _kind(words[before], word)
            if kind is None:
                continue  # The earlier one stays.
            yield Effect(kind, index, before)
        last[subject] = index


def _defined(word: str) -> str:
    """What a `-D` defines, however it is spelt: `/DX` and `-DX` are `-DX=1`."""
    return f"{word[1:]}=1" if "=" not in word else word[1:]


def subject_of(word: str) -> str | None:
    """What a word sets, where only one setting of it can count; None for other words."""
    defined = _DEFINES.match(word)
    if defined is not None:
        return f"macro {defined[2]}"
    single = _SINGLE.match(word)
    if single is not None:
        group = single.lastgroup or ""
        return single["equal"].rstrip("=") if group == "equal" else group
    switch = _SWITCH.match(word)
    if switch is None or word.startswith(_NO_SWITCHES):
        return None
    name = _VARIANTS.get(switch["name"], switch["name"])
    if switch["letter"] != "W":
        name = name.partition("=")[0]
    return f"-{switch['letter']}{name}"


def _kind(earlier: str, later: str) -> EffectKind | None:
    if earlier == later:
        return EffectKind.REPEATS
    if _DEFINES.match(later):
        if _defined(earlier) == _defined(later):
            return EffectKind.REPEATS
        if later[1] == "U":
            return EffectKind.SWITCHES_OFF
        return EffectKind.BEATS if earlier[1] == "U" else EffectKind.REDEFINES
    if later == "-g" and earlier in ("-g2", "-g3", "-ggdb", "-ggdb2", "-ggdb3"):
        return None  # GCC keeps the higher level, Clang does not.
    if later.startswith("-Wno-"):
        return EffectKind.SWITCHES_OFF
    return EffectKind.BEATS
