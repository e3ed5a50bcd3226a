"""`select()` in attributes."""

from __future__ import annotations

import pytest

from bazelscope.bazel.attribute_types import SelectorList, selectors_of
from tests.unit.loading.loading_world import Load


def test_parts_in_order(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                filegroup(
                    name = "f",
                    srcs = ["a"] + select({
                        ":x": ["b"],
                        "//q:y": None,
                        "//conditions:default": [],
                    }, no_match_error = "why") + ["c"],
                )
            """
        }
    )
    assert loaded.value("//p:f", "srcs") == [
        ["//p:a"],
        {"//p:x": ["//p:b"], "//q:y": None, "//conditions:default": []},
        ["//p:c"],
    ]
    attribute = loaded.rule("//p:f").attribute("srcs")
    assert attribute is not None
    assert isinstance(attribute.value, SelectorList)
    (selector,) = selectors_of(attribute.value)
    assert selector.no_match_error == "why"
    assert selector.call_stack[-1].location.short == "p/BUILD:3"


def test_two_spellings_of_one_key_are_one(load: Load) -> None:
    loaded = load(
        {"p/BUILD": 'filegroup(name = "f", srcs = select({":x": ["a"], "//p:x": ["b"]}))\n'}
    )
    assert loaded.value("//p:f", "srcs") == [{"//p:x": ["//p:b"]}]


def test_a_select_keeps_the_stack_of_its_own_call(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                load(":m.bzl", "if_x")
                filegroup(name = "f", srcs = if_x(["a"]))
            """,
            "p/m.bzl": """
                def if_x(a):
                    return select({
                        "//conditions:default": a,
                    })
            """,
        }
    )
    attribute = loaded.rule("//p:f").attribute("srcs")
    assert attribute is not None
    assert isinstance(attribute.value, SelectorList)
    (selector,) = selectors_of(attribute.value)
    assert [(f.function, f.location.short) for f in selector.call_stack] == [
        ("<toplevel>", "p/BUILD:2"),
        ("if_x", "p/m.bzl:2"),
    ]


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("select({})", "can never resolve"),
        ('["a"] + select({":x": "b"})', "incompatible types"),
        ('[x for x in select({":x": []})]', "not iterable"),
        ('select({":x": ["a"]}) + select({":y": ["a"]})', "is duplicated in the 'srcs'"),
    ],
)
def test_errors(load: Load, expression: str, error: str) -> None:
    loaded = load({"p/BUILD": f'filegroup(name = "f", srcs = {expression})\n'})
    assert any(error in message for message in loaded.errors("p")), loaded.errors("p")


REFERENCES = "Invalid key: {}. select keys must be label references"
STRINGS = "select: got {} for dict key, want a label string"
LABELS = "select: got {} for dict key, want a Label or label string"


@pytest.mark.parametrize(
    ("version", "key", "error"),
    [
        ("0.26.1", "1", REFERENCES.format("1")),
        ("2.1.0", "None", REFERENCES.format("None")),
        ("2.1.0", '("a", "b")', REFERENCES.format('("a", "b")')),
        ("2.1.0", 'Label("//p:x")', REFERENCES.format("//p:x")),
        ("4.2.3", "None", STRINGS.format("NoneType")),
        ("4.2.3", "True", STRINGS.format("bool")),
        ("4.2.3", 'Label("//p:x")', STRINGS.format("Label")),
        ("5.0.0", 'Label("//p:x")', STRINGS.format("Label")),
        ("5.1.0", "1", LABELS.format("int")),
        ("9.0.0", "None", LABELS.format("NoneType")),
        ("5.1.0", 'Label("//p:x")', ""),
        ("7.4.1", 'Label("//p:x")', ""),
    ],
)
def test_keys_that_are_no_label_strings(load: Load, version: str, key: str, error: str) -> None:
    # Measured with 0.26.1, 2.1.0 and 4.2.3; Bazel 5.1 is the first that takes a Label.
    files = {
        "p/m.bzl": f'def m():\n    native.filegroup(name = "f", srcs = select({{{key}: ["a"]}}))\n',
        "p/BUILD": 'load(":m.bzl", "m")\nm()\n',
    }
    errors = load(files, version).errors("p")
    assert any(error in text for text in errors) if error else not errors, errors


def test_one_value_only(load: Load) -> None:
    loaded = load(
        {
            "p/BUILD": """
                alias(name = "a", actual = select({"//conditions:default": ":x"}))
                alias(name = "b", actual = select({":u": ":x"}) + select({":v": ":y"}))
            """
        }
    )
    assert loaded.value("//p:a", "actual") == [{"//conditions:default": "//p:x"}]
    assert any("doesn't support select concatenation" in text for text in loaded.errors("p"))
