"""Java's regular expressions, which options and queries take, written anew for Python's.

A pattern is read by Java's rules (`java.util.regex.Pattern`); what comes of it is for the module
`regex`, which has all of Java's syntax that matters.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bazelscope.base.java_characters import characters_of
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern

_ENDS = r"\n\r\x85\u2028\u2029"
"""The characters that end a line."""
_AT_END = rf"(?=(?:\r\n|[{_ENDS}])?\Z)"
_AT_LINE_START = rf"(?:(?<![\s\S])|(?<=[{_ENDS}])(?!\Z))"
_AT_LINE_END = rf"(?=[{_ENDS}]|\Z)"
_NEVER = "(?!)"

_CONTROLS = {"a": "\a", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HORIZONTAL = " \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000"
_VERTICAL = "\\n\\x0b\\f\\r\\x85\\u2028\\u2029"
_SETS = {
    **{letter: f"[\\{letter}]" for letter in "dDsSwW"},
    "h": f"[{_HORIZONTAL}]",
    "H": f"[^{_HORIZONTAL}]",
    "v": f"[{_VERTICAL}]",
    "V": f"[^{_VERTICAL}]",
}
_PLACES = {"A": r"\A", "B": r"\B", "G": r"\A", "Z": _AT_END, "b": r"\b", "z": r"\Z"}
_LINE_BREAK = rf"(?:\r\n|[{_VERTICAL}])"
_GROUPS = {"=": "(?=", "!": "(?!", ":": "(?:", ">": "(?>", "<=": "(?<=", "<!": "(?<!"}
_QUANTIFIER = lazy_pattern(r"([*+?]|\{([0-9]+)(,([0-9]*))?\})([?+]?)")
_FLAGS = lazy_pattern(r"([idmsuxU]*)(?:-([idmsuxU]*))?([:)])")
_NAME = lazy_pattern(r"<([A-Za-z][A-Za-z0-9]*)>")


class PatternError(ValueError):
    """Why Java refuses a pattern, in its words."""


def to_python(pattern: str) -> str:
    """What `regex` takes for a pattern of Java's. Raises `PatternError` for one that is none."""
    try:
        return _Translator(pattern).translate()
    except (OverflowError, RecursionError) as error:
        raise PatternError(str(error)) from error


@dataclass(frozen=True)
class _Modes:
    """What `(?imsx)` switches."""

    ignores_case: bool = False
    multiline: bool = False
    dot_all: bool = False
    comments: bool = False


