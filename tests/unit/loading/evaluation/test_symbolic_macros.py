"""Symbolic macros (Bazel 8 and newer), as Bazel's documentation and `MacroClass` describe them."""

from __future__ import annotations

import pytest

from bazelscope.analysis.conditions.visibility import visibility_of
from bazelscope.bazel.release import Release
from tests.unit.loading.loading_world import Load, Loaded

VERSION = "8.1.0"

_EXISTING_RULES = (
    "existing_rules() can only be used while evaluating a BUILD file, a legacy macro, or a rule"
    " finalizer"
)

_INNER = "def _impl(name, visibility, **kwargs):\n    native.filegroup(name = name, **kwargs)\n\n"


def _loaded(load: Load, bzl: str, build: str, version: str = VERSION) -> Loaded:
    files = {"lib/BUILD": "", "lib/m.bzl": bzl, "a/BUILD": 'load("//lib:m.bzl", "m")\n' + build}
    return load(files, version=version)


def test_arguments_are_labels_of_the_caller_and_become_selects(load: Load) -> None:
    bzl = """
def _impl(name, visibility, srcs, plain, _tool):
    native.genrule(
        name = name,
        srcs = srcs + [_tool],
        outs = [name + "_" + plain],
        cmd = type(srcs) + " " + type(plain),
    )

m = macro(
    implementation = _impl,
    attrs = {
        "srcs": attr.label_list(),
        "plain": attr.string(default = "p", configurable = False),
        "_tool": attr.label(default = ":tool", configurable = False),
    },
)
"""
    world = _loaded(load, bzl, 'm(name = "x", srcs = ["f.txt"])\n')
    assert world.errors("a") == []
    assert world.value("//a:x", "cmd") == "select string"
    assert world.value("//a:x", "outs") == ["//a:x_p"]
    assert "//a:f.txt" in str(world.value("//a:x", "srcs"))
    assert "//lib:tool" in str(world.value("//a:x", "srcs"))


def test_outputs_are_no_selects(load: Load) -> None:
    bzl = """
def _impl(name, visibility, out, outs):
    native.genrule(name = name, outs = [out] + outs, cmd = type(out) + " " + type(outs))

m = macro(
    implementation = _impl,
    attrs = {"out": attr.output(mandatory = True), "outs": attr.output_list()},
)
"""
    world = _loaded(load, bzl, 'm(name = "x", out = "x_1", outs = ["x_2"])\n')
    assert world.errors("a") == []
    assert world.value("//a:x", "outs") == ["//a:x_1", "//a:x_2"]
    assert world.value("//a:x", "cmd") == "Label list"
    world = _loaded(load, bzl, 'm(name = "x", out = select({"//conditions:default": "x_1"}))\n')
    assert 'attribute "out" is not configurable' in str(world.errors("a"))


def test_a_select_with_nothing_but_a_default_is_its_value(load: Load) -> None:
    bzl = _INNER + 'm = macro(implementation = _impl, attrs = {"srcs": attr.label_list()})\n'
    world = _loaded(load, bzl, 'm(name = "x", srcs = ["f.txt"])\n')
    assert world.value("//a:x", "srcs") == ["//a:f.txt"]


@pytest.mark.parametrize(
    ("passed", "inside", "raw", "actual"),
    [
        # A target without a visibility is the macro's own.
        ("", "", ["//visibility:private"], ["//lib:__pkg__"]),
        # What the macro passes on is the caller's word, with the caller and the macro.
        ("", "visibility", ["//a:__pkg__"], ["//a:__pkg__", "//lib:__pkg__"]),
        (
            'visibility = ["//b:__pkg__"]',
            "visibility",
            ["//a:__pkg__", "//b:__pkg__"],
            ["//a:__pkg__", "//b:__pkg__", "//lib:__pkg__"],
        ),
        *[
            (f'visibility = ["//visibility:{word}"]', "visibility", raw, [*raw, *more])
            for word, raw, more in (
                ("public", ["//visibility:public"], []),
                ("private", ["//a:__pkg__"], ["//lib:__pkg__"]),
            )
        ],
    ],
)
def test_visibility(
    load: Load, passed: str, inside: str, raw: list[str], actual: list[str]
) -> None:
    given = f", visibility = {inside}" if inside else ""
    bzl = f"def _impl(name, visibility):\n    native.filegroup(name = name{given})\n\n"
    world = _loaded(load, bzl + "m = macro(implementation = _impl)\n", f'm(name = "x", {passed})\n')
    assert world.value("//a:x", "visibility") == raw
    assert _actual(world, "x") == actual


