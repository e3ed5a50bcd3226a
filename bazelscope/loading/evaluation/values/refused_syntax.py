"""What a release of Bazel refuses in a text that others take: found before the text is run.

The parser takes what the newest Bazel takes. Measured with 0.24.1, 2.1.0 and 4.2.3.
Bazel: `Lexer`, `Parser`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic, Note, StarlarkError
from bazelscope.base.label import bad_repository
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import SourceFile, Span
from bazelscope.bazel.release import Release

# Each begins with what it is looked for by: a search for one letter is ten times as fast as one
# for the edge of a word.
_SUSPICIOUS = (
    *("\\\\[^nrt\\\\'\"0-7\\n]", "lambda(?<!\\wlambda)\\b", "\\n[ \\t]+def\\b"),
    *("[bB](?<!\\w[bB])[rR]?[\"']", "0(?<!\\w0)[\\dbB]"),
)
_OF_NUMBERS = (r"\.(?:\d|(?<=\d\.))", r"\d(?<!\w\d)(?:\d{9}|\d*[eE])")
_OF_OPERATORS = ("<<", ">>", "[&^~]", r"\*\w*\s*,")
_OF_CALLS = r"[(,]\s*\*"
_STARS = lazy_pattern(_OF_CALLS)
_STAR = lazy_pattern(r"\*(?<=[(,\s]\*)")
_BEFORE_GROUPS = frozenset({"and", "else", "for", "if", "in", "not", "or", "return"})
"""Words before a parenthesis that is no call's."""
_LARGEST = (1 << 31) - 1
_ANY_TOKEN = r"""(?P<comment>\#[^\n]*)
    |(?P<prefix>[rRbB]{0,2})(?P<string>\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}
        |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<name>[A-Za-z_]\w*)
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\w*)
    |(?P<operator><<|>>|[&^~])
    |(?P<star>(?<=[(,])\s*\*{1,2})
    |\s+|."""
_TOKEN = lazy_pattern(_ANY_TOKEN, re.DOTALL | re.VERBOSE)
_PLAIN_TOKENS = r"""(?:\#[^\n]*
    |\s++(?!\*)
    |[rR]?(?:\"{3}[^\\]*?\"{3}|'{3}[^\\]*?'{3}|(?!\"{3}|'{3})(?:"[^"\\\n]*"|'[^'\\\n]*'))
    |(?!(?:lambda|def)\b|[rRbB]{1,2}["'])[A-Za-z_]\w*
    |(?:0|[1-9]\d{0,8})(?![\w.])
    |\.(?!\d)
    |[-()[\]{},:=+/%|;!]
    )*+"""
"""Tokens that no release refuses, as many as there are."""
_ODD_TOKEN = lazy_pattern(f"{_PLAIN_TOKENS}(?:{_ANY_TOKEN}|\\Z)", re.DOTALL | re.VERBOSE)
_ESCAPE = lazy_pattern(r"\\(.)", re.DOTALL)
_PLAIN = "nrt\\'\"01234567\n"
_HEAD = r"def(?<!\wdef)[ \t]+\w+[ \t]*\("
_ANNOTATION = rf"{_HEAD}(?:(?:(?!lambda)[^()[\]{{}}\"'#])*?\w[ \t]*:|[^()\"'#]*\)[ \t]*->)"
_ANNOTATED = lazy_pattern(_ANNOTATION)
"""The head of a function up to its first annotation, if no text or bracket is before that."""
_KEYWORD_ONLY = lazy_pattern(r"(?<=[^*]\*)\s*(?:\w+\s*,\s*\w|,)")
"""What is behind the star of a parameter that others follow; they may be arguments as well."""
_LATER_SIGNS = lazy_pattern("[+~]")
_OF_PYTHON = "abfNuUvx"
"""Python has these, and Bazel never took them."""


