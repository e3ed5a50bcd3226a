"""Transitions: which configurations they make of the targets of a graph."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from tests.support.files import write_files
from tests.support.ours import label
from tests.unit.analysis.graph import transition_worlds as worlds
from tests.unit.analysis.graph import transitions_of_files
from tests.unit.analysis.graph.transition_worlds import graph_of, leaves


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return worlds.write(tmp_path, worlds.TRANSITIONS)


CLOSURES = [
    # target, flags, what //p:leaf takes in each of its configurations
    ("//p:attribute", (), [["b"], ["b", "x.txt"]]),
    ("//p:attribute", ("--cpu=arm",), [["b", "x.txt"]]),
    ("//p:own", (), [["b", "d", "y.txt"]]),
    ("//p:own_same", (), [["b", "d"]]),
    ("//p:own_same", ("--//p:color=blue",), [["b", "d", "y.txt"]]),
    ("//p:two", (), [["b", "d"], ["b", "d", "y.txt"]]),
    ("//p:splits", (), [["a"], ["b"], ["b"], ["b", "c"]]),
    ("//p:splits", ("--compilation_mode=opt",), [["a", "c"], ["b"], ["b", "c"]]),
    ("//p:platforms", (), [["b", "d", "f", "y.txt"], ["b", "f"]]),
    ("//p:through_alias", (), [["b", "d", "y.txt"]]),
    ("//p:tools", (), [["b", "c"]]),
    # Then tools share the top-level configuration, and the transition of `own` is left out.
    ("//p:tools", ("--nodistinct_host_configuration",), [["b"], ["b", "x.txt"]]),
]


@pytest.mark.parametrize(("target", "flags", "expected"), CLOSURES)
def test_transitions_make_configurations(
    root: Path, target: str, flags: Sequence[str], expected: list[list[str]]
) -> None:
    assert leaves(graph_of(root, *flags), target) == sorted(expected)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("//bad:lying", "undeclared output '//command_line_option:copt'"),
        ("//bad:looping", "takes more than 200000 steps"),
        ("//bad:prying", "//command_line_option:host_cpu"),
    ],
)
def test_a_transition_that_fails_is_told_and_the_rest_stands(
    root: Path, target: str, reason: str
) -> None:
    graph = graph_of(root)
    (edge,) = [e for e in graph.edges(graph.top(label(target))) if e.edge.attribute == "bad_deps"]
    assert edge.unknown is not None
    assert reason in str(edge.unknown)
    assert leaves(graph, target) == [["b"]]


def test_what_a_transition_set_says_so(root: Path) -> None:
    graph = graph_of(root)
    (edge,) = [
        e for e in graph.edges(graph.top(label("//p:attribute"))) if e.edge.attribute == "arm_deps"
    ]
    assert edge.target.configuration is not None
    (instance,) = edge.target.configuration.value("cpu").instances
    assert instance.text == "transition arm"
    assert instance.location is not None
    assert instance.location.short == "p/defs.bzl:7"


def test_old_packages_of_the_cache_find_their_transitions(root: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for _ in range(2):
        workspace = Workspace.open(root, bazel_version="4.2.3", cache_dir=cache)
        asked = workspace.configure(())
        assert leaves(asked.world.configured, "//p:own") == [["b", "d", "y.txt"]]
        asked.save()


ANALYSIS_TESTS = [
    # What //p:leaf takes in each configuration; that of a tested target is another one even
    # where all options that can be set are the same.
    ("//p:strict_test", [["a", "c", "d"]]),
    ("//p:same_test", [["b"], ["b"]]),
    ("//p:empty_test", [["b"], ["b"]]),
    (
        "//p:user_test",
        [["a", "c", "d"], ["b"], ["b"], ["b"], ["b"], ["b"], ["b", "c"]],
    ),
]


@pytest.mark.parametrize(("target", "expected"), ANALYSIS_TESTS)
def test_transitions_of_analysis_tests(
    tmp_path: Path, target: str, expected: list[list[str]]
) -> None:
    graph = graph_of(worlds.write(tmp_path, worlds.ANALYSIS_TESTS))
    assert leaves(graph, target) == expected


SAME = {
    "WORKSPACE": "",
    "r.bzl": """\
CPU = "//command_line_option:cpu"

def _impl(ctx):
    return []

