"""The labels that options name for private attributes of native rules, such as `--run_under`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label
from bazelscope.bazel.native_defaults import LATE_BOUND, OPTIONS_OF_DEFAULTS

_PROGRAM = "run_under"
_OR_FILE = frozenset({"fdo_optimize", _PROGRAM})
"""Options whose value may be no label: then nothing depends on it."""
_OF_JAVA = frozenset({"java_toolchain", "javabase"})
_INSTEAD_OF_XFDO = ("fdo_optimize", "fdo_instrument", "fdo_profile")


def late_bound_labels(own: Configuration) -> Mapping[str, tuple[Label, ...]]:
    """Returns what options name, by the attribute that holds it; only what is set is there."""
    named = {attribute: tuple(_labels(own, option)) for attribute, option in LATE_BOUND.items()}
    if any(own.value(option).value for option in _INSTEAD_OF_XFDO):
        named.pop(":xfdo_profile", None)
    return {attribute: labels for attribute, labels in named.items() if labels}


def is_late_bound(attribute: str) -> bool:
    """Returns whether the configuration says what an attribute of this name holds; those of native
    rules' aspects, which have no names here, are such."""
    return attribute[:1] in ("", ":")


def named_instead(own: Configuration) -> Mapping[Label, Label]:
    """Returns what options name in the place of defaults of late-bound attributes, where that is
    another label."""
    named: dict[Label, Label] = {}
    for default, option in OPTIONS_OF_DEFAULTS.items():
        if option in _OF_JAVA and not own.release.options_name_toolchains_for_java:
            continue
        if option == "crosstool_top" and own.release.resolves_cc_toolchains:
            continue
        label = next(_labels(own, option), default)
        if label != default:
            named[default] = label
    return named


def program_named(own: Configuration) -> Label | None:
    """Returns the target that `--run_under` names; None where it names none."""
    return next(_labels(own, _PROGRAM), None)


def target_of_program(text: str) -> str:
    """Returns the label that a value of `--run_under` begins with; empty where there is none."""
    if not text.strip(" '\"").startswith(("//", "@")):
        return ""
    try:
        return shlex.split(text)[0]
    except ValueError:
        return ""  # The line is refused for it.


def _labels(own: Configuration, option: str) -> Iterator[Label]:
    definition = own.definition(option)
    most = -1 if definition is not None and definition.splits_at_commas else 0
    texts = own.value(option).values
    for text in (one for listed in texts for one in listed.split(",", most)):
        named = target_of_program(text) if option in _OR_FILE else text
        try:
            if named:
                yield own.label(named)
        except LabelError:
            continue  # The line is refused for it.
