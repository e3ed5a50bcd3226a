"""What `query` and `cquery` write in releases of Bazel that differ.

Of 5 to 9 nothing here is measured: it comes from their source, their release notes and the
reference of their options. What is said of 4.2.3 is measured.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.files import write_files

_RULES = """
Info = provider(fields = ["x"])
def _made(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".out")
    log = ctx.actions.declare_file(ctx.label.name + ".log")
    ctx.actions.write(out, "")
    ctx.actions.write(log, "")
    files = depset([out] + ctx.files.srcs)
    return [DefaultInfo(files = files), Info(x = 1), OutputGroupInfo(logs = depset([log]))]
made = rule(implementation = _made, attrs = {"srcs": attr.label_list(allow_files = True)})
"""
_ASPECT = """
def _none(*arguments): return []
looks = aspect(implementation = _none, attrs = {"_tool": attr.label(default = "//q:tool")})
looked = rule(implementation = _none, attrs = {"deps": attr.label_list(aspects = [looks])})
"""
_LOOKED = """
load(":r.bzl", "looked")
filegroup(name = "tool")
looked(name = "top", deps = [":low"])
looked(name = "low")
"""
_BUILD = """
load(":r.bzl", "made")
made(
    name = "a",
    srcs = ["s.txt"] + select({":dbg": ["d.txt"], "//conditions:default": []}),
    visibility = [":group"],
)
config_setting(name = "dbg", values = {"compilation_mode": "dbg"})
alias(name = "al", actual = ":a")
filegroup(name = "z", srcs = [":a"])
package_group(name = "group", packages = ["//p", "//x/...", "-//y", "//..."])
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("formats")
    override = 'local_path_override(module_name = "ext", path = "ext")'
    module = f'bazel_dep(name = "ext")\n{override}\n'
    rules = {"p/r.bzl": _RULES, "p/BUILD": _BUILD, "q/r.bzl": _ASPECT, "q/BUILD": _LOOKED}
    group = 'package_group(name = "group", packages = ["//e", "//..."])\n'
    external = {"ext/MODULE.bazel": 'module(name = "ext")', "ext/BUILD": group}
    write_files(root, {"WORKSPACE": "", "MODULE.bazel": module, **rules, **external})
    return str(root)


class _Run:
    def __init__(self, workspace: str, capfd: pytest.CaptureFixture[str]) -> None:
        self._workspace = workspace
        self._capfd = capfd

    def __call__(self, version: str, *words: str) -> tuple[int, str, str]:
        self._capfd.readouterr()
        own = ("-w", self._workspace, "--bazel-version", version, "--no-cache")
        code = main([words[0], *own, *words[1:]])
        return (code, *self._capfd.readouterr())


@pytest.fixture
def run(workspace: str, capfd: pytest.CaptureFixture[str]) -> _Run:
    return _Run(workspace, capfd)


@pytest.mark.parametrize(
    ("version", "command", "output", "hint"),
    [
        ("4.2.3", "query", "jsonproto", "it came with Bazel 6.3 and went with 6.4"),
        ("7.4.0", "query", "jsonproto", "it came with Bazel 6.3 and went with 6.4"),
        ("6.3.0", "query", "streamed_jsonproto", "it came with Bazel 6.4"),
        ("9.0.0", "query", "textproto", "did you mean"),
        ("6.5.0", "cquery", "streamed_proto", "it came with Bazel 7"),
        ("2.1.0", "cquery", "label_kind", "it came with Bazel 3"),
        ("0.24.1", "cquery", "build", "it came with Bazel 0.26"),
    ],
)
def test_formats_that_a_release_lacks(
    version: str, command: str, output: str, hint: str, run: _Run
) -> None:
    code, out, err = run(version, command, f"--output={output}", "//p:a")
    assert (code, out) == (2, "")
    assert f"`{command}` of Bazel {version} has no output format `{output}`" in err
    assert hint in err