def _same(settings, attr):
    return {CPU: settings[CPU]}

def _arm(settings, attr):
    return {CPU: "arm"}

same = transition(implementation = _same, inputs = [CPU], outputs = [CPU])
arm = transition(implementation = _arm, inputs = [], outputs = [CPU])
leaf = rule(_impl)
tool_of = rule(_impl, attrs = {"tool": attr.label(cfg = "exec")})

def _to(cfg):
    return rule(_impl, attrs = {
        "dep": attr.label(cfg = cfg),
        "deps": attr.label_list(),
        "_whitelist_function_transition": attr.label(
            default = "@bazel_tools//tools/whitelists/function_transition_whitelist",
        ),
    })

to_same = _to(same)
to_arm = _to(arm)
""",
    "BUILD": """\
load(":r.bzl", "leaf", "to_arm", "to_same", "tool_of")
leaf(name = "leaf")
tool_of(name = "tools", tool = ":leaf")
to_same(name = "same", dep = ":leaf", deps = [":leaf"])
to_arm(name = "arm", dep = ":tools", deps = [":tools"])
""",
}


@pytest.mark.parametrize(
    ("version", "target", "count"),
    [
        ("2.1.0", "//:same", 2),
        ("4.2.3", "//:same", 1),
        ("2.1.0", "//:arm", 1),
        ("4.2.3", "//:arm", 2),
    ],
)
def test_what_a_transition_leaves_behind(
    tmp_path: Path, version: str, target: str, count: int
) -> None:
    """In 2.1.0 an option that is set to what it was makes another configuration, and tools
    forget what was set before them; in 4.2.3 it is the other way round (measured)."""
    for name, text in SAME.items():
        (tmp_path / name).write_text(text)
    asked = Workspace.open(tmp_path, bazel_version=version).configure([])
    reached = asked.world.configured.deps([label(target)])
    assert sum(node.label == label("//:leaf") for node in reached) == count


@pytest.mark.parametrize(
    ("target", "flags", "expected"),
    [
        ("//:plain", (), [["d"], ["m"]]),
        ("//:o2", ("--apple_platform_type=ios", "--ios_multi_cpus=arm64,armv7"), [["a"]]),
        ("//:of_eleven", ("--ios_multi_cpus=arm64,x86_64,armv7",), [["a"], ["i"]]),
        ("//:f", ("--noexperimental_enable_objc_cc_deps",), [["d"]]),
        ("//:s", ("--macos_cpus=arm64,x86_64",), [["d"], ["m"]]),
    ],
)
def test_transitions_of_bazels_own_for_apple(
    target: str, flags: tuple[str, ...], expected: list[list[str]], tmp_path: Path
) -> None:
    graph = graph_of(worlds.write(tmp_path, worlds.APPLE), *flags)
    assert leaves(graph, target, "//:x") == expected


@pytest.mark.parametrize(
    ("target", "version", "flags", "expected"),
    [
        ("//:s", "2.1.0", (), [["a", "f"]]),
        ("//:plain", "2.1.0", (), [["a", "f"], ["d"]]),
        ("//:s", "0.24.1", ("--fat_apk_cpu=x86,arm64-v8a,x86",), [["b", "f"], ["c", "e", "f"]]),
        ("//:twice", "2.1.0", ("--fat_apk_cpu=x86,arm64-v8a",), [["b", "f"], ["c", "e", "f"]]),
        ("//:s", "2.1.0", ("--fat_apk_cpu=", "--android_cpu=x86"), [["c", "e", "f"]]),
        ("//:s", "6.5.0", ("--fat_apk_cpu=x86",), [["c", "e", "f"]]),
        ("//:s", "7.7.1", ("--fat_apk_cpu=x86",), [["d", "f"]]),
        ("//:of_apk", "6.5.0", ("--fat_apk_cpu=x86",), [["c", "e", "f"]]),
    ],
)
def test_android_builds_once_for_each_cpu(
    target: str, version: str, flags: tuple[str, ...], expected: list[list[str]], tmp_path: Path
) -> None:
    root = worlds.write(tmp_path, worlds.ANDROID)
    with (root / "BUILD").open("a") as file:
        file.write('android_binary(name = "of_apk", deps = [":x"], manifest = "m.xml")\n')
    assert leaves(graph_of(root, *flags, version=version), target, "//:x") == expected


IN_BUILD_FILE = {
    "MODULE.bazel": "",
    "p/defs.bzl": """\
