"""What a release refuses before a text is parsed; a text that none takes is the parser's."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope import starlark
from bazelscope.base.errors import StarlarkError
from bazelscope.base.source import SourceFile
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.refused_syntax import check_syntax, syntax_check


def _refused(text: str, version: str) -> str:
    release = Release.read(version)
    assert release is not None
    try:
        check_syntax(SourceFile("p/BUILD", text), release)
    except StarlarkError as error:
        return error.diagnostic.message
    return ""


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
@pytest.mark.parametrize("text", ["12345678901z", "load(a, 2f, 12345678901)", "9999999999_9", "3٣"])
def test_what_only_begins_like_a_number_is_left_to_the_parser(text: str, version: str) -> None:
    assert _refused(f"x = {text}\n", version) in ("", _TOO_LARGE)


_TOO_LARGE = "invalid base-10 integer constant: 12345678901"


@pytest.mark.parametrize("digits", [11, 5000])
def test_a_large_number_is_refused_where_numbers_have_32_bits(digits: int) -> None:
    number = "9" * digits
    assert _refused(f"x = {number}\n", "2.1.0") == f"invalid base-10 integer constant: {number}"
    assert _refused(f"x = {number}\n", "7.1.0") == ""
    assert _refused("x = 2147483647\n", "2.1.0") == ""
    assert _refused("x = 2147483648\n", "2.1.0") != ""


def test_a_kept_program_has_passed_the_check_of_its_release(tmp_path: Path) -> None:
    source = SourceFile("p/d.bzl", "x = 1.5\n")
    for version, passes in (("0.24.1", False), ("6.5.0", True), ("0.24.1", False), ("6.5.0", True)):
        programs = starlark.ProgramCache(tmp_path)
        check = syntax_check(Release.of(version))
        try:
            starlark.load_program(source, starlark.FileKind.BZL, frozenset(), programs, check)
            assert passes
        except StarlarkError:
            assert not passes
        programs.save()


def test_a_text_is_checked_once(tmp_path: Path) -> None:
    checked: list[SourceFile] = []
    source = SourceFile("p/d.bzl", "x = 1.5\n")
    for _ in range(3):
        programs = starlark.ProgramCache(tmp_path)
        check = starlark.TextRules("this one", checked.append)
        starlark.load_program(source, starlark.FileKind.BZL, frozenset(), programs, check)
        programs.save()
    assert len(checked) == 1


@pytest.mark.parametrize(
    ("parameters", "is_refused"),
    [("*, a", True), ("a, *, b", True), ("a, *args, b", True), ("a, *args, **kw", False)],
)
def test_0_24_has_no_keyword_only_parameters(parameters: str, is_refused: bool) -> None:
    # Measured: 2.1.0 takes them.
    text = f"def f({parameters}):\n    pass\n"
    told = "Keyword-only argument is forbidden." if is_refused else ""
    assert (_refused(text, "0.24.1"), _refused(text, "2.1.0")) == (told, "")
