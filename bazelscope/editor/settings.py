"""What a client may set: which workspace, which command line, which Bazel, which host."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

from bazelscope.base.errors import Diagnostic, UsageError
from bazelscope.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """The settings of one client.

    `command_line` are the words behind `bazel build`, or a whole line from `bazel` on;
    `workspace` is a directory of the workspace (None: the editor's folder, or the file's);
    `max_seconds` and `max_memory` (MB) are what one request may use.
    """

    command_line: tuple[str, ...] = ()
    workspace: str | None = None
    bazel_version: str | None = None
    host: str | None = None
    cache_dir: str | None = None
    no_cache: bool = False
    max_seconds: float = 60
    max_memory: int = 2048

    def changed_by(self, given: object) -> ClientSettings:
        """These settings with those that a client gives: an object with `commandLine` and the
        like, or one that has it under `bazelscope`; null takes a setting back. Members of other
        names are left alone. Raises `UsageError` for a value of the wrong kind."""
        if isinstance(given, dict) and isinstance(given.get("bazelscope"), dict):
            given = given["bazelscope"]
        if given is None:
            return self
        if not isinstance(given, dict):
            raise _wrong("", "an object")
        default = ClientSettings()
        changes: dict[str, Any] = {}
        for name, value in given.items():
            if name == "commandLine":
                changes["command_line"] = _words(value)
            elif name == "noCache":
                if not isinstance(value, bool | None):
                    raise _wrong(name, "true or false")
                changes["no_cache"] = bool(value)
            elif name == "maxSeconds":
                seconds = _number(name, value) or default.max_seconds
                changes["max_seconds"] = max(1.0, float(seconds))
            elif name == "maxMemory":
                changes["max_memory"] = max(64, int(_number(name, value) or default.max_memory))
            elif name in _TEXTS:
                if not isinstance(value, str | None):
                    raise _wrong(name, "a string")
                changes[_TEXTS[name]] = value or None
        return replace(self, **changes)

    @property
    def kept_in(self) -> Path | None:
        """Where parsed files are kept; None for nowhere, or for the usual place."""
        return Path(self.cache_dir).expanduser() if self.cache_dir and not self.no_cache else None


_TEXTS = {
    "bazelVersion": "bazel_version",
    "cacheDir": "cache_dir",
    "host": "host",
    "workspace": "workspace",
}
"""Settings that are texts, and how they are called here."""


def _words(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        try:
            return tuple(shlex.split(value))
        except ValueError as error:
            raise _wrong("commandLine", f"a line of a shell ({error})") from None
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return tuple(value)
    raise _wrong("commandLine", "a string, or a list of words")


def _number(name: str, value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | None):
        raise _wrong(name, "a number")
    return value


def _wrong(name: str, kind: str) -> UsageError:
    full = f"bazelscope.{name}" if name else "bazelscope"
    return UsageError(Diagnostic("bad-setting", f"the setting `{full}` is not {kind}"))
