"""`repos`: what is told of each external repository, and whether a target reaches it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.cli import main
from bazelscope.json_format.answer_json import SCHEMA
from bazelscope.questions.repos.text import repositories_document
from bazelscope.render.console import to_text
from bazelscope.render.document import height
from tests.support.files import write_files

FILES = {
    "far.patch": "",
    "WORKSPACE": """\
local_repository(name = "near", path = "elsewhere")
local_repository(name = "near", path = "near")

load("//:deps.bzl", "deps")

deps()
""",
    "deps.bzl": """\
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")

def deps():
    http_archive(
        name = "far",
        urls = ["https://example.org/far-1.2.tar.gz", "https://mirror.example.org/far.tar.gz"],
        sha256 = "abc",
        strip_prefix = "far-1.2",
        patches = ["//:far.patch"],
        build_file = "//:far.BUILD",
    )
    http_archive(name = "bare", urls = ["https://example.org/bare.zip"])
""",
    "BUILD": """\
config_setting(name = "on", values = {"define": "far=1"})
filegroup(name = "a", srcs = [":b"] + select({":on": ["@far//:lib"], "//conditions:default": []}))
filegroup(name = "b", srcs = ["@near//:all"])
""",
    "far.BUILD": 'filegroup(name = "lib", visibility = ["//visibility:public"])\n',
    "near/BUILD": 'filegroup(name = "all", visibility = ["//visibility:public"])\n',
    "near/WORKSPACE": "",
    "elsewhere/BUILD": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], root: Path, *words: str) -> tuple[int, str]:
    """The exit code and the text of `bazelscope repos WORDS`."""
    code = main(["repos", *words, "-w", str(root), "--bazel-version", "4.2.3", "--no-cache"])
    return code, capfd.readouterr().out


def test_the_list_names_each_with_its_rule_and_place(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    code, text = ask(capfd, root)
    assert code == 0
    (far,) = (line for line in text.splitlines() if line.startswith("@far "))
    assert "http_archive, overlay" in far
    assert far.endswith("deps.bzl:4")


@pytest.mark.parametrize("words", [[], ["//:b"]])
def test_what_bazel_itself_defines_is_counted(
    capfd: pytest.CaptureFixture[str], root: Path, words: list[str]
) -> None:
    _, text = ask(capfd, root, *words)
    count = re.search(r"^ *and (\d+) that Bazel itself defines \(--full lists them\)$", text, re.M)
    assert count is not None and "@local_config_sh" not in text
    _, text = ask(capfd, root, *words, "--full")
    assert len(re.findall(r"^ *@\w+  builtin, ", text, re.M)) == int(count[1])


def test_everything_about_one(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    code, text = ask(capfd, root, "@far")
    assert code == 0
    for piece in (
        "@far  http_archive",
        "deps.bzl:4",
        "defined by deps(), called at WORKSPACE:6",
        "from https://example.org/far-1.2.tar.gz",
        "from https://mirror.example.org/far.tar.gz",
        "sha256 abc",
        "strip_prefix far-1.2",
        "patch //:far.patch",
        "BUILD file //:far.BUILD",
        "content: BUILD file from the workspace; archive not downloaded",
        "not downloaded",
    ):
        assert piece in text


def test_definitions_that_do_not_count_are_told(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    _, text = ask(capfd, root, "near")
    assert "@near  local_repository" in text
    assert "WORKSPACE:2" in text
    assert "shadows local_repository" in text
    assert "WORKSPACE:1" in text


def test_an_override_is_where_the_content_is_found(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    write_files(root, {"elsewhere/WORKSPACE": ""})
    _, text = ask(capfd, root, "bare", f"--override_repository=bare={root / 'elsewhere'}")
    assert "a directory given by --override_repository" in text
    assert str(root / "elsewhere") in text


def test_a_target_reaches_it_through_a_branch_or_not(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    code, text = ask(capfd, root, "far", "//:a")
    assert code == 0
    assert "reached by //:a through any branch: 1 target, first @far//:lib through //:a" in text
    code, text = ask(capfd, root, "far", "//:a", "--define=far=1")
    assert code == 0
    assert "reached by //:a under these flags" in text
    code, text = ask(capfd, root, "far", "//:a", "--define=far=0")
    assert code == 1
    assert "not reached by //:a under these flags" in text


def test_the_list_tells_what_a_target_reaches(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    code, text = ask(capfd, root, "//:b")
    assert code == 0
    reached, others = text.split("//:b reaches: 1")[1].split("Others:")
    assert "@near" in reached
    assert "@far" in others


def test_one_that_nothing_defines(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    code, text = ask(capfd, root, "nearr")
    assert code == 1
    assert "nothing defines a repository `@nearr`" in text
    assert "did you mean @near?" in text


def test_json_has_the_same(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    code, text = ask(capfd, root, "far", "//:a", "--format=json")
    assert code == 0
    answer = json.loads(text)
    assert (answer["schema"], answer["answer"]) == (SCHEMA, "repos")
    (far,) = answer["repositories"]
    assert far["facts"]["provenance"] == "overlay"
    assert far["facts"]["macro"] == "deps"
    assert far["facts"]["location"]["line"] == 4
    assert far["reach"] == {
        "targets": 1,
        "first": "@far//:lib",
        "through": "//:a",
        "uncertain": 0,
    }


MODULES = Path(__file__).parents[3] / "fixtures/modules"
CALLED = "the module `abseil-cpp` is called @com_google_absl here"

# Name: exit code, and a line of the answer.
OF_MODULES = {
    "abseil-cpp": (0, CALLED),
    "@@abseil-cpp+": (0, CALLED),
    "@@abseil-cpp~20240722.0": (0, CALLED),
    "@com_google_absl": (0, "module abseil-cpp 20240722.0"),
    "courier": (1, "error: the module `courier` is this workspace itself"),
    "abseil": (1, "error: nothing defines a repository `@abseil`"),
}


@pytest.mark.parametrize(("asked", "expected"), OF_MODULES.items(), ids=OF_MODULES)
def test_a_module_by_any_of_its_names(
    capfd: pytest.CaptureFixture[str], asked: str, expected: tuple[int, str]
) -> None:
    code = main(["repos", asked, "-w", str(MODULES), "--no-cache"])
    lines = [line.strip() for line in capfd.readouterr().out.splitlines()]
    assert (code, expected[1] in lines) == (expected[0], True), lines
    assert (CALLED in lines) == (expected[1] == CALLED)
    assert ("@com_google_absl  bazel_dep" in "\n".join(lines)) == (code == 0)


@pytest.mark.parametrize(
    "words",
    [
        ["query", "@courier//app:courier"],
        ["deps", "@courier//app:courier"],
        ["path", "@courier//app:courier", "@courier//app:courier"],
        ["path", "//app:courier", "zlib", "--avoid", "@courier//none/..."],
        ["explain", "@courier//app:courier"],
        ["select", "@courier//app:courier"],
    ],
    ids=" ".join,
)
def test_the_command_line_knows_the_names_of_module_bazel(
    capfd: pytest.CaptureFixture[str], words: list[str]
) -> None:
    main([*words, "-w", str(MODULES), "--no-cache"])
    out = capfd.readouterr().out
    assert "//app:courier" in out
    assert "could not be resolved" not in out
    assert "@courier" not in out.replace("that avoids @courier//none/...", "")


def test_the_place_is_the_call_that_one_would_edit(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # FINDINGS R1: the helper's line is the same for each of a hundred repositories.
    (tmp_path / "WORKSPACE").write_text('load("//:deps.bzl", "deps")\ndeps(path_prefix = "")\n')
    (tmp_path / "BUILD").write_text("")
    (tmp_path / "deps.bzl").write_text(
        'load("//:repo.bzl", "tf_http_archive")\n'
        "def deps(path_prefix):\n"
        '    tf_http_archive(name = "dnn", urls = ["https://example.org/dnn.tgz"])\n'
    )
    (tmp_path / "repo.bzl").write_text(
        "_tf_http_archive = repository_rule(implementation = print,\n"
        '    attrs = {"urls": attr.string_list()})\n'
        "def tf_http_archive(name, urls):\n"
        "    _tf_http_archive(name = name, urls = urls)\n"
    )
    _, text = ask(capfd, tmp_path, "dnn")
    assert "@dnn  _tf_http_archive  deps.bzl:3\n" in text
    _, text = ask(capfd, tmp_path)
    assert "deps.bzl:3\n" in text and "repo.bzl" not in text


def test_which_commit_or_tag_and_which_checksum(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    write_files(
        tmp_path,
        {
            "BUILD": "",
            "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:git.bzl", "git_repository")
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
git_repository(name = "g", remote = "https://example.org/g.git", tag = "v2")
http_archive(name = "h", integrity = "sha256-abc=", urls = ["https://example.org/h.zip"])
""",
        },
    )
    for name, line in (("g", "  tag v2"), ("h", "  integrity sha256-abc=")):
        assert main(["repos", name, "-w", str(tmp_path), "--no-cache"]) == 0
        assert line in capfd.readouterr().out.splitlines()


