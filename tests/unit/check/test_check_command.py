"""The command `check`: what is told, waived and known, in every format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import sarif_pydantic

from bazelscope.api import Workspace
from bazelscope.cli import main
from bazelscope.json_format.answer_schema import shipped_schema
from tests.support.files import write_files
from tests.unit.questions.json_schema import violations

_FILES = {
    "WORKSPACE": "",
    ".bazelversion": "6.5.0\n",
    ".bazelrc": "build --config=none\nbuild:empty\n",
    "BUILD": 'filegroup(name = "a", srcs = ["//b:hidden"])\n',
    "b/BUILD": 'filegroup(name = "hidden", visibility = ["//visibility:private"])\n',
    "c/BUILD": 'nosuch(name = "x")\n',
}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path, _FILES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def _findings(capsys: pytest.CaptureFixture[str], words: Sequence[str] = ()) -> list[dict]:  # type: ignore[type-arg]
    main(["check", "--no-cache", "--format", "json", *words])
    document = json.loads(capsys.readouterr().out)
    schema = json.loads(shipped_schema())
    assert violations(document, schema, schema) == []
    found: list[dict] = document["findings"]  # type: ignore[type-arg]
    return found


def _codes(capsys: pytest.CaptureFixture[str], words: Sequence[str] = ()) -> list[str]:
    return [one["code"] for one in _findings(capsys, words)]


def test_everything_that_bazel_refuses_is_told_at_its_place(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {(one["code"], one["span"]["path"], one["span"]["line"]) for one in _findings(capsys)}
    assert found == {
        ("BZS101", ".bazelrc", 1),
        ("BZS111", ".bazelrc", 2),
        ("BZS006", "BUILD", 1),
        ("BZS005", "c/BUILD", 1),
    }


def test_the_text_has_place_code_message_and_remedy(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--no-cache", "--codes", "BZS006"]) == 3
    out = capsys.readouterr().out
    assert "BUILD:1  error BZS006" in out
    assert "target '//b:hidden' is not visible from target '//:a'" in out
    assert "-> give //b:hidden a `visibility` that lets // in" in out
    assert "1 error." in out


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        (["--codes", "BZS1"], ["BZS101", "BZS111"]),
        (["--codes", "bzs005,BZS111"], ["BZS111", "BZS005"]),
        (["--ignore", "BZS1", "--ignore=BZS005"], ["BZS006"]),
        (["//b:hidden", "--codes", "BZS006"], []),
        (["//:a", "--codes", "BZS006"], ["BZS006"]),
    ],
)
def test_codes_and_targets_choose(
    words: list[str], codes: list[str], workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _codes(capsys, words) == codes


def test_exit_codes(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-cache", "--codes", "BZS111"]) == 1
    assert main(["check", "--no-cache", "//b:hidden", "--codes", "BZS006"]) == 0
    assert "No findings." in capsys.readouterr().out
    assert main(["check", "--no-cache", "--codes", "BZS999"]) == 2
    assert "`BZS999` begins no code" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "build --config=none # bazelscope: ignore[BZS101]\n",
        "# bazelscope: ignore[BZS103, BZS101]\nbuild --config=none\n",
    ],
)
def test_a_comment_waives_its_line(
    text: str, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / ".bazelrc").write_text(text)
    assert _codes(capsys, ["--codes", "BZS1"]) == []
    main(["check", "--no-cache", "--codes", "BZS101"])
    assert "No findings; 1 ignored by comments." in capsys.readouterr().out


def test_a_comment_waives_no_other_code(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / ".bazelrc").write_text("build --config=none # bazelscope: ignore[BZS111]\n")
    assert _codes(capsys, ["--codes", "BZS1"]) == ["BZS101"]


def test_a_baseline_hides_what_it_knows_though_lines_move(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", "--no-cache", "--format", "json"])
    (tmp_path / "known.json").write_text(capsys.readouterr().out)
    text = "\n\nbuild --config=none\nbuild:empty\nbuild:void\n"
    (workspace / ".bazelrc").write_text(text)
    found = _findings(capsys, ["--baseline", "known.json"])
    assert [(one["code"], one["span"]["line"]) for one in found] == [("BZS111", 5)]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"findings": [1]}', '{"findings": 3}'])
def test_what_is_no_baseline_is_refused(
    text: str, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "known.json").write_text(text)
    assert main(["check", "--no-cache", "--baseline", "known.json"]) == 2
    assert "`known.json` is no answer of `check`" in capsys.readouterr().err


def test_a_baseline_that_is_not_there(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-cache", "--baseline", "gone.json"]) == 2
    assert "No such file" in capsys.readouterr().err


def test_sarif_can_be_read_by_others(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-cache", "--format", "sarif"]) == 3
    document = capsys.readouterr().out
    assert json.loads(document)["version"] == "2.1.0"
    (run,) = sarif_pydantic.Sarif.model_validate_json(document).runs
    assert run.tool.driver.name == "bazelscope"
    assert [rule.id for rule in run.tool.driver.rules or []] == [
        "BZS005",
        "BZS006",
        "BZS101",
        "BZS111",
    ]
    results = {result.rule_id: result for result in run.results or []}
    hidden = results["BZS006"]
    assert hidden.level is not None
    assert hidden.level.value == "error"
    (location,) = hidden.locations or []
    place = location.physical_location
    assert place is not None
    assert place.artifact_location is not None
    assert (place.artifact_location.uri, place.region and place.region.start_line) == ("BUILD", 1)
    (related,) = json.loads(document)["runs"][0]["results"][-2]["relatedLocations"] or [None]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "b/BUILD"


def test_sarif_knows_a_finding_again_when_its_line_moves(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def prints() -> set[str]:
        main(["check", "--no-cache", "--format", "sarif"])
        results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
        return {one["partialFingerprints"]["bazelscope/1"] for one in results}

    before = prints()
    (workspace / ".bazelrc").write_text("\n\n" + _FILES[".bazelrc"])
    assert prints() == before


def test_annotations_of_github(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--no-cache", "--format", "github", "--codes", "BZS101,BZS111"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("::error file=.bazelrc,line=1,endLine=1,col=7,title=BZS101::")
    assert lines[1].startswith("::warning file=.bazelrc,line=2,endLine=2,col=1,title=BZS111::")
    assert len(lines) == 2


def test_a_workspace_that_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--no-cache"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_test_suite_need_not_see_its_tests(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "BUILD").write_text('test_suite(name = "all", tests = ["//b:tests"])\n')
    private = 'test_suite(name = "tests", tests = [], visibility = ["//visibility:private"])\n'
    (workspace / "b" / "BUILD").write_text(private)
    assert _codes(capsys, ["--codes", "BZS006"]) == []


def test_nothing_is_checked_between_a_label_flag_and_its_default(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = 'label_flag(name = "f", build_setting_default = "//b:hidden")\n'
    (workspace / "BUILD").write_text(text)
    assert _codes(capsys, ["//:f", "--codes", "BZS006"]) == []


def test_what_depends_on_flags_is_told_of_targets_that_are_asked_for(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        'config_setting(name = "s", define_values = {"s": "1"})\n'
        'filegroup(name = "x", srcs = select({":s": []}))\n'
    )
    (workspace / "BUILD").write_text(text)
    assert _codes(capsys, ["--codes", "BZS006"]) == []
    assert _codes(capsys, ["//:x", "--codes", "BZS006"]) == ["BZS006"]


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        (["//..."], ["//:x"]),
        (["//:all"], ["//:x"]),
        ([":all"], ["//:x"]),
        (["//p/..."], []),
        (["//p:other"], ["//p:other"]),  # By name, and not in a pattern: `manual`.
        (["//q/..."], []),  # In silence, as Bazel leaves out what a pattern stands for.
        (["//q:mac"], ["//q:mac"]),
    ],
)
def test_patterns_stand_for_what_a_build_takes(
    words: list[str], refused: list[str], workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    setting = 'config_setting(name = "s", define_values = {"s": "1"})\n'
    unmatched = 'filegroup(name = "{}", srcs = select({{"//:s": []}}), tags = {})\n'
    files = {
        "BUILD": setting + unmatched.format("x", []),
        "p/BUILD": unmatched.format("other", ["manual"]),
        "q/BUILD": 'constraint_setting(name = "os")\n'
        'constraint_value(name = "macos", constraint_setting = ":os")\n'
        'filegroup(name = "mac", target_compatible_with = [":macos"])\n',
    }
    write_files(workspace, files)
    found = _findings(capsys, ["--codes=BZS006", *words])
    assert [one["subject"].partition(".")[0] for one in found] == refused
    assert all(one["remedy"] for one in found)


def test_a_pattern_may_exclude(workspace: Path) -> None:
    (workspace / "BUILD").write_text('filegroup(name = "x", srcs = select({"//b:no": []}))\n')
    opened = Workspace.open(workspace)
    assert opened.check("//:all", codes=["BZS006"]).findings
    assert opened.check("--", "//:all", "-//:x", codes=["BZS006"]).findings == ()


def test_a_pattern_that_names_nothing_is_no_question_about_the_workspace(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--no-cache", "//nosuch/..."]) == 2
    assert "`//nosuch/...` names no target" in capsys.readouterr().err


def test_a_workspace_inside_the_workspace_is_not_looked_at(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(workspace, {"inner/WORKSPACE": "", "inner/c/BUILD": 'nosuch(name = "x")\n'})
    found = [one["span"]["path"] for one in _findings(capsys, ["--codes", "BZS005"])]
    assert found == ["c/BUILD"]


def test_what_many_targets_lack_is_told_once(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = "".join(f'filegroup(name = "l{n}", srcs = ["//gone:x"])\n' for n in range(12))
    (workspace / "BUILD").write_text(lacking)
    main(["check", "--no-cache", "--codes=BZS006"])
    out = capsys.readouterr().out
    assert out.count("but gone has no BUILD file") == 1
    assert "//:l1.srcs" in out
    assert "and 5 more BZS006 (--full)" in out


def test_the_build_file_of_a_repository_is_judged_in_the_repository_alone(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repositories = (
        'load(":defs.bzl", "archive")\n'
        'new_local_repository(name = "r", path = "r", build_file = "//o:BUILD")\n'
        'archive(name = "s", additional_build_files = {"//p:BUILD": "p/BUILD"})\n'
    )
    rule = """archive = repository_rule(
    implementation = lambda ctx: None, attrs = {"additional_build_files": attr.string_dict()})
