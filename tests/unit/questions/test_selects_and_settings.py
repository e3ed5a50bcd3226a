"""`select`, `settings`, `deps` and `rdeps` on a small workspace, through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bazelscope.cli import main
from bazelscope.json_format.answer_schema import shipped_schema
from tests.support.files import write_files
from tests.unit.analysis.graph import transition_worlds
from tests.unit.questions.golden import rows
from tests.unit.questions.json_schema import violations

FILES = {
    "WORKSPACE": 'workspace(name = "demo")\n',
    ".bazelversion": "4.2.3\n",
    ".bazelrc": """\
build:fast --define=speed=fast
build:faster --config=fast --define=extra=1
build:arm --cpu=aarch64
""",
    "BUILD": """\
config_setting(name = "fast", define_values = {"speed": "fast"})

config_setting(
    name = "fast_and_more",
    define_values = {"speed": "fast", "extra": "1"},
)

config_setting(name = "arm", values = {"cpu": "aarch64"})
config_setting(name = "opt", values = {"compilation_mode": "opt"})
config_setting(name = "unused", values = {"cpu": "k8"})
alias(name = "quick", actual = ":fast")
alias(
    name = "fast_arm",
    actual = select({":arm": ":fast", "//conditions:default": ":arm"}),
)

cc_library(
    name = "lib",
    srcs = ["lib.cc"],
    copts = select({":quick": ["-O3"], "//conditions:default": []}),
    deps = [":base"] + select({
        ":fast": [":one"],
        ":fast_and_more": [":two"],
        ":fast_arm": [":three"],
        "//conditions:default": [],
    }),
)

cc_library(name = "base")
cc_library(name = "one")
cc_library(name = "two")
cc_library(name = "three")
cc_library(name = "lib.deps")

cc_library(
    name = "unclear",
    deps = select({":fast": [":one"], ":arm": [":two"]}),
)

