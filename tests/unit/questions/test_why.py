"""`explain --why`: whatever an explanation prints has a name, and a chain of causes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli.entry import main
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.questions.explain.text import explanation_document
from bazelscope.questions.shared.sections import Section
from bazelscope.questions.why.answer import Fact, FactKind, Link, Relation
from bazelscope.questions.why.find import words_of
from bazelscope.questions.why.text import why_document
from bazelscope.render.console import to_text
from tests.support.files import write_files
from tests.support.parts import FIXTURES
from tests.unit.questions.why_world import LINES, PACKAGE, build, chain

HEADINGS = re.compile(
    r"(and \d+ more.*|gives nothing|attributes, after select\(\)|depends directly on \d+ targets.*"
    r"|\d+ conditions? (holds?|does not hold|do not hold) because of it:)"
)
"""Rows that say nothing themselves."""


def only(fixture: str, name: str, kind: FactKind) -> Fact:
    (found,) = (fact for fact in build(fixture).why(name).facts if fact.kind is kind)
    return found


@pytest.mark.parametrize("fixture", LINES)
def test_every_line_of_an_explanation_can_be_asked_for(fixture: str) -> None:
    asked = build(fixture)
    sections = tuple(section for section in Section if section is not Section.UNKNOWN)
    with_every_line = replace(asked.explain(), sections=sections)
    text = to_text(explanation_document(with_every_line))
    rows = [line for line in text.splitlines() if line.startswith("  ")]
    assert len(rows) > 40
    untold = [
        line
        for line in dict.fromkeys(rows)
        if not HEADINGS.fullmatch(line.strip()) and not asked.why(line).facts
    ]
    assert untold == []


def test_a_flag_leads_to_the_line_the_config_and_the_command_line() -> None:
    found = only("tf-2.4-mkl", "compilation_mode", FactKind.FLAG)
    assert (found.name, found.value) == ("--compilation_mode", "opt")
    assert chain(found.causes) == [
        "set-by -c opt .bazelrc:19",
        "  expanded-from --config=mkl",
        "over -c opt .bazelrc:64",
    ]


def test_an_imported_file_is_part_of_the_chain() -> None:
    found = only("tf-1.14-cuda-debug", "TF_NEED_CUDA", FactKind.VARIABLE)
    assert found.value == "1"
    assert chain(found.causes) == [
        "set-by --action_env TF_NEED_CUDA=1 .tf_configure.bazelrc:8",
        "  imported .tf_configure.bazelrc .bazelrc:57",
        "read-by @local_config_cuda",
        "read-by @local_config_nccl",
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("--copt=-O3", "--copt=-O3"),
        ("over -c opt", "-c opt"),
        ("--copt=-w   .bazelrc:69, --enable_platform_specific_config", "--copt=-w"),
    ],
)
def test_one_value_of_a_flag_can_be_asked_for(name: str, text: str) -> None:
    (found,) = build("tf-2.4-mkl").why(name).facts
    assert found.causes[0].text == text


def test_a_condition_leads_to_the_flag_and_to_what_asks() -> None:
    found = only("tf-2.4-mkl", "//third_party/mkl:build_with_mkl", FactKind.CONDITION)
    assert found.value == "holds"
    assert chain(found.causes)[:4] == [
        "meets --define=build_with_mkl=true",
        "  set-by --define=build_with_mkl=true .bazelrc:16",
        "    expanded-from --config=mkl",
        f"asked-by {PACKAGE}.data tensorflow/tools/pip_package/BUILD:71",
    ]


def test_a_condition_that_does_not_hold_says_what_it_wants() -> None:
    found = only("tf-2.4-mkl", "//tensorflow:windows", FactKind.CONDITION)
    assert found.value == "does-not-hold"
    assert chain(found.causes)[:3] == [
        "wants --cpu=x64_windows",
        "  default --cpu=k8",
        "holds-with --cpu=x64_windows",
    ]


def test_a_condition_that_does_not_hold_says_which_configs_would_have_it_hold() -> None:
    line = Workspace.open(FIXTURES / "tf-2.4-mkl").configure([PACKAGE])
    (found,) = line.why("//third_party/mkl:build_with_mkl").facts
    assert chain(found.causes)[:4] == [
        "wants --define=build_with_mkl=true",
        "holds-with --config=mkl .bazelrc:16",
        "holds-with --config=mkl_threadpool .bazelrc:22",
        "holds-with --config=mkl_opensource_only .bazelrc:29",
    ]


def test_the_workspace_s_own_name_is_no_other_repository() -> None:
    long_name = "@org_tensorflow//third_party/mkl:build_with_mkl"
    found = only("tf-2.4-mkl", long_name, FactKind.CONDITION)
    assert found.name == "//third_party/mkl:build_with_mkl"


def test_a_short_name_means_the_condition_and_the_define() -> None:
    kinds = {fact.kind for fact in build("tf-2.4-mkl").why("build_with_mkl").facts}
    assert kinds == {FactKind.CONDITION, FactKind.DEFINE}


def test_an_attribute_leads_to_its_pieces_and_its_call() -> None:
    found = only("tf-2.4-mkl", "data", FactKind.ATTRIBUTE)
    lines = chain(found.causes)
    assert "from COMMON_PIP_DEPS" not in lines
    assert "term COMMON_PIP_DEPS tensorflow/tools/pip_package/BUILD:63" in lines
    mkl = lines.index(
        'term if_mkl_ml(["//third_party/mkl:intel_binary_blob"])'
        " tensorflow/tools/pip_package/BUILD:71"
    )
    assert lines[mkl + 1 : mkl + 6] == [
        "  defined select() third_party/mkl/build_defs.bzl:18",
        "  takes //third_party/mkl:build_with_mkl third_party/mkl/BUILD:5",
        "    meets --define=build_with_mkl=true",
        "      set-by --define=build_with_mkl=true .bazelrc:16",
        "        expanded-from --config=mkl",
    ]
    assert found.causes[-1].relation is Relation.CALLED


def test_a_repository_leads_to_its_macro_and_to_what_needs_it() -> None:
    found = only("tf-2.4-mkl", "@mkl_dnn_v1", FactKind.REPOSITORY)
    assert found.value == "overlay"
    lines = chain(found.causes)
    assert lines[0].startswith('defined tf_http_archive(name = "mkl_dnn_v1"')
    assert lines[0].endswith(" tensorflow/workspace.bzl:28")
    assert lines[1].startswith("  inside tf_repositories(")
    needed = next(link for link in found.causes if link.relation is Relation.JOINED_BY)
    assert needed.text.startswith("@mkl_dnn_v1//")
    assert any("--config=mkl" in line for line in chain(needed.causes))


def test_a_call_inside_of_a_file_of_bazels_is_told_as_the_call_of_that_file(
    tmp_path: Path,
) -> None:
    files = {
        "WORKSPACE": """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
