"""PROJECT.scl: what it adds to a line, and what Bazel refuses for it. Read off Bazel's sources and
tests (`FlagSetFunctionTest`, `ProjectFunctionTest`, `flagset_test`), not measured."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli.entry import main
from tests.support.files import write_files

BUILD = """
config_setting(name = "is_opt", values = {"compilation_mode": "opt"})
filegroup(
    name = "top",
    srcs = select({":is_opt": [":fast"], "//conditions:default": [":slow"]}),
)
filegroup(name = "fast")
filegroup(name = "slow")
"""

MESSAGES = """
def _unit(name = [], description = [], flags = [], is_default = [], target_patterns = []):
    return struct(
        name = name,
        description = description,
        flags = flags,
        is_default = is_default,
        target_patterns = target_patterns,
    )

def _project(enforcement_policy = [], buildable_units = [], always_allowed_configs = []):
    return struct(
        enforcement_policy = enforcement_policy,
        buildable_units = buildable_units,
        always_allowed_configs = always_allowed_configs,
    )

unit, project_of = _unit, _project
"""

LOADS = 'load("//:messages.scl", "project_of", "unit")\n'

UNITS = f"""{LOADS}
project = project_of(
    enforcement_policy = "POLICY",
    always_allowed_configs = ["--config=ci"],
    buildable_units = [
        unit(name = "quick", flags = ["--compilation_mode=opt", "--keep_going"], is_default = True),
        unit(name = "debug", description = "to look at", flags = ["--compilation_mode=dbg"]),
    ],
)
"""


def _flags(
    root: Path, *words: str, files: dict[str, str], version: str = "9.1.0"
) -> tuple[dict[str, str | None], list[str]]:
    """The options in force on a line, and what is wrong with it."""
    write_files(root, {"MODULE.bazel": "", "BUILD": "", "messages.scl": MESSAGES, **files})
    asked = Workspace.open(root, bazel_version=version).configure(words)
    values = {name: value.value for name, value in asked.flags.values.items()}
    return values, [one.message for one in asked.flags.diagnostics]


def _of(policy: str) -> dict[str, str]:
    return {"p/BUILD": BUILD, "p/PROJECT.scl": UNITS.replace("POLICY", policy)}


def test_the_default_unit_counts_behind_the_line(tmp_path: Path) -> None:
    rc = {".bazelrc": "build -c dbg\n"}
    values, problems = _flags(tmp_path, "//p:top", files={**_of("WARN"), **rc})
    # What is no option of the configuration is left out in silence.
    assert values == {"compilation_mode": "opt"}
    assert len(problems) == 1
    assert "also sets output-affecting flags" in problems[0]
    assert "'--compilation_mode=dbg'" in problems[0]


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        (("//p:all", "--scl_config=debug"), "dbg"),
        (("//p/...", "-c", "dbg"), "opt"),
        (("//p:top", "--noenforce_project_configs"), None),
        (("//p:top", "--enforce_project_configs=No"), None),
        (("//p/q:x",), "opt"),
        (("//r:x",), None),
        ((), None),
    ],
)
def test_which_unit_counts(words: tuple[str, ...], mode: str | None, tmp_path: Path) -> None:
    others = {"p/q/BUILD": 'filegroup(name = "x")', "r/BUILD": 'filegroup(name = "x")'}
    values, _ = _flags(tmp_path, *words, files={**_of("warn"), **others})
    assert values.get("compilation_mode") == mode


def test_bazels_before_it_do_not_look(tmp_path: Path) -> None:
    values, problems = _flags(tmp_path, "//p:top", files=_of("strict"), version="8.6.0")
    assert (values, problems) == ({}, [])


@pytest.mark.parametrize(
    ("policy", "words", "said"),
    [
        ("compatible", ("--copt=-DX",), "Please consider removing these flags"),
        ("compatible", ("-c", "dbg"), "does not allow conflicting flags in the command line or"),
        ("compatible", ("-c", "opt"), ""),
        ("strict", ("--copt=-DX",), "does not allow output-affecting flags in the command line"),
        ("strict", ("--config=ci", "--test_arg=x", "--nobuild"), ""),
        ("strict", ("--config=other",), "Found ['--config=other']"),
        ("strict", ("--scl_config=none",), "is not a valid configuration for this project"),
        ("lax", (), "invalid enforcement_policy 'lax' in //p:PROJECT.scl"),
    ],
)
def test_what_a_policy_says(policy: str, words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    rc = {".bazelrc": "build:ci --copt=-DCI\nbuild:other --copt=-DOTHER\n"}
    _, problems = _flags(tmp_path, "//p:top", *words, files={**_of(policy), **rc})
    assert len(problems) == bool(said), problems
    assert said in "".join(problems)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", 'must define exactly one top-level variable called "project"'),
        ("project = 1", "expected a map of string to objects"),
        ('project = {"configs": 1}', "configs variable must be a map of strings to lists"),
        ('project = {"configs": {"a": [1]}}', "configs variable must be a map of strings to"),
        ('project = {"configs": {}, "default_config": "a"}', "default_config must be a string"),
        ('project = {"configs": {}, "default_config": []}', "default_config must be a string"),
        ('project = {"configs": {"a": []}}', "builds must set --scl_config because no default"),
        ('project = {"actual": 1}', 'project["actual"]'),
        ('project = {"actual": "//p:PROJECT.scl"}', "project files that stand for each other"),
        ('load("//:none.scl", "x")', "error loading project files: "),
        ('project = {"configs": {"a": ["--config=ci"]}, "default_config": "a"}', "global rc file"),
        ("project = {}", ""),
        ('project = {"actual": "//q:PROJECT.scl"}', ""),
        (
            LOADS + 'project = project_of(buildable_units = [unit(name = "a"), unit(name = "a")])',
            "buildable_unit name='a' is repeated",
        ),
        (
            LOADS + 'project = project_of(buildable_units = [unit(name = "a", flags = 1)])',
            "flags must be a list of strings",
        ),
    ],
)
def test_what_is_wrong_with_a_file(text: str, said: str, tmp_path: Path) -> None:
    other = 'project = {"configs": {"b": ["--copt=-DB"]}, "default_config": "b"}'
    files = {"p/BUILD": BUILD, "p/PROJECT.scl": text, "q/BUILD": "", "q/PROJECT.scl": other}
    values, problems = _flags(tmp_path, "//p:top", files=files)
    assert len(problems) == bool(said), problems
    assert said in "".join(problems)
    assert ("copt" in values) == ("//q" in text)


@pytest.mark.parametrize(
    "text",
    [
        "project = made()",
        'project = {"configs": {"a": made()}, "default_config": "a"}',
        'project = {"configs": {"a": ["--copt=-DX", made()]}, "default_config": made()}',
        'project = {"enforcement_policy": made(), "configs": {"a": []}, "default_config": "a"}',
        'project = struct(buildable_units = [struct(name = "a", flags = made())])',
    ],
)
def test_a_file_that_nobody_knows_is_told(text: str, tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": 'bazel_dep(name = "far", version = "1.0")\n',
        "p/BUILD": BUILD,
        "p/PROJECT.scl": f'load("@far//:x.scl", "made")\n{text}\n',
    }
    _, problems = _flags(tmp_path, "//p:top", files=files)
    assert "it cannot be told which flags //p:PROJECT.scl sets for //p:top" in "".join(problems)
    assert main(["explain", "-w", str(tmp_path), "--no-cache", "//p:top"]) == 3


PATTERNS = """
load("//:messages.scl", "project_of", "unit")
project = project_of(buildable_units = [
    unit(name = "a", flags = ["--copt=-DA"], is_default = True, target_patterns = ["//p:fast"]),
    unit(
        name = "b",
        flags = ["--copt=-DB"],
        is_default = True,
        target_patterns = ["//p/...", "-//p:fast", "-//p:top"],
    ),
])
"""


@pytest.mark.parametrize(
    ("targets", "copt", "said"),
    [
        (("//p:fast",), "-DA", ""),
        (("//p:slow",), "-DB", ""),
        (("//p:slow", "//p:is_opt"), "-DB", ""),
        (("//p:slow", "//p:fast"), None, "with different configurations are not supported"),
        (("//p:top",), None, "no default config is defined"),
        (("//p:slow", "//q:x"), "-DB", ""),
        (("//p:slow", "//r:x"), None, "Mismatching default configs for a multi-project build."),
        (("//p:slow", "//:x"), "-DB", "//:x belongs to no project"),
    ],
)
def test_targets_choose(
    targets: tuple[str, ...], copt: str | None, said: str, tmp_path: Path
) -> None:
    one = 'filegroup(name = "x")'
    of = 'project = {"configs": {"c": ["--copt=%s"]}, "default_config": "c"}'
    files = {"p/BUILD": BUILD, "p/PROJECT.scl": PATTERNS, "BUILD": one, "q/BUILD": one}
    files |= {"r/BUILD": one, "q/PROJECT.scl": of % "-DB", "r/PROJECT.scl": of % "-DR"}
    values, problems = _flags(tmp_path, *targets, files=files)
    assert values.get("copt") == copt
    assert len(problems) == bool(said), problems
    assert said in "".join(problems)


def test_questions_take_the_flags_of_what_they_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"MODULE.bazel": "", "BUILD": "", "messages.scl": MESSAGES, **_of("strict")}
    write_files(tmp_path, files)
    line = ["-w", str(tmp_path), "--bazel-version=9.1.0"]
    for _ in range(2):  # The second answer is a kept one.
        assert main(["cquery", *line, "deps(//p:top)"]) == 0
        said = capsys.readouterr().out
        assert ("//p:fast" in said, "//p:slow" in said) == (True, False)
        assert main(["path", *line, "//p:top", "//p:fast"]) == 0
        assert "p/PROJECT.scl:7" in capsys.readouterr().out
    assert main(["explain", *line, "//p:top"]) == 0
    said = capsys.readouterr().out
    assert "PROJECT.scl adds\n  --compilation_mode=opt  p/PROJECT.scl:7\n" in said
    text = (tmp_path / "p/PROJECT.scl").read_text().replace("mode=opt", "mode=dbg")
    (tmp_path / "p/PROJECT.scl").write_text(text)
    assert main(["cquery", *line, "deps(//p:top)"]) == 0
    assert "//p:slow" in capsys.readouterr().out
    assert main(["cquery", *line, "deps(//p:top)", "--copt=-DX"]) == 2
    assert "does not allow output-affecting flags" in capsys.readouterr().err


def test_one_line_answers_about_targets_of_two_projects(tmp_path: Path) -> None:
    write_files(tmp_path, {"MODULE.bazel": "", "BUILD": "", "messages.scl": MESSAGES})
    other = 'project = {"configs": {"b": ["--compilation_mode=dbg"]}, "default_config": "b"}'
    write_files(tmp_path, {**_of("warn"), "q/BUILD": BUILD, "q/PROJECT.scl": other})
    asked = Workspace.open(tmp_path, bazel_version="9.1.0").configure(())
    for package, mode in (("p", "opt"), ("q", "dbg"), ("p", "opt")):
        asked.select(f"//{package}:top")
        assert asked.flags.values["compilation_mode"].value == mode


def test_questions_that_build_nothing_load_nothing(tmp_path: Path) -> None:
    write_files(tmp_path, {"MODULE.bazel": "", "BUILD": "", "messages.scl": MESSAGES})
    write_files(tmp_path, _of("warn"))
    asked = Workspace.open(tmp_path, bazel_version="9.1.0").configure(())
    asked.flag("compilation_mode")
    asked.configs("top")
    assert not asked.is_loading


def test_a_flood_of_flags_ends(tmp_path: Path) -> None:
    made = 'project = {"configs": {"c": ["--//p:f%d=x" % n for n in range(20000)]},'
    text = "#" * 1_000_000 + f'\n{made} "default_config": "c"}}\n'
    files = {"p/BUILD": BUILD, "p/PROJECT.scl": text}
    write_files(tmp_path, {"MODULE.bazel": "", **files})
    asked = Workspace.open(tmp_path, bazel_version="9.1.0").configure(["//p:top"])
    started = time.process_time()
    assert len(asked.flags.starlark_flags) == 20000
    assert time.process_time() - started < 25


def test_cells_take_the_flags_of_what_they_build(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"MODULE.bazel": "", "BUILD": "", "messages.scl": MESSAGES})
    write_files(tmp_path, _of("strict"))
    line = ["matrix", "needs", "//p:top", "//p:fast", "-w", str(tmp_path), "--no-cache"]
    line += ["--bazel-version=9.1.0", "--over", "hosts=linux"]
    assert main(line) == 0
    assert "yes" in capsys.readouterr().out
    main([*line, "--copt=-DX"])
    assert "does not allow output-affecting flags" in capsys.readouterr().out
