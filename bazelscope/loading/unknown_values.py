"""Values that stand for what a program would print, while a repository rule runs dry.

Such a text is a string to the rule: its content is an unknown piece (see `unknown_text`), and
what is made from it stays unknown. A comparison of it is a decision (see `dry_run_decisions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.loading.dry_run_decisions import Decisions
from bazelscope.unknown import Unknown

_SAME_KIND = frozenset(
    {"capitalize", "lower", "lstrip", "removeprefix", "removesuffix", "replace", "rstrip"}
    | {"strip", "title", "upper", "format"}
)
_SEQUENCES = frozenset({"elems", "rsplit", "split", "splitlines"})
_TRIPLES = frozenset({"partition", "rpartition"})
_TESTS = frozenset({"endswith", "startswith"} | {"isalnum", "isalpha", "isdigit", "isspace"})
_HIGH = 9999
_COUNTS = frozenset({"count", "find", "index", "rfind", "rindex"})


class UnknownText(starlark.Value, str):  # type: ignore[misc]  # `index`, `__iter__` differ
    """A string of which at least a piece is unknown."""

    starlark_type: ClassVar[str] = "string"
    decisions: Decisions
    unknown: Unknown

    @classmethod
    def of(cls, text: str, unknown: Unknown, decisions: Decisions) -> UnknownText:
        made = cls(text)
        made.unknown = unknown
        made.decisions = decisions
        return made

    def _again(self, text: str | None = None) -> UnknownText:
        shown = str.__str__(self) if text is None else text
        return UnknownText.of(shown, self.unknown, self.decisions)

    def get_attr(self, name: str) -> object:
        result: Callable[..., object]
        if name in _SAME_KIND:
            result = lambda *_, **__: self._again()  # noqa: E731
        elif name in _SEQUENCES:
            result = lambda *_, **__: UnknownSequence(self)  # noqa: E731
        elif name in _TRIPLES:
            result = lambda *_, **__: (self._again(), self._again(), self._again())  # noqa: E731
        elif name in _TESTS:
            result = lambda *_, **__: self.decisions.decide(self.unknown, False)  # noqa: E731
        elif name in _COUNTS:
            result = lambda *_, **__: 0 if self.decisions.decide(self.unknown, False) else -1  # noqa: E731
        elif name == "join":
            return starlark.Builtin(name, self._join)
        else:
            raise AttributeError(name)
        return starlark.Builtin(name, result)

    def _join(self, elements: object) -> object:
        texts = [starlark.str_of(element) for element in starlark.iterate(elements)]
        return self._again(str.__str__(self).join(texts))

    def truth(self) -> bool:
        return self.decisions.decide(self.unknown, True)

    def equals(self, other: object) -> bool:
        if isinstance(other, UnknownText) and str.__str__(self) == str.__str__(other):
            return True
        return isinstance(other, str) and self.decisions.decide(self.unknown, False)

    def compare(self, other: object) -> int:
        return -1 if self.decisions.decide(self.unknown, True) else 1

    def hash(self) -> int:
        return str.__hash__(self)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        mine = str.__str__(self)
        if op == "+" and isinstance(other, str):
            theirs = str.__str__(other)
            return self._again(theirs + mine if reflected else mine + theirs)
        if op in ("%", "*"):
            return self._again()
        return NotImplemented

    def contains(self, key: object) -> object:
        return self.decisions.decide(self.unknown, False)

    def __getitem__(self, key: Any) -> UnknownText:
        return self._again()

    def length(self) -> int:
        return str.__len__(self)

    def to_str(self) -> str:
        return str.__str__(self)

    def to_repr(self) -> str:
        return f'"{str.__str__(self)}"'


class UnknownSequence(starlark.Value):
    """The lines or words of an unknown text: nobody knows how many; one stands for all."""

    starlark_type: ClassVar[str] = "list"
    __slots__ = ("element",)

    def __init__(self, element: UnknownText) -> None:
        self.element = element

    def index(self, key: object) -> object:
        return self.element

    def iterate(self) -> Iterable[object]:
        return (self.element,)

    def length(self) -> int:
        return 1

    def contains(self, key: object) -> object:
        return self.element.decisions.decide(self.element.unknown, False)

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op == "+" and isinstance(other, list):
            mine = [self.element]
            return starlark.List([*other, *mine] if reflected else [*mine, *other])
        return NotImplemented

    def truth(self) -> bool:
        return self.element.truth()

    def to_repr(self) -> str:
        return f"[{self.element.to_repr()}]"


class UnknownMapping(starlark.Value):
    """A dict made from an unknown text: it has every key, with unknown values."""

    starlark_type: ClassVar[str] = "dict"
    __slots__ = ("element",)

    def __init__(self, element: UnknownText) -> None:
        self.element = element

    def get_attr(self, name: str) -> object:
        if name in ("get", "pop", "setdefault"):
            return starlark.Builtin(name, lambda *_: self.element)
        if name in ("keys", "values"):
            return starlark.Builtin(name, lambda: starlark.List([self.element]))
        if name == "items":
            return starlark.Builtin(name, lambda: starlark.List([(self.element, self.element)]))
        if name == "update":
            return starlark.Builtin(name, lambda *_, **__: None)
        raise AttributeError(name)

    def index(self, key: object) -> object:
        return self.element

    def set_index(self, key: object, value: object) -> None:
        """What is set is not kept: any look-up gives the unknown value."""

    def iterate(self) -> Iterable[object]:
        return (self.element,)

    def length(self) -> int:
        return 1

    def contains(self, key: object) -> object:
        return self.element.decisions.decide(self.element.unknown, True)

    def to_repr(self) -> str:
        return "{...}"


@contextmanager
def aware_builtins(function: object) -> Iterator[None]:
    """While it lasts, `dict` and `int`, as `function` sees them, take unknown texts.

    The builtins of a Starlark function are one dictionary that all its modules share.
    """
    builtins = getattr(function, "__globals__", {}).get("__builtins__")
    if not isinstance(builtins, dict):
        yield
        return
    before = {name: builtins[name] for name in ("dict", "int") if name in builtins}
    try:
        if "dict" in before:
            builtins["dict"] = starlark.Builtin("dict", _aware_dict(before["dict"]))
        if "int" in before:
            builtins["int"] = starlark.Builtin("int", _aware_int(before["int"]))
        yield
    finally:
        builtins.update(before)


def _aware_dict(original: Callable[..., object]) -> Callable[..., object]:
    def dict_(pairs: object = (), /, **keywords: object) -> object:
        if not isinstance(pairs, Mapping):
            listed = list(starlark.iterate(pairs))
            for pair in listed:
                inside = (pair,) if isinstance(pair, str) else starlark.iterate(pair)
                unknown = next((part for part in inside if isinstance(part, UnknownText)), None)
                if unknown is not None:
                    return UnknownMapping(unknown)
            pairs = listed
        return original(pairs, **keywords)

    return dict_


def _aware_int(original: Callable[..., object]) -> Callable[..., object]:
    def int_(x: object, /, *arguments: object, **keywords: object) -> object:
        if isinstance(x, UnknownText):
            # Numbers are compared with thresholds, of versions mostly: a high one or a low one.
            return _HIGH if x.decisions.decide(x.unknown, True) else 0
        return original(x, *arguments, **keywords)

    return int_
