"""What Bazel refuses of a closure, each in the place where Bazel 4.2.3 finds it (measured)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files
from tests.unit.analysis.refusals.closure_world import BOTH, FAR, refused


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        ('filegroup(name = "top", srcs = ["//lib:private"])', "not-visible //:top"),
        ('filegroup(name = "top", srcs = ["//lib:shut"])', "not-visible //:top"),
        ('filegroup(name = "top", srcs = ["//lib:way"])', None),
        ('filegroup(name = "top", srcs = ["//lib:tests"])', "testonly //:top"),
        ('filegroup(name = "top", srcs = ["//lib:tests"], testonly = 1)', None),
        ('filegroup(name = "top", srcs = ["//lib:made"])', None),
        ('filegroup(name = "top", srcs = ["//lib:gone"])', "no-such-target //:top"),
        ('filegroup(name = "top", srcs = ["gone"])', None),
        ('filegroup(name = "top", srcs = ["//nowhere:x"])', "no-such-package //:top"),
        ('filegroup(name = "top", srcs = ["//broken:x"])', "package-in-error //:top"),
        (
            'filegroup(name = "top", srcs = ["x"])\nfilegroup(name = "x", srcs = ["top"])',
            "dependency-cycle //:top",
        ),
        (
            'cc_library(name = "top", copts = select({":a": [], ":b": []}))',
            "ambiguous-select //:top",
        ),
        (
            'filegroup(name = "top", srcs = select({":bad": [], "//conditions:default": []}))',
            "invalid-condition //:bad, invalid-condition //:top",
        ),
        (
            'filegroup(name = "top", srcs = ["//lib:private"] + select({":a": [], ":b": []}))',
            "ambiguous-select //:top",
        ),
    ],
)
def test_one_target_one_refusal(tmp_path: Path, build: str, expected: str | None) -> None:
    found = [one for one in refused(tmp_path, build, *BOTH) if not one.also]
    told = [f"{one.kind.value} {one.target}" for one in found]
    assert told == ([] if expected is None else expected.split(", "))


def test_a_refusal_says_which_line_makes_both_conditions_hold(tmp_path: Path) -> None:
    build = 'cc_library(name = "top", copts = select({":a": ["-1"], ":b": ["-2"]}))'
    (tmp_path / ".bazelrc").write_text("build:two --define=a=1\nbuild:two --define=b=1\n")
    (found,) = refused(tmp_path, build, "--config=two")
    assert (found.attribute, str(found.location)) == ("copts", "BUILD:5:40")
    assert [(cause.text, str(cause.location)) for cause in found.causes] == [
        ("//:a holds: --define=a=1, by --config=two", ".bazelrc:1:11"),
        ("//:b holds: --define=b=1, by --config=two", ".bazelrc:2:11"),
    ]


def test_what_is_above_a_failed_target_would_come_next(tmp_path: Path) -> None:
    build = (
        'filegroup(name = "top", srcs = ["low", "//lib:tests"])\n'
        'filegroup(name = "low", srcs = ["//lib:private"])'
    )
    found = refused(tmp_path, build)
    assert [(str(one.target), one.kind.value, one.also) for one in found] == [
        ("//:low", "not-visible", False),
        ("//:top", "testonly", True),
    ]


def test_branches_that_are_not_taken_are_not_looked_at(tmp_path: Path) -> None:
    branches = '{":a": ["//lib:private", "//nowhere:x"], "//conditions:default": []}'
    build = f'filegroup(name = "top", srcs = select({branches}))'
    assert refused(tmp_path, build) == ()
    kinds = {one.kind.value for one in refused(tmp_path, build, "--define=a=1") if not one.also}
    assert kinds == {"no-such-package"}


def test_a_package_is_loaded_before_anything_is_configured(tmp_path: Path) -> None:
    (found,) = refused(tmp_path, "", target="//broken:x")
    assert found.kind.value == "package-in-error"
    assert (found.causes[0].text, str(found.location)) == ("stop", "broken/BUILD:2:5")


def test_workspace_in_error_is_refused_whatever_is_asked(tmp_path: Path) -> None:
    twice = 'local_repository(name = "r", path = "r")\nload("//lib:x.bzl", "x")\n'
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/x.bzl").write_text("x = 1\n")
    found = refused(tmp_path, 'filegroup(name = "top")')
    assert found == ()
    (tmp_path / "WORKSPACE").write_text(twice + 'local_repository(name = "r", path = "s")\n')
    workspace = Workspace.open(tmp_path, bazel_version="4.2.3", host="linux")
    (refusal,) = workspace.configure([]).refusals("//:top")
    assert refusal.kind.value == "workspace"
    assert "Cannot redefine repository" in refusal.message


@pytest.mark.parametrize(
    ("good", "bad", "words", "expected"),
    [
        (
            'alias(name = "x", actual = select({":a": "f", ":b": "g"}))',
            'alias(name = "y", actual = select({":a": None, ":b": "g"}))',
            BOTH[:1],
            "missing-attribute //:y",
        ),
        (
            'filegroup(name = "x", srcs = select({":a": ["f"], ":b": ["f"]}))',
            'filegroup(name = "y", srcs = select({":a": ["f"], ":b": ["g"]}))',
            BOTH,
            "ambiguous-select //:y",
        ),
    ],
)
def test_keys_that_were_well_elsewhere_may_choose_what_is_refused(
    tmp_path: Path, good: str, bad: str, words: tuple[str, ...], expected: str
) -> None:
    top = 'filegroup(name = "top", srcs = ["x", "y"])\n'
    found = refused(tmp_path, f"{top}{good}\n{bad}\n", *words, version="7.0.0")
    assert [f"{one.kind.value} {one.target}" for one in found] == [expected]


def test_no_cycle_rests_on_what_a_rule_of_unknown_class_may_mean(tmp_path: Path) -> None:
    build = (
        'load("@far//:d.bzl", "lost")\n'
        'lost(name = "top", update = ":low")\nlost(name = "low", update = ":top")\n'
    )
    assert refused(tmp_path, build, workspace=FAR) == ()


def test_a_file_is_no_private_one_where_something_unknown_may_declare_its_name(
    tmp_path: Path,
) -> None:
    build = 'filegroup(name = "top", srcs = ["//lib:name"])'
    (tmp_path / "lib").mkdir()
    loop = """
