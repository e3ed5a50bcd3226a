"""Forms that the values of single options must have beyond what their types say.

They are in `value_forms.txt`, but for regular expressions, and what no table can say. Later
releases than those that were asked may read these options otherwise, and are not held to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from functools import cache

from bazelscope.base.errors import LabelError
from bazelscope.base.label import parse_option_label
from bazelscope.bazel.facts.fact import tables

_LAST_MAJOR_ASKED = 4

Form = Callable[[str], bool]


def _matches(pattern: str) -> Form:
    # Compiled when it is first asked: a line has few of the options that have a form.
    return lambda text: re.fullmatch(pattern, text) is not None


def _one_of(*words: str) -> Form:
    return lambda text: text.lower() in words


def _list_of(form: Form, marks: str = "") -> Form:
    """Parts between commas, each perhaps behind one of the marks; nothing at all will do."""
    return lambda text: (
        not text
        or all(
            form(part[1:] if part[:1] and part[0] in marks else part) for part in text.split(",")
        )
    )


def is_regex(text: str) -> bool:
    """Whether a text is a regular expression of Java."""
    from bazelscope.base.java_regex import PatternError, to_python  # Few lines have one.

    try:
        to_python(text)
    except PatternError:
        return False
    return True


def is_dotted_version(text: str) -> bool:
    """Whether a text is a version as Apple's tools have them. Bazel: `DottedVersion`."""
    component = r"\d[a-z0-9]*"
    whole = rf"{component}(?:\.{component})*(?:\.[a-z]\w*(?:\..*)?)?"
    return re.fullmatch(whole, text, re.ASCII | re.IGNORECASE) is not None


def _is_filter(text: str) -> bool:
    """Regular expressions between commas. Bazel: `RegexFilterConverter`."""
    pieces = (piece.replace("\\,", ",") for piece in re.split(r"(?<!\\),", text))
    return all(is_regex(piece[1:] if piece[:1] in ("+", "-") else piece) for piece in pieces)


def _filter_before(mark: str) -> Form:
    return lambda text: _is_filter(text.partition(mark)[0])


def is_included(expressions: str, text: str) -> bool:
    """Whether regular expressions between commas include a text. Bazel: `RegexFilter`: searched
    anywhere, `-` excludes, no expression matches all."""
    wanted: list[str] = []
    unwanted: list[str] = []
    for part in re.split(r"(?<!\\),", expressions):
        part = part.replace("\\,", ",").strip()
        if part.startswith("-"):
            unwanted.append(part[1:])
        elif part:
            wanted.append(part.removeprefix("+"))
    try:
        if any(re.search(one, text) for one in unwanted):
            return False
        return not wanted or any(re.search(one, text) for one in wanted)
    except re.error:
        return False


def is_label(text: str) -> bool:
    """Whether a text is a label as options name them: of the main repository where it says none."""
    try:
        parse_option_label(text)
    except LabelError:
        return False
    return True


_DECIMAL = _matches(r"[+-]?\d+")
_DOTTED = _matches(r"\d+[a-z0-9]*(?:\.\d+[a-z0-9]*)*")
# In 4.2.3, a word ends the numbers; nothing after it counts. Bazel: `DottedVersion.fromString`.
_DOTTED_OF_4 = _matches(r"(?i:\d+[a-z0-9]*(?:\.\d+[a-z0-9]*)*(?:\.[a-z]\w*(?:\..*)?)?)")
_MODES = _list_of(_one_of("fastbuild", "dbg", "opt"))


@cache
def _forms() -> Mapping[str, Form]:
    """The forms that releases up to the last one asked have, by option."""
    known = tables("value_forms")
    parts = known["regular expressions of parts"].items()
    return {
        **{name: _matches(form) for name, (form,) in known["regular expressions"].items()},
        **{name: _list_of(_matches(form)) for name, (form,) in parts},
        **dict.fromkeys(known["versions"], _DOTTED),
        **dict.fromkeys(known["labels"], is_label),
        **{name: _one_of(*words) for name, words in known["words"].items()},
        **{
            name: _list_of(_one_of(*words), marks)
            for name, (marks, *words) in known["words of parts"].items()
        },
        **dict.fromkeys(
            ("genrule_strategy", "spawn_strategy", "strategy"),
            lambda text: ",," not in text and not text.endswith(","),
        ),
        "dump": str.islower,
        "fission": lambda text: text in ("yes", "no") or (bool(text) and _MODES(text)),
        "platform_mappings": lambda text: not text.startswith("/"),
        "run_under": lambda text: bool(text.strip()),
        "test_timeout": lambda text: (
            text.count(",") in (0, 3) and all(map(_DECIMAL, text.split(",")))
        ),
    }


_REGULAR_EXPRESSIONS: Mapping[str, Form] = {
    "output_filter": is_regex,
    "instrumentation_filter": _is_filter,
    **dict.fromkeys(
        ("host_per_file_copt", "per_file_copt", "per_file_ltobackendopt"), _filter_before("@")
    ),
    **dict.fromkeys(
        ("experimental_add_exec_constraints_to_targets", "strategy_regexp"), _filter_before("=")
    ),
}
"""Options that every release reads so."""


def of_configurations() -> Set[str]:
    """Options whose values are looked at once more where a configuration is made of them:
    `analysis.configuration.invalid_options`."""
    return tables("value_forms")["of configurations"].keys()


def has_form(name: str, text: str, release: str) -> bool:
    """Whether `text` may be a value of the option, as far as that was asked of its release."""
    expression = _REGULAR_EXPRESSIONS.get(name)
    if expression is not None and not expression(text):
        return False
    form = _forms().get(name)
    if form is _DOTTED and not release.startswith(("0.", "1.", "2.", "3.")):
        form = _DOTTED_OF_4
    return form is None or not was_asked(release) or form(text)


def is_label_value(name: str, text: str, release: str) -> bool:
    """Whether `text` may be a value of an option whose values are labels."""
    if not text:
        if name in ("host_java_launcher", "java_launcher") and not release.startswith(("0.", "2.")):
            return True
        return name in tables("value_forms")["may be empty"] or not was_asked(release)
    if text.startswith("@@"):
        return not was_asked(release) and is_label(text[1:])
    return is_label(text)


def was_asked(release: str) -> bool:
    """Whether a release is among those that the forms were asked of."""
    return release != "" and int(release.partition(".")[0]) <= _LAST_MAJOR_ASKED
