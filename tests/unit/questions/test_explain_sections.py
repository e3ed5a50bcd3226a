"""`explain --sections`: what was asked for is worked out, and no more; what each word does."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.errors import UsageError
from bazelscope.cli import main
from bazelscope.questions.shared.sections import OF_FLAGS, Section, parse_sections
from tests.support.files import write_files
from tests.support.parts import FIXTURES
from tests.unit.questions.why_world import PACKAGE, build


def test_only_the_sections_that_were_asked_for_are_worked_out() -> None:
    answer = build("tf-2.4-mkl").explain([Section.SELECTS])
    (target,) = answer.targets
    assert len(target.selects) == 3
    assert (target.attributes, target.dependencies, target.calls) == ((), (), ())
    assert (answer.conditions, answer.repositories, answer.options) == ((), (), ())


def test_sections_about_flags_load_nothing() -> None:
    asked = Workspace.open(FIXTURES / "tf-2.4-mkl").configure(["--config=mkl", PACKAGE])
    assert asked.explain(OF_FLAGS - {Section.LINE}).options
    answer = asked.explain(flags_only=True)
    assert [word.text for word in answer.words] == ["--config=mkl"]
    assert answer.targets == ()
    assert "loader" not in vars(asked)


def test_sections_are_parsed() -> None:
    assert parse_sections(["flags,deps", "rc"]) == {
        Section.FLAGS,
        Section.DEPENDENCIES,
        Section.RC_FILES,
    }
    with pytest.raises(UsageError, match="no section `flag`") as error:
        parse_sections(["flag"])
    assert error.value.diagnostic.hint == "did you mean `flags`?"


def test_a_word_that_changes_nothing_is_told() -> None:
    words = {word.text: word for word in build("tf-1.14-cuda-debug").explain().words}
    (effect,) = words["-c opt"].effects
    assert effect.same_as is not None
    assert effect.same_as.location is not None
    assert effect.same_as.location.short == ".bazelrc:43"
    assert words["-c opt"].conditions == ()
    assert all(effect.same_as for effect in words["--config=cuda"].effects)
    assert not words["--copt=-g"].effects[0].same_as


def test_a_word_names_the_conditions_that_hold_because_of_it() -> None:
    words = {word.text: word for word in build("tf-2.4-mkl").explain().words}
    assert "//third_party/mkl:build_with_mkl" in map(str, words["--config=mkl"].conditions)
    # `.bazelrc` says `-c opt` by itself.
    assert "//tensorflow:optimized" not in map(str, words["--config=mkl"].conditions)


def test_the_repositories_of_the_closure() -> None:
    answer = build("tf-2.18-cuda-wheel").explain([Section.REPOSITORIES])
    needs = {need.name: need for need in answer.repositories}
    assert needs["onednn"].targets > 0
    assert needs["bazel_skylib"].files > 0
    assert needs["bazel_skylib"].content == "model"


@pytest.mark.parametrize(
    ("version", "word", "told"),
    [
        ("8.7.0", "--enable_workspace", "says whether WORKSPACE defines repositories"),
        ("8.7.0", "--noenable_bzlmod", "says whether MODULE.bazel defines repositories"),
        ("9.1.0", "--noenable_bzlmod", "does nothing in this Bazel"),
        ("8.7.0", "--platforms=//:p", "counts where toolchains are chosen"),
        ("8.7.0", "--deleted_packages=a", "says which packages there are"),
        ("8.7.0", "--subcommands", "no config_setting that these targets use looks at it"),
    ],
)
def test_a_word_that_conditions_need_not_look_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], version: str, word: str, told: str
) -> None:
    files = {"WORKSPACE": "", "MODULE.bazel": "", "BUILD": 'platform(name = "p")\n'}
    files["a/BUILD"] = 'filegroup(name = "a")\n'
    write_files(tmp_path, {**files, "b/BUILD": 'filegroup(name = "b")\n'})
    line = ["explain", word, "//b", "-w", str(tmp_path), "--bazel-version", version]
    assert main([*line, "--sections", "line"]) == 0
    shown = next(one for one in capsys.readouterr().out.splitlines() if word in one)
    assert shown.endswith(told)