def check(name, settings = {}):
    testing.analysis_test(
        name,
        _passes,
        attrs = {"target": attr.label(cfg = analysis_test_transition(settings = settings))},
        attr_values = {"target": ":leaf"},
    )

def _passes(ctx):
    return [AnalysisTestResultInfo(success = True, message = "")]
""",
    "p/BUILD": """\
load(":defs.bzl", "check")
config_setting(name = "opt", values = {"compilation_mode": "opt"})
filegroup(name = "leaf", srcs = select({":opt": [":a"], "//conditions:default": [":b"]}))
[filegroup(name = name) for name in ["a", "b"]]
check("plain")
check("opted", settings = {"//command_line_option:compilation_mode": "opt"})
""",
}


@pytest.mark.parametrize(("name", "expected"), [("plain", [["b"]]), ("opted", [["a"]])])
@pytest.mark.parametrize("is_kept", [False, True])
def test_an_analysis_test_made_by_a_build_file_has_its_transition(
    tmp_path: Path, name: str, expected: list[list[str]], is_kept: bool
) -> None:
    root = worlds.write(tmp_path / "w", IN_BUILD_FILE)
    for _ in range(1 + is_kept):
        opened = Workspace.open(root, bazel_version="8.4.0", cache_dir=tmp_path / "cache")
        line = opened.configure(())
        assert leaves(line.world.configured, f"//p:{name}") == expected
        line.save()


def test_what_fails_by_what_its_file_could_not_know_is_unknown(tmp_path: Path) -> None:
    world = {
        "WORKSPACE": "",
        "BUILD": "",
        "r.bzl": """\
load("@gone//:cpus.bzl", "CPUS")
CPU = "//command_line_option:cpu"
OF_CPU = {cpu: cpu for cpu in CPUS}

def _mapped(settings, attr):
    return {CPU: OF_CPU[settings[CPU]]}

def _impl(ctx):
    return []

def _to(function):
    return rule(_impl, attrs = {
        "dep": attr.label(
            cfg = transition(implementation = function, inputs = [CPU], outputs = [CPU]),
        ),
        "_whitelist_function_transition": attr.label(
            default = "@bazel_tools//tools/whitelists/function_transition_whitelist",
        ),
    })

to_mapped = _to(_mapped)
""",
        "p/BUILD": """\