load("@far//:d.bzl", "NAMES")
[filegroup(name = name, visibility = ["//visibility:public"]) for name in NAMES]
filegroup(name = "user", srcs = ["name"])
"""
    known = loop.replace('load("@far//:d.bzl", "NAMES")', "NAMES = []")
    assert refused(tmp_path, build, workspace=FAR, lib=loop) == ()
    assert [one.kind.value for one in refused(tmp_path, build, lib=known)] == ["not-visible"]


def test_a_label_flag_leads_to_what_is_for_tests_only(tmp_path: Path) -> None:
    # Measured with 4.2.3: told of who uses the flag, whatever the flag says itself.
    build = """
load(":d.bzl", "r")
label_flag(name = "flag", build_setting_default = "//lib:tests")
label_flag(name = "said", build_setting_default = "//lib:tests", testonly = 1)
label_flag(name = "open", build_setting_default = "//lib:open", testonly = 1)
alias(name = "way", actual = ":flag")
r(name = "top", deps = [":one", ":two", ":three", ":four", ":five"])
r(name = "one", deps = [":flag"])
r(name = "two", deps = [":said"])
r(name = "three", deps = [":way"])
r(name = "four", deps = [":open"])
r(name = "five", testonly = 1)
"""
    (tmp_path / "d.bzl").write_text(
        'def _impl(ctx):\n    return []\n\nr = rule(_impl, attrs = {"deps": attr.label_list()})\n'
    )
    found = {f"{one.kind.value} {one.target}" for one in refused(tmp_path, build) if not one.also}
    assert found == {"testonly //:one", "testonly //:two", "testonly //:three"}


def test_assertions_of_a_model_decide_nothing(tmp_path: Path) -> None:
    build = """
load(":d.bzl", "compared", "t_test")
compared(name = "case")
t_test(name = "top", target_under_test = ":case")
"""
    (tmp_path / "d.bzl").write_text("""
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
Info = provider()

