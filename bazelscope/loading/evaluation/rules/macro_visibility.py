"""The visibility of what a symbolic macro declares."""

from __future__ import annotations

from bazelscope.base.label import PackageId
from bazelscope.bazel.encoded_values import Encoded

_PUBLIC = "//visibility:public"
_PRIVATE = "//visibility:private"


def with_package(visibility: tuple[Encoded, ...], package: PackageId) -> tuple[Encoded, ...]:
    """Visibility extended by one package. Bazel: `RuleVisibility.concatWithPackage`."""
    if _PUBLIC in visibility:
        return (_PUBLIC,)
    own = f"{package}:__pkg__"
    named = tuple(label for label in visibility if label != _PRIVATE)
    return named if own in named else (*named, own)