def test_json_of_query(run: _Run) -> None:
    """6.3 writes one object after the other; since 6.4 each has a line."""
    words = ("query", "--proto:output_rule_attrs=", "--noproto:locations", "//p:al + //p:dbg")
    _, out, _ = run("6.3.0", *words, "--output=jsonproto")
    assert out.count('{\n  "type": "RULE",') == 2 and '}{\n  "type"' in out
    _, out, _ = run("6.4.0", *words, "--output=streamed_jsonproto")
    assert [line.startswith('{"type":"RULE",') for line in out.splitlines()] == [True, True]


def test_streams_of_cquery(run: _Run) -> None:
    """Each target stands in a result of its own, with its length before it."""
    words = ("cquery", "--output=streamed_proto", "--proto:output_rule_attrs=", "//p:al")
    with_configuration = run("7.4.0", *words)[1]
    plain = run("7.4.0", *words, "--noproto:include_configurations")[1]
    assert ord(with_configuration[0]) > ord(plain[0])
    assert "//p:al" in plain and "target" not in plain and "target" in with_configuration


_GROUP = '<string value="{}"/>'


@pytest.mark.parametrize(
    ("version", "flags", "shown"),
    [
        ("4.2.3", (), ["x/...", "//...", "-y", "p"]),
        ("5.4.1", (), ["x/...", "//...", "-y", "p"]),
        ("6.4.0", (), ["//x/...", "//...", "-//y", "//p"]),
        ("7.4.0", (), ["//p", "//x/...", "//...", "-//y"]),
        (
            "7.4.0",
            ("--noincompatible_package_group_includes_double_slash",),
            ["p", "x/...", "//...", "-y"],
        ),
    ],
)
def test_package_groups(version: str, flags: tuple[str, ...], shown: list[str], run: _Run) -> None:
    _, out, _ = run(version, "query", "--output=xml", *flags, "//p:group")
    lines = [line.strip() for line in out.splitlines() if "<string" in line]
    assert lines == [_GROUP.format(text) for text in shown]


@pytest.mark.parametrize(("version", "mark"), [("6.4.0", "@"), ("7.4.0", "@@"), ("9.0.0", "@@")])
@pytest.mark.parametrize(
    ("command", "output", "shown"),
    [
        ("query", "label", "{m}//p:a\n"),
        (
            *("query", "build"),
            (
                'srcs = ["{m}//p:s.txt"] + select({{"{m}//p:dbg": ["{m}//p:d.txt"],'
                ' "{m}//conditions:default": []}}),'
            ),
        ),
        ("query", "xml", '<label value="{m}//p:d.txt"/>'),
        ("query", "xml", '<rule-input name="{m}//p:s.txt"/>'),
        ("query", "streamed_jsonproto", '"stringListValue":["{m}//p:s.txt","{m}//p:d.txt"]'),
        ("query", "streamed_jsonproto", '"stringListValue":["{m}//p:group"]'),
        ("cquery", "build", 'srcs = ["{m}//p:s.txt"],'),
        ("cquery", "jsonproto", '"name": "{m}//p:a"'),
        ("cquery", "graph", '"{m}//p:a (target)"'),
    ],
)
def test_consistent_labels(
    version: str, mark: str, command: str, output: str, shown: str, run: _Run
) -> None:
    words = (command, f"--output={output}", "--consistent_labels", "//p:a")
    code, out, _ = run(version, *words)
    assert code == 0
    assert shown.format(m=mark) in out