@lru_cache(maxsize=16)
def _suspicious(
    with_numbers: bool, with_operators: bool, with_calls: bool, with_annotations: bool
) -> tuple[re.Pattern[str], ...]:
    """What a text has that may be refused: sieves that nearly all texts pass."""
    patterns = (
        *(_OF_NUMBERS if with_numbers else ()),  # Most texts have a point before a digit.
        *_SUSPICIOUS,
        *(() if with_annotations else (_ANNOTATION,)),
        *(_OF_OPERATORS if with_operators else ()),
        *((_OF_CALLS,) if with_calls else ()),
    )
    return tuple(map(re.compile, patterns))


def syntax_check(
    release: Release, *, is_build: bool = False, is_workspace: bool = False
) -> starlark.TextRules:
    """`check_syntax` for a release, which is not asked again of a text whose program is kept."""
    facts = (
        release.has_floats, release.named_builtins, release.late_builtins, release.byte_strings,
        release.binary_literals,
        release.lambdas, release.unicode_escapes, release.restricts_escapes,
        release.runs_past_stars, release.type_annotations,
    )  # fmt: skip
    binds_late = (is_build and release.build_files_bind_late) or (
        is_workspace and release.workspace_binds_late
    )
    return starlark.TextRules(
        repr((_own_stamp(), str(release), facts, is_build, binds_late)),
        lambda source: check_syntax(source, release, is_build=is_build),
        binds_late,
    )


@cache
def _own_stamp() -> tuple[int, int]:
    """What changes where this module does: what it refuses, too."""
    own = Path(__file__).stat()
    return own.st_size, own.st_mtime_ns


def check_syntax(source: SourceFile, release: Release, *, is_build: bool = False) -> None:
    """Raises `StarlarkError` for the first place of `source` that the release refuses and the
    parser takes. `is_build`: it is a BUILD file, whose calls have no `*args`."""
    text = source.text
    has_no_stars = is_build and not release.runs_past_stars
    sieves = _suspicious(
        not release.has_floats, release.named_builtins, has_no_stars, release.type_annotations
    )
    if not any(sieve.search(text) for sieve in sieves):
        return
    problems = filter(None, (_problem(match, release) for match in _ODD_TOKEN.finditer(text)))
    told = [
        next(problems, None),
        next(_stars(text, in_arguments=True), None) if has_no_stars else None,
    ]
    first = min((one for one in told if one is not None), default=None)
    if first is not None:
        raise StarlarkError(_at(source, *first))


def refused_stars(source: SourceFile) -> Iterator[Diagnostic]:
    """Yields an error for each `*args` of a call in a BUILD file, which is run all the same."""
    for problem in _stars(source.text, in_arguments=False):
        yield _at(source, *problem)


def _at(source: SourceFile, offset: int, message: str) -> Diagnostic:
    line = source.text.count("\n", 0, offset) + 1
    column = offset - source.text.rfind("\n", 0, offset)
    span = Span(source.path, line, column, line, column + 1)
    return Diagnostic("starlark-syntax", message, span)


def label_problem(text: str, release: Release) -> str | None:
    """What is wrong with the repository of a label, for a release, that is well for later ones."""
    name = text[1:].partition("//")[0]
    is_canonical = name.startswith("@") and not release.canonical_labels
    if is_canonical or (not release.signs_in_names and _LATER_SIGNS.search(name)):
        return bad_repository(name)
    return None


def _stars(text: str, *, in_arguments: bool) -> Iterator[tuple[int, str]]:
    """Yields where each `*args` of a call stands, and what is said of it; of calls that are
    arguments of others, only with `in_arguments`: 0.24.1 does not look at those (measured)."""
    if _STAR.search(text) is None or _STARS.search(text) is None:
        return
    is_call: list[bool] = []
    before = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if match.lastgroup == "comment" or token.isspace():
            continue
        if token in "([{":
            follows_value = before in (")", "]") or before[-1:].isalnum() or before[-1:] == "_"
            is_call.append(token == "(" and follows_value and before not in _BEFORE_GROUPS)
        elif token in ")]}":
            is_call[-1:] = []
        elif (
            match.lastgroup == "star"
            and is_call[-1:] == [True]
            and (in_arguments or sum(is_call) == 1)
        ):
            stars = token.strip()
            name = "*args" if stars == "*" else "**kwargs"
            message = f"{name} arguments are not allowed in BUILD files."
            yield match.end() - len(stars), f"{message} Pass the arguments in explicitly."
        before = token