load("@bazel_tools//tools/build_defs/repo:utils.bzl", "maybe")
maybe(http_archive, name = "thing", url = "https://x.example/y.zip")
""",
        "BUILD": 'filegroup(name = "x", srcs = ["@thing//:y"])\n',
    }
    write_files(tmp_path, files)
    asked = Workspace.open(tmp_path, bazel_version="4.2.3", cache_dir=None).configure(["//:x"])
    (fact,) = (one for one in asked.why("@thing").facts if one.kind is FactKind.REPOSITORY)
    assert chain(fact.causes)[0].startswith('defined maybe(http_archive, name = "thing", url')


def test_a_dependency_leads_through_every_step() -> None:
    found = only("tf-2.4-mkl", "//third_party/mkl:intel_binary_blob", FactKind.DEPENDENCY)
    assert found.value == "direct"
    (step,) = found.causes
    assert (step.relation, step.text, step.detail) == (Relation.STEP, PACKAGE, "data")


def test_a_dependency_that_the_flags_cut_off_says_where() -> None:
    fixture = Workspace.open(FIXTURES / "tf-2.4-mkl").configure([PACKAGE])
    (found,) = fixture.why("//third_party/mkl:intel_binary_blob").facts
    assert found.value == "cut off by the flags"
    cut = found.causes[-1]
    assert (cut.relation, cut.text) == (Relation.NOT_TAKEN, "//third_party/mkl:build_with_mkl")
    assert cut.causes[0].text == "--define=build_with_mkl=true"


def test_a_config_says_what_it_sets_and_who_asked_for_it() -> None:
    found = only("tf-2.4-mkl", "--config=mkl", FactKind.CONFIG)
    lines = chain(found.causes)
    assert lines[0] == "set-by --config=mkl"
    assert "sets --compilation_mode=opt .bazelrc:19" in lines


def test_a_place_says_what_stands_there() -> None:
    found = only("tf-2.4-mkl", ".bazelrc:19", FactKind.RC_LINE)
    assert chain(found.causes) == ["sets -c opt .bazelrc:19", "  expanded-from --config=mkl"]


def test_the_last_of_two_contradicting_configs_wins() -> None:
    label = "@local_config_cuda//cuda:include_cuda_libs"
    found = only("tf-2.18-cuda-wheel", f"--{label}", FactKind.FLAG)
    assert found.value == "false"
    first, *others = chain(found.causes)
    assert first == f"set-by --{label}=false .bazelrc:36"
    assert f"over --{label}=true .bazelrc:34" in others


def test_an_undefined_config_says_who_may_define_it() -> None:
    workspace = Workspace.open(FIXTURES / "tf-1.14-cuda-debug", bazel_version="0.24.1")
    answer = workspace.configure(["--config=dbg"]).why("dbg")
    (found,) = answer.facts
    assert (found.kind, found.value) == (FactKind.CONFIG, "undefined")


@pytest.mark.parametrize("name", ["mkl_dnn_v1", "mkl_dnn"])
def test_without_a_target_repositories_are_known(name: str) -> None:
    """Nothing of the rc files is called so, if nearly: the workspace is looked at after all."""
    asked = Workspace.open(FIXTURES / "tf-2.4-mkl").configure(["--config=mkl"])
    (fact,) = asked.why(name).facts
    assert (fact.kind, fact.name) == (FactKind.REPOSITORY, f"@{name}")


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("build_with_mlk", "//third_party/mkl:build_with_mkl"),
        ("--compilaton_mode", "--compilation_mode"),
        ("--config=mlk", "--config=mkl"),
        ("--config=cudaa", "--config=cuda"),
        ("--confg=mkl", "--config=mkl"),
        ("@mkl_dnn_v2", "@mkl_dnn_v1"),
    ],
)
def test_what_nothing_is_called_gets_the_nearest_names(asked: str, near: str) -> None:
    answer = build("tf-2.4-mkl").why(asked)
    assert answer.facts == ()
    assert near in answer.suggestions


def test_without_targets_flags_can_be_asked_for() -> None:
    flags = Workspace.open(FIXTURES / "tf-2.4-mkl").configure(["--config=mkl"])
    (found,) = flags.why("--define=build_with_mkl").facts
    assert found.value == "true"
    assert "loader" not in vars(flags)


def test_text_bounds_what_it_lists() -> None:
    answer = build("tf-2.4-mkl").why("data")
    short = to_text(why_document(answer))
    whole = to_text(why_document(answer, full=True))
    assert "from COMMON_PIP_DEPS  gives 8 values" in short
    assert "from 2 more terms (--full)" in short
    assert "(--full)" not in whole
    assert whole.count(" gives ") > short.count(" gives ")


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("  not //a:b: wants --cpu=x, is k8 (default)", "//a:b"),
        ("  --define=a=b      .bazelrc:3, --config=c", "--define=a=b"),
        ("  data <- X (a/BUILD:3)", "a/BUILD:3"),
    ],
)
def test_the_names_in_a_line(line: str, first: str) -> None:
    assert next(word for word in words_of(line) if " " not in word) == first


def test_calls_have_their_arguments_as_written() -> None:
    answer = Workspace.open(FIXTURES / "tf-2.4-mkl").configure(
        ["//tensorflow/core/common_runtime:core_cpu"]
    )
    (target,) = answer.explain([Section.TARGETS]).targets
    outer, inner = target.calls
    assert (outer.function, outer.location.short) == (
        "tf_cuda_library",
        "tensorflow/core/common_runtime/BUILD:28",
    )
    arguments = {argument.name: argument.text for argument in outer.arguments}
    assert arguments["name"] == '"core_cpu"'
    assert arguments["deps"].endswith("+ mkl_deps()")
    assert inner.function == "cc_library"
    assert inner.location.path == "tensorflow/tensorflow.bzl"


def test_no_repository_rule_is_run_for_a_name_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Workspace.open(FIXTURES / "tf-2.4-mkl").configure(["--config=mkl", "//tensorflow:all"])

    def refuse(table: RepositoryTable) -> None:
        raise AssertionError("every repository was looked into")

    monkeypatch.setattr(RepositoryTable, "every", refuse)
    assert asked.why("compilation_mode").facts
    assert asked.why("compilation_mood").suggestions


def test_without_targets_the_conditions_of_the_workspace_say_what_asks_for_a_name() -> None:
    workspace = Workspace.open(FIXTURES / "tf-2.4-mkl", host="linux")
    for name in ("build_with_mkl", "--define=build_with_mkl"):
        (fact,) = [
            one for one in workspace.configure([]).why(name).facts if one.kind is FactKind.DEFINE
        ]
        assert fact.value == "not set"
        assert Link in map(type, fact.causes)
        assert "//third_party/mkl:build_with_mkl" in {
            link.text for link in fact.causes if link.relation is Relation.ASKED_BY
        }


def test_the_option_of_a_name_comes_before_targets_that_end_in_it() -> None:
    first = build("tf-2.4-mkl").why("cpu").facts[0]
    assert (first.kind, first.name, first.value) == (FactKind.FLAG, "--cpu", "k8")
    assert chain(first.causes)[0] == "default --cpu=k8"


@pytest.mark.parametrize(
    "name",
    ("@mkl_dnn_v1", "@mkl_dnn_v1//:mkl_dnn", "@zlib", "core_cpu", "--config=mkl", "cpu", "data"),
)
def test_a_cause_chain_takes_fifteen_lines(name: str) -> None:
    brief = to_text(why_document(build("tf-2.4-mkl").why(name)), 100)
    assert len(brief.splitlines()) <= 15, brief


def test_steps_that_are_left_out_are_counted() -> None:
    answer = build("tf-2.4-mkl").why("@mkl_dnn_v1")
    brief = to_text(why_document(answer), 100)
    whole = to_text(why_document(answer, full=True), 100)
    told = [line for line in brief.splitlines() if line.strip().startswith("through ")]
    (more,) = [int(line.split()[1]) for line in told if "more targets (--full)" in line]
    assert len(told) - 1 + more == sum(
        line.strip().startswith("through ") for line in whole.splitlines()
    )


def test_a_repository_says_where_its_content_is_from() -> None:
    told = to_text(why_document(build("tf-2.4-mkl").why("@mkl_dnn_v1")), 100)
    assert "repository: BUILD file from the workspace; archive not downloaded" in told
    assert "cannot be told" not in told
    assert "oneDNN/archive/v1.6.4.tar.gz  and 1 other address" in told


def test_a_target_that_is_not_there_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    line = ["--why", "@mkl_dnn_v1", "--config=mkl", "biuld_pip_package"]
    assert main(["explain", *line, "-w", str(FIXTURES / "tf-2.4-mkl"), "--no-cache"]) == 3
    out, err = capfd.readouterr()
    assert "mkl_dnn_v1" in out
    assert "no such target '//:biuld_pip_package'" in err
    assert "did you mean `//tensorflow/tools/pip_package:build_pip_package`?" in err


def test_a_variable_that_a_line_sets_is_told_with_the_rules_that_read_it() -> None:
    name = "TF_CUDA_COMPUTE_CAPABILITIES"
    workspace = Workspace.open(FIXTURES / "tf-2.4-windows-ampere")
    fact = workspace.configure([f"--action_env={name}=7.0"]).why(name).facts[0]
    assert fact.value == "7.0"
    assert chain(fact.causes)[-1] == "read-by @local_config_cuda"


def test_a_config_of_many_lines_is_told_within_its_budget(tmp_path: Path) -> None:
    lines = "".join(f"build:many --define=some_name_{n}=value\n" for n in range(20))
    (tmp_path / ".bazelrc").write_text(lines)
    (tmp_path / "WORKSPACE").write_text("")
    answer = Workspace.open(tmp_path).configure(["--config=many"]).why("--config=many")
    brief = to_text(why_document(answer))
    assert "defined --config=many, in 20 lines" in brief and len(brief.splitlines()) <= 15
    assert to_text(why_document(answer, full=True)).count("defined --config=many") == 20


def test_chains_of_configs_are_told_by_their_ends_where_there_are_many(tmp_path: Path) -> None:
    chain = "".join(f"build:c{i} --config=c{i + 1}\n" for i in range(6))
    rc = chain + "".join(f"build:c6 --copt=-D{i}\n" for i in range(4))
    write_files(tmp_path, {"WORKSPACE": "", ".bazelrc": rc})
    answer = Workspace.open(tmp_path).configure(["--config=c0"]).why("copt")
    brief = to_text(why_document(answer), 100)
    assert len(brief.splitlines()) <= 15, brief
    assert brief.count("because of --config=c0, 6 configs between") == 4
    assert "between" not in to_text(why_document(answer, full=True))


@pytest.mark.parametrize("name", ("//app:top.srcs", "top.srcs"))
def test_an_attribute_is_explained_without_its_target_on_the_line(
    name: str, tmp_path: Path
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "app/BUILD": 'filegroup(name = "top", srcs = ["x"])'})
    (fact,) = Workspace.open(tmp_path).configure().why(name).facts
    assert (fact.kind, fact.name) == (FactKind.ATTRIBUTE, "//app:top.srcs")


def test_a_define_that_a_condition_asks_for_is_near(tmp_path: Path) -> None:
    asks = 'config_setting(name = "c", define_values = {"build_with_mkl": "true"})'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": asks})
    answer = Workspace.open(tmp_path).configure().why("build_with_mk")
    assert answer.suggestions == ("--define=build_with_mkl",)


_RC = {
    "WORKSPACE": "",
    "BUILD": 'filegroup(name = "library")\n',
    ".bazelversion": "6.5.0",
    ".bazelrc": """\
