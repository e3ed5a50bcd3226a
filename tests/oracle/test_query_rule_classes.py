"""One target of every native rule class, and of Starlark rules of each shape, in three Bazels.

Compared is everything that `query --output=xml --xml:default_values` tells: every attribute with
its default, and every input, those of late-bound defaults and of aspects among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.label import PackageId
from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.loading.packages.package import Package
from tests.support import ours
from tests.support.bazel import Bazel
from tests.support.query_facts import Fact, facts_of_package, facts_of_xml
from tests.support.query_output import differences

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

# These stand in WORKSPACE files.
_REPOSITORY_RULES = frozenset(
    {
        *("android_ndk_repository", "android_sdk_repository", "bind", "git_repository"),
        *("http_archive", "http_file", "http_jar", "local_config_platform", "local_repository"),
        *("maven_jar", "maven_server", "new_git_repository", "new_http_archive"),
        "new_local_repository",
    }
)

_VALUES = {
    AttributeType.BOOLEAN: "True",
    AttributeType.INTEGER: "1",
    AttributeType.LABEL: '":f.txt"',
    AttributeType.LABEL_DICT_UNARY: '{"a": ":f.txt"}',
    AttributeType.LABEL_LIST: '[":f.txt"]',
    AttributeType.OUTPUT: '"NAME.out"',
    AttributeType.OUTPUT_LIST: '["NAME.out"]',
    AttributeType.STRING: '"x"',
    AttributeType.STRING_LIST: '["x"]',
}

_DEFS = """
def _implementation(ctx):
    pass

def _compute(src):
    return src

_needy = aspect(
    implementation = _implementation,
    attr_aspects = ["deps"],
    attrs = {
        "_tool": attr.label(default = "//:aspect_tool"),
        "_tools": attr.label_list(default = ["//:f.txt"]),
    },
)

_ATTRS = {
    "deps": attr.label_list(aspects = [_needy]),
    "hdrs": attr.label_list(),
    "src": attr.label(default = "//:s"),
    "srcs": attr.label_list(),
    "tests": attr.label_list(),
    "text": attr.string(),
    "numbers": attr.int_list(),
    "words": attr.string_dict(),
    "flag": attr.bool(default = True),
    "_cc": attr.label(default = configuration_field("cpp", "cc_toolchain")),
    "_computed": attr.label(default = _compute),
    "_private": attr.label(default = "//:private", cfg = "host", executable = True),
    "_xcode": attr.label(default = configuration_field("apple", "xcode_config_label")),
}
plain = rule(implementation = _implementation, attrs = _ATTRS)
runs = rule(implementation = _implementation, attrs = _ATTRS, executable = True)
some_test = rule(implementation = _implementation, attrs = _ATTRS, test = True)
outputs = rule(
    implementation = _implementation,
    attrs = {"out": attr.output()},
    outputs = {"x": "lib%{name}.x", "y": "%{dirname}%{basename}.y"},
)
NAMES = str(_implementation) + str(len) + str(plain) + repr([_implementation])
"""

_BUILD = """
load("//:defs.bzl", "NAMES", "outputs", "plain", "runs", "some_test")

[rule(
    name = "starlark_" + name,
    deps = [":f.txt"],
    hdrs = ["b", "a"],
    srcs = ["b", "a"],
    tags = ["z", "y"],
    tests = ["b", "a"],
    text = NAMES,
) for name, rule in {"plain": plain, "runs": runs, "test": some_test}.items()]

outputs(name = "deep/outputs", out = "deep.out")
plain(name = "bare")

genrule(name = "one_out", outs = ["one.out"], cmd = "", executable = 1)
genrule(name = "two_outs", outs = ["two.out", "three.out"], cmd = "", executable = 1)
java_binary(name = "no_executable", srcs = ["Z.java", "A.java"], create_executable = 0)
java_binary(name = "with_runner", main_class = "x", use_testrunner = 1)
java_test(
    name = "no_runner",
    srcs = ["Z.java", "A.java"],
    main_class = "x",
    resources = ["z", "a"],
    use_testrunner = 0,
)
config_setting(name = "setting", tags = ["z", "a"], values = {"cpu": "x"})
platform(name = "tagged_platform", tags = ["z", "a"])
cc_library(
    name = "sorted",
    srcs = ["z.c", "a.c"],
    hdrs = ["c+d.h", "c.h"],
    includes = [""],
    tags = ["z", "a"],
    textual_hdrs = ["z.h", "a.h"],
    visibility = ["//z:__pkg__", "//a:__pkg__"],
)
cc_library(
    name = "selected",
    hdrs = select({":setting": ["z.h", "a.h"], "//conditions:default": []}),
    linkopts = select({":setting": ["-a", "-b"], "//conditions:default": ["-a", "-a"]}),
)
cc_import(name = "imported", hdrs = ["z.h", "a.h"])
objc_library(name = "as_written", hdrs = ["z.h", "a.h"], textual_hdrs = ["z.h", "a.h"])
test_suite(name = "suite", tests = ["starlark_test", "no_runner"])
exports_files(["z", "a"], visibility = ["//x:__pkg__"])
"""


def _one_of_each(version: str) -> Iterator[str]:
    rules = NativeRules(version)
    for name in sorted(rules.names_of_table() - _REPOSITORY_RULES):
        for target in (f"one_{name}", f"below/one_{name}"):
            arguments = [f'name = "{target}"']
            for attribute, definition in rules.get(name).attributes.items():
                if _must_be_given(attribute, definition):
                    value = _VALUES[definition.type].replace("NAME", target)
                    arguments.append(f"{attribute} = {value}")
            yield f"{name}({', '.join(arguments)})\n"


def _must_be_given(name: str, definition: AttributeDefinition) -> bool:
    return definition.mandatory and name != "name" and not definition.is_implicit


@pytest.mark.parametrize("version", ["0.24.1", "2.1.0", "4.2.3"])
def test_every_fact(version: str, bazel: Callable[[str], Bazel], warm_root: Path) -> None:
    (warm_root / "WORKSPACE").write_text("")
    (warm_root / "defs.bzl").write_text(_DEFS)
    (warm_root / "BUILD").write_text(_BUILD + "".join(_one_of_each(version)))
    answer = bazel(version).query(warm_root, "//:*", "--output=xml", "--xml:default_values")
    wanted = facts_of_xml(answer.checked().stdout)
    loader = ours.open_loader(warm_root, version)
    package = loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert package.diagnostics == ()
    graph = TargetGraph(loader, version, implicit=True, visibility=False)
    found = facts_of_package(graph, package)
    assert len(wanted) > 200
    difference = differences(_flat(found, version), _flat(wanted, version))
    assert not difference, difference


def _flat(facts: dict[str, set[Fact]], version: str) -> set[Fact]:
    # Before 3.0, a target stood where its call began, not where its arguments do.
    kept = ("place",) if version < "3" else ()
    return {
        (label, *fact)
        for label, found in facts.items()
        for fact in found
        if not kept or fact[0] not in kept
    }
