"""Answers that rest on a repository rule which was run dry: what was assumed is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bazelscope.cli import main
from bazelscope.json_format.answer_schema import shipped_schema
from tests.unit.questions.json_schema import violations

# A rule in the manner of those that look for a compiler: it fails where a check of the machine
# fails, and writes the version that it finds into a template.
FILES = {
    "WORKSPACE": 'load("//:gpu.bzl", "gpu_configure")\ngpu_configure(name = "gpu")\n',
    ".bazelrc": "common:gpu --repo_env=NEED_GPU=1\nbuild:gpu --define=gpu=1\n",
    "gpu.bzl": """\
def _library(version, cpu):
    return "lib%s.so.%s" % (cpu, version)

def _check(ctx, wanted):
    found = ctx.execute(["check_libraries"] + wanted).stdout.splitlines()
    if wanted != [line for line in found if len(line) > 0]:
        fail("missing libraries: wanted %s, found %s" % (wanted, found))

def _impl(ctx):
    if ctx.os.environ.get("NEED_GPU", "0") != "1":
        ctx.template("BUILD", Label("//:BUILD.tpl"), {"%{lib}": "none.cc", "%{copy}": ""})
        ctx.template("defs.bzl", Label("//:defs.tpl"), {"%{configured}": "False"})
        return
    result = ctx.execute(["find_gpu"])
    if result.return_code:
        fail("cannot find the toolkit: " + result.stderr)
    config = dict([tuple(line.split(": ")) for line in result.stdout.splitlines()])
    if int(config["version"].split(".")[0]) < 9:
        fail("too old")
    libraries = [_library(config["version"], cpu) for cpu in ["gpurt", "gpublas"]]
    _check(ctx, ["%s/%s" % (config["dir"], name) for name in libraries])
    outs = ctx.execute(["find", config["dir"]]).stdout.splitlines()
    copy = "genrule(name = 'copied', outs = [%s], cmd = '')" % ", ".join(["'%s'" % o for o in outs])
    ctx.template("BUILD", Label("//:BUILD.tpl"), {"%{lib}": libraries[0], "%{copy}": copy})
    ctx.template("defs.bzl", Label("//:defs.tpl"), {"%{configured}": "True"})

gpu_configure = repository_rule(implementation = _impl, environ = ["NEED_GPU"])
""",
    "BUILD.tpl": """\
config_setting(name = "using_gpu", values = {"define": "gpu=1"})
cc_library(name = "runtime", srcs = ["%{lib}"], visibility = ["//visibility:public"])
%{copy}
""",
    "defs.tpl": """\
def if_gpu(true, false = []):
    return select({"@gpu//:using_gpu": true, "//conditions:default": false})

def is_configured():
    return %{configured}
""",
    "BUILD": """\
