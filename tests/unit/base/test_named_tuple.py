"""Tuples with names are what `typing.NamedTuple` makes of the same class."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from bazelscope.base.named_tuple import NamedTuple


class Place(NamedTuple):
    """Where something is."""

    path: str
    line: int = 1
    words: tuple[str, ...] = ()

    def shown(self) -> str:
        return f"{self.path}:{self.line}"


class TypedPlace(typing.NamedTuple):
    """Where something is."""

    path: str
    line: int = 1
    words: tuple[str, ...] = ()

    def shown(self) -> str:
        return f"{self.path}:{self.line}"


@pytest.mark.parametrize("made", [Place, TypedPlace])
def test_its_values_are_tuples_with_names(made: type[Place]) -> None:
    place = made("BUILD", words=("a",))
    assert place == ("BUILD", 1, ("a",))
    assert isinstance(place, tuple)
    assert (place.path, place.line, place.words) == ("BUILD", 1, ("a",))
    assert place.shown() == "BUILD:1"
    assert repr(place) == f"{made.__name__}(path='BUILD', line=1, words=('a',))"
    assert hash(place) == hash(("BUILD", 1, ("a",)))
    assert not hasattr(place, "__dict__")


@pytest.mark.parametrize("made", [Place, TypedPlace])
def test_it_is_made_and_changed_by_names(made: type[Place]) -> None:
    place = made(line=3, path="BUILD")
    assert place._replace(line=4) == ("BUILD", 4, ())
    assert type(place._replace(line=4)) is made
    assert place._asdict() == {"path": "BUILD", "line": 3, "words": ()}
    assert made._make(("a", 2, ())) == ("a", 2, ())
    assert made._fields == made.__match_args__ == ("path", "line", "words")
    assert made._field_defaults == {"line": 1, "words": ()}
    assert typing.get_type_hints(made)["line"] is int
    assert made.__doc__ == "Where something is."
    assert made.__module__ == __name__
    match place:
        case made(path, line):
            assert (path, line) == ("BUILD", 3)


@pytest.mark.parametrize("made", [Place, TypedPlace])
def test_what_does_not_fit_is_refused(made: type[Place]) -> None:
    with pytest.raises(TypeError):
        made()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        made("a", 1, (), 2)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        made._make(("a",))
    with pytest.raises(ValueError, match="unexpected field names"):
        made("a")._replace(column=1)  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        made("a").line = 2  # type: ignore[misc]


@pytest.mark.parametrize("made", [Place, TypedPlace])
def test_it_is_copied_and_pickled(made: type[Place]) -> None:
    place = made("BUILD", 7)
    assert type(copy.deepcopy(place)) is made
    assert pickle.loads(pickle.dumps(place)) == place
    assert type(pickle.loads(pickle.dumps(place))) is made


def test_a_field_without_a_default_after_one_with_it_is_refused() -> None:
    with pytest.raises(TypeError, match="a field without a default"):

        class _Wrong(NamedTuple):
            path: str = ""
            line: int  # type: ignore[misc]


def test_what_it_calls_above_is_the_tuple() -> None:
    class Pair(NamedTuple):
        first: int
        second: int

        def both(self) -> int:
            return super().__len__()

    assert Pair(1, 2).both() == 2
