"""Values that loading does not decide: `select()`s, values that nobody can tell, and sums of them.

A symbol of an unfetched file is an `UnknownValue`. Whatever is done with it gives another; where
the evaluation must decide something by it (a branch, a loop), or where it is called with a `name`
(which makes a target), its `Recorder` hears of it. While a repository rule runs dry, a branch is
decided by likelihood instead, and in text it is an unknown piece.

A `select()` is opaque to macros, and concatenated with `+` (Bazel: `SelectorValue`,
`SelectorList`). The dictionary is kept as it was written; labels are resolved where a rule takes
the value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import ClassVar, Protocol

from bazelscope import starlark
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.release import Release

TAKEN = "taken as "
TAKEN_AS_EMPTY = f"{TAKEN}empty"
"""How an evaluation goes on where it needs the elements of what is unknown."""


class Decider(Protocol):
    """Who decides by what is unknown, and names it in text, while a rule runs dry."""

    def decide(self, unknown: Unknown, about: str, predicate: str, likelier: bool) -> bool: ...

    def text_for(self, unknown: Unknown) -> str: ...

    def text_with_pieces(self, text: str) -> str: ...


class Recorder(Protocol):
    """Who keeps count of what an evaluation could not know."""

    @property
    def decider(self) -> Decider | None: ...

    @property
    def decides_by_types(self) -> bool:
        """Says whether the type of an unknown value is asked for where no targets are made."""

    def record_unknown(self, unknown: Unknown) -> None: ...

    def record_unknown_call(self, unknown: Unknown) -> None:
        """An opaque value was called without `name =`; it may have made targets all the same."""

    def declare_unknown_rule(
        self, rule: UnknownValue, arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> None:
        """An opaque value was called with `name =`."""


class Handle(starlark.Value):
    """A value by which whoever holds it acts: what an unknown function does with it is unknown."""

    __slots__ = ()

    def given_to(self, function: Unknown) -> None:
        """Notes that a function that nobody knows has the value now."""
        # Each kind of handle acts on something else, so there is nothing to do for all of them.
        raise NotImplementedError


class UnknownValue(starlark.Value):
    """An unknown value; `text` is how a reader would write it (`if_cuda(...)`)."""

    starlark_type: ClassVar[str] = "unknown"
    __slots__ = ("recorder", "text", "unknown")

    def __init__(self, unknown: Unknown, text: str, recorder: Recorder) -> None:
        self.unknown = unknown
        self.text = text
        self.recorder = recorder

    @property
    def name(self) -> str:
        """What a rule would be called that this is: `go_binary` of `go.go_binary`."""
        return self.text if "(" in self.text else self.text.rpartition(".")[2]

    def type_name(self) -> object:
        # A macro goes on with what it does of no type that it asks for. What an implementation, or
        # a file while it is loaded, decides by the type is in doubt.
        is_asked = self.recorder.decides_by_types and self.starlark_type == "unknown"
        return self.derive(f"type({self.text})") if is_asked else self.starlark_type

    def derive(self, text: str) -> UnknownValue:
        """Another value that is unknown for the same reason."""
        return UnknownValue(self.unknown, text if len(text) <= 80 else self.text, self.recorder)

    def __call__(self, /, *arguments: object, **keywords: object) -> object:
        for value in (*arguments, *keywords.values()):
            if isinstance(value, Handle):
                value.given_to(self.as_unknown())
        if "name" in keywords:
            self.recorder.declare_unknown_rule(self, arguments, keywords)
        else:
            self.recorder.record_unknown_call(self.as_unknown())
        return self.derive(f"{self.text}(...)" if arguments or keywords else f"{self.text}()")

    def as_unknown(self) -> Unknown:
        """What an attribute holds that was given this value."""
        if self.text == self.unknown.subject:
            return self.unknown
        return Unknown(
            Reason.DEPENDS_ON_UNKNOWN, self.text, str(self.unknown), self.unknown.location
        )

    def decides(self, taken: str) -> None:
        """Notes that the evaluation goes on as if this value were what `taken` says."""
        outermost, innermost = starlark.ends_of_stack() or (None, self.unknown.location)
        unknown = Unknown(
            Reason.DEPENDS_ON_UNKNOWN, self.text, f"{taken} ({self.unknown})", innermost
        )
        self.recorder.record_unknown(unknown)
        starlark.note_doubt(unknown, self, outermost)

    def get_attr(self, name: str) -> object:
        return self.derive(f"{self.text}.{name}")

    def truth(self) -> bool:
        decider = self.recorder.decider
        if decider is not None:
            # What the rule asked for is likelier there than not.
            return decider.decide(self.unknown, f"`{self.text}`", "is true", likelier=True)
        self.decides("taken as false")
        return False

    def binary(self, op: str, other: object, reflected: bool) -> object:
        # A sum with a list keeps what is known of it. One with a string may stand in a list,
        # where a sum may not; but while a rule runs dry it is a text with an unknown piece.
        summands = list | dict if self.recorder.decider is None else list | dict | str
        if op == "+" and isinstance(other, summands):
            return concatenate(other, self) if reflected else concatenate(self, other)
        shown = starlark.repr_of(other) if isinstance(other, str) else "..."
        return self.derive(
            f"{shown} {op} {self.text}" if reflected else f"{self.text} {op} {shown}"
        )

    def unary(self, op: str) -> object:
        return self.derive(f"{op}{self.text}")

    def index(self, key: object) -> object:
        shown = starlark.repr_of(key) if isinstance(key, str | int) else "..."
        return self.derive(f"{self.text}[{shown}]")

    def contains(self, key: object) -> object:
        decider = self.recorder.decider
        if decider is not None:
            shown = starlark.str_of(key)
            return decider.decide(self.unknown, f"`{self.text}`", f"has `{shown}` in it", False)
        self.decides("taken as not having what is looked for")
        return False

    def iterate(self) -> Iterable[object]:
        self.decides(TAKEN_AS_EMPTY)
        return ()

    def unknown_entry(self) -> tuple[object, object] | None:
        # While a rule runs dry, a dictionary is likelier whole than not.
        if self.recorder.decider is not None:
            return None
        return self.derive(f"{self.text}.keys()[...]"), self.derive(f"{self.text}.values()[...]")

    def unpack(self, count: int) -> tuple[object, ...]:
        # A program that ran with the real value knew how many parts it has.
        return tuple(self.index(number) for number in range(count))

    def length(self) -> int:
        self.decides(TAKEN_AS_EMPTY)
        return 0

    def in_place_of(self, form: str) -> object:
        before, _, behind = form.rpartition("{}")  # A template may have braces of its own.
        return self.derive(f"{before}{self.text}{behind}")

    def in_text(self, text: str, form: str) -> object:
        # While a rule runs dry, the text has an unknown piece.
        decider = self.recorder.decider
        return self.in_place_of(form) if decider is None else decider.text_with_pieces(text)

    def equals(self, other: object) -> bool:
        if self is other:
            return True
        decider = self.recorder.decider
        if decider is not None:
            shown = starlark.str_of(other)
            return decider.decide(self.unknown, f"`{self.text}`", f"is `{shown}`", False)
        self.decides("taken as different from what it is compared with")
        return False

    def is_key_of(self, table: Collection[object]) -> bool:
        decider = self.recorder.decider
        if decider is not None:
            return decider.decide(self.unknown, f"`{self.text}`", "is one of the keys", False)
        self.decides("taken as none of the keys")
        return False

    def hash(self) -> int:
        return id(self)

    def compare(self, other: object) -> int:
        self.decides("taken as equal to what it is compared with")
        return 0

    def to_repr(self) -> str:
        return f"<unknown {self.text}>"

    def to_str(self) -> str:
        decider = self.recorder.decider
        return self.to_repr() if decider is None else decider.text_for(self.as_unknown())


def failed_name(recorder: Recorder, name: str, location: Location) -> UnknownValue:
    """What stands for a name of a file whose definition fails."""
    return UnknownValue(
        Unknown(Reason.FAILED, name, "its definition fails", location), name, recorder
    )


_AS_IS = "taken as empty beside what is known"
_DEARER = 64
"""What a part of a sum takes, beside an element of a list: it is looked at again and again."""


@dataclass(eq=False, slots=True)
class SelectCall:
    """One `select()` call: its entries in order, and where it was called: a stack, or the number
    that the package gave one when a rule or a symbolic macro took the value."""

    entries: tuple[tuple[object, object], ...]
    no_match_error: str
    stack: starlark.RawStack | int


class SettledSelect(starlark.Value):
    """A select() of a rule that is there already, which may be shown, and no more: `existing_rule`
    of older Bazels. Bazel: `StarlarkNativeModule.starlarkifyValue`."""

    starlark_type: ClassVar[str] = "SelectorList"
    __slots__ = ("_shown",)

    def __init__(self, shown: SelectValue) -> None:
        self._shown = shown

    def to_repr(self) -> str:
        return starlark.repr_of(self._shown)


class SelectValue(starlark.Value):
    """`a + select(...) + b`: the parts, each a `SelectCall`, a plain value or an `UnknownValue`."""

    starlark_type: ClassVar[str] = "select"
    __slots__ = ("parts",)

    def __init__(self, parts: tuple[object, ...]) -> None:
        self.parts = parts

    @property
    def has_select(self) -> bool:
        """Whether there is a select in it at all; else it is a sum with something unknown."""
        return any(isinstance(part, SelectCall) for part in self.parts)

    @property
    def is_unconditional(self) -> bool:
        """Whether it is one select() that has nothing but a default."""
        call = self.parts[0]
        return (
            len(self.parts) == 1
            and isinstance(call, SelectCall)
            and len(call.entries) == 1
            and str(call.entries[0][0]) == "//conditions:default"
            and call.entries[0][1] is not None
        )

    def binary(self, op: str, other: object, reflected: bool) -> object:
        if op != "+" and not (op == "|" and isinstance(other, dict | SelectValue)):
            return self.in_place_of(f"... {op} {{}}" if reflected else f"{{}} {op} ...")
        return concatenate(other, self) if reflected else concatenate(self, other)

    def iterate(self) -> Iterable[object]:
        """A select has no elements; of `unknown + [...]` those that are known."""
        self._known(_AS_IS)
        return [
            element
            for part in self.parts
            if isinstance(part, list | tuple | dict)
            for element in part
        ]

    def length(self) -> int:
        self._known(_AS_IS)
        return sum(len(part) for part in self.parts if isinstance(part, list | tuple | dict))

    def index(self, key: object) -> object:
        return self._known(_AS_IS).derive("(... + ...)[...]")

    def contains(self, key: object) -> object:
        self._known(_AS_IS)
        return any(key in part for part in self.parts if isinstance(part, list | tuple | dict))

    def truth(self) -> bool:
        unknown = self.unknown_part
        known = (part for part in self.parts if not isinstance(part, UnknownValue))
        return unknown is None or any(known) or unknown.truth()

    def equals(self, other: object) -> bool:
        unknown = self.unknown_part
        return self is other or (unknown is not None and unknown.equals(other))

    def _known(self, taken: str) -> UnknownValue:
        """The unknown part of a sum in which there is no select at all."""
        unknown = self.unknown_part
        if unknown is None:
            raise TypeError("type 'select' is not iterable")
        unknown.decides(taken)
        return unknown

    @property
    def unknown_part(self) -> UnknownValue | None:
        """What is unknown in a sum without a select, which may be a string as well as a list."""
        if self.has_select:
            return None
        return next((part for part in self.parts if isinstance(part, UnknownValue)), None)

    def in_place_of(self, form: str) -> object:
        unknown = self.unknown_part
        return NotImplemented if unknown is None else unknown.in_place_of(form)

    def in_text(self, text: str, form: str) -> object:
        unknown = self.unknown_part
        return NotImplemented if unknown is None else unknown.in_text(text, form)

    def get_attr(self, name: str) -> object:
        result = self.in_place_of(f"{{}}.{name}")
        if result is NotImplemented:
            raise AttributeError(name)
        return result

    def freeze(self) -> None:
        for part in self.parts:
            if isinstance(part, SelectCall):
                for _, value in part.entries:
                    starlark.freeze(value)
            else:
                starlark.freeze(part)

    def hash(self) -> int:
        return id(self)

    def to_repr(self) -> str:
        return " + ".join(_part_text(part) for part in self.parts)


def select_of(release: Release) -> Callable[..., object]:
    """The builtin `select` of a release."""

    def positional(x: object, /, no_match_error: object = "", **unexpected: object) -> object:
        if isinstance(x, dict):
            _check_keys(x, release)
        return select(x, no_match_error, **unexpected)

    if not release.named_builtins:
        return positional

    def named(x: object = None, no_match_error: object = "") -> object:
        if x == {} and not release.refuses_empty_selects:
            return SelectValue((SelectCall((), "", starlark.capture_stack()),))
        return positional(x, no_match_error)

    return named


def _check_keys(entries: Iterable[object], release: Release) -> None:
    """Raises an error for a key of a `select()` that can be no label, in the release's words."""
    for key in entries:
        if type(key) is str or isinstance(key, str | UnknownValue):
            continue
        kind = starlark.type_of(key)
        if kind == "Label" and release.selects_take_labels:
            continue
        if release.select_keys_are_references:
            text = starlark.str_of(key)
            raise TypeError(f"Invalid key: {text}. select keys must be label references")
        wanted = "a Label or label string" if release.selects_take_labels else "a label string"
        raise TypeError(f"select: got {kind} for dict key, want {wanted}")