def test_a_repository_of_an_extension_by_its_canonical_name(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Also one that the root module calls otherwise."""
    for name, text in {
        "MODULE.bazel": 'e = use_extension("//:e.bzl", "e")\nuse_repo(e, mine = "made")\n',
        "e.bzl": "r = repository_rule(implementation = lambda ctx: ctx.file('BUILD'))\n"
        "e = module_extension(implementation = lambda ctx: r(name = 'made'))\n",
        "BUILD": "",
        ".bazelversion": "8.1.0",
    }.items():
        (tmp_path / name).write_text(text)
    for asked in ("@mine", "@@+e+made"):
        assert main(["repos", asked, "-w", str(tmp_path), "--no-cache"]) == 0
        assert "@mine  r  e.bzl:2" in capfd.readouterr().out


def test_what_a_rule_would_run_leaves_an_answer_short(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    runs = "".join(f'    ctx.execute(["a_program_{n}", "x"])\n' for n in range(30))
    (tmp_path / "WORKSPACE").write_text('load("//:r.bzl", "r")\nr(name = "made")\n')
    (tmp_path / "BUILD").write_text("")
    rule = "r = repository_rule(implementation = _r)\n"
    fetch = "".join(f'    ctx.download("https://example.org/{n}", "f{n}")\n' for n in range(9))
    (tmp_path / "r.bzl").write_text(f"def _r(ctx):\n{fetch}{runs}    ctx.file('BUILD', '')\n{rule}")
    code, text = ask(capfd, tmp_path, "made")
    assert code == 0 and "its rule would run: a_program_0 x" in text
    assert len(text.splitlines()) <= 15


_OF_MANY_LINES = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(
    name = "dnn",
    build_file_content = 'filegroup(name = "x")',
    patches = ["//:1.patch", "//:2.patch"],
    sha256 = "00",
    strip_prefix = "dnn-1",
    urls = ["https://mirror.example.org/dnn.zip", "https://example.org/dnn.zip"],
)
"""


def test_one_repository_takes_fifteen_lines_where_a_config_is_not_defined_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "WORKSPACE": _OF_MANY_LINES,
        "BUILD": 'filegroup(name = "top", srcs = ["@gone//:x"])',
        "old/BUILD": 'filegroup(name = "top")',
        ".bazelversion": "4.2.3",
        ".bazelrc": "try-import %workspace%/made.rc\ntry-import %workspace%/user.rc\n",
        "configure.py": "write('made.rc', 'build:opt --copt=-O3')\n",
    }
    write_files(tmp_path, files)
    main(["repos", "dnn", "top", "--config=opt", f"--workspace={tmp_path}", "--no-cache"])
    told = capsys.readouterr().out.splitlines()
    assert len(told) <= 15, told
    assert "  from https://example.org/dnn.zip, and 1 other (--full)" in told


