"""`flag_alias` of MODULE.bazel (FINDINGS M6), and options that a command skips (M8, M9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main

WORLD = {
    "MODULE.bazel": """\
module(name = "m")
bazel_dep(name = "bazel_skylib", version = "1.7.1")
flag_alias(name = "spd", starlark_flag = "//p:flag")
""",
    "p/BUILD": """\
load("@bazel_skylib//rules:common_settings.bzl", "string_flag")
string_flag(name = "flag", build_setting_default = "one")
config_setting(name = "two", flag_values = {":flag": "two"})
filegroup(name = "x", srcs = select({":two": [":yes"], "//conditions:default": [":no"]}))
filegroup(name = "yes")
filegroup(name = "no")
""",
}


def run(
    capfd: pytest.CaptureFixture[str], root: Path, rc: str, version: str, *words: str
) -> tuple[int, str]:
    for path, text in WORLD.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    (root / ".bazelrc").write_text(rc)
    code = main([*words, "-w", str(root), "--bazel-version", version, "--no-cache"])
    return code, capfd.readouterr().out


@pytest.mark.parametrize(
    ("version", "line", "taken"),
    [("8.5.0", "", "//p:no"), ("8.5.0", "build --spd=two\n", "//p:yes")],
)
def test_an_alias_of_module_bazel_stands_for_its_flag(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, version: str, line: str, taken: str
) -> None:
    _code, out = run(capfd, tmp_path, line, version, "cquery", "deps(//p:x)", "--output=starlark")
    told = [word for word in out.split() if word in ("@@//p:yes", "@@//p:no")]
    assert told == [f"@@{taken}"]


@pytest.mark.parametrize("asked", ["spd", "--spd", "short"])
def test_an_alias_is_asked_for_as_its_flag(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, asked: str
) -> None:
    """`--short` is an option of Bazel, too: an alias goes first."""
    rc = "build --flag_alias=short=//p:flag --spd=two\n"
    code, out = run(capfd, tmp_path, rc, "8.5.0", "flag", asked)
    assert code == 0
    assert "--//p:flag=two" in out and "takes a string, default `one`" in out


SKIPPED = {
    "M8: a skipped option takes its value along": ("common --copt -DX\n", (), "8.0.0", 0),
    "M8: before 6.3 it is refused": ("common --copt -DX\n", (), "6.2.0", 2),
    "a common config": ("common:c --copt=-DX\n", ("--config=c",), "7.4.0", 0),
    "M9: any config until 7.3": ("query:c --copt=-DX\n", ("--config=c",), "7.3.0", 0),
    "M9: refused again since 7.4": ("query:c --copt=-DX\n", ("--config=c",), "7.4.0", 2),
    "M9: refused before 6.3": ("query:c --copt=-DX\n", ("--config=c",), "6.2.0", 2),
}


@pytest.mark.parametrize(("rc", "words", "version", "code"), SKIPPED.values(), ids=SKIPPED)
def test_options_that_the_command_lacks(
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    rc: str,
    words: tuple[str, ...],
    version: str,
    code: int,
) -> None:
    line = ("query", "//p:x", "--enable_bzlmod", *words)
    plain = {**WORLD, "MODULE.bazel": 'module(name = "m")\n', "p/BUILD": ""}
    for path, text in plain.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text or 'filegroup(name = "x")\n')
    (tmp_path / ".bazelrc").write_text(rc)
    found = main([*line, "-w", str(tmp_path), "--bazel-version", version, "--no-cache"])
    assert found == code, capfd.readouterr().err
