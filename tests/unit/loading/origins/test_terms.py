"""Which piece of an expression a label came from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.bazel.attribute_types import selectors_of
from bazelscope.loading.loader import Loader
from bazelscope.loading.origins.term import Term, TermKind
from bazelscope.loading.origins.terms import why_label
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.unit.loading.loading_world import Load, Loaded, label

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
    value = attribute.value
    for candidate in selectors_of(value):
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


MADE_FROM_TEMPLATES = {
    "WORKSPACE": """
        load("//:rule.bzl", "configure")
        configure(name = "made")
    """,
    "BUILD": "",
    "rule.bzl": """
        def _impl(ctx):
            ctx.template("BUILD", Label("//:made.tpl"), {"%{deps}": '["//:x"]'})
            ctx.template("m.bzl", Label("//:m.tpl"), {"%{more}": '"//:y"'})

        configure = repository_rule(implementation = _impl)
    """,
    "made.tpl": """
        load(":m.bzl", "more")
        cc_library(
            name = "lib",
            deps = select({
                "//:c": %{deps},
                "//conditions:default": [],
            }) + more(),
        )
    """,
    "m.tpl": """
        def more():
            return [%{more}]
    """,
}


@pytest.mark.parametrize("run", ["first", "second"])
@pytest.mark.parametrize(
    ("dependency", "expected"),
    [
        ("@made//:x", 'literal "//:x" made.tpl:5'),
        ("@made//:y", 'call more() made.tpl:7 defined m.tpl:1 <- literal "//:y" m.tpl:2'),
    ],
)
def test_terms_in_what_templates_became(
    write: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    dependency: str,
    expected: str,
    run: str,
) -> None:
    """The template itself is no Starlark; a second run has the package from the cache."""
    monkeypatch.setattr("bazelscope.loading.tree.contents._TICK", 0)
    workspace = Workspace.open(write(MADE_FROM_TEMPLATES))
    if run == "second":
        first = Loaded(Loader(workspace, LoadingOptions("4.2.3"), tmp_path / "cache"))
        first.rule("@made//:lib")
        first.loader.save()
    loaded = Loaded(Loader(workspace, LoadingOptions("4.2.3"), tmp_path / "cache"))
    assert explain(loaded, "@made//:lib", dependency) == expected