load("//:r.bzl", "to_mapped")
filegroup(name = "leaf")
to_mapped(name = "top", dep = ":leaf")
""",
    }
    gone = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    gone += 'http_archive(name = "gone", urls = ["https://example.org/gone.tar.gz"])\n'
    world["WORKSPACE"] = gone
    opened = Workspace.open(worlds.write(tmp_path, world), bazel_version="4.2.3")
    assert opened.configure(()).refusals("//p:top") == ()
    sure = {**world, "r.bzl": world["r.bzl"].replace("for cpu in CPUS", "for cpu in ['x']")}
    opened = Workspace.open(worlds.write(tmp_path / "sure", sure), bazel_version="4.2.3")
    assert [refusal.message for refusal in opened.configure(()).refusals("//p:top")] == [
        'key "k8" not found in dictionary'
    ]


@pytest.mark.parametrize("version", transitions_of_files.REFUSED)
@pytest.mark.parametrize("name", ["of_file", "of_rule"])
def test_old_releases_need_no_transition_for_a_file(
    name: str, version: str, tmp_path: Path
) -> None:
    write_files(tmp_path, transitions_of_files.FILES)
    configured = Workspace.open(tmp_path, bazel_version=version).configure([])
    refused = {
        refusal.target.name for refusal in configured.refusals(f"//:{name}") if refusal.target
    }
    assert refused == transitions_of_files.REFUSED[version] & {name}


def test_an_edit_of_a_build_file_changes_the_transition_of_its_tests(tmp_path: Path) -> None:
    root = worlds.write(tmp_path / "w", IN_BUILD_FILE)
    line = Workspace.open(root, bazel_version="8.4.0").configure(())
    loader = line.world.loader
    before = loader.analysis_test(PackageId("", "p"), "opted_test")
    build = root / "p/BUILD"
    build.write_text(build.read_text().replace('check("opted"', 'check("other"'))
    assert before is not None
    assert loader.reread(["p/BUILD"])
    assert loader.analysis_test(PackageId("", "p"), "opted_test") is None
    assert loader.analysis_test(PackageId("", "p"), "other_test") is not None


def test_a_file_that_is_edited_may_take_nothing_for_granted_any_more(tmp_path: Path) -> None:
    world = {
        "MODULE.bazel": 'bazel_dep(name = "gone", version = "1.0")\n',
        "BUILD": "",
        "r.bzl": 'load("@gone//:cpus.bzl", "CPUS")\nOF_CPU = [cpu for cpu in CPUS]\n',
        "p/BUILD": 'load("//:r.bzl", "OF_CPU")\n',
    }
    root = worlds.write(tmp_path, world)
    loader = Workspace.open(root, bazel_version="8.4.0").configure(()).world.loader
    loader.package(PackageId("", "p"))
    assert list(loader.context.doubtful_files) == ["r.bzl"]
    (root / "r.bzl").write_text('OF_CPU = ["k8"]\n')
    assert loader.reread(["r.bzl"])
    loader.package(PackageId("", "p"))
    assert not loader.context.doubtful_files


def test_an_output_that_nobody_can_tell_is_not_refused(tmp_path: Path) -> None:
    files = {
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.com/far.zip"])
""",
        "p/BUILD": 'load(":defs.bzl", "own")\nown(name = "top", srcs = ["x.txt"])\n',
        "p/defs.bzl": """
load("@far//:defs.bzl", "labels")

_NAME = "//command_line_option:cpu"

def _set(settings, attr):
    return {labels.strict: settings[labels.strict], _NAME: "arm"}

own = rule(
    lambda ctx: [],
    attrs = {"srcs": attr.label_list(allow_files = True)},
    cfg = transition(
        implementation = _set,
        inputs = [labels.strict],
        outputs = [labels.strict, _NAME],
    ),
)
""",
    }
    write_files(tmp_path, files)
    asked = Workspace.open(tmp_path, bazel_version="7.1.0").configure(["//p:top"])
    envelope = asked.explain().envelope
    assert not envelope.refusals
    assert not asked.world.configured.top(label("//p:top")).configuration.changes


@pytest.mark.parametrize(
    ("statement", "refusal"),
    [
        ("made[KEY] += ['b']", ""),
        ("settings[KEY].append('b')", ""),
        ("settings[KEY] = ['b']", "trying to mutate a frozen dict value"),
        ("attr.more.append('b')", "trying to mutate a frozen list value"),
    ],
)
def test_what_a_transition_may_change_of_what_it_is_given(
    tmp_path: Path, statement: str, refusal: str
) -> None:
    """Its settings are a frozen dict that hands out copies of lists (measured: 4.2.3, 2.1.0)."""
    rules = f"""
KEY = "//command_line_option:copt"
def _set(settings, attr):
    made = dict(settings)
    {statement}
    return made
changed = transition(implementation = _set, inputs = [KEY], outputs = [KEY])
def _made(ctx):
    return []
sets = rule(_made, attrs = {{
    "dep": attr.label(cfg = changed),
    "more": attr.string_list(),
    "_whitelist_function_transition": attr.label(
        default = "@bazel_tools//tools/whitelists/function_transition_whitelist",
    ),
}})
"""
    build = 'load(":r.bzl", "sets")\nfilegroup(name = "leaf")\n'
    build += 'sets(name = "top", dep = ":leaf", more = ["a"])\n'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": build, "r.bzl": rules})
    build_line = Workspace.open(tmp_path, bazel_version="4.2.3").configure(["--copt=-a"])
    refusals = build_line.refusals("//:top")
    assert [one.message for one in refusals] == ([refusal] if refusal else [])


