"""What a program makes of a value that nobody can tell: the result is unknown, no error of its."""

from __future__ import annotations

import pytest
from loading_world import Load, label

from bazelscope.label import PackageId
from bazelscope.loading.targets import NoSuchTarget, Package, Rule, UnknownTarget
from bazelscope.unknown import Reason, Unknown

WORKSPACE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.com/far.zip"])
"""
LOAD = 'load("@far//:defs.bzl", "far")\n'

RESULTS = [
    # Built-in functions.
    'int(far)', 'float(far)', 'hash(far)', 'abs(far)', 'range(far)', 'range(0, far)', 'max(far)',
    'sorted([2, far])', 'enumerate([1], far)', 'int("10", far)', 'str(far)',
    'json.decode(far)', 'json.indent(far)', 'getattr(struct(a = 1), far)', 'Label("//p:" + far)',
    # Methods.
    '", ".join(["a", far])', '"a".startswith(far)', '"a".startswith(("b", far))',
    '"a".replace("a", far)', '"a".split(far)', '"a b".rsplit(" ", far)', '"a".strip(far)',
    '"a".find(far)', '"a".removeprefix(far)', '[1].index(far)', '("a" + far).split(",")',
    # Texts.
    '"%s.cc" % far', '"%s %d" % ("a", far)', '"{}.cc".format(far)', '"{a}".format(a = far)',
    '"%s" % [far]', '"a" + far', 'far + "a"', '"a" + str(far)',
    # Elements and slices.
    '[1][far]', '"abc"[far]', '{"a": 1}[far]', '[1, 2][far:]', '"abc"[:far]', 'far[1:]',
]  # fmt: skip


@pytest.mark.parametrize("expression", RESULTS)
def test_the_result_is_unknown(load: Load, expression: str) -> None:
    loaded = load(
        {
            "WORKSPACE": WORKSPACE,
            "v.bzl": f"{LOAD}v = {expression}\n",
            "BUILD": 'load("v.bzl", "v")\nfilegroup(name = "a", srcs = v, tags = ["known"])\n',
        }
    )
    target = loaded.loader.target(label("//:a"))
    assert isinstance(target, Rule)
    package = loaded.loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics
    srcs = target.attribute("srcs")
    assert srcs is not None
    assert isinstance(srcs.value, Unknown)
    assert "not downloaded" in str(srcs.value)


@pytest.mark.parametrize(
    "condition",
    ['far == "a"', '1 == far', '[] == far', 'far != None', 'min(1, far) == 1',
     '1 < far', 'far <= 1', 'far in "abc"',
     'far in ["a"]', '"a" in far', 'far'],
)  # fmt: skip
def test_a_branch_that_an_unknown_value_decides_is_told(load: Load, condition: str) -> None:
    loaded = load(
        {
            "WORKSPACE": WORKSPACE,
            "BUILD": f'{LOAD}filegroup(name = "a", srcs = ["b"] if {condition} else ["c"])\n',
        }
    )
    package = loaded.loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics
    assert [found.reason for found in package.unknowns] == [Reason.DEPENDS_ON_UNKNOWN]
    assert "rests on it" in package.unknowns[0].detail


def test_a_text_with_an_unknown_piece_is_no_label_and_no_name(load: Load) -> None:
    loaded = load(
        {
            "WORKSPACE": WORKSPACE,
            "BUILD": f"""
                {LOAD.strip()}
                filegroup(name = "a", srcs = ["%s.cc" % far, "known.cc", "x" + far])
                filegroup(name = "%s_b" % far)
                """,
        }
    )
    target = loaded.loader.target(label("//:a"))
    assert isinstance(target, Rule)
    srcs = target.attribute("srcs")
    assert srcs is not None
    assert isinstance(srcs.value, tuple)
    unknown, known, other = srcs.value
    assert isinstance(unknown, Unknown)
    assert unknown.subject == '"%s.cc" % far'
    assert str(known) == "//:known.cc"
    assert isinstance(other, Unknown)
    # Some filegroup has a name that nobody knows.
    assert isinstance(loaded.loader.target(label("//:z_b")), UnknownTarget)


def test_what_the_program_does_wrong_is_an_error_still(load: Load) -> None:
    loaded = load(
        {
            "WORKSPACE": WORKSPACE,
            "BUILD": f'{LOAD}filegroup(name = "a", srcs = [",".join([1])])\nfail(far)\n',
        }
    )
    package = loaded.loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    codes = [found.code for found in package.diagnostics]
    assert codes == ["starlark-eval", "starlark-fail"]
    assert isinstance(loaded.loader.target(label("//:a")), NoSuchTarget)


def test_keyword_arguments_of_an_unknown_dict_are_told(load: Load) -> None:
    loaded = load(
        {
            "WORKSPACE": WORKSPACE,
            "BUILD": f'{LOAD}filegroup(name = "a", **far)\n',
        }
    )
    package = loaded.loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert "a" in package.targets
    assert not package.diagnostics
    assert package.unknowns


def test_a_package_group_keeps_what_is_known(load: Load) -> None:
    loaded = load(
        {
            "WORKSPACE": WORKSPACE,
            "BUILD": f'{LOAD}package_group(name = "g", packages = far + ["//p/..."])\n',
        }
    )
    package = loaded.loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics
    assert "g" in package.targets
    assert package.unknowns