def select(entries: object, no_match_error: object = "", **unexpected: object) -> object:
    """The builtin `select(dict, no_match_error = "")`."""
    if type(entries) is not starlark.Dict and isinstance(entries, UnknownValue):
        return entries.derive(f"select({entries.text})")
    if unexpected:
        raise TypeError(f"select() got unexpected keyword argument '{next(iter(unexpected))}'")
    if not isinstance(entries, dict):
        raise TypeError(starlark.wrong_type("select", "x", entries, "dict"))
    if not entries:
        raise ValueError(
            "select({}) with an empty dictionary can never resolve because it includes no"
            " conditions to match"
        )
    if type(no_match_error) is not str and not isinstance(no_match_error, str | UnknownValue):
        raise TypeError(starlark.wrong_type("select", "no_match_error", no_match_error, "string"))
    message = no_match_error if isinstance(no_match_error, str) else ""
    starlark.charge(len(entries))
    call = SelectCall(tuple(entries.items()), message, starlark.capture_stack())
    return SelectValue((call,))


def concatenate(left: object, right: object) -> object:
    """`left + right` where at least one is a select or unknown; NotImplemented if Bazel refuses."""
    left_kind, right_kind = _native_kind(left), _native_kind(right)
    if left_kind is NotImplemented or right_kind is NotImplemented:
        return NotImplemented
    if left_kind is not None and right_kind is not None and left_kind is not right_kind:
        raise TypeError(
            "'+' operator applied to incompatible types "
            f"({_kind_text(left, left_kind)}, {_kind_text(right, right_kind)})"
        )
    parts = _parts(left) + _parts(right)
    starlark.check_size(len(parts) * _DEARER, "a sum of select()s")
    return SelectValue(parts)


