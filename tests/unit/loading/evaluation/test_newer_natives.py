"""What BUILD and `.bzl` files may call in Bazel 5 to 9, release by release.

No Bazel of these releases was at hand; each expectation names what it rests on.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.bazel.removed_natives import Autoloads, autoloaded, taken_away
from bazelscope.loading.packages.package import Package
from tests.unit.loading.loading_world import Load

MEMBERS = """
    def probe(names):
        for name in names:
            if hasattr(native, name):
                native.filegroup(name = name)
"""


def members(load: Load, version: str, *names: str) -> list[str]:
    """Which of the names `native` has."""
    files = {
        "p/BUILD": f'load(":probe.bzl", "probe")\nprobe({list(names)})\n',
        "p/probe.bzl": MEMBERS,
    }
    loaded = load(files, version=version)
    assert loaded.errors("p") == []
    return [name for name in names if name in loaded.kinds("p")]


@pytest.mark.parametrize(
    ("version", "name", "expected"),
    [
        # StarlarkNativeModule; bazel pull request 17893, "[6.2.0] Add native.module_{name,version}"
        ("6.1.2", "module_name", False),
        ("6.2.0", "module_name", True),
        ("6.2.0", "module_version", True),
        # bazel pull request 17435, in the notes of 6.2.0
        ("6.1.2", "package_relative_label", False),
        ("6.2.0", "package_relative_label", True),
        # bazel pull request 20977, "[7.1.0] The label API shakeup", and issue 20553 for 6.5.0
        ("6.4.0", "repo_name", False),
        ("6.5.0", "repo_name", True),
        ("7.0.2", "repo_name", False),
        ("7.1.0", "repo_name", True),
    ],
)
def test_members_of_native(load: Load, version: str, name: str, expected: bool) -> None:
    assert members(load, version, name) == ([name] if expected else [])


def test_members_that_bazel_9_lacks(load: Load) -> None:
    # `dir(native)` of 9.2.0, as others have published it: no py_*, sh_*, proto_*, android_*, nor
    # what only WORKSPACE files call, which BUILD files see of no release; all cc_* and java_*,
    # whatever they do.
    gone = ("py_library", "sh_binary", "proto_library", "cc_proto_library", "aar_import")
    kept = ("cc_library", "cc_toolchain_suite", "java_library", "filegroup", "toolchain_type")
    assert members(load, "9.1.0", "bind", *gone, *kept) == list(kept)
    assert members(load, "8.4.0", "bind", *gone, *kept) == [*gone, *kept]


NATIVE_RULES = {
    "p/BUILD": """
        cc_library(name = "cc", deps = ["b"])
        java_library(name = "java", srcs = ["J.java"])
        cc_toolchain_suite(name = "suite", toolchains = {"k8": ":b"})
        filegroup(name = "b")
    """
}


def test_rules_that_bazel_9_has_removed(load: Load) -> None:
    # Bazel: exports.bzl (`_removed_rule_failure`), BaseRuleClasses.EmptyRule
    build = NATIVE_RULES["p/BUILD"]
    java = build.replace('cc_library(name = "cc", deps', 'filegroup(name = "cc", srcs', 1)
    rest = java.replace("java_library(", "filegroup(", 1)
    loaded = load({"p/BUILD": build, "q/BUILD": java, "r/BUILD": rest}, version="9.1.0")
    assert loaded.errors("q") == [
        (
            "The java_library rule has been removed, add the following to your BUILD/bzl file:"
            ' load("@rules_java//java:java_library.bzl", "java_library")'
        )
    ]
    (first,) = loaded.package("p").diagnostics
    assert first.message == (
        "This rule has been removed from Bazel. Please add a `load()` statement for it."
    )
    assert first.hint == (
        'Bazel 9 has removed it: load("@rules_cc//cc:cc_library.bzl", "cc_library")'
    )
    assert loaded.kinds("r")["suite"] == "filegroup rule"


def test_rules_that_bazel_8_still_finds(load: Load) -> None:
    loaded = load(NATIVE_RULES, version="8.4.0")
    assert loaded.errors("p") == []
    assert loaded.kinds("p")["java"] == "java_library rule"


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("py_library", "@rules_python//python:py_library.bzl"),
        ("sh_test", "@rules_shell//shell:sh_test.bzl"),
        ("proto_library", "@protobuf//bazel:proto_library.bzl"),
    ],
)
def test_names_that_bazel_9_does_not_know(load: Load, name: str, label: str) -> None:
    # Bazel: AutoloadSymbols (AUTOLOAD_CONFIG); the error of 9.2.0 is a name that is not defined
    loaded = load({"p/BUILD": f'{name}(name = "x")\n'}, version="9.1.0")
    (problem,) = loaded.package("p").diagnostics
    assert problem.message == f"name '{name}' is not defined"
    assert problem.hint == f'Bazel 9 has removed it: load("{label}", "{name}")'


def test_a_member_of_native_that_bazel_9_does_not_have(load: Load) -> None:
    macro = "def m(name):\n    native.sh_test(name = name)\n"
    build = 'load(":d.bzl", "m")\nm(name = "x")\n'
    (problem,) = (
        load({"p/BUILD": build, "p/d.bzl": macro}, version="9.1.0").package("p").diagnostics
    )
    assert problem.hint == (
        'Bazel 9 has removed it: load("@rules_shell//shell:sh_test.bzl", "sh_test")'
    )


def test_a_provider_that_bazel_9_does_not_know(load: Load) -> None:
    # bazel issue 26940: "name 'JavaInfo' is not defined"; CcInfo is still a name
    files = {
        "p/BUILD": 'load(":m.bzl", "X")\n',
        "p/m.bzl": "X = [CcInfo, JavaInfo]\n",
    }
    assert "name 'JavaInfo' is not defined" in load(files, version="9.1.0").errors("p")
    assert load(files, version="8.4.0").errors("p") == []


def test_models_are_written_for_every_bazel(load: Load) -> None:
    files = {
        "MODULE.bazel": 'bazel_dep(name = "rules_cc", version = "0.2.0")\n',
        "p/BUILD": """
            load("@rules_cc//cc:defs.bzl", "cc_library")
            cc_library(name = "cc", deps = ["b"])
        """,
    }
    loaded = load(files, version="9.1.0")
    assert loaded.errors("p") == []
    assert loaded.value("//p:cc", "deps") == ["//p:b"]


def test_autoloads_of_bazel_9(load: Load) -> None:
    # Bazel: AutoloadSymbols; not in the main repository, unless
    # --noincompatible_disable_autoloads_in_main_repo
    names = autoloaded(["+@rules_python", "sh_binary", "-py_test"])
    assert names >= {"py_library", "PyInfo", "sh_binary"}
    assert not names & {"py_test", "sh_library"}
    files = {"p/BUILD": 'py_library(name = "x", deps = [":y"])\n'}
    without = load(files, version="9.1.0", autoloads=Autoloads(names))
    assert without.errors("p") == ["name 'py_library' is not defined"]
    within = load(files, version="9.1.0", autoloads=Autoloads(names, in_main_repository=True))
    assert within.errors("p") == []
    assert within.value("//p:x", "deps") == ["//p:y"]


def test_autoloads_take_natives_away_while_bazel_has_them(load: Load) -> None:
    """Bazel: `AutoloadSymbols`; in 7.4 to 8."""
    taken = taken_away(["+@rules_python", "-@rules_shell", "-cc_library", "-PyInfo"])
    assert {"sh_binary", "sh_test", "cc_library"} < taken and "py_library" not in taken
    files = {
        "p/BUILD": 'load(":x.bzl", "SEEN")\npy_library(name = "x")\ncc_library(name = "y")\n',
        "p/x.bzl": 'SEEN = hasattr(native, "cc_library")\nfail("seen") if SEEN else None\n',
    }
    assert load(files, version="8.1.0").errors("p")
    errors = load(files, version="8.1.0", autoloads=Autoloads(taken=taken)).errors("p")
    assert errors == ["name 'cc_library' is not defined"]
    files = {"q/BUILD": 'load(":x.bzl", "SEEN")\n', "q/x.bzl": "SEEN = PyInfo\n"}
    (error,) = load(files, version="8.1.0", autoloads=Autoloads(taken=taken)).errors("q")
    assert "name 'PyInfo' is not defined" in error


EMPTY = "allow_empty is set to False"
FILES = {"p/a.txt": "", "p/sub/BUILD": ""}


@pytest.mark.parametrize(
    ("version", "flag", "call", "error"),
    [
        # Bazel: BuildLanguageOptions.INCOMPATIBLE_DISALLOW_EMPTY_GLOB, true since 8.0
        ("7.7.0", None, 'glob(["no*"])', None),
        ("8.0.0", None, 'glob(["no*"])', f"glob pattern 'no*' didn't match anything, but {EMPTY}"),
        ("8.0.0", False, 'glob(["no*"])', None),
        ("7.7.0", True, 'glob(["no*"])', f"glob pattern 'no*' didn't match anything, but {EMPTY}"),
        ("7.7.0", True, 'glob(["no*"], allow_empty = True)', None),
        # Bazel: NonSkyframeGlobber.globUnsorted, GlobberUtils: every pattern by itself
        (
            "4.2.3",
            None,
            'glob(["*.txt", "no*"], allow_empty = False)',
            f"glob pattern 'no*' didn't match anything, but {EMPTY}",
        ),
        ("4.2.3", None, 'glob(["*.txt", "a*"], allow_empty = False)', None),
        (
            "8.0.0",
            None,
            'glob(["*.txt"], exclude = ["a*"])',
            f"all files in the glob have been excluded, but {EMPTY}",
        ),
        ("8.0.0", None, "glob([])", f"all files in the glob have been excluded, but {EMPTY}"),
        # Bazel: StarlarkNativeModule.subpackages, whose default no flag changes
        (
            "6.5.0",
            False,
            'subpackages(include = ["no*"])',
            f"subpackages pattern 'no*' didn't match anything, but {EMPTY}",
        ),
        ("6.5.0", None, 'subpackages(include = ["no*"], allow_empty = True)', None),
        (
            "6.5.0",
            None,
            'subpackages(include = ["*"], exclude = ["sub"])',
            f"all subpackages in subpackages() have been excluded, but {EMPTY}",
        ),
    ],
)
def test_globs_that_may_be_empty(
    load: Load, version: str, flag: bool | None, call: str, error: str | None
) -> None:
    files = {**FILES, "p/BUILD": f'filegroup(name = "x", tags = {call})\n'}
    errors = load(files, version=version, disallow_empty_glob=flag).errors("p")
    if error is None:
        assert errors == []
    else:
        (found,) = errors
        assert found.startswith(error)


@pytest.mark.parametrize(
    ("version", "rc", "errors"),
    [
        ("8.4.0", "", 1),
        ("8.4.0", "common --noincompatible_disallow_empty_glob\n", 0),
        ("7.7.0", "build --incompatible_disallow_empty_glob=yes\n", 1),
        ("9.1.0", "common --incompatible_disallow_empty_glob=0\n", 0),
    ],
)
def test_the_flag_in_an_rc_file(tmp_path: Path, version: str, rc: str, errors: int) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "MODULE.bazel").touch()
    (tmp_path / ".bazelrc").write_text(rc)
    (tmp_path / "p" / "BUILD").write_text('filegroup(name = "x", srcs = glob(["no*"]))\n')
    asked = Workspace.open(tmp_path, bazel_version=version).configure([])
    found = asked.loader.package(PackageId("", "p"))
    assert isinstance(found, Package)
    assert len(found.diagnostics) == errors


@pytest.mark.parametrize(
    ("version", "exists"), [("4.2.3", False), ("7.7.1", False), ("8.1.0", True)]
)
def test_sets_come_with_8(load: Load, version: str, exists: bool) -> None:
    # bazel 8.1.0 release notes; --experimental_enable_starlark_set in 8.0
    files = {
        "p/BUILD": 'load(":d.bzl", "d")\nd()\n',
        "p/d.bzl": "def d():\n    native.filegroup(name = str(len(set([1, 1]))))\n",
    }
    loaded = load(files, version=version)
    errors = loaded.errors("p")
    assert (errors == []) is exists
    assert exists or "name 'set' is not defined" in errors[0]


@pytest.mark.parametrize(("version", "exists"), [("9.1.0", False), ("9.2.0", True)])
def test_packages_have_a_transitive_visibility(load: Load, version: str, exists: bool) -> None:
    # Measured by others on 9.2.0 and 8.8.0; 9.1.0 is not measured. Bazel: PackageCallable
    files = {
        "p/BUILD": """
            package(transitive_visibility = ":g")
            package_group(name = "g")
        """
    }
    assert (load(files, version=version).errors("p") == []) is exists


@pytest.mark.parametrize(("version", "exists"), [("4.2.3", False), ("7.7.0", True)])
def test_build_settings_have_help(load: Load, version: str, exists: bool) -> None:
    """Measured: 4.2.3 refuses it. Releases after it have it: rules_python 1.8 uses it."""
    files = {
        "p/BUILD": """
            load(":d.bzl", "flag")
            flag(name = "f", build_setting_default = True, help = "what for")
        """,
        "p/d.bzl": """
            def _f(ctx):
                return []

            flag = rule(_f, build_setting = config.bool(flag = True))
        """,
    }
    assert (load(files, version=version).errors("p") == []) is exists


_PROTO_FLAG = "proto_common_do_not_use.INCOMPATIBLE_ENABLE_PROTO_TOOLCHAIN_RESOLUTION"
_JAVA_FLAG = "java_common.internal_DO_NOT_USE().google_legacy_api_enabled()"


@pytest.mark.parametrize(
    ("flag", "version", "rc", "name"),
    [
        (_PROTO_FLAG, "8.1.0", "", "False"),
        (_PROTO_FLAG, "8.1.0", "--incompatible_enable_proto_toolchain_resolution", "True"),
        (_PROTO_FLAG, "9.0.0", "", "True"),
        (_PROTO_FLAG, "9.0.0", "--noincompatible_enable_proto_toolchain_resolution", "False"),
        (_JAVA_FLAG, "8.1.0", "", "False"),
        (_JAVA_FLAG, "9.0.0", "", "False"),
        (_JAVA_FLAG, "8.1.0", "--experimental_google_legacy_api", "True"),
    ],
)
def test_files_see_the_flags_that_rule_sets_look_at_when_they_are_loaded(
    tmp_path: Path, flag: str, version: str, rc: str, name: str
) -> None:
    """Bazel: `ProtoCommon`, `JavaStarlarkCommon`."""
    (tmp_path / "MODULE.bazel").touch()
    (tmp_path / ".bazelrc").write_text(f"common {rc}\n")
    (tmp_path / "BUILD").write_text('load(":d.bzl", "d")\nd()\n')
    text = f"def d():\n    native.filegroup(name = str({flag}))\n"
    (tmp_path / "d.bzl").write_text(text)
    asked = Workspace.open(tmp_path, bazel_version=version).configure([])
    found = asked.loader.package(PackageId("", ""))
    assert isinstance(found, Package) and not found.diagnostics
    assert found.may_declare is None
    assert name in found.targets