genrule(
    name = "gen",
    outs = ["gen.txt"],
    cmd = "",
    srcs = [":lib"],
    tools = [":one"],
)
""",
    "lib.cc": "",
}

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)

    def run(command: str, *words: str) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main([command, "-w", str(tmp_path), "--host=linux", "--no-cache", *words])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return run


def section(text: str, first: str) -> list[str]:
    """The rows from the one that begins with `first` to the next empty one."""
    found = rows(text)
    start = next(number for number, line in enumerate(found) if line.startswith(first))
    end = found.index("", start) if "" in found[start:] else None
    return found[start:end]


def test_each_condition_says_what_it_wanted_and_what_would_take_it(run: Run) -> None:
    code, out, _ = run("select", "//:lib.deps", "--config=fast")
    assert code == 0
    assert "//:lib.deps cc_library, BUILD:33" in rows(out), "a target of that name is meant"
    code, out, _ = run("select", "//:lib", "--config=fast")
    assert code == 0
    assert section(out, "deps = select()") == [
        "deps = select() BUILD:21",
        "takes //:fast",
        "//:one",
        "match //:fast BUILD:1",
        "--define=speed=fast .bazelrc:1, --config=fast",
        "no //:fast_and_more BUILD:3",
        "wants --define=extra=1, is not set",
        "taken with --config=faster .bazelrc:2",
        "taken with --define=extra=1",
        "no //:fast_arm BUILD:8",
        "wants --cpu=aarch64, is k8 (default)",
        # It is an alias of //:fast in the end, which does not beat itself.
        "no flags take it: its conditions exclude each other",
        "default //conditions:default",
        "taken without --config=fast",
    ]


def test_the_beaten_branch_says_by_what(run: Run) -> None:
    _, out, _ = run("select", "//:lib", "--config=faster")
    found = section(out, "deps = select()")
    assert found[1] == "takes //:fast_and_more"
    beaten = found.index("match //:fast BUILD:1")
    assert found[beaten + 2] == "beaten by //:fast_and_more, which asks for all of this and more"


def test_an_attribute_can_be_asked_about_alone(run: Run) -> None:
    code, out, _ = run("select", "//:lib.copts", "-c", "opt")
    assert code == 0
    assert [line for line in rows(out) if "= select()" in line] == ["copts = select() BUILD:20"]
    code, out, _ = run("select", "//:lib.srcs")
    assert code == 1
    assert "no select() in `srcs`; there is one in copts, deps" in rows(out)
    code, out, _ = run("select", "//:lib.nothing")
    assert code == 1
    assert "cc_library has no attribute `nothing`; there is one in copts, deps" in rows(out)


@pytest.mark.parametrize(
    ("name", "said"),
    [("dps", "; there is one in deps, copts"), ("srs", "; did you mean `srcs`?")],
)
def test_the_attribute_that_a_misspelt_one_may_be_is_told_first(
    run: Run, name: str, said: str
) -> None:
    _, out, _ = run("select", f"//:lib.{name}")
    assert f"cc_library has no attribute `{name}`{said}" in rows(out)


def test_an_ambiguous_select_says_what_would_settle_it(run: Run) -> None:
    code, out, _ = run("select", "//:unclear", "--config=fast", "--config=arm")
    assert code == 3
    assert rows(out)[0] == "Bazel refuses this: 1 error."
    found = section(out, "deps = select()")
    assert found[1].startswith("ambiguous:")
    assert "//:fast would win if it asked for --cpu=aarch64, too" in found
    assert "//:arm would win if it asked for --define=speed=fast, too" in found
    assert "taken without --config=arm" in found


def test_a_select_without_a_match_names_ways_to_one(run: Run) -> None:
    _, out, _ = run("select", "//:unclear")
    found = section(out, "deps = select()")
    assert found[1].startswith("no branch:")
    assert "taken with --config=fast .bazelrc:1" in found
    assert "taken with --config=arm .bazelrc:3" in found


def test_every_shown_way_takes_its_branch(run: Run) -> None:
    _, out, _ = run("select", "//:lib", "--format=json")
    for one in json.loads(out)["selects"]:
        for other in one["others"]:
            for way in other["ways"]:
                _, again, _ = run("select", "//:lib", "--format=json", *way["words"])
                taken = [
                    branch["condition"]["condition"]
                    for found in json.loads(again)["selects"]
                    if found["select"]["attribute"] == one["select"]["attribute"]
                    for branch in found["select"]["branches"]
                    if branch["is_chosen"]
                ]
                assert taken == [other["condition"]], way


def test_settings_say_why_and_what_turns_on_them(run: Run) -> None:
    code, out, _ = run("settings", "--config=fast")
    assert code == 0
    assert "2 of 6 settings true; 2 of them are used by no select() of the workspace" in rows(out)
    assert section(out, "True") == [
        "True: 2",
        "//:fast BUILD:1; 3 select()s in 2 targets",
        "--define=speed=fast .bazelrc:1, --config=fast",
        "//:unused BUILD:10; no select()",
        "--cpu=k8 default",
    ]
    assert "//:fast_arm BUILD:12, group; 1 select() in 1 target" in section(out, "False")


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("fast", ["//:fast", "//:fast_and_more", "//:fast_arm"]),
        ("*arm", ["//:arm", "//:fast_arm"]),
        ("//:quick", ["//:fast"]),
        ("//...", ["//:arm", "//:fast", "//:fast_and_more", "//:fast_arm", "//:opt", "//:unused"]),
        ("//other/...", []),
    ],
)
def test_settings_of_a_pattern(run: Run, pattern: str, found: list[str]) -> None:
    code, out, _ = run("settings", pattern, "--format=json")
    assert [one["condition"]["condition"] for one in json.loads(out)["settings"]] == found
    assert code == (0 if found else 1)


def test_a_whole_label_of_a_setting_is_part_of_no_other(run: Run, tmp_path: Path) -> None:
    settings = "".join(
        f'config_setting(name = "{name}", values = {{"cpu": "{name}"}})\n' for name in ("x", "xy")
    )
    write_files(tmp_path, {"below/BUILD": settings})
    _, out, _ = run("settings", "below:x", "--format=json")
    assert [one["condition"]["condition"] for one in json.loads(out)["settings"]] == ["//below:x"]
    code, out, _ = run("settings", "//below")
    assert code == 1
    assert "did you mean //below:all?" in out


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (("deps", "faster"), "did you mean --config=faster"),
        (("deps", "config=faster"), "did you mean --config=faster?"),
        (("path", "lib", "define=speed=fast"), "did you mean --define=speed=fast?"),
        (("explain", "//:lib", "copt=-g"), "did you mean --copt=-g"),
        (("when", "lib", "one", "config=faster"), "did you mean `--config=faster`?"),
    ],
)
def test_a_flag_without_its_dashes_is_told_as_one(
    run: Run, line: tuple[str, ...], meant: str
) -> None:
    code, out, err = run(*line)
    assert code in (1, 2)
    assert meant in out + err


def test_explain_begins_with_the_name_that_means_nothing(run: Run) -> None:
    _, out, _ = run("explain", "//:lib", "//:libb", "--config=fast")
    found = rows(out)
    assert found[2].startswith("error: no such target '//:libb'")
    assert any(row.startswith("//:lib cc_library") for row in found[3:])


def test_a_define_that_must_not_be_set_has_one_other_value(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {".bazelrc": "build --define=speed=fast\n"})
    write_files(
        tmp_path,
        {
            "d/BUILD": 'config_setting(name = "x", define_values = {"speed": "fast"})\n'
            'cc_library(name = "y", copts = select({":x": ["1"], "//conditions:default": []}))\n'
        },
    )
    _, out, _ = run("select", "//d:y")
    assert out.count("taken with --define=speed=") == 1
    assert "taken with --define=speed=\n" not in out


def test_a_setting_that_bazel_refuses_is_marked_in_a_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever asks for all of them asks for no build of that one."""
    settings = """
config_setting(name = "well", values = {"cpu": "k8"})
config_setting(name = "bad", values = {"nosuch": "1"})
"""
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": settings})
    assert main(["settings", "-w", str(tmp_path), "--no-cache"]) == 3
    told = rows(capsys.readouterr().out)
    assert not told[0].startswith("Bazel refuses") and "Bazel refuses 1 of them" in told
    assert "Bazel refuses it: unknown option `nosuch` in `values`" in told
    assert main(["settings", "bad", "-w", str(tmp_path), "--no-cache"]) == 3
    assert rows(capsys.readouterr().out)[0] == "Bazel refuses this: 1 error."