def _compared(ctx):
    return [Info(a = 1)]

compared = rule(_compared)

def _test(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, 1, analysistest.target_under_test(env)[Info].a)
    return analysistest.end(env)

t_test = analysistest.make(_test)
""")
    skylib = FAR.replace("far", "bazel_skylib")
    assert [one for one in refused(tmp_path, build, workspace=skylib) if not one.also] == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [((), []), (BOTH[:1], []), (BOTH, ["other //:top"])],
)
def test_a_label_of_two_chosen_branches_is_refused(
    tmp_path: Path, words: tuple[str, ...], expected: list[str]
) -> None:
    # As Bazel's sources have it from 7 on; 4.2.3 refuses the package (measured), as 6.2 did.
    build = (
        'filegroup(name = "top", srcs = select({":a": ["x"], "//conditions:default": []})'
        ' + select({":b": ["x"], "//conditions:default": []}))\n'
    )
    found = refused(tmp_path, build, *words, version="7.0.0")
    assert [f"{one.kind.value} {one.target}" for one in found if not one.also] == expected
    said = "in srcs attribute of filegroup rule //:top: Label '//:x' is duplicated"
    assert [one.message for one in found if not one.also] == [said] * len(expected)
    for version in ("4.2.3", "6.5.0"):
        old = refused(tmp_path, build, *words, version=version)
        assert [one.kind.value for one in old] == ["package-in-error"], version


@pytest.mark.parametrize(("attribute", "is_refused"), [("deps", True), ("twine", False)])
def test_a_text_that_looks_like_a_label_need_be_none_where_the_rule_is_unknown(
    tmp_path: Path, attribute: str, is_refused: bool
) -> None:
    build = f"""
load("@far//:x.bzl", "wheel")
wheel(name = "top", {attribute} = "//nowhere:pkg")
"""
    assert bool(refused(tmp_path, build, workspace=FAR)) is is_refused


@pytest.mark.parametrize(
    ("returned", "version", "is_refused"),
    [("{}", "4.2.3", True), ("{}", "5.0.0", False), ("None", "7.7.1", False)],
)
def test_a_transition_may_set_nothing_since_5(
    tmp_path: Path, returned: str, version: str, is_refused: bool
) -> None:
    """Measured: 2.1.0 and 4.2.3 want every output."""
    (tmp_path / "t.bzl").write_text(f"""
def _t(settings, attr):
    return {returned}

t = transition(implementation = _t, inputs = [], outputs = ["//command_line_option:cpu"])
def _r(ctx):
    return []

r = rule(
    _r,
    attrs = {{
        "dep": attr.label(cfg = t),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    }},
)
""")
    build = 'load(":t.bzl", "r")\nr(name = "top", dep = ":one")\nfilegroup(name = "one")'
    assert bool(refused(tmp_path, build, version=version)) is is_refused


@pytest.mark.parametrize(("expects", "is_refused"), [("True", False), ("False", True)])
def test_what_a_test_wants_to_fail_may_fail(tmp_path: Path, expects: str, is_refused: bool) -> None:
    skylib = FAR.replace('"far"', '"bazel_skylib"').replace("far.zip", "bazel-skylib-1.5.0.zip")
    (tmp_path / "t.bzl").write_text(f"""
load("@bazel_skylib//lib:unittest.bzl", "analysistest")

def _fails(ctx):
    fail("as it should")

def _test(ctx):
    return analysistest.end(analysistest.begin(ctx))

fails = rule(_fails)
expecting_test = analysistest.make(_test, expect_failure = {expects})
""")
    build = """
load(":t.bzl", "expecting_test", "fails")
fails(name = "subject", tags = ["manual"])
expecting_test(name = "top", target_under_test = ":subject")
"""
    assert bool(refused(tmp_path, build, workspace=skylib, version="6.5.0")) is is_refused


@pytest.mark.parametrize(
    "attributes",
    [
        "dict(lib.attrs)",
        "dict(lib.attrs, own = attr.string())",
        'dict([("own", attr.string())] + lib.more)',
        "{name: one for name, one in lib.attrs.items()}",
        "dict(own = attr.string(), **lib.attrs)",
    ],
)
def test_a_rule_may_have_the_attributes_that_an_unknown_file_gives_it(
    tmp_path: Path, attributes: str
) -> None:
    (tmp_path / "t.bzl").write_text(f"""