build --copt=-w
build:fast --copt=-O3
import %workspace%/more.rc
build -c opt
""",
    "more.rc": "build --repo_env=A=1\nbuild --repo_env=B=2\n",
}


@pytest.mark.parametrize(
    ("asked", "rows"),
    (
        ("--copt=-O3", ("--copt=-O3 option: not in force; --copt is -w", "set by --copt=-w build")),
        ("--copt=-w", ("--copt=-w option",)),
        ("--strip=never", ("--strip=never option: not in force; --strip is sometimes",)),
        ("--announce_rc=0", ("--announce_rc=false option",)),
        ("--repo_env=A=2", ("--repo_env=A=2 option: not in force; --repo_env is A=1",)),
        ("--output_user_root", ("--output_user_root option: not set", "default none")),
        (".bazelrc:2", ("not in force: build:fast --copt=-O3", "wants --config=fast is not on")),
        (".bazelrc:3", (".bazelrc:3 line: import %workspace%/more.rc .bazelrc:3",)),
        ("//:librry", ("did you mean //:library?",)),
    ),
)
def test_what_is_not_in_force_is_told_so(
    asked: str, rows: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, _RC)
    main(["why", "-w", str(tmp_path), "--no-cache", "--host=linux", asked])
    said = " ".join(capfd.readouterr().out.split())
    for row in rows:
        assert row in said
    assert "B=2" not in said


def test_a_flag_of_the_project_is_found_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rc = "build --//p:libs=true\nbuild:off --no//p:libs\nbuild --repo_env=A=1 --repo_env=B=1\n"
    files = {
        "WORKSPACE": "",
        ".bazelversion": "6.5.0",
        ".bazelrc": f"{rc}build --repo_env=A=2",
        "p/BUILD": 'load(":f.bzl", "flag")\nflag(name = "libs", build_setting_default = False)\n',
        "p/f.bzl": "flag = rule(implementation = lambda ctx: [],"
        " build_setting = config.bool(flag = True))\n",
    }
    write_files(tmp_path, files)
    end = ["-w", str(tmp_path), "--no-cache", "--host=linux"]
    assert main(["why", "libs", "--config=off", *end]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "--//p:libs=false option set by" in said and "over --//p:libs=true" in said
    assert main(["flag", "libs", *end]) == 1
    assert "did you mean --//p:libs" in capsys.readouterr().out
    # What a variable beats is an earlier value of it, and not of another.
    assert main(["why", "--repo_env=A=2", *end]) == 0
    said = capsys.readouterr().out
    assert "over --repo_env=A=1" in said and "B=1" not in said


def test_a_long_chain_keeps_the_lines_that_set_values(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    long = "sm_60,sm_70,sm_80,sm_89,compute_90"
    lines = [f"build:all{n} --repo_env=CAPABILITIES={long},{n}" for n in range(12)]
    lines += [f"build --config=all{n}" for n in range(12)]
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "6.5.0", ".bazelrc": "\n".join(lines)})
    assert main(["why", "CAPABILITIES", "-w", str(tmp_path), "--no-cache", "--host=linux"]) == 0
    rows = [" ".join(one.split()) for one in capfd.readouterr().out.splitlines()]
    assert any(row.endswith("build:all10 .bazelrc:11") for row in rows), rows


def test_an_option_that_is_many_by_their_names_is_all_of_them() -> None:
    asked = build("tf-2.4-mkl")
    for option in ("define", "config"):
        for word in (option, f"--{option}"):
            facts = asked.why(word).facts
            assert len(facts) > 2, word
            assert all(fact.name.startswith(f"--{option}=") for fact in facts)
