"""Texts of native rules in which Bazel expands `$(...)`, and how it reads them.

Bazel: `TemplateExpander`, `LocationExpander`, `Expander`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

LOCATIONS = frozenset({"location", "locations", "execpath", "execpaths", "rootpath", "rootpaths"})
OF_TOOLCHAINS = frozenset(
    {
        *("ABI", "ABI_GLIBC_VERSION", "AR", "CC", "CC_FLAGS", "CROSSTOOLTOP", "C_COMPILER"),
        *("GCOVTOOL", "GLIBC_VERSION", "JAVA", "JAVABASE", "LD", "NM", "OBJCOPY", "STRIP"),
        *("JAVAC", "JAVA_TRANSLATIONS", "STACK_FRAME_UNLIMITED", "PYTHON2", "PYTHON3"),
        *("ANDROID_CPU", "LLVM_PROFDATA", "PROTOC"),
    }
)
"""Variables that toolchains define, of which none is sure to be there or not."""


class Expanded(NamedTuple):
    """How an attribute is expanded: `locations` are the attributes that `$(location)` may name,
    besides the rule's own outputs; none: it does not know that function."""

    locations: tuple[str, ...] = ()


class TemplateError(Exception):
    """A text that is no template."""


_INPUTS = ("srcs", "deps", "implementation_deps", "tools", "exec_tools", "toolchains")
_WITH_DATA = Expanded((*_INPUTS, "data"))
_COMMAND = Expanded(_INPUTS)
_PLAIN = Expanded()
_CC = {
    "copts": _WITH_DATA,
    "includes": _PLAIN,
    "linkopts": Expanded((*_INPUTS, "data", "additional_linker_inputs")),
    "defines": _PLAIN,
    "local_defines": _PLAIN,
}
_EXECUTABLE = {"args": _WITH_DATA, "env": _WITH_DATA}
_EXPANDED: Mapping[str, Mapping[str, Expanded]] = {
    "genrule": dict.fromkeys(("cmd", "cmd_bash", "cmd_bat", "cmd_ps"), _COMMAND),
    "cc_library": _CC,
    "cc_binary": _CC | _EXECUTABLE,
    "cc_test": _CC | _EXECUTABLE,
    "sh_binary": _EXECUTABLE,
    "sh_test": _EXECUTABLE,
    "py_binary": _EXECUTABLE,
    "py_test": _EXECUTABLE,
}


def expanded_attributes(rule_class: str) -> Mapping[str, Expanded]:
    """The attributes of a native rule in whose texts Bazel expands something."""
    return _EXPANDED.get(rule_class, {})


_IDENTIFIER = re.compile(r"[\w$]*")


def references(text: str) -> Iterator[tuple[str, str | None]]:
    """What a text refers to, in its order: a variable and None, or a function and its argument.

    Raises TemplateError where Bazel cannot read it.
    """
    position = text.find("$")
    while position >= 0:
        position += 1
        if position >= len(text):
            raise TemplateError("unterminated $")
        letter = text[position]
        if letter in "({":
            end = text.find(")" if letter == "(" else "}", position)
            if end < 0:
                raise TemplateError("unterminated variable reference")
            inside = text[position + 1 : end]
            if letter == "{":
                raise TemplateError(f"'${{{inside}}}' syntax is not supported; use '$({inside})'")
            name, space, argument = inside.partition(" ")
            yield name, argument.strip() if space else None
            position = end
        elif letter in "@<^":
            yield letter, None
        elif letter != "$":
            match = _IDENTIFIER.match(text, position + 1)
            name = letter + (match[0] if match is not None else "")
            raise TemplateError(f"'${name}' syntax is not supported; use '$({name})'")
        position = text.find("$", position + 1)
