"""Dataclasses whose methods come later behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import field, replace
from functools import cached_property
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


def is_made(cls: type, name: str) -> bool:
    return inspect.isfunction(vars(cls)[name])


@dataclass(frozen=True, slots=True)
class Empty:
    pass


@dataclass(frozen=True, order=True)
class Version:
    numbers: tuple[int, ...]
    stage: int = 0
    text: str = field(default="", compare=False)


def test_values_are_ordered_by_what_they_are_compared_by() -> None:
    assert not is_made(Version, "__lt__")
    assert Version((1, 2)) < Version((1, 10)) <= Version((1, 10), text="v1.10")
    assert Version((2,)) > Version((1, 10), 5) >= Version((1, 10), 5, "rc")
    assert not Version((1,)) < Version((1,))
    assert sorted([Version((2,)), Version((1,), 1), Version((1,))])[-1] == Version((2,))
    with pytest.raises(TypeError):
        Version((1,)) < (1,)  # type: ignore[operator]  # noqa: B015


def test_methods_are_made_when_they_are_needed() -> None:
    methods = ("__init__", "__eq__", "__hash__", "__repr__")
    assert not any(is_made(Unused, name) for name in methods)
    assert Unused(1) == Unused(1) != Unused(2)
    assert {Unused(1), Unused(number=1)} == {Unused(1)}
    assert not is_made(Unused, "__repr__")
    assert repr(Unused(1)) == "Unused(number=1)"
    assert all(is_made(Unused, name) for name in methods)
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


@pytest.mark.parametrize("slots", [True, False])
@pytest.mark.parametrize("frozen", [True, False])
def test_fields_that_are_made_or_not_given(slots: bool, frozen: bool) -> None:
    @dataclass(frozen=frozen, slots=slots)
    class Kept:
        name: str
        known: dict[str, int] = field(default_factory=dict)
        length: int = field(init=False, default=3)
        later: int = field(init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "later", len(self.name))

    one, other = Kept("four"), Kept("four")
    assert one == other
    assert one.known == {}
    assert one.known is not other.known
    assert (one.length, one.later) == (3, 4)
    assert Kept("a", {"b": 1}).known == {"b": 1}
    assert repr(one).endswith("Kept(name='four', known={}, length=3, later=4)")
    assert Kept.__match_args__ == ("name", "known")


def test_a_value_without_slots_keeps_what_is_worked_out() -> None:
    @dataclass(frozen=True)
    class Worked:
        text: str
        more: str = "b"

        @cached_property
        def length(self) -> int:
            return len(self.text)

    assert Worked("four").length == 4
    assert Worked("a") == Worked(text="a", more="b")
    assert Worked.more == "b"
    assert hash(Worked("a")) == hash(Worked("a"))
    assert copy.copy(Worked("a")) == Worked("a") == copy.deepcopy(Worked("a"))
    assert dataclasses.asdict(Worked("a")) == {"text": "a", "more": "b"}
    with pytest.raises(dataclasses.FrozenInstanceError):
        Worked("a").text = "b"  # type: ignore[misc]


def test_a_dataclass_of_the_standard_library_can_be_derived() -> None:
    @dataclasses.dataclass(frozen=True)
    class Longer(Place):
        end: int = 0

    assert Longer("a", 1, end=2).end == 2
    with pytest.raises(TypeError, match="non-frozen"):

        @dataclasses.dataclass
        class Changing(Place):
            end: int = 0


def test_who_overrides_a_method_asks_for_it_first() -> None:
    @dataclass(slots=True, eq=False, repr=False)
    class Base:
        name: str

    class Derived(Base):
        __slots__ = ("more",)

        def __init__(self, name: str, more: int) -> None:
            super().__init__(name)
            self.more = more

    derived = Derived("a", 1)
    assert (derived.name, derived.more) == ("a", 1)
    assert Base("b").name == "b"
    assert repr(derived).startswith("<") and derived != Derived("a", 1)