load("@far//:x.bzl", "lib")

def _r(ctx):
    return [DefaultInfo(files = depset(ctx.files.srcs + [ctx.attr.more]))]

r = rule(_r, attrs = {attributes})
""")
    build = 'load(":t.bzl", "r")\nr(name = "top", srcs = ["BUILD"], more = "x")'
    assert refused(tmp_path, build, workspace=FAR, version="7.7.1") == ()


_CHOSEN = {
    "WORKSPACE": 'register_toolchains("//t:tc")\n',
    "t/BUILD": """
load(":r.bzl", "chain")
toolchain_type(name = "type", visibility = ["//visibility:public"])
chain(name = "chain")
toolchain(name = "tc", toolchain = ":chain", toolchain_type = ":type")
platform(name = "mine")
""",
    "t/r.bzl": """
def _chain(ctx):
    return [platform_common.ToolchainInfo()]

def _user(ctx):
    return []

chain = rule(_chain)
user = rule(_user, toolchains = ["//t:type"])
""",
    "u/BUILD": 'load("//t:r.bzl", "user")\nuser(name = "top")\n',
}


@pytest.mark.parametrize("version", ["2.1.0", "4.2.3", "6.5.0"])
def test_what_bazel_chooses_needs_no_visibility(tmp_path: Path, version: str) -> None:
    write_files(tmp_path, _CHOSEN)
    opened = Workspace.open(tmp_path, bazel_version=version, host="linux")
    answer = opened.configure(["--platforms=//t:mine"]).cquery("deps(//u:top)")
    assert [refusal.message for refusal in answer.envelope.refusals] == []


@pytest.mark.parametrize(("version", "is_refused"), [("2.1.0", True), ("4.2.3", False)])
def test_one_target_for_two_toolchain_types(tmp_path: Path, version: str, is_refused: bool) -> None:
    """Measured: 0.24.1, 0.26.1 and 2.1.0 crash."""
    another = """
toolchain_type(name = "second", visibility = ["//visibility:public"])
toolchain(name = "tc2", toolchain = ":chain", toolchain_type = ":second")
"""
    files = {
        **_CHOSEN,
        "WORKSPACE": 'register_toolchains("//t:tc", "//t:tc2")\n',
        "t/BUILD": _CHOSEN["t/BUILD"] + another,
        "t/r.bzl": _CHOSEN["t/r.bzl"].replace('["//t:type"]', '["//t:type", "//t:second"]'),
    }
    write_files(tmp_path, files)
    opened = Workspace.open(tmp_path, bazel_version=version, host="linux")
    refusals = opened.configure(["--platforms=//t:mine"]).refusals("//u:top")
    assert len(refusals) == is_refused
    told = "toolchain types //t:type and //t:second both resolved to target //t:chain, of which"
    assert all(f"{told} this Bazel crashes" in one.message for one in refusals)


@pytest.mark.parametrize(("version", "is_refused"), [("4.2.3", True), ("8.4.0", False)])
def test_the_scope_of_a_genquery_is_not_configured_any_more(
    tmp_path: Path, version: str, is_refused: bool
) -> None:
    build = """
filegroup(name = "tests", testonly = True)
genquery(name = "top", expression = "//:tests", scope = [":tests"])
"""
    assert bool(refused(tmp_path, build, version=version)) == is_refused


_FAILING = """
def _fails(settings, attr):
    fail("no such board")

fails = transition(
    implementation = _fails,
    inputs = [],
    outputs = ["//command_line_option:cpu"],
)

def _impl(ctx):
    return []