def _actual(world: Loaded, name: str) -> list[str]:
    package = world.package("a")
    seen_by = visibility_of(package.targets[name], package, Release((8, 1, 0)))
    return [str(label) for label in seen_by]


def test_without_a_visibility_the_macro_gets_the_packages(load: Load) -> None:
    bzl = (
        "def _impl(name, visibility):\n    native.filegroup(name = name, visibility = visibility)\n"
        "m = macro(implementation = _impl)\n"
    )
    build = 'package(default_visibility = ["//b:__pkg__"])\nm(name = "x")\n'
    wanted = ["//a:__pkg__", "//b:__pkg__", "//lib:__pkg__"]
    assert _actual(_loaded(load, bzl, build), "x") == wanted


@pytest.mark.parametrize(
    ("name", "is_right"),
    [
        *[("x", True), ("x_y", True), ("x-y", True), ("x.y", True)],
        *[("xy", False), ("x_", False), ("y", False)],
    ],
)
def test_names(load: Load, name: str, is_right: bool) -> None:
    bzl = f'def _impl(name, visibility):\n    native.filegroup(name = "{name}")\n\n'
    world = _loaded(load, bzl + "m = macro(implementation = _impl)\n", 'm(name = "x")\n')
    home = world.package("a").home(name)
    assert world.errors("a") == []
    assert home is not None
    assert home.admits(name) == is_right


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('m("x")', "unexpected positional arguments"),
        (
            'm(name = "x", sizes = 1)',
            "no such attribute 'sizes' in 'm' macro (did you mean 'size'?)",
        ),
        ('m(name = "x", need = 1, _tool = "t")', "cannot set value of implicit attribute '_tool'"),
        ('m(name = "x")', "missing value for mandatory attribute 'need' in 'm' macro"),
        ("m(need = 1)", "missing value for mandatory attribute 'name' in 'm' macro"),
        ('m(name = "x", need = 1)', "macro 'x' may not return a non-None value (got 7)"),
    ],
)
def test_mistakes(load: Load, call: str, message: str) -> None:
    bzl = """
m = macro(
    implementation = lambda **kwargs: 7,
    attrs = {
        "size": attr.int(),
        "need": attr.int(mandatory = True),
        "_tool": attr.label(default = ":t"),
    },
)
"""
    assert _loaded(load, bzl, call + "\n").errors("a") == [message]


def test_a_rules_attributes_are_inherited_and_default_to_none(load: Load) -> None:
    bzl = """
def _rule_impl(ctx):
    pass

r = rule(_rule_impl, attrs = {
    "level": attr.int(default = 3),
    "mode": attr.string(default = "m"),
    "gone": attr.string(),
    "_hidden": attr.label(),
})

def _impl(name, visibility, **kwargs):
    for key in ("level", "mode", "tags", "testonly"):
        if kwargs[key] != None and key != "mode":
            fail(key)
    for key in ("gone", "_hidden", "generator_name"):
        if key in kwargs:
            fail(key)
    r(name = name, **kwargs)

m = macro(
    implementation = _impl,
    inherit_attrs = r,
    attrs = {"mode": attr.string(default = "own"), "gone": None},
)
"""
    world = _loaded(load, bzl, 'm(name = "x")\n')
    assert world.errors("a") == []
    assert world.value("//a:x", "level") == 3
    assert world.value("//a:x", "mode") == "own"


