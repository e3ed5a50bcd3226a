"""Which features are enabled, and what flags they give."""

from __future__ import annotations

import pytest

from bazelscope.analysis.compile.feature_selection import enabled_features, requested_features
from bazelscope.analysis.compile.flag_expansion import expand
from bazelscope.analysis.compile.toolchain import (
    Feature,
    FlagGroup,
    FlagSet,
    Guard,
    Toolchain,
    WithFeatures,
    for_each,
    group,
    if_available,
)
from bazelscope.analysis.compile.words import FromBazel, Word

ACTION = frozenset({"act"})


def toolchain(*features: Feature) -> Toolchain:
    return Toolchain("test", "gcc", features, "cc", "ld", "ar")


def text(of: Toolchain, enabled: set[str], variables: dict[str, object]) -> str:
    words = expand(of, frozenset(enabled), "act", variables)
    return " ".join(word.text for word in words)


def word(one: str) -> Word:
    return Word(one, FromBazel("test"))


@pytest.mark.parametrize(
    ("flags", "package", "rule", "is_on"),
    [
        ((), (), (), True),  # By its mode.
        ((), ("-opt",), (), False),
        ((), ("-opt",), ("opt",), True),
        ((), ("opt",), ("-opt",), False),
        (("-opt",), ("opt",), ("opt",), False),
        (("opt",), ("-opt",), (), False),
        (("opt", "-opt"), (), (), False),
        ((), (), ("-opt", "opt"), False),
    ],
)
def test_levels_of_features(
    flags: tuple[str, ...], package: tuple[str, ...], rule: tuple[str, ...], is_on: bool
) -> None:
    asked = requested_features(toolchain(Feature("opt")), "opt", (flags, package, rule))
    assert ("opt" in asked) is is_on


def test_what_is_enabled_by_default_may_be_switched_off() -> None:
    of = toolchain(Feature("pic", enabled=True), Feature("x", enabled=True))
    assert requested_features(of, "opt", (("-pic",), (), ())) == ("x", "opt")


def test_implied_and_required_features() -> None:
    of = toolchain(
        Feature("a", implies=("b",)),
        Feature("b"),
        Feature("c", requires=(frozenset({"d"}),)),
        Feature("d"),
        Feature("e", implies=("missing",)),
    )
    assert enabled_features(of, ("a", "c")) == {"a", "b"}
    assert enabled_features(of, ("c", "d")) == {"c", "d"}
    assert enabled_features(of, ("e", "unknown")) == frozenset()


def test_flags_stand_in_the_order_of_the_features() -> None:
    of = toolchain(
        Feature("a", (FlagSet(ACTION, (group("-a"),)),)),
        Feature("b", (FlagSet(frozenset({"other"}), (group("-b"),)),)),
        Feature("c", (FlagSet(ACTION, (group("-c"),), (WithFeatures(frozenset({"a"})),)),)),
        Feature(
            "d",
            (FlagSet(ACTION, (group("-d"),), (WithFeatures(not_features=frozenset({"a"})),)),),
        ),
    )
    assert text(of, {"d", "c", "b", "a"}, {}) == "-a -c"
    assert text(of, {"d", "c"}, {}) == "-d"


def test_variables() -> None:
    library = FlagGroup(
        groups=(
            FlagGroup(("-l%{libs.name}",), guards=(Guard("equal", "libs.kind", "shared"),)),
            FlagGroup(("%{libs.name}",), guards=(Guard("equal", "libs.kind", "static"),)),
        ),
        iterate_over="libs",
    )
    of = toolchain(
        Feature(
            "a",
            (
                FlagSet(
                    ACTION,
                    (if_available("out", "-o", "%{out}"), for_each("ds", "-D%{ds}"), library),
                ),
            ),
        )
    )
    libraries = (
        {"name": word("m"), "kind": word("shared")},
        {"name": word("x.a"), "kind": word("static")},
    )
    variables = {"out": word("f.o"), "ds": (word("A"), word("B")), "libs": libraries}
    assert text(of, {"a"}, variables) == "-o f.o -DA -DB -lm x.a"
    # Bazel refuses flags of a variable that is not there.
    assert text(of, {"a"}, {}) == "..."


def test_a_word_has_the_origin_of_its_variable() -> None:
    of = toolchain(Feature("a", (FlagSet(ACTION, (if_available("out", "-o", "%{out}"),)),)))
    words = expand(of, frozenset({"a"}), "act", {"out": word("f.o")})
    assert [one.origin for one in words] == [FromBazel("test")] * 2
