"""What words of a compiler's line do to earlier ones."""

from __future__ import annotations

import pytest

from bazelscope.analysis.compile.word_effects import EffectKind, effects_of

BEATS, REPEATS = EffectKind.BEATS, EffectKind.REPEATS
REDEFINES, OFF = EffectKind.REDEFINES, EffectKind.SWITCHES_OFF


@pytest.mark.parametrize(
    ("earlier", "later", "kind"),
    [
        ("-O2", "-O3", BEATS),
        ("-O2", "-O2", REPEATS),
        ("-O", "-Os", BEATS),
        ("-g0", "-g", BEATS),
        ("-g", "-g0", BEATS),
        ("-ggdb3", "-g1", BEATS),
        ("-std=c++0x", "-std=c++17", BEATS),
        ("-march=native", "-march=haswell", BEATS),
        ("-DA", "-DA", REPEATS),
        ("-DA=1", "-DA=2", REDEFINES),
        ("/DA", "-DA", EffectKind.REPEATS),
        ("-DA", "-DA=1", EffectKind.REPEATS),
        ("-DA", "-UA", OFF),
        ("-UA", "-DA=1", BEATS),
        ("-Wx", "-Wno-x", OFF),
        ("-Wno-x", "-Wx", BEATS),
        ("-fstack-protector", "-fstack-protector-strong", BEATS),
        ("-fno-omit-frame-pointer", "-fomit-frame-pointer", BEATS),
        ("-mavx", "-mno-avx", BEATS),
        ("/O2", "/Od", BEATS),
        ("/arch:AVX", "/arch:AVX2", BEATS),
        ("/MD", "/MTd", BEATS),
        ("/std:c++14", "/std:c++17", BEATS),
    ],
)
def test_the_later_word_counts(earlier: str, later: str, kind: EffectKind) -> None:
    (effect,) = effects_of([earlier, "-Iunrelated", later])
    assert (effect.kind, effect.earlier, effect.later) == (kind, 0, 2)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("-march=native", "-mtune=haswell"),
        ("-DA", "-DAB"),
        ("-Wall", "-Wextra"),
        ("-Ia", "-Ib"),
        ("-g", "-O2"),
        ("-g3", "-g"),  # GCC keeps the higher level.
        ("-lm", "-lm"),
        ("-Wl,-S", "-Wl,-x"),
        ("-gsplit-dwarf", "-g"),
    ],
)
def test_words_that_leave_each_other_alone(first: str, second: str) -> None:
    assert effects_of([first, second]) == ()


def test_the_argument_of_an_option_is_no_option() -> None:
    assert effects_of(["-include", "-O2", "-O3", "-o", "-O1"]) == ()


def test_each_beats_the_one_before_it() -> None:
    effects = effects_of(["-O0", "-O1", "-O2"])
    assert [(one.earlier, one.later) for one in effects] == [(0, 1), (1, 2)]