@pytest.mark.parametrize(
    ("source", "has", "lacks"),
    [
        ('"common"', ("tags", "testonly", "deprecation", "features"), ("srcs", "name ")),
        ("native.filegroup", ("tags", "srcs", "data"), ("deps",)),
        ("other", ("own",), ("tags", "_secret")),
    ],
)
def test_what_is_inherited(
    load: Load, source: str, has: tuple[str, ...], lacks: tuple[str, ...]
) -> None:
    bzl = f"""
def _impl(name, visibility, **kwargs):
    native.filegroup(name = name, tags = sorted(kwargs))

other = macro(implementation = _impl, attrs = {{"own": attr.int(), "_secret": attr.int()}})
m = macro(implementation = _impl, inherit_attrs = {source})
"""
    tags = _loaded(load, bzl, 'm(name = "x")\n').value("//a:x", "tags")
    assert isinstance(tags, list)
    assert set(has) <= set(tags)
    assert set(lacks).isdisjoint(tags)


def test_a_finalizer_runs_last_and_sees_all_other_rules(load: Load) -> None:
    bzl = """
def _impl(name, visibility):
    native.filegroup(name = name, tags = sorted(native.existing_rules()))

m = macro(implementation = _impl, finalizer = True)
"""
    build = """
filegroup(name = "before")
m(name = "last")
m(name = "later")
filegroup(name = "after")
"""
    world = _loaded(load, bzl, build)
    assert world.errors("a") == []
    assert world.value("//a:last", "tags") == ["after", "before"]
    assert world.value("//a:later", "tags") == ["after", "before"]
    assert str(world.rule("//a:last").location) == "a/BUILD:4:2"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            'native.glob(["*"])',
            "glob() can only be used while evaluating a BUILD file or legacy macro",
        ),
        ("native.existing_rules()", _EXISTING_RULES),
    ],
)
def test_what_macros_may_not_call(load: Load, call: str, message: str) -> None:
    bzl = f"def _impl(name, visibility):\n    {call}\n\nm = macro(implementation = _impl)\n"
    assert _loaded(load, bzl, 'm(name = "x")\n').errors("a") == [message]


def test_macros_in_macros(load: Load) -> None:
    bzl = """
def _inner_impl(name, visibility):
    native.filegroup(name = name, visibility = visibility)

inner = macro(implementation = _inner_impl)

def _impl(name, visibility):
    inner(name = name + "_part", visibility = visibility)
    inner(name = name)

m = macro(implementation = _impl)
"""
    world = _loaded(load, bzl, 'm(name = "x", visibility = ["//b:__pkg__"])\n')
    assert world.errors("a") == []
    wanted = ["//a:__pkg__", "//b:__pkg__", "//lib:__pkg__"]
    assert _actual(world, "x_part") == wanted
    # Without a visibility of its own, a macro inside another is private to that one.
    assert _actual(world, "x") == ["//lib:__pkg__"]


def test_older_bazels_have_no_macros(load: Load) -> None:
    bzl = "m = macro(implementation = lambda **kwargs: None)\n"
    world = _loaded(load, bzl, 'm(name = "x")\n', version="7.4.0")
    assert "name 'macro' is not defined" in world.errors("a")


def test_the_packages_default_visibility(load: Load) -> None:
    build = """
package(default_visibility = ["//b:__pkg__"])
filegroup(name = "x", tags = [str(label) for label in package_default_visibility()])
"""
    world = load({"a/BUILD": build}, version="7.0.0")
    assert world.value("//a:x", "tags") == ["@@//b:__pkg__"]


