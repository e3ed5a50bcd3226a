"""Words become option instances, with Bazel's priorities. Bazel: `OptionsParserImpl`.

An instance's `precedence` is a tuple: the category (rc file, then command line), the
position among what was parsed in that category, and, for what an option expands to, the
position inside that expansion. Python's ordering of tuples is Bazel's of priorities, so an
expansion sorts right after the option that it comes from, before the next option.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Span
from bazelscope.bazel import flag_conversion
from bazelscope.bazel.flag_catalog import Catalog, FlagDefinition
from bazelscope.flags import warnings
from bazelscope.flags.flag_values import FlagInstance, FromCommandLine, FromRc, Origin
from bazelscope.flags.words import Word

COMPUTED_DEFAULT, RC_FILE, COMMAND_LINE, SOFTWARE_REQUIREMENT = 0, 1, 2, 4
"""Bazel's categories of priority, lowest first; policies (3) are not modelled."""

MAX_SUGGESTIONS = 50
"""Unknown options for which a near name is looked for; a file may hold thousands."""

ANALYSIS_COMMANDS = frozenset(
    {
        *("aquery", "build", "config", "coverage", "cquery", "mobile-install", "print_action"),
        *("run", "test"),
    }
)
"""Commands for which Bazel reads Starlark flags; for others they were once mere words."""

WORDLESS_COMMANDS = frozenset({"dump", "shutdown", "sync", "version"})
"""Commands that take options alone."""

_NO_VALUES = ("-", "//", "@", ":")
"""How words begin that are hardly the value of a Starlark flag of unknown type."""

_LEFT_OUT = ("-//", "-@", "-:")
"""How words begin that are to leave out targets."""


@dataclass(frozen=True, slots=True)
class ParsedOption:
    """An instance, its definition, and whether another option only implies it."""

    instance: FlagInstance
    definition: FlagDefinition
    implied: bool = False


@dataclass(frozen=True, slots=True)
class StarlarkOption:
    """`--//pkg:flag=value` before anything is known about the flag."""

    label: str
    value: str | None
    word: Word
    precedence: tuple[int, ...]
    expanded_from: FlagInstance | None
    negated: bool = False


