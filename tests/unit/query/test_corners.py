"""What questions at random found beside 4.2.3, each as small as it can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.files import write_files

_BUILD = """
load(":m.bzl", "macro")
package(
    default_visibility = [":friends"],
    features = ["b", "-a"],
)
package_group(name = "friends", packages = ["//p", "-//q", "//..."])
filegroup(name = "all")
filegroup(name = "loop1", srcs = [":loop2"])
filegroup(name = "loop2", srcs = [":loop1"])
config_setting(name = "c", values = {"cpu": "k8"}, visibility = [":friends"])
macro(name = "made")
genrule(name = "g", outs = ["o"], cmd = select({":c": "1"}, no_match_error = "none"))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "up/p/down"
    for path, text in {
        "WORKSPACE": "",
        "p/BUILD": _BUILD,
        "p/m.bzl": "def macro(name):\n    native.filegroup(name = name)\n",
        "q/BUILD.bazel": 'load("//p:m.bzl", "macro")\nmacro(name = "q")\n',
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def _ask(root: Path, capfd: pytest.CaptureFixture[str], *words: str, command: str = "query") -> str:
    main([command, "-w", str(root), "--bazel-version", "4.2.3", "--no-cache", *words])
    return capfd.readouterr().out


@pytest.mark.parametrize(
    ("expression", "flags", "answer"),
    [
        ("//p:all", (), ["//p:all"]),
        ("p:all - //p:all", (), ["//p:made", "//p:loop1", "//p:loop2", "//p:g", "//p:c"]),
        ("deps(//p:made)", ("--noimplicit_deps",), ["//p:made"]),
        ("deps(//p:made)", (), ["//p:made", "//p:friends"]),
        ("deps(//p:c) ^ //p:friends", (), []),
        ("labels(visibility, //p:c + //p:made)", (), ["//p:friends"]),
        ("deps(//p:made, '-1')", (), []),
        ("//p:loop1 + //p:loop2", ("--output=minrank",), ["0 //p:loop1", "0 //p:loop2"]),
        ("siblings(loadfiles(//q:q))", ("--output=package",), ["q"]),
        ("buildfiles(buildfiles(//q:q))", ("--output=package",), ["p", "q"]),
    ],
)
def test_answers(
    expression: str,
    flags: tuple[str, ...],
    answer: list[str],
    root: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert _ask(root, capfd, *flags, expression).splitlines() == answer


def test_files_of_bazelscopes_own_are_loaded_by_nothing(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    select = 'select({"@bazel_tools//src/conditions:windows": [], "//conditions:default": []})'
    write_files(root, {"m/BUILD": f'filegroup(name = "x", srcs = {select})\n'})
    for function in ("loadfiles", "buildfiles"):
        told = _ask(root, capfd, f"{function}(deps(//m:x))", "--output=label")
        assert ("@bazel_tools//" in told) == (function == "buildfiles")
        assert "bazelscope.bzl" not in told


def test_a_universe_is_inferred(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    flags = ("--infer_universe_scope", "--order_output=no", "--noimplicit_deps")
    found = _ask(root, capfd, *flags, "allrdeps(//p:loop1)")
    assert sorted(found.splitlines()) == ["//p:loop1", "//p:loop2"]


def test_the_place_of_a_generator(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It begins where the package's name is first met, were it above the workspace."""
    shown = _ask(root, capfd, "//p:made", "--output=build")
    path = f"{root}/p/BUILD"
    assert f'generator_location = "{path[path.index("p") :]}:' in shown


def test_build_files_of_another_name_tell_nothing(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    told = _ask(root, capfd, "//p:BUILD", "--output=xml")
    assert '<load name="//p:m.bzl"/>' in told
    assert told.index('<feature name="-a"/>') < told.index('<feature name="b"/>')
    assert "<load" not in _ask(root, capfd, "//q:BUILD.bazel", "--output=xml")


def test_groups_are_ordered_by_what_they_say(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = _ask(root, capfd, "//p:friends", "--output=xml").splitlines()
    values = [line.partition('"')[2][:-3] for line in lines if "<string" in line]
    assert values == ["//...", "-q", "p"]


def test_the_error_of_a_select_is_not_shown(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert 'cmd = select({"//p:c": "1"}),' in _ask(root, capfd, "//p:g", "--output=build")


ZEROS = {
    "WORKSPACE": "",
    "p/r.bzl": """\
def _impl(ctx):
    return []

def _dep(which):
    return Label("//p:" + which + "_dep")

r = rule(
    _impl,
    attrs = {
        "b": attr.bool(default = True),
        "i": attr.int(default = 3),
        "l": attr.label(default = ":x_dep"),
        "ll": attr.label_list(default = [":x_dep"]),
        "which": attr.string(default = "x"),
        "_dep": attr.label(default = _dep),
    },
)
""",
    "p/BUILD": """\
load(":r.bzl", "r")
config_setting(name = "opt", values = {"compilation_mode": "opt"})
[filegroup(name = name + "_dep") for name in ["", "x", "a", "a_b"]]
r(
    name = "t",
    b = select({":opt": None, "//conditions:default": True}),
    i = select({":opt": None, "//conditions:default": 1}),
    l = select({":opt": None, "//conditions:default": ":a_dep"}),
    ll = select({":opt": None, "//conditions:default": [":a_dep"]}),
    which = select({":opt": None, "//conditions:default": "a"}),
)
r(name = "sum", which = "a" + select({":opt": "_b", "//conditions:default": ""}))
""",
}


@pytest.fixture
def zeros(tmp_path: Path) -> Path:
    write_files(tmp_path, ZEROS)
    return tmp_path


def test_a_branch_that_is_none_shows_the_zero_of_its_type(
    zeros: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever the attribute's default is; a label has none (4.2.3, 2.1.0 and 0.24.1)."""
    shown = _ask(zeros, capfd, "//p:t", "--output=build")
    for line in (
        'b = select({"//p:opt": False, "//conditions:default": True}),',
        'i = select({"//p:opt": 0, "//conditions:default": 1}),',
        'l = select({"//p:opt": null, "//conditions:default": "//p:a_dep"}),',
        'll = select({"//p:opt": [], "//conditions:default": ["//p:a_dep"]}),',
        'which = select({"//p:opt": "", "//conditions:default": "a"}),',
    ):
        assert f"  {line}\n" in shown
    assert '<int configurable="yes" name="i"/>' in _ask(zeros, capfd, "//p:t", "--output=xml")
    for attribute, pattern in (("which", "^$"), ("b", "^0$"), ("i", "^0$"), ("ll", "^..$")):
        assert _ask(zeros, capfd, f"attr({attribute}, '{pattern}', //p:t)") == "//p:t\n"


@pytest.mark.parametrize(
    ("target", "computed"),
    [("t", {"//p:_dep", "//p:a_dep"}), ("sum", {"//p:a_b_dep", "//p:a_dep"})],
)
def test_a_default_computed_from_a_select_has_a_value_in_each_branch(
    target: str, computed: set[str], zeros: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = _ask(zeros, capfd, f"labels($dep, //p:{target})")
    assert set(found.split()) == computed
    assert computed <= set(_ask(zeros, capfd, f"deps(//p:{target})").split())


def test_a_branch_that_is_none_leads_to_what_the_default_names(
    zeros: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = _ask(zeros, capfd, "deps(//p:t, 1)", "--noimplicit_deps")
    assert set(found.split()) == {"//p:t", "//p:a_dep", "//p:x_dep", "//p:opt"}
    words = ["-w", str(zeros), "--bazel-version", "4.2.3", "--no-cache", "-c", "opt"]
    for option, hidden in (("--noimplicit_deps", True), ("--implicit_deps", False)):
        assert main(["cquery", *words, option, "deps(//p:t, 1)"]) == 0
        labels = {line.split(" ")[0] for line in capfd.readouterr().out.splitlines()}
        assert "//p:a_dep" not in labels
        assert ("//p:x_dep" not in labels) == hidden


_SMALL = """
load(":d.bzl", "r")
alias(name = "file", actual = "f.txt")
config_setting(name = "no_libc", values = {"grte_top": "default"})
r(name = "x", deps = select({":no_libc": {":y": "a"}, "//conditions:default": {}}))
filegroup(name = "y")
"""


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        # A file has no configuration, the alias that leads to one has.
        (
            ("//:file", "--output=starlark", "--starlark:expr=build_options(target) == None"),
            ["False"],
        ),
        # "default" stands for no libc at all.
        (("deps(//:x) intersect //:y", "--output=label"), ["//:y"]),
        (("deps(//:x) intersect //:y", "--output=label", "--grte_top=//a"), []),
        (("deps(//:x) intersect //:y", "--output=label", "--grte_top=default"), ["//:y"]),
    ],
)
def test_configured_answers(
    words: tuple[str, ...], answer: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _write_small(tmp_path)
    main(["cquery", "-w", str(tmp_path), "--bazel-version", "4.2.3", "--no-cache", *words])
    assert [line.partition(" (")[0] for line in capfd.readouterr().out.splitlines()] == answer


def test_dictionaries_of_labels_carry_no_conditions(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _write_small(tmp_path)
    words = ("--output=graph", "--noimplicit_deps", "--nograph:factored")
    drawn = _ask(tmp_path, capfd, "deps(//:x)", *words)
    assert '"//:x" -> "//:y"' in drawn
    assert "label=" not in drawn


def _write_small(root: Path) -> None:
    rule = (
        "def _impl(ctx):\n    return []\n\n"
        'r = rule(implementation = _impl, attrs = {"deps": attr.label_keyed_string_dict()})\n'
    )
    write_files(root, {"WORKSPACE": "", "BUILD": _SMALL, "d.bzl": rule, "f.txt": ""})


_ENVIRONMENTS = """
package(default_restricted_to = [":one"])
environment(name = "one")
environment_group(name = "group", environments = [":one"], defaults = [])
filegroup(name = "plain")
filegroup(name = "own", restricted_to = [":one"])
"""


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("kind('environment', //e:*)", "--output=label_kind"), ["environment rule //e:one",
         "environment group //e:group"]),
        (("deps(//e:group)",), ["//e:group"]),
        (("deps(//e:plain)",), ["//e:plain"]),
        (("labels(restricted_to, //e:plain + //e:own)",), ["//e:one"]),
        (("//e:group", "--output=xml", "--noxml:line_numbers"), [
            '<environment-group location="e/BUILD" name="//e:group">',
            '<list name="environments">',
            '<label value="//e:one"/>',
            "</list>",
            '<list name="defaults"/>',
            "</environment-group>",
        ]),
    ],
)  # fmt: skip
def test_environments(
    words: tuple[str, ...], answer: list[str], root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What a package says of its environments is a dependency of no rule to a query."""
    write_files(root, {"e/BUILD": _ENVIRONMENTS})
    lines = _ask(root, capfd, *words, "--relative_locations").splitlines()
    told = [line.strip() for line in lines if "query" not in line and "<?xml" not in line]
    assert told == answer


def test_a_branch_of_none_holds_the_default(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rules = "def _impl(ctx):\n    return []\n"
    rules += (
        'r = rule(_impl, attrs = {"s": attr.string(default = "d"), "n": attr.int(default = 3)})'
    )
    none = 'select({"//conditions:default": None})'
    build = f'load(":r.bzl", "r")\nr(name = "x", s = {none}, n = {none})\n'
    write_files(tmp_path / "w", {"WORKSPACE": "", "r.bzl": rules, "BUILD": build})
    shown = _ask(tmp_path / "w", capfd, "//:x", "--output=build", command="cquery")
    assert 's = "d",' in shown and "n = 3," in shown