def test_many_patches_mirrors_and_assumptions_leave_an_answer_short(tmp_path: Path) -> None:
    write_files(tmp_path, {"WORKSPACE": _OF_MANY_LINES, "BUILD": "", ".bazelversion": "4.2.3"})
    answer = Workspace.open(tmp_path).configure().repos("dnn")
    (one,) = answer.repositories
    assumed = [f"`bash -c {'a word of many, ' * 5}{n}`: assumed that it is so" for n in range(2)]
    facts = replace(
        one.facts,
        urls=tuple(f"https://mirror-{n}.example.org/{'a_path/' * 9}dnn.zip" for n in range(3)),
        patches=tuple(f"//:patches/{'of_a_long_name/' * 5}{n}.patch" for n in range(20)),
        programs=("patch", "sed"),
        assumptions=tuple(Unknown(Reason.RUNS_PROGRAM, text) for text in assumed),
        macro="a_macro",
        call_stack=one.facts.call_stack * 2,
        revision="commit 1",
        unknown=Unknown(Reason.RUNS_PROGRAM, "what stops the rule " * 6),
    )
    told = repositories_document(replace(answer, repositories=(replace(one, facts=facts),)))
    assert height(told) <= 15, to_text(told, 100)


def test_an_archive_of_which_the_rule_fails_is_not_known(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    overlay = 'ctx.download_and_extract("https://example.org/d.zip")\n    ctx.file("BUILD", "")'
    files = {
        "r.bzl": f"def _r(ctx):\n    {overlay}\n    fail('no')\nr = repository_rule(_r)\n",
        "WORKSPACE": 'load("//:r.bzl", "r")\nr(name = "made")\n',
        "BUILD": "",
    }
    write_files(tmp_path, files)
    _, text = ask(capfd, tmp_path, "made")
    why = "its repository rule stops here: no"
    assert f"content: BUILD file from the workspace; archive not known ({why})" in text


def test_why_bazel_cannot_make_a_repository_is_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    workspace = 'local_repository(name = "lost", path = "nowhere")\n'
    write_files(tmp_path, {"WORKSPACE": workspace, "BUILD": ""})
    _, text = ask(capfd, tmp_path, "lost")
    assert 'The repository\'s path is "nowhere" (absolute: ' in text
    _, text = ask(capfd, tmp_path, "lost", "--format=json")
    assert "nowhere" in json.loads(text)["repositories"][0]["facts"]["failure"]


def test_a_target_of_a_repository_that_a_program_makes_is_told_with_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = """
def _impl(ctx):
    ctx.execute(["/opt/bin/maker", "all"])

made = repository_rule(implementation = _impl)
"""
    files = {
        "WORKSPACE": 'load("//:made.bzl", "made")\nmade(name = "made")\n',
        "made.bzl": rule,
        "BUILD": 'filegroup(name = "top", srcs = ["@made//:x"])',
    }
    write_files(tmp_path, files)
    main(["path", "//:top", "@made", "-w", str(tmp_path), "--no-cache"])
    assert "@made//:BUILD.bazel: the repository rule runs `maker`" in capsys.readouterr().out
