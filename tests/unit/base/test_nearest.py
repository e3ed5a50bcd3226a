"""What is suggested for a name that is not known, and what is not."""

from __future__ import annotations

import pytest

from bazelscope.base.nearest import bazels_suggestion, did_you_mean, nearest, with_part

_FLAGS = ("compilation_mode", "copt", "cxxopt", "config", "host_copt", "define")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("compilation_mood", ("compilation_mode",)),
        ("copts", ("copt", "cxxopt")),
        ("aa", ()),
        ("", ()),
        ("compile_nothing", ()),
        ("c" * 300, ()),
    ],
)
def test_nearest(word: str, expected: tuple[str, ...]) -> None:
    assert nearest(word, _FLAGS, 2) == expected


def test_a_hint_names_each_in_the_form_that_is_asked_for() -> None:
    assert did_you_mean("mkl_dn", ["mkl_dnn", "mkl"], "`@{}`", 2) == (
        "did you mean `@mkl_dnn` or `@mkl`?"
    )
    assert did_you_mean("mkl_dn", ["cuda"]) is None


def test_what_bazel_says_was_meant() -> None:
    known = ("allow_empty", "mandatory", "default")
    assert bazels_suggestion("non_empty", known) == "allow_empty"
    assert bazels_suggestion("mandatroy", known) == "mandatory"
    assert bazels_suggestion("cfg", known) is None
    assert bazels_suggestion("x" * 10_000, known) is None


def test_a_word_finds_the_names_that_it_is_a_part_of() -> None:
    known = ["WITH_GUROBI", "//tools/flags:with_gurobi", "gurobian", "mosek"]
    assert with_part("gurobi", known) == ("WITH_GUROBI", "//tools/flags:with_gurobi")
    assert with_part("", known) == ()
    assert with_part("flags:with", known) == ("//tools/flags:with_gurobi",)


def test_of_many_names_those_are_compared_that_begin_or_end_alike() -> None:
    names = [f"{one}_library_{number}" for number in range(2000) for one in ("quick", "slow")]
    assert nearest("quick_libary_77", names, 1) == ("quick_library_77",)
    assert nearest("qick_library_1203", names, 1) == ("quick_library_1203",)
    assert nearest("slow_library_120", [name for name in names if not name.endswith("120")], 3)
    assert nearest("nothing_like_it", names) == ()