@pytest.mark.parametrize(
    ("inside", "build", "message"),
    [
        ("", 'm(name = "x")\nm(name = "x")', "macro 'x' conflicts with an existing macro"),
        ("", 'm(name = "x")\nfilegroup(name = "x")', "target 'x' conflicts with an existing macro"),
        (
            "",
            'filegroup(name = "x")\nm(name = "x")',
            "macro 'x' conflicts with an existing target",
        ),
        (
            "o(name = name)\n    o(name = name)",
            'm(name = "x")',
            "macro 'x' conflicts with an existing",
        ),
        (
            "o(name = name)\n    native.filegroup(name = name)",
            'm(name = "x")',
            "target 'x' conflicts with an existing macro (and was not created by it)",
        ),
        (
            "o(name = 'y')",
            'm(name = "x")',
            "macro 'x' cannot declare submacro named 'y'. Name",
        ),
        ("f(name = name)", 'm(name = "x")', "Cannot instantiate a rule finalizer within a non-fin"),
        ("o(name = name)", 'm(name = "x")', None),
    ],
)
def test_names_that_macros_take(load: Load, inside: str, build: str, message: str | None) -> None:
    bzl = f"""
o = macro(implementation = lambda name, visibility: None)
f = macro(implementation = lambda name, visibility: None, finalizer = True)

def _impl(name, visibility):
    {inside or "pass"}

m = macro(implementation = _impl)
"""
    errors = _loaded(load, bzl, build + "\n").errors("a")
    assert [error.startswith(message or "") for error in errors] == ([True] if message else [])


@pytest.mark.parametrize(
    ("inside", "passed", "is_there"),
    [
        # A macro's own targets make no source files; what the caller passes does.
        ('["f.txt"]', "", False),
        ("srcs", 'srcs = ["f.txt"]', True),
    ],
)
def test_source_files(load: Load, inside: str, passed: str, is_there: bool) -> None:
    bzl = f"""
def _impl(name, visibility, srcs):
    native.filegroup(name = name, srcs = {inside})

m = macro(implementation = _impl, attrs = {{"srcs": attr.label_list()}})
"""
    world = _loaded(load, bzl, f'm(name = "x", {passed})\n')
    assert ("f.txt" in world.kinds("a")) == is_there


def test_no_source_file_has_the_name_of_a_macro(load: Load) -> None:
    bzl = "m = macro(implementation = lambda name, visibility: None)\n"
    world = _loaded(load, bzl, 'm(name = "x")\nfilegroup(name = "user", srcs = ["x"])\n')
    assert "x" not in world.kinds("a")


def test_stacks_have_the_macro(load: Load) -> None:
    bzl = """
def _inner_impl(name, visibility, **kwargs):
    native.filegroup(name = name, **kwargs)

inner = macro(implementation = _inner_impl)

def inner_wrapper(name, **kwargs):
    inner(name = name, **kwargs)

def _impl(name, visibility, **kwargs):
    inner_wrapper(name = name + "_inner", **kwargs)

outer = macro(implementation = _impl)

def m(name, **kwargs):
    outer(name = name, **kwargs)
"""
    rule = _loaded(load, bzl, 'm(name = "x")\n').rule("//a:x_inner")
    assert [f"{frame.function} {frame.location}" for frame in rule.call_stack] == [
        "<toplevel> a/BUILD:2:2",
        "m lib/m.bzl:15:10",
        "outer lib/m.bzl:12:1",
        "_impl lib/m.bzl:10:18",
        "inner_wrapper lib/m.bzl:7:10",
        "inner lib/m.bzl:4:1",
        "_inner_impl lib/m.bzl:2:21",
    ]
    assert (rule.generator_function, rule.generator_name) == ("m", "x")


def test_errors_have_the_macro_on_their_stacks(load: Load) -> None:
    bzl = 'def _impl(name, visibility):\n    fail("no")\n\nm = macro(implementation = _impl)\n'
    (error,) = _loaded(load, bzl, 'm(name = "x")\n').package("a").diagnostics
    assert [frame.function for frame in error.call_stack][:3] == ["<toplevel>", "m", "_impl"]
