"""Every form in which a release of Bazel is written: what it means, its order, its facts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bazelscope.bazel.facts.fact import Fact, between, since, until
from bazelscope.bazel.release import (
    Release,
    ReleaseRange,
    from_bazelversion,
    known_releases,
    release_of_lock,
)

NEWEST = known_releases()[-1].text
COMMIT = "0123456789abcdef0123456789abcdef01234567"

NUMBERED = {
    "4.2.3": (4, 2, 3),
    "v4.2.3": (4, 2, 3),
    "4.2.3- (@non-git)": (4, 2, 3),
    "7.1": (7, 1, 0),
    "7.0.0rc1": (7, 0, 0),
    "8.0.0-pre.20240618.2": (8, 0, 0),
    "6.5.0-pre": (6, 5, 0),
    "bazelbuild/7.1.0": (7, 1, 0),
    " 7.1.0 ": (7, 1, 0),
}


@pytest.mark.parametrize(("text", "numbers"), NUMBERED.items())
def test_a_number_is_taken_as_it_is(text: str, numbers: tuple[int, int, int]) -> None:
    release = Release.of(text)
    assert release.numbers == numbers
    assert release.doubt == ""
    assert release.text == text.strip().removeprefix("bazelbuild/")


TAKEN = {
    "7.x": ("7.7.1", "`7.x`, taken for the newest release of Bazel 7 known here"),
    "7.*": ("7.7.1", "`7.*`, taken for the newest release of Bazel 7 known here"),
    "6.x": ("6.5.0", "`6.x`, taken for the newest release of Bazel 6 known here"),
    "latest": (NEWEST, "`latest`, taken for the newest release known here"),
    "latest-1": (
        known_releases()[-2].text,
        "`latest-1`, taken for the newest but 1 of the releases known here",
    ),
    "latest-99": ("0.24.1", "`latest-99`, taken for the oldest release known here"),
    "fork/7.1.0": ("7.1.0", "`fork/7.1.0`, a fork, taken for Bazel's own"),
    "rolling": (NEWEST, "`rolling`, which is not known here"),
    "last_green": (NEWEST, "`last_green`, which is not known here"),
    "last_rc": (NEWEST, "`last_rc`, which is not known here"),
    COMMIT: (NEWEST, "commit 0123456789ab, which is not known here"),
}


@pytest.mark.parametrize(("text", "taken"), TAKEN.items())
def test_what_names_no_single_release_says_what_was_taken(
    text: str, taken: tuple[str, str]
) -> None:
    release = Release.of(text)
    assert release.text == taken[0]
    assert release.doubt.startswith(taken[1])
    # What answers name is asked with again, by name.
    assert Release.of(release.text) == release


LOCKED = {
    # lockFileVersion, .bazelversion, the release that is taken
    "a commit": (12, COMMIT, "8.0.0-pre"),
    "what moves": (26, "last_green", "9.1.1"),
    "nothing": (18, None, "8.4.2"),
    "a release": (18, "8.1.0", None),
    "an unknown lock": (4711, None, None),
}


@pytest.mark.parametrize(("version", "written", "taken"), LOCKED.values(), ids=LOCKED)
def test_a_lock_file_says_which_releases_write_it(
    version: int, written: str | None, taken: str | None
) -> None:
    release = release_of_lock(f'{{\n  "lockFileVersion": {version},\n', written)
    assert (release.text if release is not None else None) == taken
    assert release is None or f"version {version} of MODULE.bazel.lock" in release.doubt


@pytest.mark.parametrize("text", ["", "7", "x.7", "4.2.3foo", "newest", "latest-", "7.x.1"])
def test_other_texts_name_no_release(text: str) -> None:
    assert Release.read(text) is None
    with pytest.raises(ValueError, match="names no Bazel"):
        Release.of(text)


def test_order() -> None:
    ordered = [
        "0.24.1",
        "2.1.0",
        "4.2.3",
        "6.x",
        "7.0.0-pre.20230530.3",
        "7.0.0-pre.20231011.2",
        "7.0.0rc1",
        "7.0.0rc2",
        "7.0.0rc10",
        "7.0.0",
        "7.1",
        "7.x",
        "7.10.0",
        "8.0.0-pre.20240618.2",
        "latest-1",
        "latest",
    ]
    releases = [Release.of(text) for text in ordered]
    assert all(before < after for before, after in pairwise(releases))
    assert Release.of("v4.2.3") == Release.of("4.2.3") == Release.of("4.2.3- (@non-git)")
    assert len({Release.of("v4.2.3"), Release.of("4.2.3")}) == 1
    assert Release.of(COMMIT) == Release.of("rolling") == Release.of("latest")


def facts() -> dict[str, Fact]:
    classes = Release.__mro__[1:]
    return {
        name: value for one in classes for name, value in vars(one).items() if type(value) is Fact
    }


@pytest.mark.parametrize("text", ["v4.2.3", "4.2.3- (@non-git)", "4.2.3rc1", "fork/4.2.3"])
def test_all_forms_of_a_release_have_its_facts(text: str) -> None:
    names = facts()
    assert len(names) > 100
    asked, plain = Release.of(text), Release.of("4.2.3")
    assert {name: getattr(asked, name) for name in names} == {
        name: getattr(plain, name) for name in names
    }


def test_no_name_of_a_fact_stands_in_two_stages() -> None:
    count = sum(type(value) is Fact for one in Release.__mro__[1:] for value in vars(one).values())
    assert count == len(facts())


def test_spans() -> None:
    def true_of(fact: Fact, *texts: str) -> list[bool]:
        return [fact.holds(Release.of(text)) for text in texts]

    assert true_of(since(6, 3), "6.2.9", "6.3.0rc1", "6.3", "9.0.0") == [False, True, True, True]
    assert true_of(until(4), "3.7.2", "4.0.0-pre.1", "4.0.0") == [True, False, False]
    assert true_of(between((4,), (5,)), "3.9.9", "4.0.0", "5.0.0") == [False, True, False]
    either = between((7, 7), (8,)) | since(8, 5)
    assert true_of(either, "7.6.9", "7.7.1", "8.0.0", "8.5.0") == [False, True, False, True]
    assert either.first == "7.7.0"


CONDITIONS = {
    ">=8.0.0": True,
    ">8.1.0": False,
    "<=8.1.0": True,
    "<8.1.0": False,
    "==8.1.0": True,
    "!=8.1.0": False,
    "~8": True,
    "~8.1": True,
    "~8.0": False,
    "~9": False,
    ">8.1.0-rc1": True,
    ">=8": None,
    "8.0.0": None,
}


@pytest.mark.parametrize(("condition", "holds"), CONDITIONS.items())
def test_conditions(condition: str, holds: bool | None) -> None:
    assert Release.of("8.1.0").meets(condition) is holds


def test_ranges() -> None:
    assert Release.of("v3.1.0") in ReleaseRange("3.1.0", "3.99.0")
    assert Release.of("3.1.0rc1") not in ReleaseRange("3.1.0")
    assert Release.of("4.0.0") not in ReleaseRange("3.1.0", "3.99.0")
    assert ReleaseRange("3.1.0", "3.99.0").best == "3.1.0"
    assert ReleaseRange("3.1.0", "3.7.2").best == "3.7.2"


def test_the_line_of_bazelversion() -> None:
    assert from_bazelversion("\n# pinned\nfork/7.1.0 # why\n8.0.0\n") == "fork/7.1.0"
    assert from_bazelversion("\n") is None
