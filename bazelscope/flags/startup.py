"""The options before the command: which they are, and what they say about rc files.

Bazel: `OptionProcessor::SplitCommandLine` and `StartupOptions` in the client.
"""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Span
from bazelscope.bazel.flag_catalog import STARTUP, Catalog, FlagDefinition, FlagKind
from bazelscope.flags.words import SectionWord

_HELP = ("--help", "-help", "-h")


def is_argument(word: str) -> bool:
    """Whether a word before the command is an option. `--help` ends the startup options."""
    return word.startswith("-") and word not in _HELP


@dataclass(frozen=True, slots=True)
class StartupOption:
    """One startup option: `value` is None for a switch, which is `enabled` or not."""

    name: str
    value: str | None
    enabled: bool
    text: str


@dataclass(frozen=True, slots=True)
class StartupOptions:
    """The startup options of a command line, in order, and where the command begins.

    `consumed` counts the words that they take up.
    """

    options: tuple[StartupOption, ...]
    consumed: int
    diagnostics: tuple[Diagnostic, ...] = ()

    def switch(self, name: str, default: bool) -> bool:
        """The last setting of `--name` or `--noname`."""
        for option in reversed(self.options):
            if option.name == name and option.value is None:
                return option.enabled
        return default

    def values(self, name: str) -> tuple[str, ...]:
        """Every value of `--name`, in order."""
        return tuple(o.value for o in self.options if o.name == name and o.value is not None)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(option.text for option in self.options)


def parse(words: Sequence[str], catalog: Catalog) -> StartupOptions:
    """The startup options that `words` begins with.

    A problem (an unknown option, a missing value) becomes a diagnostic, and the word is
    skipped.
    """
    options: list[StartupOption] = []
    problems: list[Diagnostic] = []
    position = 0
    while position < len(words) and is_argument(words[position]):
        word = words[position]
        position += 1
        name, equals, value = word.partition("=")
        switch, enabled = _switch(name, catalog)
        if switch is not None:
            if equals:
                problems.append(_wrong_value(f"`{name}` does not take a value: `{word}`"))
            options.append(StartupOption(switch.name, None, enabled, name))
            continue
        definition = _unary(name, catalog)
        if definition is None:
            problems.append(_unknown(word, name, catalog))
        elif equals:
            options.append(StartupOption(definition.name, value, True, word))
            problems += _of_value(definition, name, value)
        elif position < len(words):
            text = f"{word}={words[position]}"
            options.append(StartupOption(definition.name, words[position], True, text))
            problems += _of_value(definition, name, words[position])
            position += 1
        else:
            problems.append(_wrong_value(f"`{word}` expects a value"))
    return StartupOptions(tuple(options), position, tuple(problems))


def _wrong_value(message: str, span: Span | None = None) -> Diagnostic:
    return Diagnostic("startup-option-value", f"startup option {message}", span)


def _of_value(
    definition: FlagDefinition, name: str, value: str, span: Span | None = None
) -> list[Diagnostic]:
    """What is wrong with a value: numbers alone are looked at by the client itself."""
    if definition.kind is not FlagKind.INTEGER or _NUMBER.fullmatch(value):
        return []
    return [_wrong_value(f"`{name}` takes a number, not `{value}`", span)]


def _switch(name: str, catalog: Catalog) -> tuple[FlagDefinition | None, bool]:
    if not name.startswith("--"):
        return None, False
    definition = catalog.find(name[2:], STARTUP)
    if definition is not None and not definition.takes_value:
        return definition, True
    if name.startswith("--no"):
        definition = catalog.find(name[4:], STARTUP)
        if definition is not None and definition.negatable:
            return definition, False
    return None, False


def _unary(name: str, catalog: Catalog) -> FlagDefinition | None:
    if not name.startswith("--"):
        return None
    definition = catalog.find(name[2:], STARTUP)
    return definition if definition is not None and definition.takes_value else None


def _unknown(word: str, name: str, catalog: Catalog) -> Diagnostic:
    hint = None
    plain = name.lstrip("-")
    if catalog.find(plain) is not None or catalog.find(plain.removeprefix("no")) is not None:
        hint = f"`{name}` is an option of commands; it goes after the command"
    else:
        nearest = catalog.nearest(plain, STARTUP, 1)
        if nearest:
            hint = f"did you mean `--{nearest[0]}`?"
    return Diagnostic("unknown-startup-option", f"unknown startup option: `{word}`", hint=hint)


_NUMBER = lazy_pattern(r"\s*[+-]?[0-9]+")
_NOT_IN_RC_FILES = frozenset(
    {"bazelrc", "home_rc", "ignore_all_rc_files", "system_rc", "workspace_rc"}
)


def check_rc_words(words: Sequence[SectionWord], catalog: Catalog) -> list[Diagnostic]:
    """What is wrong with the words of `startup` lines, each with its place."""
    problems: list[Diagnostic] = []
    position = 0
    while position < len(words):
        word = words[position]
        span = word.origin.span
        name, equals, value = word.text.partition("=")
        switch, _ = _switch(name, catalog)
        definition = switch or _unary(name, catalog)
        if definition is None:
            unknown = _unknown(word.text, name, catalog)
            problems.append(Diagnostic(unknown.code, unknown.message, span, hint=unknown.hint))
        elif definition.name in _NOT_IN_RC_FILES:
            message = f"`--{definition.name}` cannot stand in an rc file"
            problems.append(Diagnostic("startup-option-in-rc", message, span))
        elif switch is not None and equals:
            message = f"`{name}` does not take a value: `{word.text}`"
            problems.append(_wrong_value(message, span))
        elif switch is None and not equals:
            position += 1
            if position >= len(words):
                message = f"`{word.text}` has no value; it takes the next startup option for one"
                problems.append(Diagnostic("startup-option-value", message, span))
            else:
                problems += _of_value(definition, name, words[position].text, span)
        elif switch is None:
            problems += _of_value(definition, name, value, span)
        position += 1
    return problems