def _problem(match: re.Match[str], release: Release) -> tuple[int, str] | None:
    kind = match.lastgroup
    if kind == "number":
        message = _bad_number(match["number"], release)
        return (match.start(kind), message) if message is not None else None
    if kind == "operator" and release.named_builtins:
        return match.start(kind), f"syntax error at '{match['operator']}'"
    if kind == "star" and release.named_builtins:
        start_of_line = match.string.rfind("\n", 0, match.start(kind)) + 1
        if match.string.startswith("def ", start_of_line) and _KEYWORD_ONLY.match(
            match.string, match.end()
        ):
            return match.start(kind), "Keyword-only argument is forbidden."
    if kind == "string":
        prefix = match["prefix"].lower()
        if "b" in prefix and not release.byte_strings:
            return match.start("string"), f"syntax error at '{match['string'][:20]}'"
        return None if "r" in prefix else _bad_escape(match, release)
    if kind == "name" and match["name"] == "lambda" and not release.lambdas:
        return match.start(kind), "syntax error at 'lambda': expected expression"
    if kind == "name" and match["name"] == "def" and not release.type_annotations:
        annotated = _ANNOTATED.match(match.string, match.start(kind))
        if annotated is not None:
            sign = "->" if annotated[0].endswith(">") else ":"
            return annotated.end() - len(sign), f"syntax error at '{sign}'"
    if kind == "name" and match["name"] == "def" and not release.lambdas:
        line = match.string.rfind("\n", 0, match.start(kind)) + 1
        if match.string[line : match.start(kind)].isspace():
            what = "nested functions are not allowed. Move the function to the top level."
            return match.start(kind), what
    return None


def _bad_number(text: str, release: Release) -> str | None:
    lower = text.lower()
    if len(text) > 1 and text.isdigit() and text[0] == "0":
        is_taken = release.named_builtins or (release.late_builtins and not text.strip("0"))
        return None if is_taken else f"invalid octal literal: {text} (use '0o{text[1:]}')"
    if lower.startswith("0b") and not release.binary_literals:
        return f"invalid octal literal: {text} (use '0o{text[1:]}')"
    if release.has_floats or lower.startswith(("0x", "0o", "0b")):
        return None
    if "." in text or "e" in lower:
        return f"syntax error at '{text}': there are no floats"
    if not text.isdecimal():
        return None  # The parser says what is wrong with `1a`.
    is_large = len(text) > len(str(_LARGEST)) or int(text) > _LARGEST
    return f"invalid base-10 integer constant: {text}" if is_large else None


def _bad_escape(match: re.Match[str], release: Release) -> tuple[int, str] | None:
    if "\\" not in match["string"]:
        return None
    for escape in _ESCAPE.finditer(match["string"]):
        char = escape[1]
        if char in _PLAIN:
            continue
        known = char in _OF_PYTHON
        if (known and not release.unicode_escapes) or (not known and release.restricts_escapes):
            offset = match.start("string") + escape.start()
            return offset, f"invalid escape sequence: \\{char}"
    return None


def check_order_of_loads(program: starlark.Program, release: Release) -> None:
    """Refuses a `.bzl` file that loads behind another statement, as a `StarlarkError`.

    Bazel: `Parser`, `FileOptions.requireLoadStatementsFirst`.
    """
    if not release.refuses_late_loads or not program.loads:
        return
    loading = {statement.location.line for statement in program.loads}
    first = next((line for line in program.lines if line not in loading), None)
    late = next(
        (one.location for one in program.loads if first is not None and one.location.line > first),
        None,
    )
    if late is None or first is None:
        return
    other = Span(late.path, first, 1, first, 2)
    message = "load statements must appear before any other statement"
    if release.knows_flag_of_late_loads:
        message = (
            "load() statements must be called before any other statement. First non-load()"
            f" statement appears at {late.path}:{first}:1. Use"
            " --incompatible_bzl_disallow_load_after_statement=false to temporarily disable this"
            " check."
        )
    note = Note("first non-load statement appears here", other)
    raise StarlarkError(Diagnostic("late-load", message, late.span, (note,)))