def _parts(value: object) -> tuple[object, ...]:
    if isinstance(value, SelectValue):
        return value.parts
    if type(value) in (list, starlark.List):
        # A later change of the list does not reach the attribute.
        return (starlark.List(value),)  # type: ignore[call-overload]
    return (value,)


_PLAIN_KINDS: dict[type, type] = {
    **{kind: kind for kind in (bool, str, int, dict, list)},
    starlark.Dict: dict,
    starlark.List: list,
}
"""What `_native_kind` says of most values."""


def _native_kind(value: object) -> object:
    """The type whose values a select yields; None where it cannot be told."""
    known = _PLAIN_KINDS.get(type(value))
    if known is not None:
        return known
    if isinstance(value, SelectValue):
        for part in value.parts:
            if isinstance(part, SelectCall):
                # Bazel: SelectorValue.getType: the first branch alone counts.
                branch = part.entries[0][1]
                return type(None) if branch is None else _native_kind(branch)
            return _native_kind(part)
        return None
    if isinstance(value, UnknownValue):
        return None
    if isinstance(value, bool):
        return bool
    for kind in (str, int, dict, list):
        if isinstance(value, kind):
            return kind
    if value is None or isinstance(value, tuple):
        return NotImplemented
    return type(value) if isinstance(value, starlark.Value) else NotImplemented


def _kind_text(value: object, kind: object) -> str:
    names: dict[type, str] = {
        str: "string",
        list: "list",
        dict: "dict",
        int: "int",
        bool: "bool",
        type(None): "NoneType",
    }
    name = names.get(kind, "unknown") if isinstance(kind, type) else "unknown"
    return f"select of {name}" if isinstance(value, SelectValue) else name


def _part_text(part: object) -> str:
    if not isinstance(part, SelectCall):
        return starlark.repr_of(part)
    entries = ", ".join(
        f"{starlark.repr_of(key)}: {starlark.repr_of(value)}" for key, value in part.entries
    )
    return f"select({{{entries}}})"


def taken_as_empty(unknowns: Iterable[Unknown], of_loads: Iterable[Unknown]) -> Unknown | None:
    """The first of a file's `unknowns` that it took for empty, or else one `of_loads`."""
    own = (one for one in unknowns if one.detail.startswith(TAKEN_AS_EMPTY))
    return next(own, None) or next(iter(of_loads), None)
