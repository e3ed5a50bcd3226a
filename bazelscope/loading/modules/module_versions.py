"""The order of module versions, which decides which one is selected.

Bazel: `Version` (com.google.devtools.build.lib.bazel.bzlmod). It is Semantic Versioning made
looser: any number of parts, and letters in them. The empty version, that of a module which an
override takes from elsewhere, is higher than all others.
"""

from __future__ import annotations

from functools import lru_cache

from bazelscope.base.lazy_pattern import lazy_pattern

_VERSION = lazy_pattern(r"([a-zA-Z0-9.]+)(?:-([a-zA-Z0-9.-]+))?(?:\+[a-zA-Z0-9.-]+)?")

_NO_MATCH = "bad version (does not match regex)"
_LARGEST = (1 << 64) - 1
"""A part that is a number fits into 64 bits."""

_Identifier = tuple[bool, int, str]
Order = tuple[bool, tuple[_Identifier, ...], bool, tuple[_Identifier, ...]]


def is_version(text: str) -> bool:
    """Whether Bazel takes `text` for a module's version; the empty one is one."""
    if not text:
        return True
    match = _VERSION.fullmatch(text)
    if match is None:
        return False
    parts = (*match[1].split("."), *(match[2] or "0").split("."))
    return "" not in parts and not any(one.isdigit() and int(one) > _LARGEST for one in parts)


def version_problem(text: str) -> str | None:
    """Why Bazel does not take `text` for a module's version; None if it does."""
    if is_version(text):
        return None
    why = "error parsing version" if _VERSION.fullmatch(text) else _NO_MATCH
    return f"{why}: {text}"


def normalized(text: str) -> str:
    """The version without its build metadata (`1.0+abc` is `1.0`)."""
    return text.partition("+")[0]


@lru_cache(maxsize=4096)
def version_order(text: str) -> Order:
    """What versions are sorted by. A text that is no version is sorted by its parts, too."""
    release, _, prerelease = normalized(text).partition("-")
    return (
        not text,
        tuple(_identifier(part) for part in release.split(".")),
        not prerelease,
        tuple(_identifier(part) for part in prerelease.split(".")),
    )


def _identifier(text: str) -> _Identifier:
    """Numbers come before names, and are compared as numbers."""
    if text.isascii() and text.isdigit() and len(text) <= 18:
        return (False, int(text), text)
    return (True, 0, text)