load("@gpu//:defs.bzl", "if_gpu", "is_configured")
cc_library(name = "kernels", deps = if_gpu(["@gpu//:runtime"], [":none"]))
cc_library(name = "none")
filegroup(name = "configured" if is_configured() else "bare")
filegroup(name = "far", srcs = ["@gpu//:libother.so", "@gpu//sub:x"])
""",
}
OTHERWISE = "since the rule fails otherwise"
_CHECK = "@gpu: `check_libraries .../libgpurt.so.... .../libgpublas.so....`: assumed that"
FORCED = [
    f"@gpu: `find_gpu`: assumed that its exit code is 0, {OTHERWISE}",
    f"@gpu: `find_gpu`[version]: assumed that its output is 9 or more, {OTHERWISE}",
    f"{_CHECK} the length of its output is 1 or more, {OTHERWISE}",
    f"{_CHECK} its output is the list [.../libgpurt.so...., .../libgpublas.so....], {OTHERWISE}",
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], root: Path, *words: str) -> tuple[int, str]:
    options = ["-w", str(root), "--bazel-version", "4.2.3", "--host", "linux", "--no-cache"]
    code = main([*words, *options])
    return code, capfd.readouterr().out


def read(capfd: pytest.CaptureFixture[str], root: Path, *words: str) -> dict[str, Any]:
    code, text = ask(capfd, root, *words, "--format=json")
    assert code == 0, text
    answer: dict[str, Any] = json.loads(text)
    schema = json.loads(shipped_schema())
    assert violations(answer, schema, schema) == []
    return answer


def assumptions(holder: dict[str, Any]) -> list[str]:
    return [f"{item['subject']}: {item['detail']}" for item in holder["assumptions"]]


@pytest.mark.parametrize(
    ("flags", "branch", "deps"),
    [
        ((), "//conditions:default", "//:none"),
        (("--config=gpu",), "@gpu//:using_gpu", "@gpu//:runtime"),
        (("--define=gpu=1",), "@gpu//:using_gpu", "@gpu//:runtime"),
        (("--repo_env=NEED_GPU=1",), "//conditions:default", "//:none"),
    ],
    ids=" ".join,
)
def test_the_branch_is_decided(
    capfd: pytest.CaptureFixture[str],
    root: Path,
    flags: tuple[str, ...],
    branch: str,
    deps: str,
) -> None:
    answer = read(capfd, root, "select", "//:kernels", *flags)
    (ways,) = answer["selects"]
    (chosen,) = [item for item in ways["select"]["branches"] if item["is_chosen"]]
    assert chosen["condition"]["condition"] == branch
    assert chosen["values"] == [deps]
    assert answer["completeness"]["packages_in_error"] == []
    needs_machine = any("gpu" in flag.lower() and "define" not in flag for flag in flags)
    assert assumptions(answer["completeness"]) == (FORCED if needs_machine else [])


@pytest.mark.parametrize("command", ["select", "explain", "deps"])
def test_answers_say_what_was_assumed(
    capfd: pytest.CaptureFixture[str], root: Path, command: str
) -> None:
    code, text = ask(capfd, root, command, "//:kernels", "--config=gpu", "--full")
    assert code == 0
    shown = " ".join(text.split())
    for assumption in FORCED:
        assert assumption in shown
    code, text = ask(capfd, root, command, "//:kernels", "--full")
    assert code == 0
    assert "assumed that" not in text


def test_repos_says_what_was_assumed(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    (gpu,) = read(capfd, root, "repos", "gpu", "--config=gpu")["repositories"]
    assert gpu["facts"]["provenance"] == "dry-run"
    assert assumptions(gpu["facts"]) == FORCED
    (gpu,) = read(capfd, root, "repos", "gpu")["repositories"]
    assert assumptions(gpu["facts"]) == []


def test_targets_are_counted(capfd: pytest.CaptureFixture[str], root: Path) -> None:
    """Of `@gpu` a program may have written more; without one, what is not there is not."""
    answer = read(capfd, root, "deps", "//:far", "--config=gpu")
    counts = {item["what"]: item for item in answer["completeness"]["counts"]}
    assert counts["targets"]["unknown"] == 2
    assert answer["completeness"]["unknown_targets"] == [
        {"repository": "gpu", "reason": "repository-rule-runs-program", "count": 2}
    ]
    code, text = ask(capfd, root, "deps", "//:far", "--config=gpu")
    assert code == 0
    # The third unknown, that there may be a package `sub`, stands with the target already.
    assert (
        "2 of 11 loaded targets could not be read; rests on 4 assumptions; 2 unknowns (--full)"
        in text
    )
    answer = read(capfd, root, "deps", "//:kernels")
    counts = {item["what"]: item for item in answer["completeness"]["counts"]}
    assert counts["targets"]["unknown"] == 0
    assert answer["completeness"]["unknown_targets"] == []


def test_a_target_with_an_unknown_output_keeps_the_rest(
    capfd: pytest.CaptureFixture[str], root: Path
) -> None:
    code, text = ask(capfd, root, "query", "@gpu//:all", "--output=label_kind", "--config=gpu")
    assert code == 3  # Its outputs may be more than are known.
    assert sorted(text.splitlines()) == [
        "cc_library rule @gpu//:runtime",
        "config_setting rule @gpu//:using_gpu",
        "genrule rule @gpu//:copied",
    ]