class OptionParser:
    """Collects the options of one command from words parsed piece by piece."""

    def __init__(
        self,
        catalog: Catalog,
        command: str,
        takes_value: Mapping[str, bool] | None = None,
        aliases: Mapping[str, str] | None = None,
        checks: bool = True,
    ) -> None:
        """`takes_value`, `aliases`: see `FlagRequest`; `checks`: whether values are looked at, and
        diagnostics tell what is wrong with them."""
        self._checks = checks
        self._catalog = catalog
        self._command = command
        self._takes_value = takes_value or {}
        self._waits = False
        """Whether the last Starlark flag has its value in a word that comes later."""
        self._next: Counter[int] = Counter()
        self._release = catalog.release
        negated = ("--no//", "--no@") if self._release.starlark_no_prefix else ()
        self._starlark_prefixes = ("--//", "--@", *negated)
        self._aliases: dict[str, str] = dict(aliases or {})
        self._unknowns = 0
        self._effective: dict[str, tuple[ParsedOption, flag_conversion.Value]] = {}
        """By option, the instance that counts so far, and its value."""
        self._deprecated: set[str] = set()
        self.options: list[ParsedOption] = []
        self.starlark: list[StarlarkOption] = []
        self.residue: list[Word] = []
        self.after_dashes: list[Word] = []
        self.diagnostics: list[Diagnostic] = []

    def parse(
        self, category: int, words: Sequence[Word], cause: FlagInstance | None = None
    ) -> None:
        """Parses words of one category; what a later call parses outranks earlier calls.

        `cause` is the option because of which the words count, if there is one.
        """
        self._next[category] = self._parse((category,), self._next[category], words, cause)

    def parse_expansion(self, of: FlagInstance, words: Sequence[Word]) -> None:
        """Parses words as the expansion of an instance that was parsed before."""
        self._parse(of.precedence, 0, words, of)

    def _parse(
        self,
        prefix: tuple[int, ...],
        position: int,
        words: Sequence[Word],
        expanded_from: FlagInstance | None,
        implied: bool = False,
    ) -> int:
        index, count = 0, len(words)
        before: list[Word] = []
        after: list[Word] = []
        while index < count:
            word = words[index]
            text = word.text
            index += 1
            if not text.startswith("-"):
                if not self._is_awaited(word):
                    before.append(word)
                continue
            if self._aliases and text.startswith("--"):
                text = self._resolve_alias(text)
            if text.startswith(self._starlark_prefixes):
                if self._is_awaited(word):
                    continue
                index = self._starlark(text, word, words, index, (*prefix, position), expanded_from)
                if self._release.starlark_in_order:
                    position += 1
                if self._keeps_starlark_words():
                    before.append(word)
                continue
            if text == "--":
                after += words[index:]
                if isinstance(word.origin, FromRc) and after:
                    self.diagnostics.append(warnings.dashes_swallow(word, after))
                break
            identified = self._identify(text, word)
            if identified is None:
                index = self._skip_value_of_unknown(text, words, index, word.lenient)
                continue
            definition, value = identified
            shown = word.text
            last = word
            if value is None and not definition.is_expansion:
                if index >= count:
                    self._error("missing-value", f"`{word.text}` expects a value", word)
                    continue
                last = words[index]
                index += 1
                value = last.text
                shown = f"{shown} {value}"
            origin, parent = _origin(word, last), _parent(word, expanded_from)
            instance = FlagInstance(
                definition.name, value, shown, origin, (*prefix, position), parent
            )
            self._add(instance, definition, word, implied)
            position += 1
        if self._waits:  # What stands after a `--` is no value.
            last = self.starlark[-1].word
            self._error("missing-value", f"`{last.text}` expects a value", last)
            self._waits = False
        self.residue += before + after
        self.after_dashes += after
        if self._command in WORDLESS_COMMANDS:
            for word in (*before, *after):
                message = f"`{self._command}` takes no arguments: `{word.text}`"
                self._error("unexpected-argument", message, word)
        return position

    def _is_awaited(self, word: Word) -> bool:
        """Whether the last Starlark flag waits for its value, which this word then is."""
        if not self._waits:
            return False
        self.starlark[-1] = replace(self.starlark[-1], value=word.text)
        self._waits = False
        return True

    def _keeps_starlark_words(self) -> bool:
        """Whether Starlark flags stay among the words that are no options."""
        if self._command in WORDLESS_COMMANDS:
            return not self._release.wordless_starlark
        return not (self._release.starlark_in_order or self._command in ANALYSIS_COMMANDS)

    def _add(
        self, instance: FlagInstance, definition: FlagDefinition, word: Word, implied: bool
    ) -> None:
        if word.opens is not None and definition.name == "config":
            word.opens.instance = instance
        elif word.node is not None and not implied:
            word.node.children.append(instance)
        if word.opens is not None and word.node is not None:
            word.node.children.append(word.opens)
        value = instance.value
        parsed = ParsedOption(instance, definition, implied)
        if self._checks:
            self._look_at(parsed, word)
        self.options.append(parsed)
        if definition.name == "flag_alias" and self._release.flag_alias and value:
            name, _, label = value.partition("=")
            self._aliases[name] = label
        extra = [text for text in definition.expansion if self._is_taken(text)]
        extra = extra or list(definition.requires)
        if extra:
            lenient = word.lenient and self._release.lenient_common_expansions
            words = [Word(text, instance.origin, lenient=lenient) for text in extra]
            self._parse(instance.precedence, 0, words, instance, implied=not definition.expansion)

    def _look_at(self, parsed: ParsedOption, word: Word) -> None:
        """Says what is wrong with an option that is there, and with its value."""
        definition, value = parsed.definition, parsed.instance.value
        if definition.deprecated is not None and definition.name not in self._deprecated:
            self._deprecated.add(definition.name)
            self.diagnostics.append(warnings.deprecated_option(definition, word.span))
        if value not in (None, "", "%workspace%") and definition.name in warnings.NOT_APPLIED:
            self.diagnostics.append(warnings.not_applied(definition.name, word.span))
        if not definition.is_expansion:
            self._check_value(parsed, word)
        elif value:
            self.diagnostics.append(
                Diagnostic(
                    "value-ignored",
                    f"`--{definition.name}` takes no value; `{value}` is ignored",
                    word.span,
                    severity=Severity.WARNING,
                )
            )

    def _is_taken(self, text: str) -> bool:
        """Whether a word of an expansion names an option of the command: what
        `--all_incompatible_changes` expands to depends on it."""
        name = text.removeprefix("--").partition("=")[0]
        known = self._catalog.find(name) or self._catalog.find(name.removeprefix("no"))
        return known is None or self._catalog.applies(known, self._command)

    def _check_value(self, parsed: ParsedOption, word: Word) -> None:
        """Reports a value that Bazel refuses, and one that beats another in a way that is not
        seen. Bazel does not look at a value that is beaten already.

        Bazel: `SingleOptionValueDescription.addOptionInstance`.
        """
        instance, definition = parsed.instance, parsed.definition
        before = self._effective.get(definition.name)
        beaten = before is not None and before[0].instance.precedence > instance.precedence
        try:
            value = flag_conversion.convert(definition, instance.value or "")
        except ValueError as error:
            message = f"in `{instance.text}`, {error}"
            if not beaten:
                self._error("invalid-value", message, word)
                return
            hint = "Bazel does not notice, because another setting of the option beats this one"
            self.diagnostics.append(warnings.warning("invalid-value", message, word.span, hint))
            return
        if beaten or definition.repeats:
            return
        if before is not None and before[1] != value:
            warning = _silent_override(parsed, before[0])
            if warning is not None:
                self.diagnostics.append(warning)
        self._effective[definition.name] = parsed, value

    def _identify(self, text: str, word: Word) -> tuple[FlagDefinition, str | None] | None:
        """The option that `text` names and its value, if it has one in the same word."""
        catalog, command = self._catalog, self._command
        value: str | None = None
        enabled = True
        definition: FlagDefinition | None
        if len(text) == 2 and text != "--":
            definition = catalog.by_abbreviation(text[1], command)
        elif len(text) == 3 and text[2] == "-" and text[1] != "-":
            definition = catalog.by_abbreviation(text[1], command)
            enabled = False
        elif text.startswith("--"):
            name, equals, rest = text[2:].partition("=")
            if not name.strip():
                self._error("invalid-option", f"`{text}` is no option", word)
                return None
            value = rest if equals else None
            definition = catalog.find(name, command)
            if definition is None and name.startswith("no"):
                definition = catalog.find(name[2:], command)
                enabled = False
                if definition is not None:
                    if not definition.negatable:
                        message = f"`{text}`: only a boolean option can have the prefix `no`"
                        self._error("invalid-option", message, word)
                        return None
                    if value is not None:
                        self._error("invalid-option", f"`{text}`: no value after `no`", word)
                        return None
                    value = "0"
        else:
            hint = f"long options have two dashes: `-{text}`"
            if text.startswith(_LEFT_OUT) or text.endswith("/..."):
                hint = f"targets that are to be left out stand behind `--`: `-- ... {text}`"
            self._error("invalid-option", f"`{text}` is no option", word, hint)
            return None
        if definition is None:
            definition, enabled = self._assume(text)
            if definition is None:
                self._unknown(text, word)
                return None
        if not definition.is_certain:
            self.diagnostics.append(warnings.assumed_option(definition, word, catalog))
        if value is None and definition.negatable:
            value = "1" if enabled else "0"
        return definition, value

    def _unknown(self, text: str, word: Word) -> None:
        if word.lenient:
            name = text.lstrip("-").partition("=")[0]
            known = self._catalog.find(name) or self._catalog.find(name.removeprefix("no"))
            if len(text) == 2:
                known = self._catalog.find_abbreviation(text[1])
            if known is not None:
                return
        self._unknowns += 1
        suggest = self._unknowns <= MAX_SUGGESTIONS
        self.diagnostics.append(
            warnings.unknown_option(text, word, self._catalog, self._command, suggest)
        )

    def _assume(self, text: str) -> tuple[FlagDefinition | None, bool]:
        if self._unknowns > MAX_SUGGESTIONS:
            return None, True
        negative = ("--noexperimental_", "--noincompatible_")
        if text.startswith(negative) and "=" not in text:
            return self._catalog.assumed(f"--{text[4:]}"), False
        return self._catalog.assumed(text), True

    def _skip_value_of_unknown(
        self, text: str, words: Sequence[Word], index: int, lenient: bool
    ) -> int:
        """Skips the value of an option that is known elsewhere, so that it is no target. Where
        the option itself is skipped, so is its value, whatever that looks like."""
        if "=" in text or index >= len(words):
            return index
        if words[index].text.startswith("-") and not lenient:
            return index
        if not text.startswith("--"):
            definition = self._catalog.find_abbreviation(text[1]) if len(text) == 2 else None
        else:
            name = text[2:]
            definition = self._catalog.find(name) or self._catalog.definition_elsewhere(name)
        takes_value = definition is not None and definition.takes_value
        return index + 1 if takes_value else index

    def _starlark(
        self,
        text: str,
        word: Word,
        words: Sequence[Word],
        index: int,
        precedence: tuple[int, ...],
        expanded_from: FlagInstance | None,
    ) -> int:
        label, equals, value = text[2:].partition("=")
        negated = not equals and label.startswith(("no//", "no@"))
        given = value if equals else None
        if given is None and self._release.starlark_takes_next_word:
            takes_value = self._takes_value.get(label)
            # Bazel looks for the value when it is through with the options of its own.
            self._waits = takes_value is True
            is_likely = index < len(words) and not words[index].text.startswith(_NO_VALUES)
            if takes_value is None and is_likely:
                given = words[index].text
                index += 1
        option = StarlarkOption(
            label.removeprefix("no") if negated else label,
            given,
            word,
            precedence,
            _parent(word, expanded_from),
            negated,
        )
        self.starlark.append(option)
        return index

    def _resolve_alias(self, text: str) -> str:
        name, equals, value = text[2:].partition("=")
        label = self._aliases.get(name)
        return text if label is None else f"--{label}{equals}{value}"

    def _error(self, code: str, message: str, word: Word, hint: str | None = None) -> None:
        self.diagnostics.append(Diagnostic(code, message, word.span, hint=hint))