def test_settings_name_the_nearest(run: Run) -> None:
    code, out, _ = run("settings", "fasst")
    assert code == 1
    assert "did you mean //:fast, //:fast_arm?" in out


def test_deps_without_flags_go_through_every_branch(run: Run) -> None:
    code, out, _ = run("deps", "//:lib")
    assert code == 0
    found = section(out, "Directly")
    assert found[1:5] == [
        "//:base deps BUILD:21",
        "//:lib.cc srcs BUILD:19",
        "//:one deps if //:fast (--define=speed=fast) BUILD:22",
        "//:three deps if //:fast_arm BUILD:24",
    ]
    assert rows(out)[0] == "//:lib depends on 10 targets through any branch, 9 of them directly."


def test_deps_with_flags_take_the_chosen_branch(run: Run) -> None:
    _, out, _ = run("deps", "//:lib", "--config=fast", "--levels=2")
    found = section(out, "Directly")
    assert "//:one deps if //:fast (--define=speed=fast) BUILD:22" in found
    assert not any(line.startswith("//:two") for line in found)
    # A key is depended on whether it holds or not, and so is what it asks about.
    assert section(out, "2 steps away")[1].startswith("//:arm")


def test_tools_are_marked(run: Run) -> None:
    _, out, _ = run("deps", "//:gen", "--config=fast")
    assert "//:one tools (for the host) BUILD:45" in rows(out)


def test_rdeps_in_the_workspace_and_below_a_target(run: Run) -> None:
    code, out, _ = run("rdeps", "//:one")
    assert code == 0
    head = "4 targets of this workspace depend on //:one under some flags, 3 of them directly."
    assert rows(out)[0] == head
    assert [line.split()[0] for line in section(out, "Directly")[1:]] == [
        "//:gen",
        "//:lib",
        "//:unclear",
    ]
    _, out, _ = run("rdeps", "//:one", "//:lib")
    assert rows(out)[0].startswith("1 target below //:lib depends on //:one")
    _, out, _ = run("rdeps", "//:two", "--config=fast")
    assert rows(out)[0].startswith("Nothing of this workspace depends on //:two")