@pytest.mark.parametrize(
    ("version", "flags", "files"),
    [
        ("5.3.0", (), ["a.out"]),
        ("6.5.0", (), ["a.out"]),
        ("7.0.0", (), ["a.out", "p/s.txt"]),
        ("7.0.0", ("--output_groups=logs",), ["a.log"]),
        ("7.0.0", ("--output_groups=+logs",), ["a.out", "p/s.txt", "a.log"]),
        ("7.0.0", ("--output_groups=-default",), []),
        ("7.0.0", ("--output_groups=logs,_hidden", "--output_groups=+nix"), ["a.log"]),
    ],
)
def test_files(version: str, flags: tuple[str, ...], files: list[str], run: _Run) -> None:
    """Source files are among them since 7; output groups come by name, hidden ones not at all."""
    words = ("cquery", "--output=files", "--cpu=k8", *flags, "//p:a")
    code, out, err = run(version, *words)
    assert (code, err) == (0, "")
    assert [line.removeprefix("bazel-out/k8-fastbuild/bin/p/") for line in out.split()] == files


def test_source_files_by_themselves(run: _Run) -> None:
    words = ("cquery", "--output=files", "//p:s.txt")
    assert run("6.5.0", *words)[1] == ""
    assert run("7.0.0", *words)[1] == "p/s.txt\n"


@pytest.mark.parametrize(
    ("version", "program", "shown"),
    [
        ("5.4.1", "providers(target)['//p:r.bzl%Info'].x", "1\n"),
        ("9.0.0", "providers(target)['//p:r.bzl%Info'].x", "1\n"),
        ("9.0.0", "providers(target).get('//p:r.bzl%Nix')", "None\n"),
        ("9.0.0", "'//p:r.bzl%Nix' in providers(target)", "False\n"),
        ("7.4.0", "providers(target)['OutputGroupInfo'].logs.to_list()[0].basename", "a.log\n"),
        ("8.2.0", "providers(target)['DefaultInfo'].files.to_list()[0].basename", "a.out\n"),
        ("7.0.0", "json.encode(struct(a = 1))", '{"a":1}\n'),
        ("7.0.0", "depset([1]).to_list()", "[1]\n"),
    ],
)
def test_programs(version: str, program: str, shown: str, run: _Run) -> None:
    words = ("cquery", "--output=starlark", f"--starlark:expr={program}", "//p:a")
    code, out, err = run(version, *words)
    assert (code, out, err) == (0, shown, "")


@pytest.mark.parametrize(
    ("version", "program", "code", "said"),
    [
        ("4.2.3", "json.encode(1)", 1, "name 'json' is not defined"),
        ("6.4.0", "json.encode(1)", 3, "whether it is there is not known of Bazel 6.4.0"),
        ("7.0.0", "proto.encode_text(target)", 3, "it is not modelled"),
        ("8.1.0", "providers(target)['DefaultInfo']", 3, 'key "DefaultInfo" not found'),
        ("9.0.0", "providers(target)", 3, "of Bazel 9.0.0 those alone are known"),
        ("9.0.0", "providers(target).keys()", 3, "of Bazel 9.0.0 those alone are known"),
        ("9.0.0", "'CcInfo' in providers(target)", 3, "of Bazel 9.0.0 those alone are known"),
    ],
)
def test_programs_that_cannot_be_told(
    version: str, program: str, code: int, said: str, run: _Run
) -> None:
    words = ("cquery", "--output=starlark", f"--starlark:expr={program}", "//p:a")
    found, out, err = run(version, *words)
    assert (found, out) == (code, "")
    assert said in err


def test_providers_of_an_alias(run: _Run) -> None:
    """They are None before 8 but for 7, of which it is not known."""
    program = "--starlark:expr=providers(target) and providers(target)['//p:r.bzl%Info'].x"
    words = ("cquery", "--output=starlark", program, "//p:al")
    assert run("6.4.0", *words)[:2] == (0, "None\n")
    assert run("8.0.0", *words)[:2] == (0, "1\n")
    code, out, err = run("7.4.0", *words)
    assert (code, out) == (3, "")
    assert "of an alias in Bazel 7.4.0" in err


