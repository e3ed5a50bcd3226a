"""A flag of the project's own is one flag, however it is spelt and whatever is asked about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.build_setting_lines import BY_RELEASE, FILES, LINES
from tests.support.files import write_files

EXPRESSION = "--starlark:expr=build_options(target).get('//f:sf', 'd')"


def ask(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capfd.readouterr()
    code = main(list(words))
    return code, capfd.readouterr().out


@pytest.mark.parametrize(("version", "line"), LINES)
def test_four_questions_agree(
    version: str,
    line: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_files(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    common = ("--bazel-version", version, "--format=json", "--no-cache", *line.split())
    code, flag = ask(capfd, "flag", "//f:sf", *common)
    expected = BY_RELEASE[version][line]
    if expected is None:
        for question in ("explain", "cquery"):
            code, _ = ask(capfd, question, "//f:t", *common)
            assert code == 2, question
        return
    assert json.loads(flag)["values"] == [expected]
    _, select = ask(capfd, "select", "//f:t.srcs", *common)
    assert f"//f:{expected or 'empty'}.txt" in json.dumps(json.loads(select))
    _, explained = ask(capfd, "explain", "//f:t", *common)
    told = {o["name"]: o["values"] for o in json.loads(explained)["starlark_flags"]}
    assert told.get("//f:sf", ["d"]) == [expected]
    if version == "4.2.3":  # Before, cquery has no such output.
        words = [word for word in common if not word.startswith("--format")]
        _, listed = ask(capfd, "cquery", "//f:t", "--output=starlark", EXPRESSION, *words)
        assert listed.rstrip("\n") == expected


LATER = {
    # 7.2.0 follows aliases; every spelling is one flag since 6.0.0
    ("7.7.1", "--//f:al=p"): ["p"],
    ("7.7.1", "--//f:al=p --@//f:sf=q"): ["q"],
    ("6.5.0", "--//f:sf=p --@//f:sf=q --//f:sf=r"): ["r"],
    ("6.5.0", "--@w//f:sf=p"): ["p"],
    ("6.5.0", ""): ["d"],
}


@pytest.mark.parametrize(("version", "line"), LATER)
def test_later_releases(
    version: str, line: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, FILES)
    words = ("-w", str(tmp_path), "--bazel-version", version, "--format=json", *line.split())
    _, flag = ask(capfd, "flag", "@//f:sf", *words)
    answer = json.loads(flag)
    assert answer["values"] == LATER[version, line]
    assert answer["facts"]["name"] == "//f:sf"
    assert answer["facts"]["declared_at"]["path"] == "f/BUILD"


def test_a_repeatable_flag_has_every_value(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    repeatable = "config.string(flag = True, allow_multiple = True)"
    bzl = FILES["f/f.bzl"].replace("config.string(flag = True)", repeatable)
    write_files(tmp_path, {**FILES, "f/f.bzl": bzl})
    line = ("--//f:sf=p", "--@//f:sf=q,r", "--//f:sf=p")
    words = ("-w", str(tmp_path), "--bazel-version=7.7.1", *line)
    _, flag = ask(capfd, "flag", "//f:sf", "--format=json", *words)
    answer = json.loads(flag)
    assert answer["values"] == ["p", "q,r", "p"]
    assert answer["facts"]["accumulates"]
    assert all(ranked["counts"] for ranked in answer["settings"])
    _, text = ask(capfd, "flag", "//f:sf", *words)
    assert "takes a string, default `d`; every instance counts." in text


def test_a_label_that_is_no_flag_suggests_one(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, FILES)
    code, text = ask(capfd, "flag", "//f:sff", "-w", str(tmp_path), "--bazel-version=4.2.3")
    assert code != 0
    assert "did you mean --//f:sf?" in text


@pytest.mark.parametrize(
    ("version", "flags", "said"),
    [
        ("9.1.0", (), "; its scope is target; tools have its default."),
        ("7.0.0", (), "."),
    ],
)
def test_the_scope_of_a_flag(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    version: str,
    flags: tuple[str, ...],
    said: str,
) -> None:
    write_files(
        tmp_path,
        {
            "MODULE.bazel": "",
            "WORKSPACE": "",
            "s/flag.bzl": "f = rule(lambda ctx: [], build_setting = config.string(flag = True),"
            ' attrs = {"scope": attr.string()})\n',
            "s/BUILD": 'load(":flag.bzl", "f")\n'
            'f(name = "x", build_setting_default = "a", scope = "target")\n',
        },
    )
    line = ["flag", "//s:x", *flags, f"--bazel-version={version}", "-w", str(tmp_path)]
    main([*line, "--no-cache", "--host=linux"])
    out = " ".join(capfd.readouterr().out.split())
    assert f"default `a`{said}" in out