def _silent_override(new: ParsedOption, old: ParsedOption) -> Diagnostic | None:
    """Bazel's warning where one of two settings with different values is hidden in another
    option: in what it expands to, or in what it implies."""
    winner, loser = new.instance, old.instance
    same_category = winner.precedence[0] == loser.precedence[0]
    if new.implied and old.implied:
        if winner.expanded_from != loser.expanded_from:
            return warnings.implied_twice(winner, loser)
    elif new.implied and same_category:
        return warnings.implied_option_wins(winner, loser)
    elif old.implied:
        return warnings.implied_option_beaten(winner, loser)
    elif _is_expanded(new):
        if _is_expanded(old):
            return warnings.expanded_twice(winner, loser)
        # Bazel: only what is typed on the command line is explicit enough.
        if same_category and winner.precedence[0] == COMMAND_LINE:
            return warnings.explicit_option_beaten(winner, loser)
    return None


def _is_expanded(option: ParsedOption) -> bool:
    """Whether the words of another option or config hold this one. What a command adds by
    itself because of an option is not in it."""
    instance = option.instance
    own = instance.precedence[0] in (RC_FILE, COMMAND_LINE)
    return own and not option.implied and instance.expanded_from is not None


def _parent(word: Word, expanded_from: FlagInstance | None) -> FlagInstance | None:
    """The option that a word is there for: the nearest config, or what expands to it."""
    nearest = word.node.nearest_instance if word.node is not None else None
    return expanded_from if nearest is None else nearest


def _origin(first: Word, last: Word) -> Origin:
    """The origin of an option whose value may be in another word of the same file."""
    if first is last or isinstance(first.origin, FromCommandLine):
        return first.origin
    if not isinstance(first.origin, FromRc) or not isinstance(last.origin, FromRc):
        return first.origin
    start, end = first.origin.span, last.origin.span
    is_before = (end.line, end.column) < (start.line, start.column)
    if start.path != end.path or is_before or end.line != start.end_line:
        return first.origin
    span = Span(start.path, start.line, start.column, end.end_line, end.end_column)
    return FromRc(span, first.origin.section)