"""
    overlay = 'filegroup(name = "y", srcs = ["//gone:x"])\n'
    files = {"o/BUILD": overlay, "p/BUILD": overlay, "BUILD": overlay, "defs.bzl": rule}
    write_files(workspace, {"WORKSPACE": repositories, **files})
    places = {one["span"]["path"] for one in _findings(capsys, ["--codes=BZS006"])}
    assert places == {"BUILD"}
    places = {one["span"]["path"] for one in _findings(capsys, ["--codes=BZS006", "//o:y"])}
    assert places == {"o/BUILD"}


def test_dependencies_that_are_not_there_are_told_once_for_all_users(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What to mend is said in a line, not in the words of a build that has just failed."""
    write_files(
        workspace,
        {
            "d/BUILD": 'filegroup(name = "one", srcs = ["//b:hiden", "//e:f"])\n'
            'filegroup(name = "two", srcs = ["//b:hiden"])\n',
        },
    )
    assert main(["check", "--no-cache", "--codes", "BZS006"]) == 3
    out = capsys.readouterr().out
    assert "//d:one depends on //b:hiden, which b/BUILD does not declare" in out
    assert "-> did you mean `hidden`?" in out
    assert "//d:two.srcs  d/BUILD:2" in out
    assert "//d:one depends on //e:f, but e has no BUILD file" in out
    assert "referenced by" not in out


