"""Which piece of an expression a label came from."""

from __future__ import annotations

import pytest
from loading_world import Load, label

from bazelscope.loading.terms import Term, TermKind, why_label
from bazelscope.loading.values import selectors_of

FILES = {
    "p/BUILD": """
        load(":m.bzl", "COMMON", "deps_of", "if_x", "wrapped")
        HERE = [
            ":here",
        ]
        cc_library(
            name = "lib",
            deps = HERE + COMMON + [
                "//q:literal",
                "@short",
            ] + if_x(["//q:in_x"]) + select({
                "//conditions:default": ["//q:direct"],
            }) + deps_of(),
        )
        wrapped(
            name = "w",
            extra = ["//q:extra"],
            deps = ["//q:outer"],
        )
        [cc_library(name = "c%d" % i, deps = ["//q:" + "d%d" % i]) for i in range(2)]
    """,
    "p/m.bzl": """
        load("//q:n.bzl", _deps = "more")

        COMMON = [Label("//q:common")]
        deps_of = _deps

        def if_x(a):
            return select({
                "//q:x": a,
                "//conditions:default": [],
            })

        def _inner(name, deps = None, **kwargs):
            all_deps = deps or []
            all_deps = all_deps + ["//q:always"]
            native.cc_library(name = name, deps = all_deps, **kwargs)

        def wrapped(name, extra = [], **kwargs):
            kwargs["deps"] = kwargs.pop("deps", []) + extra
            _inner(name = name, **kwargs)
    """,
    "q/BUILD": "",
    "q/n.bzl": """
        def more():
            return select({"//conditions:default": ["//q:more"]}) + ["//q:plain_more"]
    """,
}


def explain(loaded: object, rule: str, dependency: str) -> str:
    found = loaded.rule(rule)  # type: ignore[attr-defined]
    attribute = found.attribute("deps")
    wanted = label(dependency)
    selector = None
    for candidate in selectors_of(attribute.value):
        if any(wanted in (branch.value or ()) for branch in candidate.branches):
            selector = candidate
    term = why_label(loaded.loader, found, "deps", wanted, selector)  # type: ignore[attr-defined]
    return shown(term)


def shown(term: Term) -> str:
    assert term.location is not None
    defined = f" defined {term.defined_at.short}" if term.defined_at else ""
    inner = f" <- {shown(term.via[0])}" if term.via else ""
    return f"{term.kind.value} {term.text} {term.location.short}{defined}{inner}"


@pytest.mark.parametrize(
    ("rule", "dependency", "expected"),
    [
        (
            "//p:lib",
            "//p:here",
            'variable HERE p/BUILD:7 defined p/BUILD:2 <- literal ":here" p/BUILD:3',
        ),
        (
            "//p:lib",
            "//q:common",
            'variable COMMON p/BUILD:7 defined p/m.bzl:3 <- literal "//q:common" p/m.bzl:3',
        ),
        ("//p:lib", "//q:literal", 'literal "//q:literal" p/BUILD:8'),
        ("//p:lib", "@short//:short", 'literal "@short" p/BUILD:9'),
        (
            "//p:lib",
            "//q:in_x",
            'call if_x(["//q:in_x"]) p/BUILD:10 defined p/m.bzl:7 <- literal "//q:in_x" p/BUILD:10',
        ),
        ("//p:lib", "//q:direct", 'literal "//q:direct" p/BUILD:11'),
        (
            "//p:lib",
            "//q:more",
            'call deps_of() p/BUILD:12 defined q/n.bzl:2 <- literal "//q:more" q/n.bzl:2',
        ),
        (
            "//p:lib",
            "//q:plain_more",
            'call deps_of() p/BUILD:12 defined q/n.bzl:1 <- literal "//q:plain_more" q/n.bzl:2',
        ),
        ("//p:w", "//q:always", 'literal "//q:always" p/m.bzl:14'),
        ("//p:w", "//q:outer", 'literal "//q:outer" p/BUILD:17'),
        ("//p:w", "//q:extra", 'literal "//q:extra" p/BUILD:16'),
        ("//p:c1", "//q:d1", 'unknown ["//q:" + "d%d" % i] p/BUILD:19'),
    ],
)
def test_terms(load: Load, rule: str, dependency: str, expected: str) -> None:
    assert explain(load(FILES), rule, dependency) == expected


def test_defaults(load: Load) -> None:
    loaded = load({"p/BUILD": 'cc_library(name = "x")\n'})
    term = why_label(loaded.loader, loaded.rule("//p:x"), "linkstamp", label("//q:y"))
    assert (term.kind, term.text) == (TermKind.DEFAULT, "linkstamp")
