"""The labels that options name for private attributes of native rules, such as `--run_under`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label
from bazelscope.bazel.native_defaults import LATE_BOUND

_PROGRAM = "run_under"
_OR_FILE = frozenset({"fdo_optimize", _PROGRAM})
"""Options whose value may be no label: then nothing depends on it."""
_INSTEAD_OF_XFDO = ("fdo_optimize", "fdo_instrument", "fdo_profile")


def late_bound_labels(own: Configuration) -> Mapping[str, tuple[Label, ...]]:
    """Returns what options name, by the attribute that holds it; only what is set is there."""
    named = {attribute: tuple(_labels(own, option)) for attribute, option in LATE_BOUND.items()}
    if any(own.value(option).value for option in _INSTEAD_OF_XFDO):
        named.pop(":xfdo_profile", None)
    return {attribute: labels for attribute, labels in named.items() if labels}


def _labels(own: Configuration, option: str) -> Iterator[Label]:
    for text in own.value(option).values:
        if option in _OR_FILE and not text.strip(" '\"").startswith(("//", "@")):
            continue
        try:
            yield own.label(shlex.split(text)[0] if option == _PROGRAM else text)
        except (LabelError, ValueError):
            continue  # The line is refused for it.
