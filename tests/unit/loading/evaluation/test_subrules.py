"""What rules and aspects take over from their subrules, and what of `subrule()` is refused.

As Bazel's `StarlarkSubrule` and the tests of it have it; `rule(subrules)` of release 7 needs
`--experimental_rule_extension_api`.
"""

from __future__ import annotations

import pytest

from bazelscope.bazel.attribute_types import Configured, ToolchainRequirement
from tests.unit.loading.loading_world import Load, label

_SUBRULES = """
def _impl(ctx, **kwargs):
    return None

below = subrule(implementation = _impl, attrs = {"_in": attr.label(default = "//p:in")})
above = subrule(
    implementation = _impl,
    attrs = {
        "_tool": attr.label(default = "//p:tool", cfg = "exec", executable = True),
        "_srcs": attr.label_list(default = ["//p:a", "//p:b"]),
        "_late": attr.label(default = configuration_field(fragment = "cpp", name = "xbinary_fdo")),
    },
    toolchains = [config_common.toolchain_type("//p:type", mandatory = False)],
    subrules = [below],
)
"""


def world(more: str) -> dict[str, str]:
    build = 'load("//lib:r.bzl", "r")\nr(name = "x")\n'
    return {
        "MODULE.bazel": "",
        "lib/BUILD": "",
        "lib/s.bzl": _SUBRULES,
        "lib/r.bzl": f'load(":s.bzl", "above", "below")\n{more}\n',
        "p/BUILD": build,
    }


def test_a_rule_has_the_attributes_and_toolchains_of_its_subrules(load: Load) -> None:
    made = 'r = rule(implementation = lambda ctx: [], subrules = [above], toolchains = ["//p:own"])'
    loaded = load(world(made), "9.0.0")
    assert loaded.errors("p") == []
    rule = loaded.rule("//p:x")
    begin = "_//lib:s.bzl%"
    assert loaded.value("//p:x", f"{begin}above%_tool") == "//p:tool"
    assert loaded.value("//p:x", f"{begin}above%_srcs") == ["//p:a", "//p:b"]
    assert loaded.value("//p:x", f"{begin}below%_in") == "//p:in"
    attributes = rule.rule_class.attributes
    assert attributes[f"{begin}above%_tool"].configured is Configured.EXEC
    assert f":{begin[1:]}above%_late" in attributes
    assert rule.rule_class.toolchains == (
        ToolchainRequirement(label("//p:own")),
        ToolchainRequirement(label("//p:type"), mandatory=False),
    )


def test_the_stricter_of_two_requirements_counts(load: Load) -> None:
    made = (
        'r = rule(implementation = lambda ctx: [], subrules = [above], toolchains = ["//p:type"])'
    )
    rule = load(world(made), "9.0.0").rule("//p:x")
    assert rule.rule_class.toolchains == (ToolchainRequirement(label("//p:type")),)


def test_subrules_of_the_same_file_have_their_names_already(load: Load) -> None:
    made = 'above2 = subrule(implementation = len, attrs = {"_a": attr.label(default = "//p:in")})'
    made += "\nr = rule(implementation = lambda ctx: [], subrules = [above2])"
    loaded = load(world(made), "8.0.0")
    assert loaded.value("//p:x", "_//lib:r.bzl%above2%_a") == "//p:in"


@pytest.mark.parametrize("release", ["7.4.1", "8.0.0"])
@pytest.mark.parametrize("made", ["subrules = [above]", "initializer = lambda name: {}"])
def test_only_chosen_files_extend_rules_before_bazel_8(load: Load, made: str, release: str) -> None:
    loaded = load(world(f"r = rule(implementation = lambda ctx: [], {made})"), release)
    assert ("cannot use private API" in "".join(loaded.errors("p"))) is (release == "7.4.1")


_REFUSED = {
    'subrule(implementation = len, attrs = {"a": attr.label(default = "//p:in")})': (
        "illegal attribute name 'a': subrules may only define private attributes (whose names begin"
        " with '_')."
    ),
    'subrule(implementation = len, attrs = {"_a": attr.label()})': (
        "for attribute '_a': no default value specified"
    ),
    'subrule(implementation = len, attrs = {"_a": attr.string(default = "")})': (
        "bad type for attribute '_a': subrule attributes may only be label or lists of labels."
    ),
    'subrule(implementation = len, attrs = {"_a": attr.label(default = lambda: None)})': (
        "illegal default value for attribute '_a': subrules cannot define computed defaults."
    ),
    'subrule(implementation = len, attrs = {"_a": attr.label(default = "//p:in", cfg = t)})': (
        "bad cfg for attribute '_a': subrules may only have target/exec attributes."
    ),
    'subrule(implementation = len, toolchains = ["//p:a", "//p:b"])': (
        "subrules may require at most 1 toolchain"
    ),
    "subrule(implementation = len, subrules = [1])": (
        "at index 0 of subrules, got element of type int, want Subrule"
    ),
    "rule(implementation = len, subrules = [subrule(implementation = len)])": (
        "Invalid subrule hasn't been exported by a bzl file"
    ),
    "aspect(implementation = len, subrules = [1])": (
        "at index 0 of subrules, got element of type int, want Subrule"
    ),
}


@pytest.mark.parametrize("made", _REFUSED)
def test_what_of_subrules_is_refused(load: Load, made: str) -> None:
    transition = "t = transition(implementation = len, inputs = [], outputs = [])\n"
    loaded = load(world(f"{transition}x = {made}\nr = rule(implementation = len)"), "9.0.0")
    assert loaded.errors("p") == [_REFUSED[made]]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("x = below()", "below can only be called from a rule or aspect implementation"),
        (
            "x = [subrule(implementation = lambda ctx: None)]\nx[0]()",
            "Invalid subrule hasn't been exported by a bzl file",
        ),
    ],
)
def test_a_file_calls_no_subrule(load: Load, more: str, words: str) -> None:
    made = f"r = rule(implementation = lambda ctx: [])\n{more}"
    assert words in load(world(made), "9.0.0").errors("p")[0]
