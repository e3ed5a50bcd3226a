"""Symbolic macros (Bazel 8 and newer), as Bazel's documentation and `MacroClass` describe them."""

from __future__ import annotations

import pytest

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


def test_a_select_with_nothing_but_a_default_is_its_value(load: Load) -> None:
    bzl = _INNER + 'm = macro(implementation = _impl, attrs = {"srcs": attr.label_list()})\n'
    world = _loaded(load, bzl, 'm(name = "x", srcs = ["f.txt"])\n')
    assert world.value("//a:x", "srcs") == ["//a:f.txt"]


@pytest.mark.parametrize(
    ("passed", "inside", "wanted"),
    [
        # A target without a visibility is the macro's own.
        ("", "", ["//lib:__pkg__"]),
        # What the macro passes on is the caller's word, with the caller and the macro.
        ("", "visibility", ["//a:__pkg__", "//lib:__pkg__"]),
        (
            'visibility = ["//b:__pkg__"]',
            "visibility",
            ["//a:__pkg__", "//b:__pkg__", "//lib:__pkg__"],
        ),
        ('visibility = ["//visibility:public"]', "visibility", ["//visibility:public"]),
        (
            'visibility = ["//visibility:private"]',
            "visibility",
            ["//a:__pkg__", "//lib:__pkg__"],
        ),
    ],
)
def test_visibility(load: Load, passed: str, inside: str, wanted: list[str]) -> None:
    given = f", visibility = {inside}" if inside else ""
    bzl = f"def _impl(name, visibility):\n    native.filegroup(name = name{given})\n\n"
    world = _loaded(load, bzl + "m = macro(implementation = _impl)\n", f'm(name = "x", {passed})\n')
    assert world.value("//a:x", "visibility") == wanted


def test_without_a_visibility_the_macro_gets_the_packages(load: Load) -> None:
    bzl = (
        "def _impl(name, visibility):\n    native.filegroup(name = name, visibility = visibility)\n"
        "m = macro(implementation = _impl)\n"
    )
    build = 'package(default_visibility = ["//b:__pkg__"])\nm(name = "x")\n'
    wanted = ["//a:__pkg__", "//b:__pkg__", "//lib:__pkg__"]
    assert _loaded(load, bzl, build).value("//a:x", "visibility") == wanted


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
    message = (
        f"Target //a:{name} declared in symbolic macro 'x' violates macro naming rules and cannot"
        " be built."
    )
    assert world.errors("a") == ([] if is_right else [message])
    assert name in world.kinds("a")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('m("x")', "m: unexpected positional arguments"),
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
    assert world.value("//a:x_part", "visibility") == wanted
    # Without a visibility of its own, a macro inside another is private to that one.
    assert world.value("//a:x", "visibility") == ["//lib:__pkg__"]


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