class _Translator:
    """Reads one pattern."""

    def __init__(self, pattern: str) -> None:
        self.text = pattern
        self.position = 0
        self.groups = 0
        self.open: list[int] = []
        self.names: set[str] = set()
        self.modes = _Modes()

    def translate(self) -> str:
        translated = self._alternatives()
        if self.position < len(self.text):
            raise self._error("Unmatched closing ')'")
        return translated

    def _error(self, message: str) -> PatternError:
        return PatternError(f"{message} near index {min(self.position, len(self.text))}")

    def _peek(self) -> str:
        return self.text[self.position : self.position + 1]

    def _take(self) -> str:
        if self.position >= len(self.text):
            raise self._error("Unexpected end of the pattern")
        self.position += 1
        return self.text[self.position - 1]

    def _starts(self, beginning: str) -> bool:
        if self.text.startswith(beginning, self.position):
            self.position += len(beginning)
            return True
        return False

    # ---- What stands behind one another

    def _alternatives(self) -> str:
        """Up to the end of the group; what `(?i)` switches holds that far."""
        before = self.modes
        alternatives = [self._sequence()]
        while self._starts("|"):
            alternatives.append(self._sequence())
        self.modes = before
        return "|".join(alternatives)

    def _sequence(self) -> str:
        atoms = []
        while self.position < len(self.text) and self._peek() not in "|)":
            if self.modes.comments and self._skips_comment():
                continue
            atom = self._atom()
            if atom is not None:
                atoms.append(self._in_case(atom) + self._quantifier(atom))
        return "".join(atoms)

    def _in_case(self, atom: str) -> str:
        return f"(?i:{atom})" if self.modes.ignores_case else atom

    def _skips_comment(self) -> bool:
        char = self._peek()
        if char == "#":
            end = self.text.find("\n", self.position)
            self.position = len(self.text) if end < 0 else end
            return True
        if char in " \t\n\x0b\f\r":
            self.position += 1
            return True
        return False

    def _quantifier(self, atom: str) -> str:
        while self.modes.comments and self._peek() and self._skips_comment():
            pass
        match = _QUANTIFIER.match(self.text, self.position)
        if match is None:
            if self._peek() == "{":
                self.position += 1
                raise self._error("Illegal repetition")
            return ""
        least, most = match[2], match[4]
        if least is not None and most and int(most) < int(least):
            raise self._error("Illegal repetition range")
        self.position = match.end()
        # Of nothing there may be any number.
        return match[0] if atom else ""

    # ---- One thing

    def _atom(self) -> str | None:
        """A pattern that a quantifier may follow; None where nothing matches or is matched."""
        char = self._peek()
        if char in "*+?":
            raise self._error(f"Dangling meta character '{char}'")
        if char == "{":
            return ""
        self.position += 1
        if char == "(":
            return self._group()
        if char == "[":
            return self._set()
        if char == "\\":
            return self._escape()
        if char == ".":
            return r"[\s\S]" if self.modes.dot_all else f"[^{_ENDS}]"
        if char == "^":
            return _AT_LINE_START if self.modes.multiline else r"\A"
        if char == "$":
            return _AT_LINE_END if self.modes.multiline else _AT_END
        return re.escape(char)

    def _group(self) -> str | None:
        if not self._starts("?"):
            return self._captured("(")
        name = _NAME.match(self.text, self.position)
        if name is not None:
            if name[1] in self.names:
                raise self._error(f"Named capturing group <{name[1]}> is already defined")
            self.position = name.end()
            self.names.add(name[1])
            return self._captured(f"(?P<{name[1]}>")
        for sign, opening in _GROUPS.items():
            if self._starts(sign):
                return self._closed(opening)
        return self._switches()

    def _captured(self, opening: str) -> str:
        self.groups += 1
        self.open.append(self.groups)
        group = self._closed(opening)
        self.open.pop()
        return group

    def _closed(self, opening: str) -> str:
        inner = self._alternatives()
        if not self._starts(")"):
            raise self._error("Unclosed group")
        return f"{opening}{inner})"

    def _switches(self) -> str | None:
        match = _FLAGS.match(self.text, self.position)
        if match is None:
            raise self._error("Unknown inline modifier")
        self.position = match.end()
        before = self.modes
        for letters, is_on in ((match[1], True), (match[2] or "", False)):
            for letter, mode in (
                ("i", "ignores_case"),
                ("m", "multiline"),
                ("s", "dot_all"),
                ("x", "comments"),
            ):
                if letter in letters:
                    self.modes = replace(self.modes, **{mode: is_on})
        if match[3] == ")":
            return None
        group = self._closed("(?:")
        self.modes = before
        return group

    def _escape(self) -> str:
        char = self._take()
        if char in _SETS:
            return _SETS[char]
        if char == "b" and self._starts("{"):
            raise self._error("boundaries of graphemes are not known here")
        if char in _PLACES:
            return _PLACES[char]
        if char == "R":
            return _LINE_BREAK
        if char == "Q":
            return self._quotation()
        if char in "pP":
            return self._named_class(char == "P")
        if char == "k":
            return self._named_reference()
        if char in "123456789":
            return self._reference(int(char))
        return re.escape(self._escaped_character(char))

    def _quotation(self) -> str:
        """`\\Q...\\E`. What follows it belongs to the last character alone."""
        end = self.text.find("\\E", self.position)
        literal = self.text[self.position : end if end >= 0 else len(self.text)]
        self.position = end + 2 if end >= 0 else len(self.text)
        *before, last = [re.escape(char) for char in literal] or [""]
        following = _QUANTIFIER.match(self.text, self.position)
        if not before or following is None:
            return "".join((*before, last))
        self.position = following.end()
        return f"(?:{''.join(before)}{last}{following[0]})"

    def _named_reference(self) -> str:
        name = _NAME.match(self.text, self.position)
        if name is None:
            raise self._error("\\k is not followed by '<' for named capturing group")
        if name[1] not in self.names:
            raise self._error(f"named capturing group <{name[1]}> does not exist")
        self.position = name.end()
        return f"(?P={name[1]})"

    def _reference(self, number: int) -> str:
        while self._peek().isdigit() and number * 10 + int(self._peek()) <= self.groups:
            number = number * 10 + int(self._take())
        # A group that is not there, or not ended, has matched nothing so far.
        is_there = number <= self.groups and number not in self.open
        return f"(?:\\{number})" if is_there else _NEVER

    def _escaped_character(self, char: str) -> str:
        """The character that a backslash and what follows stand for."""
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char == "c":
            return chr(ord(self._take()) ^ 64)
        if char == "0":
            match = re.compile("[0-3][0-7]{2}|[0-7]{1,2}").match(self.text, self.position)
            return chr(int(self._matched(match, "Illegal octal escape sequence"), 8))
        if char == "x":
            match = re.compile(r"[0-9A-Fa-f]{2}|\{([0-9A-Fa-f]+)\}").match(self.text, self.position)
            digits = self._matched(match, "Illegal hexadecimal escape sequence").strip("{}")
            return self._character(digits)
        if char == "u":
            match = re.compile("[0-9A-Fa-f]{4}").match(self.text, self.position)
            return self._character(self._matched(match, "Illegal Unicode escape sequence"))
        if char.isascii() and char.isalpha():
            raise self._error("Illegal/unsupported escape sequence")
        return char

    def _character(self, digits: str) -> str:
        if int(digits, 16) > 0x10FFFF:
            raise self._error("Hexadecimal codepoint is too big")
        return chr(int(digits, 16))

    def _matched(self, match: re.Match[str] | None, refusal: str) -> str:
        if match is None:
            raise self._error(refusal)
        self.position = match.end()
        return match[0]

    def _named_class(self, is_negated: bool) -> str:
        name = self._take()
        if name == "{":
            end = self.text.find("}", self.position)
            if end < 0:
                raise self._error("Unclosed character family")
            name = self.text[self.position : end]
            self.position = end + 1
        characters = characters_of(name)
        if characters is None:
            raise self._error(f"Unknown character property name {{{name}}}")
        if not characters:
            return r"[\s\S]" if is_negated else _NEVER
        return f"[{'^' if is_negated else ''}{re.escape(characters)}]"

    # ---- Sets

    def _set(self) -> str:
        """A pattern for one character out of `[...]`: Java's sets hold others, and meet."""
        is_negated = self._starts("^")
        parts: list[str] = []
        met: list[str] = []
        is_first = True
        while True:
            if self.position >= len(self.text):
                raise self._error("Unclosed character class")
            if not is_first and self._starts("]"):
                break
            if self._starts("&&"):
                if parts:
                    met.append(_one_of(parts))
                parts = []
                is_first = False
                continue
            if self.modes.comments and self._skips_comment():
                continue
            is_first = False
            parts.append(self._set() if self._starts("[") else self._member())
        if parts:
            met.append(_one_of(parts))
        *others, last = met or [_NEVER]
        characters = "".join(f"(?={other})" for other in others) + last
        return f"(?:(?!{characters})[\\s\\S])" if is_negated else f"(?:{characters})"

    def _member(self) -> str:
        """One thing in a set: a class of characters, a character, a range."""
        if self._starts("\\Q"):
            end = self.text.find("\\E", self.position)
            literal = self.text[self.position : end if end >= 0 else len(self.text)]
            self.position = end + 2 if end >= 0 else len(self.text)
            return f"[{re.escape(literal)}]" if literal else _NEVER
        first = self._set_character()
        if len(first) > 1:
            return first
        following = self.text[self.position + 1 : self.position + 3]
        if self._peek() != "-" or following[:1] in ("]", "[", "") or following == "&&":
            return f"[{re.escape(first)}]"
        self.position += 1
        last = self._set_character()
        if len(last) > 1 or last < first:
            raise self._error("Illegal character range")
        return f"[{re.escape(first)}-{re.escape(last)}]"

    def _set_character(self) -> str:
        char = self._take()
        if char != "\\":
            return char
        char = self._take()
        if char in _SETS:
            return _SETS[char]
        if char in "pP":
            return self._named_class(char == "P")
        if char in "123456789":
            raise self._error("Illegal/unsupported escape sequence")
        return self._escaped_character(char)


def _one_of(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"
