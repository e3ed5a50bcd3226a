"""`--override_repository` and `--inject_repository` with modules, and what resolution says of flags
(`bazel_overrides_test`, `BazelModuleResolutionFunctionTest`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api.workspace import Workspace
from bazelscope.cli import main
from bazelscope.questions.explain.answer import Explanation
from tests.unit.loading.modules.test_extension_worlds import EXTENSION

USE = 'e = use_extension("//:e.bzl", "e")\nuse_repo(e, my = "r")\n'
FAILS = "def _e(ctx):\n    fail('no way')\ne = module_extension(_e)"
MAKES = f"{EXTENSION}def _e(ctx):\n    made(name = 'r')\ne = module_extension(_e)"


def explained(root: Path, module: str, loaded: str, flags: str, version: str, **files: str) -> str:
    """What is refused of a package that loads from a repository; empty if nothing is."""
    texts = {
        "MODULE.bazel": module,
        "BUILD": f'load("{loaded}//:said.bzl", "SAID")\nfilegroup(name = "f")' if loaded else "",
        "there/BUILD": "",
        "there/REPO.bazel": "",
        "there/said.bzl": "SAID = 1",
        **{f"{name}.bzl": text for name, text in files.items()},
    }
    for path, text in texts.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    words = [word.replace("DIR", str(root / "there")) for word in flags.split()]
    workspace = Workspace.open(root, bazel_version=version)
    answer: Explanation = workspace.configure([*words, "//..."]).explain()
    return "\n".join(refusal.message for refusal in answer.envelope.refusals)


INJECT, OVERRIDE = "--inject_repository=my=DIR", "--override_repository=my=DIR"
INVISIBLE = "No repository visible as '@my' from main repository"


@pytest.mark.parametrize(
    ("module", "loaded", "flags", "version", "message"),
    [
        ("", "@my", INJECT, "8.4.2", ""),
        ("", "@my", INJECT, "9.1.0", ""),
        ("", "@@+_repo_rules+my", INJECT, "8.4.2", ""),
        ("", "@@+_repo_rules+my", INJECT, "9.1.0", ""),
        ("", "@my", f"{INJECT} --inject_repository=my=", "9.1.0", INVISIBLE),
        ("", "@my", OVERRIDE, "8.4.2", INVISIBLE),
        ("", "@my", OVERRIDE, "9.1.0", INVISIBLE),
        ("", "@my", OVERRIDE, "7.7.1", ""),
        (USE, "@my", OVERRIDE, "9.1.0", ""),
        (
            USE,
            "",
            INJECT,
            "8.4.2",
            "'my' is already being used by --inject_repository at <builtin>",
        ),
        (USE, "", INJECT, "9.1.0", "as it is already defined by --inject_repository at <builtin>"),
    ],
)
def test_repositories_of_the_command_line(
    tmp_path: Path, module: str, loaded: str, flags: str, version: str, message: str
) -> None:
    found = explained(tmp_path, module, loaded, flags, version, e=MAKES)
    assert (message in found) if message else found == ""


def test_a_repository_that_is_overridden_needs_no_extension(tmp_path: Path) -> None:
    assert "no way" in explained(tmp_path, USE, "@my", "", "9.1.0", e=FAILS)
    assert explained(tmp_path, USE, "@my", OVERRIDE, "9.1.0", e=FAILS) == ""


def mapping_of(root: Path, name: str, *flags: str) -> dict[str, str]:
    answer = (
        Workspace.open(root, bazel_version="8.4.2")
        .configure([*flags])
        .mod("dump_repo_mapping", name)
    )
    (mapping,) = answer.mappings
    return {one.apparent: one.canonical for one in mapping.names}


def test_what_an_extension_of_the_root_makes_sees_what_the_root_sees(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text("")
    flag = f"--inject_repository=my={tmp_path}"
    seen = mapping_of(tmp_path, "", flag)
    assert seen["my"] == "+_repo_rules+my"
    assert seen[""] == ""
    assert mapping_of(tmp_path, "+_repo_rules+my", flag) == seen
    assert "" not in mapping_of(tmp_path, "bazel_tools", flag)


@pytest.mark.parametrize(("flags", "is_there"), [((), True), (("--override_module=m=",), False)])
def test_an_empty_path_takes_an_override_of_a_module_back(
    tmp_path: Path, flags: tuple[str, ...], is_there: bool
) -> None:
    (tmp_path / "MODULE.bazel").write_text('bazel_dep(name = "m", version = "1.0")')
    (tmp_path / "there").mkdir()
    (tmp_path / "there/MODULE.bazel").write_text('module(name = "m")')
    line = ["--registry=file://%workspace%/none", "--override_module=m=there", *flags]
    answer = Workspace.open(tmp_path, bazel_version="8.4.2").configure(line).mod("graph")
    said = [one.message for one in answer.envelope.diagnostics]
    assert any("m@1.0 not found in registries" in one for one in said) is not is_there


def test_a_name_that_only_an_override_tells_leads_nowhere_when_it_is_typed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "MODULE.bazel").write_text("")
    (tmp_path / "BUILD").write_text('filegroup(name = "f")')
    words = ["query", f"--override_repository=my={tmp_path}", "@my//:f", "-w", str(tmp_path)]
    assert main([*words, "--bazel-version=8.4.2", "--no-cache"]) == 7
    assert INVISIBLE in " ".join(capfd.readouterr().err.split())
    assert main([*words, "--bazel-version=7.7.1", "--no-cache"]) == 0


def test_a_bazel_that_does_not_suit_the_root_is_told_at_its_module_call(tmp_path: Path) -> None:
    module = 'module(name = "m", version = "1.0", bazel_compatibility = [">9.1.0"])'
    (tmp_path / "MODULE.bazel").write_text(module)
    answer = Workspace.open(tmp_path, bazel_version="9.1.0").configure(["//..."]).explain()
    (refusal,) = answer.envelope.refusals
    assert refusal.message == (
        'Bazel version 9.1.0 is not compatible with module "<root>" (bazel_compatibility: [>9.1.0])'
    )
    assert refusal.location is not None and refusal.location.short == "MODULE.bazel:1"


def test_allowed_yanked_versions_have_a_form(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text("")
    workspace = Workspace.open(tmp_path, bazel_version="9.1.0")
    answer = workspace.configure(["--allow_yanked_versions=b~1.0", "//..."]).explain()
    (refusal,) = answer.envelope.refusals
    assert "b~1.0 failed, module versions must be of the form '<module name>@" in refusal.message