@pytest.mark.parametrize(
    ("version", "command", "end", "is_warned"),
    [
        ("4.2.3", "query", "\0", False),
        ("4.2.3", "cquery", "\n", False),
        ("6.4.0", "cquery", "\n", False),
        ("7.4.0", "cquery", "\n", True),
        ("9.0.0", "cquery", "\0", False),
    ],
)
def test_ends_of_lines(version: str, command: str, end: str, is_warned: bool, run: _Run) -> None:
    code, out, err = run(version, command, "--line_terminator_null", "//p:a")
    assert (code, out[-1]) == (0, end)
    assert ("heeds `--line_terminator_null` is not known" in err) is is_warned
    if command == "cquery" and version > "4.2.3":
        words = (command, "--line_terminator_null", "--output=files", "//p:al")
        assert run(version, *words)[1][-1] == end


def test_order_of_an_option(run: _Run) -> None:
    words = ("query", "--noimplicit_deps", "//p:z + //p:a")
    assert run("7.4.0", *words)[1] == "//p:a\n//p:z\n"
    unsorted = run("7.4.0", *words, "--noincompatible_lexicographical_output")[1]
    assert unsorted == "//p:z\n//p:a\n"


def test_what_is_printed_and_not_written(run: _Run, workspace: str) -> None:
    code, out, err = run("8.2.0", "query", "--output_file=found", "//p:a")
    assert (code, out) == (0, "//p:a\n")
    assert "would write to `found` is printed" in err
    assert not (Path(workspace) / "found").exists()


def test_transitions(run: _Run) -> None:
    """Messages may have them since 6.2; their names are known of 4 and before."""
    words = ("cquery", "--transitions=lite", "--output=textproto", "//p:al")
    assert run("6.1.0", *words)[1] == "//p:al (target)\n"
    code, out, err = run("6.2.0", *words)
    assert (code, out[:7]) == (0, "results")
    assert "`configured_rule_input` is left out" in err
    assert "the names of transitions are those of" in run("6.1.0", *words)[2]


@pytest.mark.parametrize(
    ("version", "flags", "is_shown"),
    [
        ("4.2.3", (), False),
        ("4.2.3", ("--include_aspects",), True),
        ("7.4.0", (), True),
        ("7.4.0", ("--noinclude_aspects",), False),
        ("7.4.0", ("--noimplicit_deps",), False),
    ],
)
def test_what_aspects_need(version: str, flags: tuple[str, ...], is_shown: bool, run: _Run) -> None:
    """Measured of 4.2.3: `//q:tool` is among them with `--include_aspects` alone."""
    code, out, err = run(version, "cquery", *flags, "deps(//q:top) ^ //q:all")
    tool = "//q:tool (target)\n" if is_shown else ""
    assert (code, out) == (0, f"//q:top (target)\n//q:low (target)\n{tool}")
    assert "aspect" not in err


@pytest.mark.parametrize(("version", "name"), [("7.4.0", "ext~"), ("8.0.0", "ext+")])
def test_modules_lie_below_their_canonical_names(version: str, name: str, run: _Run) -> None:
    _, out, _ = run(version, "query", "--output=location", "@ext//:group")
    assert out.startswith(f"external/{name}/BUILD:1:")
    _, out, _ = run(version, "query", "--output=xml", "@ext//:group")
    assert f'value="@@{name}//e"' in out and f'value="@@{name}//..."' in out


@pytest.mark.parametrize(
    ("aspect_deps", "of_top", "of_low"),
    [
        ("conservative", ["//q:low", "//q:tool"], ["//q:tool"]),
        ("precise", ["//q:low", "//q:tool"], []),
        ("off", ["//q:low"], []),
    ],
)
def test_aspects_in_messages(
    aspect_deps: str, of_top: list[str], of_low: list[str], run: _Run
) -> None:
    """What aspects need is told of a rule whether they meet another there, if they do, or never.
    Measured: 4.2.3."""
    for label, inputs in (("//q:top", of_top), ("//q:low", of_low)):
        words = ("query", "--output=xml", f"--aspect_deps={aspect_deps}", label)
        lines = run("4.2.3", *words)[1].splitlines()
        found = [line.split('"')[1] for line in lines if "<rule-input" in line]
        assert found == inputs
