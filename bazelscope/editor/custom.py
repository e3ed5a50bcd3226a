"""The requests of our own, for programs that want to ask a warm process: `bazelscope/explain`,
`bazelscope/path`, `bazelscope/when`. The answers are those of `--format json`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from bazelscope.api import ConfiguredWorkspace
from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.editor.state import EditorState
from bazelscope.json_format.answer_json import to_json
from bazelscope.questions.shared.envelope import Answer
from bazelscope.questions.shared.sections import parse_sections

Parameters = Mapping[str, Any]
Answering = Callable[[EditorState, Parameters], dict[str, Any]]


def explain(state: EditorState, given: Parameters) -> dict[str, Any]:
    """What a command line amounts to: `words` (default: the setting `commandLine`), `sections`
    (default: all), `rcOnly`. Raises `UsageError` for parameters of a wrong kind."""
    sections = _texts(given, "sections", None)
    wanted = parse_sections(sections) if sections is not None else None
    build = _build(state, given)
    return _told("explain", build.explain(wanted, flags_only=_flag(given, "rcOnly") or False))


def path(state: EditorState, given: Parameters) -> dict[str, Any]:
    """Why `from` depends on `to`: labels, or names as people say them; `configured`, `avoid`,
    `via` and `through` are as on the command line. Raises `UsageError`."""
    answer = _build(state, given).path(
        _text(given, "from"),
        _text(given, "to"),
        configured=_flag(given, "configured"),
        avoid=_texts(given, "avoid", ()) or (),
        via=_texts(given, "via", ()) or (),
        through=_texts(given, "through", ()) or (),
    )
    return _told("path", answer)


def when(state: EditorState, given: Parameters) -> dict[str, Any]:
    """Under which flags `from` depends on `to`, or, without it, can be built. Raises
    `UsageError`."""
    target = _text(given, "to") if given.get("to") is not None else None
    return _told("when", _build(state, given).when(_text(given, "from"), target))


REQUESTS: Mapping[str, Answering] = {
    "bazelscope/explain": explain,
    "bazelscope/path": path,
    "bazelscope/when": when,
}

MAY_TAKE_LONG = frozenset({"bazelscope/explain", "bazelscope/when"})
"""Those that ask about whole closures, or about all flags that there are."""


def _build(state: EditorState, given: Parameters) -> ConfiguredWorkspace:
    words = _texts(given, "words", None)
    if words is None:
        return state.build
    build = state.line(words)
    build.load_like(state.build)
    return build


def _told(kind: str, answer: Answer) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(to_json(kind, answer))
    return told


def _text(given: Parameters, name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value:
        raise _wrong(name, "a string")
    return value


def _texts(given: Parameters, name: str, default: tuple[str, ...] | None) -> tuple[str, ...] | None:
    value = given.get(name)
    if value is None:
        return default
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _wrong(name, "a list of strings")
    return tuple(value)


def _flag(given: Parameters, name: str) -> bool | None:
    value = given.get(name)
    if value is not None and not isinstance(value, bool):
        raise _wrong(name, "true or false")
    return value


def _wrong(name: str, kind: str) -> UsageError:
    return UsageError(Diagnostic("bad-parameter", f"the parameter `{name}` is not {kind}"))
