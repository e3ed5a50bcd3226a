"""What is told of rc files: each rule where it holds, and where it must be silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from tests.support.files import write_files

_RULES = {
    "BZS101: of another config": ("# a\nbuild:a --config=none\n", ["BZS101:2 --config=none"]),
    "BZS101: defined for another command": (
        "# a\ntest:x --test_output=all\nbuild:a --config=x\n# b\nrun --config=a\n",
        ["BZS101:3 --config=x"],
    ),
    "BZS101: not where `common` names it": (
        "# a\ntest:x --test_output=all\n# c\ncommon:a --config=x\ntest --config=a\n",
        [],
    ),
    "BZS102": ("build:lost --copt=-g\n", ["BZS102:1 config lost"]),
    "BZS102: not with a comment": ("# Finds races.\nbuild:lost --copt=-g\nbuild:lost -s\n", []),
    "BZS102: not in a list below a comment": (
        "# For the nightly runs.\nbuild:one --copt=-g\nbuild:two --copt=-g\n",
        [],
    ),
    "BZS102: not in a list of the file's own": (
        (
            "# Options:\n#   lost:  Finds races.\n#   - `more`: Finds leaks.\n\nbuild --jobs=3\n\n"
            "build:lost --copt=-g\n\nbuild:more --copt=-g\n\nbuild:rest --copt=-g\n"
        ),
        ["BZS102:11 config rest"],
    ),
    "BZS102: but below a section of its own": (
        "# Finds races.\nbuild:one --copt=-g\nbuild:one --jobs=3\nbuild:two --copt=-g\n",
        ["BZS102:4 config two"],
    ),
    "BZS102: not below a heading that has a part of the name": (
        "# Android configs.\nbuild -s\n\nbuild:android_arm --copt=-g\n\nbuild:rest --copt=-g\n",
        ["BZS102:6 config rest"],
    ),
    "BZS102: not where a script puts the name together": ("build:nightly_arm --copt=-g\n", []),
    "BZS102: not where a script names it": ("build:ci --copt=-g\n", []),
    "BZS102: not where a script may": ("build:rbe_py3 --copt=-g\n", []),
    "BZS103": (
        "build --jobs=1\nbuild --jobs=2\n",
        ["BZS103:1 --jobs=1"],
    ),
    "BZS103: beaten through a config": (
        "build:ci --jobs=1\nbuild:ci --config=fast\n# fast\nbuild:fast --jobs=9\n",
        ["BZS103:1 --jobs=1"],
    ),
    "BZS103: not what only some commands beat": ("build --jobs=1\ntest --jobs=2\n", []),
    "BZS103: not what overrides a config": (
        "# fast\nbuild:fast --jobs=9\nbuild:ci --config=fast\nbuild:ci --jobs=1\n",
        [],
    ),
    "BZS103: a define of the same name": (
        "build --define=a=1 --define=b=1\nbuild --define=a=2\n",
        ["BZS103:1 --define=a=1"],
    ),
    "BZS103: not a user's own file": ("build --jobs=1\nimport %workspace%/user.rc\n", []),
    "BZS103: not by a word that is refused": ("build --jobs=1\nbuild --jobs=\n", []),
    "BZS104": ("build --copt=-g -s\nbuild --copt=-g\n", ["BZS104:1 --copt=-g"]),
    "BZS104: not words that go together": (
        "build --copt=-Xclang --copt=-a --copt=-Xclang --copt=-b\n",
        [],
    ),
    "BZS106: refused in a config that nobody asked for": (
        "# x\nbuild:x --no_such\n",
        ["BZS106:2 unrecognized option: `--no_such`"],
    ),
    "BZS106: a wrong value": ("# x\nbuild:x --jobs=many\n", None),
    "BZS106: not behind `--` of another config": (
        "# a\nbuild:a -- //x\n# b\nbuild:b --config=a\nbuild:b -//y\n",
        [],
    ),
    "BZS107": (
        "build --experimental_strict_action_env\n",
        ["BZS107:1 experimental_strict_action_env"],
    ),
    "BZS108": ("# x\nbuild:x --nostamp\n", ["BZS108:2 config x"]),
    "BZS108: not what another config sets": (
        "# x\nbuild:x --nostamp\n# y\nbuild:y --stamp\n",
        [],
    ),
    "BZS109: a header": (
        "build --remote_header=x-buildbuddy-api-key=QcJ8s7dHk2mWzPq1\n",
        ["BZS109:1 --remote_header"],
    ),
    "BZS109: a variable": (
        "build --action_env=NPM_TOKEN=QcJ8s7dHk2mWzPq1\n",
        ["BZS109:1 --action_env"],
    ),
    "BZS109: a login": (
        "build --remote_cache=https://bob:hunter2hunter2@cache.example/\n",
        ["BZS109:1 --remote_cache"],
    ),
    "BZS109: not what stands for one": (
        "build --action_env=NPM_TOKEN=${NPM_TOKEN} --action_env=TOKEN --define=key=<secret>\n",
        [],
    ),
    "BZS110: what configure would write": (
        "try-import %workspace%/.own.bazelrc\nbuild --config=opt\n",
        ["BZS101:2 undefined-config", "BZS110:1 .own.bazelrc"],
    ),
    "BZS110: not what nobody writes": ("try-import %workspace%/user.bazelrc\n", []),
    "BZS111": ("build:x\n--copt=-g\n", ["BZS111:1 empty-line", "BZS111:2 missing-command"]),
    "BZS112": ("build:windows --copt=/W3\n", ["BZS112:1 config windows"]),
    "BZS112: not with the flag": (
        "build --enable_platform_specific_config\nbuild:windows --copt=/W3\n",
        [],
    ),
    "BZS113": (
        "# a\nbuild:a --copt=-g\n# b\nbuild:b --config=a\nbuild --config=a --config=b\n",
        None,
    ),
    "BZS114": (
        "build --enable_bzlmod\nbuild --override_repository=x=/x\n",
        ["BZS114:1 --enable_bzlmod", "BZS114:2 --override_repository=x=/x"],
    ),
    "BZS114: not what is the default": ("build --noenable_bzlmod\n", []),
    "BZS114: not what query reads, too": (
        "build --enable_bzlmod\ncommon --enable_bzlmod=1\n",
        [],
    ),
    "BZS114: not of a config": ("# x\nbuild:x --enable_bzlmod\n", []),
}
_CODES = {"BZS106: a wrong value": "BZS106", "BZS113": "BZS113"}
"""Cases of which only the code counts: the words are another stage's."""


