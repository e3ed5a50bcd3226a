"""What initializers of rules get, and what Bazel makes of what they return.

As Bazel's `StarlarkRuleClassFunctions` and the tests of it have it.
"""

from __future__ import annotations

import pytest

from tests.unit.loading.loading_world import Load

_RULE = """
def _impl(ctx):
    return []

def _initialize({signature}):
{body}

r = rule(
    _impl,
    attrs = {{
        "deps": attr.label_list(default = ["//:by_rule"]),
        "out": attr.output(),
        "label": attr.label(),
        "number": attr.int(),
        "_all": attr.label_list(),
    }},
    initializer = _initialize,
    executable = True,
)
"""
_KEPT = 'return {"deps": deps}'


def _world(signature: str, body: str, call: str) -> dict[str, str]:
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    return {
        "MODULE.bazel": "",
        "lib/BUILD": "",
        "lib/r.bzl": _RULE.format(signature=signature, body=indented),
        "p/BUILD": f'load("//lib:r.bzl", "r")\n{call}\n',
    }


@pytest.mark.parametrize(
    ("signature", "body", "call", "values"),
    [
        # Texts of the BUILD file are its own, those of the initializer its file's.
        (
            "name, deps",
            'return {"deps": deps + [":mine"]}',
            'r(name = "x", deps = select({":c": [":f"], "//conditions:default": []}))',
            {"deps": [{"//p:c": ["//p:f"], "//conditions:default": []}, ["//lib:mine"]]},
        ),
        (
            "name, deps = []",
            'return {"deps": deps + [":mine"]}',
            'r(name = "x", deps = [":f"])',
            {"deps": ["//p:f", "//lib:mine"]},
        ),
        (
            "name, deps",
            'return {"deps": [d.name for d in deps] + select({"//conditions:default": [":g"]})}',
            'r(name = "x", deps = [":f"])',
            {"deps": [["//lib:f"], {"//conditions:default": ["//lib:g"]}]},
        ),
        # It is asked about attributes of its own rule class alone.
        ("name, deps", _KEPT, 'r(name = "x", deps = [], tags = ["t"])', {"tags": ["t"]}),
        # None is as if it were not given, and what it sets to None is not set.
        ("name, deps = [':d']", _KEPT, 'r(name = "x", deps = None)', {"deps": ["//lib:d"]}),
        ("**kwargs", 'return {"deps": None}', 'r(name = "x")', {"deps": ["//:by_rule"]}),
        ("**kwargs", "pass", 'r(name = "x", deps = [":f"])', {"deps": ["//p:f"]}),
        # Outputs belong to the package of the target.
        ("**kwargs", 'return {"out": "o", "name": "x"}', 'r(name = "x")', {"out": "//p:o"}),
        (
            "name",
            'return {"label": native.package_relative_label(":t")}',
            'r(name = "x")',
            {"label": "//p:t"},
        ),
    ],
)
def test_what_they_get_and_set(
    load: Load, signature: str, body: str, call: str, values: dict[str, object]
) -> None:
    loaded = load(_world(signature, body, call), "8.7.0")
    assert loaded.errors("p") == []
    for name, value in values.items():
        assert loaded.value("//p:x", name) == value


@pytest.mark.parametrize(
    ("signature", "body", "call", "problem"),
    [
        ("name", 'return {"name": "y"}', 'r(name = "x")', "Initializer can't change the name of"),
        (
            "name",
            "return [name]",
            'r(name = "x")',
            "got list for 'rule's initializer return value'",
        ),
        ("name", "return {1: name}", 'r(name = "x")', "got dict<int, string> for 'rule's init"),
        (
            "name",
            'return {"args": []}',
            'r(name = "x")',
            "Initializer can only set Starlark defined attributes, not 'args'",
        ),
        (
            "name",
            'return {"_all": []}',
            'r(name = "x")',
            "file '//lib:r.bzl' cannot use private AP",
        ),
        ("**kwargs", "pass", 'r(name = "x", _all = [])', "no such attribute '_all' in 'r' rule"),
        (
            "name, deps",
            _KEPT,
            'r(name = "x", deps = "f")',
            "expected value of type 'list(label)' for attribute 'deps' of 'r', but got \"f\" (str",
        ),
        ("name, deps", _KEPT, 'r(name = "x")', "_initialize() missing 1 required positional arg"),
        (
            "name",
            'native.filegroup(name = "y")',
            'r(name = "x")',
            "a rule can only be instantiated while evaluating a BUILD file or a legacy or symbolic",
        ),
        (
            "name",
            "native.existing_rules()",
            'r(name = "x")',
            "existing_rules() can only be used while evaluating a BUILD file, a legacy macro, or a",
        ),
    ],
)
def test_what_is_refused(load: Load, signature: str, body: str, call: str, problem: str) -> None:
    (error,) = load(_world(signature, body, call), "9.1.0").errors("p")
    assert error.startswith(problem)


_EXTENDED = """
def _impl(ctx):
    return []

def _of_parent(name, deps):
    return {"deps": deps + [":parent"]}

parent = rule(_impl, attrs = {"deps": attr.label_list()}, initializer = _of_parent)

def _of_child(name, deps, more = []):
    return {"deps": deps + [":child"], "more": more + [":more"]}

r = rule(_impl, parent = parent, attrs = {"more": attr.label_list()}, initializer = _of_child)

plain = rule(_impl, parent = parent, attrs = {"more": attr.label_list()})
"""


def test_a_parents_initializer_gets_what_its_rule_has(load: Load) -> None:
    build = 'load("//:r.bzl", "plain", "r")\nr(name = "x", deps = [":f"])\n'
    build += 'plain(name = "y", deps = [], more = [":f"])\n'
    loaded = load({"MODULE.bazel": "", "r.bzl": _EXTENDED, "BUILD": build}, "8.7.0")
    assert loaded.errors("") == []
    assert loaded.value("//:x", "deps") == ["//:f", "//:child", "//:parent"]
    assert loaded.value("//:x", "more") == ["//:more"]
    assert loaded.value("//:y", "deps") == ["//:parent"]
    assert loaded.value("//:y", "more") == ["//:f"]
