"""The named classes of characters in Java's regular expressions: `\\p{Alpha}`, `\\p{Lu}`...

Bazel holds text as bytes, each for a character of its own, so that a class never holds others
than the first 256.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache

_Test = Callable[[str], bool]
_BYTES = tuple(map(chr, range(256)))


def _ascii(test: _Test) -> _Test:
    return lambda char: char < "\x80" and test(char)


def _in_category(*beginnings: str) -> _Test:
    return lambda char: unicodedata.category(char).startswith(beginnings)


_letter = _in_category("L")

_POSIX: dict[str, _Test] = {
    "ASCII": lambda char: char < "\x80",
    "Alnum": _ascii(str.isalnum),
    "Alpha": _ascii(str.isalpha),
    "Blank": lambda char: char in " \t",
    "Cntrl": _ascii(_in_category("Cc")),
    "Digit": _ascii(str.isdigit),
    "Graph": lambda char: "!" <= char <= "~",
    "Lower": _ascii(str.islower),
    "Print": lambda char: " " <= char <= "~",
    "Punct": lambda char: "!" <= char <= "~" and not char.isalnum(),
    "Space": lambda char: char in " \t\n\x0b\f\r",
    "Upper": _ascii(str.isupper),
    "XDigit": lambda char: char in "0123456789abcdefABCDEF",
}
_BINARY: dict[str, _Test] = {
    "ALPHABETIC": lambda char: char.isalpha(),
    "ASSIGNED": lambda char: True,
    "CONTROL": _in_category("Cc"),
    "DIGIT": _in_category("Nd"),
    "HEX_DIGIT": lambda char: char in "0123456789abcdefABCDEF",
    "IDEOGRAPHIC": lambda char: False,
    "LETTER": _letter,
    "LOWERCASE": str.islower,
    "PUNCTUATION": _in_category("P"),
    "TITLECASE": lambda char: False,
    "UPPERCASE": str.isupper,
    "WHITE_SPACE": lambda char: char in "\t\n\x0b\f\r \x85\xa0",
}
_METHODS: dict[str, _Test] = {
    "Alphabetic": str.isalpha,
    "Defined": lambda char: True,
    "Digit": _in_category("Nd"),
    "ISOControl": _in_category("Cc"),
    "Ideographic": lambda char: False,
    "Letter": _letter,
    "LetterOrDigit": _in_category("L", "Nd"),
    "LowerCase": str.islower,
    "SpaceChar": _in_category("Z"),
    "TitleCase": lambda char: False,
    "UpperCase": str.isupper,
    "Whitespace": lambda char: char in "\t\n\x0b\f\r\x1c\x1d\x1e\x1f ",
}
_SCRIPTS: dict[str, _Test] = {
    "COMMON": lambda char: not unicodedata.name(char, "").startswith("LATIN "),
    "LATIN": lambda char: unicodedata.name(char, "").startswith("LATIN ") or char in "\xaa\xba",
}
_OTHER_SCRIPTS = ("ARABIC", "ARMENIAN", "CYRILLIC", "GREEK", "HAN", "HANGUL", "HEBREW", "THAI")
_CATEGORIES = {
    "C": "cfnos",
    "L": "lmotuC",
    "M": "cen",
    "N": "dlo",
    "P": "cdefios",
    "S": "ckmo",
    "Z": "lps",
}
"""The general categories: what may follow each first letter."""


@cache
def characters_of(name: str) -> str | None:
    """The characters of the class that `\\p{name}` names; None for a name not known here.

    Java: `java.util.regex.CharPredicates`.
    """
    test = _test_of(name)
    return "".join(filter(test, _BYTES)) if test is not None else None


def _test_of(name: str) -> _Test | None:
    key, equals, value = name.partition("=")
    if equals:
        if key.lower() in ("gc", "general_category"):
            return _category(value)
        return _script(value) if key.lower() in ("sc", "script") else None
    if name.startswith("Is"):
        bare = name[2:]
        return _BINARY.get(bare.upper()) or _category(bare) or _script(bare)
    if name.startswith("java"):
        return _METHODS.get(name[4:])
    return _POSIX.get(name) or _category(name)


def _category(name: str) -> _Test | None:
    if not name or name[0] not in _CATEGORIES or name[1:] not in ("", *_CATEGORIES[name[0]]):
        return None
    return _in_category("Lu", "Ll", "Lt") if name == "LC" else _in_category(name)


def _script(name: str) -> _Test | None:
    if name.upper() in _OTHER_SCRIPTS:
        return lambda char: False
    return _SCRIPTS.get(name.upper())