def _check(tmp_path: Path, text: str, *words: str) -> list[str]:
    write_files(
        tmp_path,
        {
            "WORKSPACE": "",
            ".bazelversion": "6.5.0\n",
            ".bazelrc": text,
            "user.rc": "build --jobs=3\n",
            "BUILD": "",
            "configure": "#!/bin/sh\nexec ./configure.py\n",
            "configure.py": "write('.own.bazelrc', 'build:opt --copt=-O2')\n",
            "ci.sh": "bazel test --config=ci //...\nbazel test --config=rbe_${PY} //...\n",
            "nightly.sh": 'name="nightly_${arch}"\nbazel test --config="$name" //...\n',
        },
    )
    (tmp_path / "configure").write_text("# writes .own.bazelrc\n./configure.py\n")
    found = Workspace.open(tmp_path).configure(words).check(codes=["BZS1"]).findings
    assert all(one.path == ".bazelrc" for one in found)
    return sorted(f"{one.code}:{one.span.line if one.span else 0} {one.subject}" for one in found)


@pytest.mark.parametrize("case", _RULES)
def test_rule(case: str, tmp_path: Path) -> None:
    text, wanted = _RULES[case]
    found = _check(tmp_path, text)
    if wanted is None:
        assert {one[:6] for one in found} == {_CODES[case]}
    else:
        assert found == wanted


def test_a_config_of_the_command_line_is_named(tmp_path: Path) -> None:
    assert _check(tmp_path, "build:lost --copt=-g\n", "--config=lost") == []


def test_a_file_outside_of_the_tree_may_have_configs_that_others_name(tmp_path: Path) -> None:
    (tmp_path / "common.rc").write_text("build:lost --copt=-g\n")
    rc = "import %workspace%/../common.rc\nbuild:gone --copt=-g\n"
    write_files(tmp_path / "w", {"WORKSPACE": "", "BUILD": "", ".bazelrc": rc})
    found = Workspace.open(tmp_path / "w").check(codes=["BZS102"]).findings
    assert [one.subject for one in found] == ["config gone"]


def test_a_secret_is_never_told(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {"WORKSPACE": "", "BUILD": "", ".bazelrc": "build --action_env=TOKEN=QcJ8s7dHk2mWzPq1\n"},
    )
    (found,) = Workspace.open(tmp_path).check(codes=["BZS109"]).findings
    assert "QcJ8" not in repr(found)


@pytest.mark.parametrize(("version", "count"), [("4.2.3", 1), ("6.5.0", 0)])
def test_common_lines_hold_what_every_command_has(version: str, count: int, tmp_path: Path) -> None:
    files = {"WORKSPACE": "", ".bazelversion": version, ".bazelrc": "common --copt=-g\n"}
    write_files(tmp_path, files)
    found = Workspace.open(tmp_path).check(codes=["BZS106"]).findings
    assert [one.subject for one in found] == ["common copt"] * count


