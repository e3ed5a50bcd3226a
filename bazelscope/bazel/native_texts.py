"""Texts of native rules in which Bazel expands `$(...)`, and how it reads them.

Bazel: `TemplateExpander`, `LocationExpander`, `Expander`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.encoded_values import Encoded, holds, joined_texts
from bazelscope.bazel.release import Release

_LOCATIONS = frozenset({"location", "locations", "execpath", "execpaths", "rootpath", "rootpaths"})
_RLOCATIONS = _LOCATIONS | {"rlocationpath", "rlocationpaths"}
OF_TOOLCHAINS = frozenset(
    {
        *("ABI", "ABI_GLIBC_VERSION", "AR", "CC", "CC_FLAGS", "CROSSTOOLTOP", "C_COMPILER"),
        *("GCOVTOOL", "GLIBC_VERSION", "JAVA", "JAVABASE", "LD", "NM", "OBJCOPY", "STRIP"),
        *("JAVAC", "JAVA_TRANSLATIONS", "STACK_FRAME_UNLIMITED", "PYTHON2", "PYTHON3"),
        *("ANDROID_CPU", "LLVM_PROFDATA", "PROTOC"),
    }
)
"""Variables that toolchains define, of which none is sure to be there or not."""


_SHOWN_FILES = 5


class Expanded(NamedTuple):
    """How an attribute is expanded: `locations` are the attributes that `$(location)` may name,
    besides the rule's own outputs; none: it does not know that function. With `is_lenient`, a `$`
    that begins no reference stands for itself."""

    locations: tuple[str, ...] = ()
    is_lenient: bool = False
    is_split: bool = False
    """What is expanded is cut into words as a shell cuts it."""
    is_one_word: bool = False
    """Of which there has to be just one."""
    is_run_with: bool = False
    """`$(location)` stands for the path where the program runs, not where it is built."""


class TemplateError(Exception):
    """A text that is no template."""


_INPUTS = ("srcs", "deps", "implementation_deps", "tools", "exec_tools", "toolchains")
_WITH_DATA = Expanded((*_INPUTS, "data"))
_WORDS = _WITH_DATA._replace(is_split=True)
_COMMAND = Expanded(_INPUTS)
_PLAIN = Expanded()
_DEFINITION = Expanded(is_split=True, is_one_word=True)
_CC = {
    "copts": _WORDS,
    "includes": _PLAIN,
    "linkopts": Expanded((*_INPUTS, "data", "additional_linker_inputs"), is_split=True),
    "defines": _DEFINITION,
    "local_defines": _DEFINITION,
}
_RUN_WITH = _WITH_DATA._replace(is_run_with=True)
PROGRAM_TEXTS: Mapping[str, Expanded] = {"args": _RUN_WITH._replace(is_split=True)}
"""What Bazel expands of every program and test, one in Starlark, too, once its implementation has
run. Bazel: `RunfilesSupport.computeArgs`; measured: 0.24.1, 2.1.0, 4.2.3."""
_EXECUTABLE = {**PROGRAM_TEXTS, "env": _RUN_WITH}
_PYTHON = {"imports": _PLAIN}
_EXPANDED: Mapping[str, Mapping[str, Expanded]] = {
    "genrule": dict.fromkeys(("cmd", "cmd_bash", "cmd_bat", "cmd_ps"), _COMMAND),
    "extra_action": {"cmd": Expanded(("data", "tools"))},
    "cc_library": _CC,
    "cc_binary": _CC | _EXECUTABLE,
    "cc_test": _CC | _EXECUTABLE,
    "sh_binary": _EXECUTABLE,
    "sh_test": _EXECUTABLE,
    "py_binary": _EXECUTABLE | _PYTHON,
    "py_library": _PYTHON,
    "py_test": _EXECUTABLE | _PYTHON,
}
_SPLIT = frozenset({"args", "copts", "linkopts", "defines", "local_defines"})
_OF_SHELLS = lazy_pattern(r"""['"\\ \t]""")
"""What is no plain word where a shell cuts it."""
_ALWAYS = frozenset(
    {
        *("allowed_values", "exec_compatible_with", "exec_group_compatible_with"),
        *("include_prefix", "linkshared", "nocopts", "shard_count", "strip_include_prefix"),
        *("target_compatible_with", "toolchains"),
    }
)


def may_be_refused(attribute: str, value: Encoded, package: str) -> bool:
    """Whether Bazel may refuse what an attribute of a rule in `package` was given, by itself: most
    values are plain words."""
    if attribute in _ALWAYS:
        return True
    texts = joined_texts(value)
    if "$" in texts:
        return True
    if attribute in _SPLIT:
        return _OF_SHELLS.search(texts) is not None or holds(value, "")
    if attribute == "exec_properties":
        return "." in texts
    return attribute == "includes" and (not package or ".." in texts)


def expanded_attributes(rule_class: str, release: Release) -> Mapping[str, Expanded]:
    """The attributes of a native rule in whose texts Bazel expands something."""
    expanded = _EXPANDED.get(rule_class, {})
    if expanded.keys().isdisjoint(_CC) or not release.defines_take_locations:
        return expanded
    return _cc_expanded(rule_class, release.rules_in_starlark)


@cache
def _cc_expanded(rule_class: str, are_starlark: bool) -> Mapping[str, Expanded]:
    """What C++ rules expand since defines know `$(location)`; in Starlark, everything does. Bazel:
    `cc_helper.expand`."""
    return {
        name: how._replace(locations=how.locations or _WITH_DATA.locations, is_lenient=are_starlark)
        if are_starlark or name.endswith("defines")
        else how
        for name, how in _EXPANDED.get(rule_class, {}).items()
    }


def location_functions(release: Release) -> frozenset[str]:
    """The functions that stand for paths of files."""
    return _RLOCATIONS if release.rlocation_paths else _LOCATIONS


_IDENTIFIER = lazy_pattern(r"[\w$]*")


_REFERENCE = lazy_pattern(r"\$(?:\$|\(([^)]*)\))")


def references(text: str, is_lenient: bool = False) -> Iterator[tuple[str, str | None]]:
    """What a text refers to, in its order: a variable and None, or a function and its argument.

    Raises TemplateError where Bazel cannot read it, unless it `is_lenient`.
    """
    if is_lenient:
        for (inside,) in (one.groups() for one in _REFERENCE.finditer(text)):
            if inside is not None:
                name, space, argument = inside.partition(" ")
                yield name, argument.strip() if space else None
        return
    for _, reference in _parts(text):
        if reference is not None:
            yield reference


_Reference = tuple[str, str | None]
_LONGEST = 4 << 20
"""Characters that a text may come to."""


def _parts(text: str) -> Iterator[tuple[str, _Reference | None]]:
    """The plain pieces of a text, each with what the text refers to behind it; nothing behind the
    last one, and where a dollar stands for itself, which it ends with."""
    start, position = 0, text.find("$")
    while position >= 0:
        before = text[start:position]
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
                raise unsupported(f"${{{inside}}}", inside)
            name, space, argument = inside.partition(" ")
            yield before, (name, argument.strip() if space else None)
            position = end
        elif letter in "@<^":
            yield before, (letter, None)
        elif letter == "$":
            yield f"{before}$", None
        else:
            match = _IDENTIFIER.match(text, position + 1)
            name = letter + (match[0] if match is not None else "")
            raise unsupported(f"${name}", name)
        start = position + 1
        position = text.find("$", start)
    yield text[start:], None


def expand(text: str, meaning: Callable[[str, str | None], str | None]) -> str:
    """A text with what it refers to, as `references` tells it, in place of that. Raises
    TemplateError where Bazel cannot read it, for what has no `meaning`, and where it gets longer
    than any command line."""
    made: list[str] = []
    length = 0
    for plain, reference in _parts(text):
        made.append(plain)
        if reference is not None:
            value = meaning(*reference)
            if value is None:
                raise TemplateError(f"$({' '.join(filter(None, reference))}) is not defined")
            made.append(value)
            length += len(value)
            if length > _LONGEST:
                raise TemplateError("it gets too long")
    return "".join(made)


def unsupported(text: str, name: str) -> TemplateError:
    """Returns the error of a `$` that is written neither before a parenthesis nor as `$$`. Bazel:
    `TemplateExpander`."""
    return TemplateError(
        f"'{text}' syntax is not supported; use '$({name})' instead for \"Make\" variables, or"
        " escape the '$' as '$$' if you intended this for the shell"
    )


def files_shown(paths: Sequence[object]) -> str:
    """Returns how a message of `$(location)` goes on to show the first of the files that it might
    stand for; nothing where a path is not known. Bazel: `LocationExpander`."""
    plain = [path for path in paths if isinstance(path, str)]
    if len(plain) != len(paths):
        return ""
    shown = sorted(path if "/" in path else f"./{path}" for path in plain)[:_SHOWN_FILES]
    return f".  Files (at most {_SHOWN_FILES} shown) are: [{', '.join(shown)}]"


def tokenize(text: str) -> tuple[str, ...]:
    """The words that a shell would see. Raises TemplateError for a text that does not end.
    Bazel: `ShellUtils.tokenize`."""
    words: list[str] = []
    current: list[str] = []
    is_word = False
    quote = ""
    position = 0
    while position < len(text):
        char = text[position]
        position += 1
        if quote:
            if char == quote:
                quote = ""
            elif char == "\\" and quote == '"':
                if position == len(text):
                    raise TemplateError("backslash at end of string")
                following = text[position]
                position += 1
                current.append(following if following in '\\"' else char + following)
            else:
                current.append(char)
        elif char in "'\"":
            quote, is_word = char, True
        elif char in " \t":
            if is_word:
                words.append("".join(current))
            current, is_word = [], False
        elif char == "\\":
            if position == len(text):
                raise TemplateError("backslash at end of string")
            current.append(text[position])
            position += 1
            is_word = True
        else:
            current.append(char)
            is_word = True
    if quote:
        raise TemplateError("unterminated quotation")
    if is_word:
        words.append("".join(current))
    return tuple(words)