def test_a_module_in_a_submodule_that_is_not_checked_out(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(
        workspace,
        {
            ".bazelversion": "8.2.1\n",
            ".bazelrc": "",
            "BUILD": "",
            "c/BUILD": "",
            ".gitmodules": '[submodule "s"]\n\tpath = third/m\n',
            "MODULE.bazel": """bazel_dep(name = "m")

local_path_override(module_name = "m", path = "third/m")
""",
        },
    )
    (one,) = _findings(capsys)
    assert (one["code"], one["span"]["path"], one["span"]["line"]) == ("BZS004", "MODULE.bazel", 3)
    assert one["remedy"] == "check out the submodule: `git submodule update --init third/m`"
    assert not one["causes"]


def test_packages_that_fail_alike_are_named(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load = 'load("//gone:x.bzl", "x")\n'
    write_files(workspace, {".bazelrc": "", "BUILD": "", "c/BUILD": load, "d/BUILD": load})
    assert main(["check", "--no-cache"]) == 3
    shown = capsys.readouterr().out
    assert "c/BUILD:1  error BZS005" in shown
    assert "//d  d/BUILD:1" in shown


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ((), ["//broken", "//twice"]),
        (("//well",), []),
        (("//well:well",), []),
        (("--", "//well/...", "-//twice:all"), ["//twice"]),
        (("//twice:one",), ["//twice"]),
        (("//twice:all",), ["//twice"]),
        (("//uses",), ["//broken"]),
        (("//...",), ["//broken", "//twice"]),
    ],
)
def test_packages_in_error_are_told_where_the_targets_come_to_them(
    tmp_path: Path, asked: tuple[str, ...], told: list[str]
) -> None:
    files = {
        "WORKSPACE": "",
        ".bazelversion": "4.2.3",
        "well/BUILD": 'filegroup(name = "well")',
        "broken/BUILD": 'filegroup(name = "broken"',
        "twice/BUILD": 'filegroup(name = "one")\nfilegroup(name = "one")',
        "uses/BUILD": 'filegroup(name = "uses", srcs = ["//broken:broken"])',
    }
    write_files(tmp_path, files)
    found = Workspace.open(tmp_path).configure(asked).check(codes=["BZS005"]).findings
    assert sorted(one.subject for one in found) == told