def test_a_deprecated_option_is_told_though_nobody_asks_for_its_config(tmp_path: Path) -> None:
    text = "# x\nbuild:x --announce\n"
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3", ".bazelrc": text})
    (found,) = Workspace.open(tmp_path).check(codes=["BZS105"]).findings
    assert (found.message, found.remedy) == (
        "option `--announce` is deprecated",
        "Bazel says: it does nothing",
    )


def test_a_word_that_a_config_beats_may_be_meant_to_count(tmp_path: Path) -> None:
    rc = (
        "build:ci --jobs=1\nbuild:ci --config=fast\n# fast\nbuild:fast --jobs=9\n"
        "build --jobs=2 --jobs=3\n"
    )
    write_files(tmp_path, {"WORKSPACE": "", ".bazelrc": rc})
    found = Workspace.open(tmp_path).check(codes=["BZS103"]).findings
    assert [one.remedy for one in found] == [
        "move it below the `--config` that leads to `build:fast`, or delete it",
        "delete it",
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--nostamp", "`--nostamp` is Bazel's default"),
        ("--nostamp --nokeep_going", "`--nostamp`, `--nokeep_going` are Bazel's defaults"),
    ],
)
def test_what_a_config_without_effect_sets(words: str, told: str, tmp_path: Path) -> None:
    write_files(tmp_path, {"WORKSPACE": "", ".bazelrc": f"# x\nbuild:x {words}\n"})
    (found,) = Workspace.open(tmp_path).check(codes=["BZS108"]).findings
    assert found.message == f"`--config=x` changes nothing: {told}"


@pytest.mark.parametrize(
    ("version", "word", "remedy"),
    [
        ("6.5.0", "--experimental_strict_action_env", "--incompatible_strict_action_env"),
        ("6.5.0", "--noexperimental_strict_action_env", "--noincompatible_strict_action_env"),
        # 6.0 has the new name, 4.2.3 has not; what 5 has is not known.
        ("6.0.0", "--experimental_reuse_sandbox_directories", "--reuse_sandbox_directories"),
        ("5.3.2", "--experimental_reuse_sandbox_directories", None),
        ("4.2.3", "--experimental_reuse_sandbox_directories", None),
    ],
)
def test_the_name_to_write_means_what_was_written(
    version: str, word: str, remedy: str | None, tmp_path: Path
) -> None:
    files = {"WORKSPACE": "", ".bazelversion": version, ".bazelrc": f"build {word}\n"}
    write_files(tmp_path, files)
    found = Workspace.open(tmp_path).check(codes=["BZS107"]).findings
    assert [one.remedy for one in found] == ([f"write `{remedy}`"] if remedy else [])


def test_an_option_of_former_bazels_is_to_be_deleted(tmp_path: Path) -> None:
    text = "# x\nbuild:x --all_incompatible_changes\n"
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "7.7.1\n", ".bazelrc": text})
    (found,) = Workspace.open(tmp_path).check(codes=["BZS106"]).findings
    assert found.remedy == "delete it (Bazel has it up to 4.2.3)"


@pytest.mark.parametrize(
    "line",
    [
        "build --flag_alias=short=//:flag",
        "build --flag_alias short=//:flag",
        "build:names --flag_alias=short=//:flag\nbuild --config=names",
        "build:x --flag_alias=short=//:flag",
    ],
)
def test_a_short_name_of_a_flag_is_known_where_lines_give_it(line: str, tmp_path: Path) -> None:
    rc = f"{line}\nbuild:x --short=1\nbuild:x --shorter=1\n"
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3", ".bazelrc": rc})
    found = Workspace.open(tmp_path).check(codes=["BZS106"]).findings
    assert [one.message for one in found] == ["unrecognized option: `--shorter`"]


def test_a_short_name_of_a_flag_is_known_where_the_module_gives_it(tmp_path: Path) -> None:
    alias = 'flag_alias(name = "short", starlark_flag = "//:flag")\n'
    rc = "build:x --short=1\n"
    write_files(tmp_path, {"MODULE.bazel": alias, ".bazelversion": "8.5.0", ".bazelrc": rc})
    assert not Workspace.open(tmp_path).check(codes=["BZS106"]).findings


def test_an_rc_file_that_a_script_would_write_is_told_at_the_line(tmp_path: Path) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "configure.py": "\nopen('.bazelrc', 'w')\n"})
    (found,) = Workspace.open(tmp_path).check(codes=["BZS110"]).findings
    assert found.message == (
        "`.bazelrc` is not there, so what `configure.py` would write to it is not set"
    )
    assert (str(found.span), found.remedy) == ("configure.py:2:7", "run `./configure.py`")