@pytest.mark.parametrize(("kind", "is_refused"), [("far_flag", False), ("filegroup", True)])
def test_a_setting_of_a_rule_that_nobody_knows_is_not_refused(
    tmp_path: Path, kind: str, is_refused: bool
) -> None:
    rules = """
def _set(settings, attr):
    return {"//:flag": "x"}
changed = transition(implementation = _set, inputs = [], outputs = ["//:flag"])
def _made(ctx):
    return []
sets = rule(_made, attrs = {
    "dep": attr.label(cfg = changed),
    "_whitelist_function_transition": attr.label(
        default = "@bazel_tools//tools/whitelists/function_transition_whitelist",
    ),
})
"""
    files = {
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", urls = ["https://example.com/far.zip"])
""",
        "BUILD": f"""
load("@far//:flags.bzl", "far_flag")
load(":r.bzl", "sets")
{kind}(name = "flag")
filegroup(name = "leaf")
sets(name = "top", dep = ":leaf")
""",
        "r.bzl": rules,
    }
    write_files(tmp_path, files)
    asked = Workspace.open(tmp_path, bazel_version="4.2.3").configure()
    assert bool(asked.refusals("//:top")) == is_refused


@pytest.mark.parametrize(
    ("value", "release", "missing"),
    [
        ('[":p"]', "8.0.0", None),
        ('":p"', "8.0.0", None),
        ('["//t:p"]', "4.2.3", None),
        ('[":p"]', "4.2.3", "//:p"),
        ('[":q"]', "8.0.0", "//t:q"),
    ],
)
def test_labels_are_read_in_the_file_that_makes_a_transition(
    value: str, release: str, missing: str | None, tmp_path: Path
) -> None:
    makes = (
        "def _nothing(ctx):\n    return []\n"
        "def made(cfg):\n    return rule(_nothing, cfg = cfg, attrs = {\n"
        "        '_whitelist_function_transition': attr.label(\n"
        "        default = '@bazel_tools//tools/whitelists/function_transition_whitelist')})\n"
    )
    transits = (
        'load("//lib:made.bzl", "made")\n'
        f'def _t(settings, attr):\n    return {{"//command_line_option:platforms": {value}}}\n'
        "r = made(transition(implementation = _t, inputs = [], outputs ="
        ' ["//command_line_option:platforms"]))\n'
    )
    builds = 'load(":t.bzl", "r")\nplatform(name = "p")\nr(name = "top")\n'
    files = {"WORKSPACE": "", "lib/BUILD": "", "lib/made.bzl": makes, "t/t.bzl": transits}
    write_files(tmp_path, {**files, "BUILD": "", "t/BUILD": builds})
    workspace = Workspace.open(tmp_path, bazel_version=release, host="linux")
    refused = workspace.configure(["--enable_workspace"] if release > "7" else []).refusals(
        "//t:top"
    )
    assert [missing in one.message for one in refused if missing] == [True] * bool(missing)
    assert len(refused) == bool(missing)


def test_an_extended_rule_runs_its_own_transition_and_then_that_of_its_parent(
    tmp_path: Path,
) -> None:
    """Bazel: `ComposingTransitionFactory.of(own, parent)`."""
    rules = (
        "_COPT = '//command_line_option:copt'\n"
        "def _impl(ctx):\n    return []\n"
        "def _sets(define):\n"
        "    def run(settings, attr):\n        return {_COPT: settings[_COPT] + [define]}\n"
        "    return transition(implementation = run, inputs = [_COPT], outputs = [_COPT])\n"
        "base = rule(_impl, cfg = _sets('-DB'), attrs = {'deps': attr.label_list()})\n"
        "plain = rule(_impl, parent = base)\n"
        "own = rule(_impl, parent = base, cfg = _sets('-DO'))\n"
        "last = rule(_impl, parent = own, cfg = _sets('-DL'))\n"
        "def _leaf(ctx):\n    fail(','.join(ctx.fragments.cpp.copts))\n"
        "leaf = rule(_leaf, fragments = ['cpp'])\n"
    )
    names = ("base", "plain", "own", "last")
    builds = 'load(":r.bzl", "base", "last", "leaf", "own", "plain")\nleaf(name = "leaf")\n'
    builds += "".join(f'{name}(name = "t_{name}", deps = [":leaf"])\n' for name in names)
    write_files(tmp_path, {"MODULE.bazel": "", "p/BUILD": builds, "p/r.bzl": rules})
    configured = Workspace.open(tmp_path, bazel_version="8.0.0", host="linux").configure([])
    told = {name: configured.refusals(f"//p:t_{name}")[0].message for name in names}
    assert told == {"base": "-DB", "plain": "-DB", "own": "-DO,-DB", "last": "-DL,-DO,-DB"}