@pytest.mark.parametrize("command", ["select", "deps", "rdeps"])
def test_unknown_targets_are_negative_answers(run: Run, command: str) -> None:
    code, out, _ = run(command, "//:lob")
    assert code == 1
    assert "did you mean //:lib?" in out


@pytest.mark.parametrize("words", [["select"], ["select", "a", "b"], ["deps"], ["rdeps"]])
def test_questions_without_a_subject_cannot_be_asked(run: Run, words: list[str]) -> None:
    code, _, err = run(*words)
    assert code == 2
    assert "expected" in err


@pytest.mark.parametrize(
    "words",
    [
        ["select", "//:lib", "--config=fast"],
        ["select", "//:unclear", "--config=fast", "--config=arm"],
        ["select", "//:lob"],
        ["settings"],
        ["settings", "zzz"],
        ["deps", "//:gen", "--config=fast"],
        ["rdeps", "//:one", "//:gen"],
    ],
)
def test_json_keeps_to_its_schema(run: Run, words: list[str]) -> None:
    _, out, _ = run(*words, "--format=json")
    schema = json.loads(shipped_schema())
    assert violations(json.loads(out), schema, schema) == []


def test_incompatible_targets_say_why(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    root = str(transition_worlds.write(tmp_path, transition_worlds.COMPATIBILITY))
    words = ["-w", root, "--no-cache", "--bazel-version=4.2.3", "--platforms=//p:east"]
    assert main(["select", "//p:needs_more", *words]) == 3
    out, _ = capfd.readouterr()
    assert section(out, "incompatible:") == [
        "incompatible: //p:only_w p/BUILD:15",
        "wants //p:side=//p:w, is //p:e (command line)",
        "needed by //p:needs_more -> //p:needs -> //p:only_w",
    ]
    assert main(["deps", "//p:free", *words]) == 0
    out, _ = capfd.readouterr()
    assert "incompatible" not in out


def test_the_line_of_a_platform_mapping_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    root = str(transition_worlds.write(tmp_path, transition_worlds.MAPPINGS))
    words = ["-w", root, "--no-cache", "--bazel-version=4.2.3", "--platforms=//p:west"]
    assert main(["settings", "arm", *words]) == 0
    out, _ = capfd.readouterr()
    assert "--cpu=arm platform_mappings:4, --platforms=//p:west" in rows(out)


REFUSED = {
    "p/BUILD": """
config_setting(name = "a", define_values = {"x": "1"})
config_setting(name = "b", define_values = {"y": "1"})
cc_library(
    name = "top",
    srcs = select({":a": ["a.cc"]}),
    copts = select({":a": ["-a"], ":b": ["-b"], "//conditions:default": []}),
    deps = [":below"],
)
cc_library(name = "below", deps = select({":plain": [], "//conditions:default": []}))
filegroup(name = "plain")
"""
}
"""Flags, what is refused, and the exit code."""
CASES_REFUSED = (
    (("--define=x=1",), ("`//p:plain` is a filegroup, which is no condition",), 3),
    (("--define=x=1", "--define=y=1"), ('attribute "copts" in //p:top: //p:a //p:b',), 3),
    (("--define=y=1",), ('"srcs" in //p:top doesn', "//p:a does not hold: --define=x=1 is not"), 3),
    ((), (), 0),
)


@pytest.mark.parametrize(("flags", "expected", "code"), CASES_REFUSED)
def test_deps_tells_what_analysis_would_refuse(
    tmp_path: Path,
    flags: tuple[str, ...],
    expected: tuple[str, ...],
    code: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in {"WORKSPACE": "", "p/a.cc": "", **REFUSED}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert main(["deps", "//p:top", "-w", str(tmp_path), "--no-cache", *flags]) == code
    printed = capsys.readouterr()
    assert printed.out.startswith("Bazel refuses this") is bool(code)
    assert all(text in printed.out for text in expected), printed.out
    assert "//p:below" in printed.out


def test_compilers_that_every_workspace_selects_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "MODULE.bazel").write_text('bazel_dep(name = "rules_cc", version = "0.1.1")\n')
    (tmp_path / "BUILD").write_text("""
filegroup(name = "x", srcs = select({
    "@rules_cc//cc/compiler:msvc-cl": ["m"],
    "@rules_cc//cc/compiler:clang": ["c"],
    "@rules_cc//cc/compiler:gcc": ["g"],
    "//conditions:default": [],
}))
""")
    words = ["select", "//:x", "-w", str(tmp_path), "--no-cache", "--bazel-version=8.0.0"]
    assert main([*words, "--host=windows"]) == 0
    assert "takes @rules_cc//cc/compiler:msvc-cl" in rows(capfd.readouterr()[0])
    assert main([*words, "--host=macos"]) == 0
    assert "takes @rules_cc//cc/compiler:clang" in rows(capfd.readouterr()[0])
    # One of two, and nobody ran it: the likelier is taken, and that is said once.
    assert main([*words, "--host=linux"]) == 0
    out = capfd.readouterr()[0]
    assert "takes @rules_cc//cc/compiler:gcc" in rows(out)
    assert out.count("is taken for gcc; --repo_env=CC=clang says otherwise") == 1
    assert main([*words, "--host=linux", "--repo_env=CC=clang-19"]) == 0
    out = capfd.readouterr()[0]
    assert "takes @rules_cc//cc/compiler:clang" in rows(out)
    assert "is taken for" not in out


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        (["--host=linux"], "linux"),
        (["--host=macos"], "darwin"),
        (["--platforms=@io_bazel_rules_go//go/toolchain:windows_arm64"], "windows"),
        (["--platforms=@io_bazel_rules_go//go/toolchain:linux_arm64_cgo"], "linux_arm64"),
        (["--platforms=@io_bazel_rules_go//go/toolchain:plan9_386"], "plan9"),
    ],
)
def test_systems_and_processors_by_the_names_of_go(
    words: list[str], taken: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    names = ("linux", "linux_arm64", "darwin", "windows", "plan9")
    branches = ", ".join(f'"@io_bazel_rules_go//go/platform:{n}": ["{n}.go"]' for n in names)
    (tmp_path / "WORKSPACE").write_text(
        'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        'http_archive(name = "io_bazel_rules_go", urls = ["https://example.com/rules_go.zip"])\n'
    )
    (tmp_path / "BUILD").write_text(f'filegroup(name = "x", srcs = select({{{branches}}}))\n')
    asked = ["select", "//:x", "-w", str(tmp_path), "--no-cache", "--bazel-version=6.5.0"]
    assert main([*asked, *words]) == 0
    assert f"takes @io_bazel_rules_go//go/platform:{taken}" in rows(capfd.readouterr()[0])


def test_of_many_branches_some_are_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"c{number}" for number in range(130)]
    settings = "".join(
        f'config_setting(name = "{name}", define_values = {{"{name}": "1"}})\n' for name in names
    )
    branches = ", ".join(f'":{name}": [":{name}.txt"]' for name in names)
    (tmp_path / "WORKSPACE").write_text("")
    (tmp_path / "BUILD").write_text(
        f'{settings}filegroup(name = "a", srcs = select({{{branches}}}))\n'
    )
    assert main(["select", "//:a", "-w", str(tmp_path), "--bazel-version=4.2.3"]) == 3
    out = capsys.readouterr().out
    assert out.count("taken with --define=") == 100
    assert out.count("nothing was tried: the select() has too many branches") == 30
    assert out.count("wants --define=") == 130


def test_a_group_of_which_any_is_enough_is_told_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    build = """
config_setting(name = "a", define_values = {"a": "1"})
config_setting(name = "b", define_values = {"b": "1", "c": "1"})
alias(name = "any", actual = select({":a": ":a", "//conditions:default": ":b"}))
filegroup(name = "x", srcs = select({":any": [], "//conditions:default": []}))
"""
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3", "BUILD": build})
    lacks = "wants --define=a=1, is not set"
    other = "or wants --define=b=1, is not set and wants --define=c=1, is not set"
    for words, joint in ((("select", "//:x"), " "), (("explain", "//:x"), "; ")):
        main([*words, "-w", str(tmp_path), "--no-cache"])
        assert f"{lacks}{joint}{other}" in " ".join(capfd.readouterr().out.split())
