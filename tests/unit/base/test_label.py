"""Labels and target patterns, as real Bazel 4.2.3 reads them."""

from __future__ import annotations

import pytest

from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, PatternKind, parse_label, parse_pattern

HERE = PackageId("", "a/b")
THERE = PackageId("repo", "x")


@pytest.mark.parametrize(
    ("text", "context", "expected"),
    [
        ("//p:t", HERE, Label("", "p", "t")),
        ("//p/q", HERE, Label("", "p/q", "q")),
        ("//:t", HERE, Label("", "", "t")),
        (":t", HERE, Label("", "a/b", "t")),
        ("t", HERE, Label("", "a/b", "t")),
        ("d/f.cc", HERE, Label("", "a/b", "d/f.cc")),
        ("d/.", HERE, Label("", "a/b", "d")),
        ("//a:.", HERE, Label("", "a", ".")),
        ("@r//p:t", HERE, Label("r", "p", "t")),
        ("@r", HERE, Label("r", "", "r")),
        ("@r//p", HERE, Label("r", "p", "p")),
        ("@@r//p", HERE, Label("r", "p", "p")),
        ("@//p", THERE, Label("", "p", "p")),
        ("//p", THERE, Label("repo", "p", "p")),
        (":t", THERE, Label("repo", "x", "t")),
        ("//conditions:default", THERE, Label("", "conditions", "default")),
        ("//visibility:public", THERE, Label("", "visibility", "public")),
        ("//external:zlib", THERE, Label("", "external", "zlib")),
        ("@repo//conditions:default", THERE, Label("repo", "conditions", "default")),
        ("//p:a@b+c=d,e~f#g$h(i)", HERE, Label("", "p", "a@b+c=d,e~f#g$h(i)")),
    ],
)
def test_parse_label(text: str, context: PackageId, expected: Label) -> None:
    assert parse_label(text, context) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", "//", "//p:", "//p//q", "///p", "//p/:t", "//p:/t", "//p:t/", "//p:a//b"),
        *("p:t", "//p:../t", "//p:a/../b", "//p:a/./b", "//..:t", "//p/../q:t", "@a b//p:t"),
        *("//p:a:b", "//p:a\nb", "//p:a\\b", "@r:t"),
    ],
)
def test_invalid_label(text: str) -> None:
    with pytest.raises(LabelError) as caught:
        parse_label(text, HERE)
    assert caught.value.diagnostic.code == "invalid-label"
    assert f"invalid label '{text}': " in caught.value.diagnostic.message


def test_repository_mapping_applies_to_apparent_names_only() -> None:
    mapping = {"org_tensorflow": "", "xla": "local_xla"}
    assert parse_label("@org_tensorflow//p:t", THERE, mapping) == Label("", "p", "t")
    assert parse_label("@xla//p:t", HERE, mapping) == Label("local_xla", "p", "t")
    assert parse_label("@@xla//p:t", HERE, mapping) == Label("xla", "p", "t")


@pytest.mark.parametrize(
    ("label", "text"),
    [
        (Label("", "p", "t"), "//p:t"),
        (Label("", "p/q", "q"), "//p/q:q"),
        (Label("r", "", "r"), "@r//:r"),
        (Label("r", "p", "p"), "@r//p:p"),
        (Label("", "", "t"), "//:t"),
    ],
)
def test_format_label(label: Label, text: str) -> None:
    assert str(label) == text


TARGET, RULES, ALL = PatternKind.TARGET, PatternKind.ALL_RULES, PatternKind.ALL_TARGETS


@pytest.mark.parametrize(
    ("text", "label", "kind", "recursive", "excluded"),
    [
        ("//p:t", Label("", "p", "t"), TARGET, False, False),
        ("-//p:t", Label("", "p", "t"), TARGET, False, True),
        (":t", Label("", "a/b", "t"), TARGET, False, False),
        ("c:t", Label("", "a/b/c", "t"), TARGET, False, False),
        ("//p:all", Label("", "p", ""), RULES, False, False),
        ("//p:*", Label("", "p", ""), ALL, False, False),
        (":all-targets", Label("", "a/b", ""), ALL, False, False),
        ("//...", Label("", "", ""), RULES, True, False),
        ("//p/...", Label("", "p", ""), RULES, True, False),
        ("-//p/...:*", Label("", "p", ""), ALL, True, True),
        ("...", Label("", "a/b", ""), RULES, True, False),
        ("c/...:all", Label("", "a/b/c", ""), RULES, True, False),
        ("@r//...", Label("r", "", ""), RULES, True, False),
        ("@r//p/...:*", Label("r", "p", ""), ALL, True, False),
        ("@r//p:all", Label("r", "p", ""), RULES, False, False),
    ],
)
def test_parse_pattern(
    text: str, label: Label, kind: PatternKind, recursive: bool, excluded: bool
) -> None:
    pattern = parse_pattern(text, HERE)
    assert (pattern.label, pattern.kind) == (label, kind)
    assert (pattern.recursive, pattern.excluded) == (recursive, excluded)
    assert pattern.text == text


def test_invalid_pattern() -> None:
    with pytest.raises(LabelError, match=r"'\.\.\.' is followed by"):
        parse_pattern("//p/...:t", HERE)


@pytest.mark.parametrize("char", ["\x01", "\x1f", "\x7f"])
def test_characters_that_no_name_has(char: str) -> None:
    """Measured: 0.24.1, 2.1.0, 4.2.3."""
    with pytest.raises(LabelError, match=r"may not contain non-printable characters"):
        parse_label(f"//p:a{char}b", PackageId("", ""))


@pytest.mark.parametrize(
    ("text", "folder", "path"),
    [
        ("//:t", "", "t"),
        ("//p/q:d/t", "p/q", "p/q/d/t"),
        ("@r//:t", "external/r", "external/r/t"),
        ("@r//p/q:t", "external/r/p/q", "external/r/p/q/t"),
    ],
)
def test_where_sources_lie_in_the_execution_root(text: str, folder: str, path: str) -> None:
    label = parse_label(text, HERE)
    assert (label.package_id.source_folder, label.source_path) == (folder, path)