r = rule(
    implementation = _impl,
    cfg = fails,
    attrs = {
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
some = rule(implementation = _impl, attrs = {"names": attr.string_list(allow_empty = False)})
"""


def test_the_transition_of_what_is_asked_for_itself_fails(tmp_path: Path) -> None:
    (tmp_path / "d.bzl").write_text(_FAILING)
    found = refused(tmp_path, 'load(":d.bzl", "r")\nr(name = "top")\n')
    assert [one.kind.value for one in found] == ["transition-failed"]
    assert "no such board" in found[0].message


@pytest.mark.parametrize(
    ("names", "is_refused"), [("", True), ("names = [],", True), ('names = ["a"]', False)]
)
def test_an_attribute_that_may_not_be_empty(tmp_path: Path, names: str, is_refused: bool) -> None:
    (tmp_path / "d.bzl").write_text(_FAILING)
    found = refused(tmp_path, f'load(":d.bzl", "some")\nsome(name = "top", {names})\n')
    assert [one.message for one in found] == is_refused * [
        "in names attribute of some rule //:top: attribute must be non empty"
    ]


def test_a_suite_may_have_tests_that_nobody_can_tell(tmp_path: Path) -> None:
    far = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    far += 'http_archive(name = "far", urls = ["https://far.example/far.zip"])\n'
    build = 'test_suite(name = "top", tests = ["@far//:t"])\n'
    assert refused(tmp_path, build, workspace=far) == ()


_OF_WHOM_NOBODY_KNOWS = """
load("@rules//:defs.bzl", "GROUPS", "group")
package(default_visibility = {default})
filegroup(name = "own", visibility = ["//x:__pkg__", group("x")])
filegroup(name = "sum", visibility = ["//x:__pkg__"] + GROUPS)
filegroup(name = "whole", visibility = GROUPS)
filegroup(name = "default")
filegroup(name = "grouped", visibility = [":friends"])
filegroup(name = "told", visibility = ["//x:__pkg__"])
genrule(name = "made", outs = ["made.txt"], cmd = "")
package_group(name = "friends", packages = ["//x", group("x")])
exports_files(["file.txt"], visibility = ["//x:__pkg__", group("x")])
config_setting(name = "set", define_values = {{"a": "b"}})
group(name = "made_by_group")
"""


@pytest.mark.parametrize("default", ['["//x:__pkg__", group("x")]', "GROUPS", 'group("x")'])
@pytest.mark.parametrize("version", ["4.2.3", "7.7.1"])
def test_who_may_see_a_target_need_not_be_known(tmp_path: Path, default: str, version: str) -> None:
    archive = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    names = ("own", "sum", "whole", "default", "grouped", "made.txt", "file.txt", "told")
    names += ("made_by_group",)
    users = "".join(f'filegroup(name = "{name}", srcs = ["//p:{name}"])\n' for name in names)
    for key in ("set", "made_by_group"):
        branches = f'{{"//p:{key}": [], "//conditions:default": []}}'
        users += f'filegroup(name = "on_{key}", srcs = select({branches}))\n'
    write_files(
        tmp_path,
        {
            "WORKSPACE": f'{archive}http_archive(name = "rules", urls = ["https://example.org/x"])',
            "p/BUILD": _OF_WHOM_NOBODY_KNOWS.format(default=default),
            "u/BUILD": users,
        },
    )
    configured = Workspace.open(tmp_path, bazel_version=version, host="linux").configure([])
    names += ("on_set", "on_made_by_group")
    assert {name for name in names if configured.refusals(f"//u:{name}")} == {"told"}


def test_what_a_macro_of_a_model_declares_besides_may_be_shown_to_more(tmp_path: Path) -> None:
    archive = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    url = "https://example.com/bazel-gazelle-v0.36.0.tar.gz"
    write_files(
        tmp_path,
        {
            "WORKSPACE": f'{archive}http_archive(name = "bazel_gazelle", urls = ["{url}"])',
            "BUILD": 'load("@bazel_gazelle//:def.bzl", "gazelle")\ngazelle(name = "gazelle")',
            "u/BUILD": """
filegroup(name = "beside", srcs = ["//:gazelle-runner"])
filegroup(name = "itself", srcs = ["//:gazelle"])
""",
        },
    )
    configured = Workspace.open(tmp_path, bazel_version="7.7.1", host="linux").configure([])
    assert not configured.refusals("//u:beside")
    assert [one.kind.value for one in configured.refusals("//u:itself")] == ["not-visible"]
