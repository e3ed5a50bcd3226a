"""What two states have differently, in a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bazelscope.loading.packages.targets import Absent, UnknownPackage, UnknownTarget
from bazelscope.questions.affected.answer import NOT_THERE

_LONGEST = 60


def kind_told(target: object) -> str:
    """What a target is, in words that go behind `is`."""
    if isinstance(target, UnknownPackage | UnknownTarget):
        return f"unknown ({target.unknown.detail})"
    if isinstance(target, Absent):
        return NOT_THERE
    kind = str(getattr(target, "kind", "unknown"))
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def parted(before: object, after: object) -> tuple[str | None, str | None]:
    """Both values in a line each: of lists, what the other has not."""
    if isinstance(before, tuple | list) and isinstance(after, tuple | list):
        old, new = list(_flat(before)), list(_flat(after))
        gone = [one for one in old if one not in new]
        come = [one for one in new if one not in old]
        if gone or come:
            return shown(gone), shown(come)
    return shown(before), shown(after)


def options_parted(
    before: tuple[str, ...] | None, after: tuple[str, ...] | None
) -> tuple[str | None, str | None]:
    """The values of an option in a line each: of many, those about which they differ."""
    if not before or not after or max(len(", ".join(one)) for one in (before, after)) <= _LONGEST:
        return shown(before), shown(after)
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    parts = [one[first : len(one) - last] for one in (before, after)]
    dots = ["..."]
    old, new = ([*dots[:first], *part, *dots[:last]] if part else dots for part in parts)
    return shown(old), shown(new)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many values both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, tuple | list):
        for one in value:
            yield from _flat(one)
    else:
        yield value


def shown(value: object) -> str | None:
    if value is None or value in ([], ()):
        return None
    text = ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def that_differ(before: object, after: object) -> list[str]:
    """The names that two sequences of names and values, or None, have different values for."""
    old, new = (dict(one) if isinstance(one, tuple) else {} for one in (before, after))
    return sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
