"""Dataclasses whose methods come later behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field, replace
from typing import ClassVar

import pytest

from bazelscope.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A value with a default, and one that does not count."""

    path: str
    line: int = 1
    shown: list[str] = field(default_factory=list, compare=False, repr=False)
    LIMIT: ClassVar[int] = 7

    def next(self) -> Place:
        return replace(self, line=self.line + 1)


@dataclass(frozen=True, slots=True)
class Named(Place):
    name: str = ""


@dataclass(slots=True)
class Count:
    number: int = 0


@dataclass(frozen=True, slots=True)
class Unused:
    number: int


def is_finished(cls: type) -> bool:
    return "__dataclass_fields__" in vars(cls) and isinstance(
        vars(cls)["__dataclass_fields__"], dict
    )


@dataclass(frozen=True, slots=True)
class Empty:
    pass


def test_methods_are_made_when_they_are_needed() -> None:
    assert not is_finished(Unused)
    assert Unused(1) == Unused(1) != Unused(2)
    assert {Unused(1), Unused(number=1)} == {Unused(1)}
    assert not is_finished(Unused)
    assert repr(Unused(1)) == "Unused(number=1)"
    assert is_finished(Unused)
    assert Unused(3) == replace(Unused(1), number=3) != Place("a")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'number'"):
        Unused()  # type: ignore[call-arg]


def test_a_value_without_fields() -> None:
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())
    assert repr(Empty()) == "Empty()"


def test_the_base_of_a_value_is_one_itself() -> None:
    assert Named("a").name == ""
    assert Place("a") != Named("a")


def test_a_value_compares_shows_and_hashes_by_its_fields() -> None:
    assert Place("a") == Place("a", 1, ["x"]) != Place("a", 2)
    assert hash(Place("a")) == hash(Place("a", 1, ["x"]))
    assert repr(Place("a")) == "Place(path='a', line=1)"
    assert Place("a").next() == Place("a", 2)
    assert Place.LIMIT == 7
    assert not hasattr(Place("a"), "__dict__")


def test_a_frozen_value_cannot_be_changed() -> None:
    place = Place("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        place.line = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del place.line


def test_a_subclass_has_the_fields_of_both() -> None:
    assert [one.name for one in dataclasses.fields(Named)] == ["path", "line", "shown", "name"]
    assert Named("a", 2, [], "n") == Named("a", 2, name="n") != Place("a", 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Named("a").path = "b"  # type: ignore[misc]


def test_a_value_is_matched_by_its_fields() -> None:
    match Named("a", 2, [], "n"):
        case Named(path, line):
            assert (path, line) == ("a", 2)


@pytest.mark.parametrize("value", [Place("a", 2, ["x"]), Named("a", 3, [], "n"), Count(4)])
def test_a_value_is_copied_whole(value: Place | Count) -> None:
    assert copy.copy(value) == value
    assert pickle.loads(pickle.dumps(value)) == value


def test_what_is_not_frozen_can_be_changed_and_not_hashed() -> None:
    count = Count()
    count.number += 1
    assert count == Count(1)
    with pytest.raises(TypeError):
        hash(count)


def test_an_equality_of_its_own_is_kept() -> None:
    @dataclass(frozen=True, slots=True)
    class Folded:
        text: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Folded) and self.text.lower() == other.text.lower()

        def __hash__(self) -> int:
            return hash(self.text.lower())

    assert Folded("A") == Folded("a")
    assert hash(Folded("A")) == hash(Folded("a"))


@pytest.mark.parametrize("frozen", [True, False])
def test_classes_with_as_many_fields_keep_their_names_and_defaults(frozen: bool) -> None:
    @dataclass(frozen=frozen, slots=True)
    class Pair:
        first: str
        second: str = "self"

    @dataclass(frozen=frozen, slots=True)
    class Size:
        width: int = 1
        height: int = 2

    pair, size = Pair("a"), Size(height=5)
    assert (pair.first, pair.second) == ("a", "self")
    assert (size.width, size.height) == (1, 5)
    assert repr(Pair(second="b", first="a")).endswith("Pair(first='a', second='b')")
    with pytest.raises(TypeError, match="first"):
        Pair()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="width"):
        Pair(width="a")  # type: ignore[call-arg]


def test_a_field_without_a_default_follows_none_with_it() -> None:
    @dataclass(frozen=True, slots=True)
    class Wrong:
        first: int = 1
        second: int  # type: ignore[misc]

    with pytest.raises(TypeError, match="without a default"):
        Wrong(1, 2)
