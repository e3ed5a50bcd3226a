"""Parameters that calls of old dialects may name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bazelscope.starlark.run.faults import EvaluationError

_Function = Callable[..., Any]

WITH_START = (
    *("count", "endswith", "find", "index", "rfind", "rindex", "startswith"),
)  # fmt: skip
"""The methods of strings that take where to start and to end."""
_STARTING = "sub start? end?"
OLD_STRINGS = {
    **dict.fromkeys(WITH_START, _STARTING),
    "join": "elements",
    **dict.fromkeys(("lstrip", "rstrip", "strip"), "chars?"),
    **dict.fromkeys(("partition", "rpartition"), "sep="),
    "replace": "old new maxsplit?",
    "split": "sep maxsplit?",
    "rsplit": "sep maxsplit?",
    "splitlines": "keepends?",
}
OLD_PARAMETERS = {
    "all": "elements",
    "any": "elements",
    "bool": "x",
    "dir": "x",
    "hasattr": "x name",
    "hash": "value",
    "len": "x",
    "list": "x",
    "range": "start_or_stop stop_or_none? step?",
    "repr": "x",
    "reversed": "sequence",
    "str": "x",
    "tuple": "x",
    "type": "x",
}
"""`name` must be given, `name?` need not, `name=` is a blank then."""
_DEFAULTS: dict[str, Any] = {"start": 0, "stop_or_none": None, "step": 1, "chars": None}


def named(name: str, function: _Function, parameters: str, *, bound: bool = False) -> _Function:
    """A function that takes its arguments by name, too. `bound`: it is a method, whose value
    comes before them."""
    names = [word.rstrip("?=") for word in parameters.split()]
    needed = sum(1 for word in parameters.split() if word[-1] not in "?=")
    blank = {word[:-1]: " " for word in parameters.split() if word[-1] == "="}

    def taken(*args: Any, **kwargs: Any) -> Any:
        own, given = (args[:1], args[1:]) if bound else ((), args)
        if len(given) > len(names):
            raise EvaluationError(
                f"expected no more than {len(names)} positional arguments, but got {len(given)},"
                f" for call to {name}()"
            )
        for word in kwargs:
            if word not in names[len(given) :]:
                raise EvaluationError(f"unexpected keyword '{word}', for call to {name}()")
        for word in names[len(given) : needed]:
            if word not in kwargs:
                raise EvaluationError(
                    f"parameter '{word}' has no default value, for call to {name}()"
                )
        rest = names[len(given) :]
        while rest and rest[-1] not in kwargs and rest[-1] not in blank:
            rest.pop()
        default = {**_DEFAULTS, **blank}
        more = [kwargs[word] if word in kwargs else default.get(word) for word in rest]
        return function(*own, *given, *more)

    taken.__name__ = name
    return taken
