"""What would mend findings: each fix is made, and its finding is gone."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from tests.support.files import write_files

_RC = {
    "a former name": (
        "BZS107",
        "build --experimental_strict_action_env\n",
        "build --incompatible_strict_action_env\n",
    ),
    "a former name, not set": (
        "BZS107",
        "build -s --noexperimental_strict_action_env\n",
        "build -s --noincompatible_strict_action_env\n",
    ),
    "said again, on a line with others": (
        "BZS104",
        "build --copt=-O1 -s\nbuild --copt=-O1\n",
        "build -s\nbuild --copt=-O1\n",
    ),
    "said again, as the last of a line": (
        "BZS104",
        "build -s --copt=-O1  # For speed.\nbuild --copt=-O1\n",
        "build -s  # For speed.\nbuild --copt=-O1\n",
    ),
    "said again, alone on a line": (
        "BZS104",
        "build -s\nbuild --jobs=1\nbuild --jobs=1\n",
        "build -s\nbuild --jobs=1\n",
    ),
    "said again, alone on a line with its value behind it": (
        "BZS104",
        "build --jobs 1\n\nbuild --jobs=1\n",
        "\nbuild --jobs=1\n",
    ),
    "said again, first of a line that goes on": (
        "BZS104",
        "build --jobs=1 \\\n  -s\nbuild --jobs=1\n",
        "build \\\n  -s\nbuild --jobs=1\n",
    ),
    "said again, amid a line that goes on": (
        "BZS104",
        "build -k \\\n  --jobs=1 \\\n  -s\nbuild --jobs=1\n",
        "build -k \\\n  -s\nbuild --jobs=1\n",
    ),
    "said again, at the end of a line that went on": (
        "BZS104",
        "build -k \\\n  --jobs=1\nbuild --jobs=1",
        "build -k\nbuild --jobs=1",
    ),
    "said again, in lines that end as Windows has it": (
        "BZS104",
        "build --jobs=1\r\nbuild --jobs=1\r\n",
        "build --jobs=1\r\n",
    ),
    "said again twice": (
        "BZS104",
        "build --jobs=1 --jobs=1 --jobs=1\n",
        "build --jobs=1\n",
    ),
}
_UNSAFE = {
    "never counts": ("BZS103", "build --jobs=1\nbuild --jobs=2\n", "build --jobs=2\n"),
    "a config that is misspelled": (
        "BZS101",
        "# Speed.\nbuild:fast --copt=-O3\nbuild --config=fsat\n",
        "# Speed.\nbuild:fast --copt=-O3\nbuild --config=fast\n",
    ),
    "a config that another one misspells": (
        "BZS101",
        "# Speed.\nbuild:fast --copt=-O3\n# All.\nbuild:all --config fsat\n",
        "# Speed.\nbuild:fast --copt=-O3\n# All.\nbuild:all --config fast\n",
    ),
    "an option that is misspelled": ("BZS001", "build --jbos=3\n", "build --jobs=3\n"),
    "an option that is misspelled in a config": (
        "BZS106",
        "# Speed.\nbuild:fast --compilation_mod=opt\n",
        "# Speed.\nbuild:fast --compilation_mode=opt\n",
    ),
    "an option that query refuses": ("BZS106", "common --jobs=3\n", "build --jobs=3\n"),
    "a platform's config": (
        "BZS112",
        "build -s\nbuild:linux -k\n",
        "build -s\ncommon --enable_platform_specific_config\nbuild:linux -k\n",
    ),
}


def _made(
    root: Path,
    path: str,
    code: str,
    *,
    also_unsafe: bool,
    target: str | None = None,
    words: Sequence[str] = (),
) -> str:
    """The text of a file after the fixes of one code are made in it, of what `words` name."""
    line = Workspace.open(root).configure(words)
    answer = line.check(codes=[code], target=target)
    diff = line.patch(answer, also_unsafe=also_unsafe)
    if diff:
        apply = ["git", "apply", "--unidiff-zero", "-"]
        subprocess.run(apply, cwd=root, input=diff.encode(), check=True, capture_output=True)
    return (root / path).read_bytes().decode()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize("name", [*_RC, *_UNSAFE])
def test_a_fix_of_an_rc_file_leaves_nothing_to_find(root: Path, name: str) -> None:
    is_safe = name in _RC
    code, before, after = (_RC if is_safe else _UNSAFE)[name]
    write_files(root, {"WORKSPACE": "", ".bazelversion": "4.2.3", "BUILD": ""})
    (root / ".bazelrc").write_bytes(before.encode())
    assert _made(root, ".bazelrc", code, also_unsafe=False) == (after if is_safe else before)
    assert _made(root, ".bazelrc", code, also_unsafe=True) == after
    assert Workspace.open(root).configure().check(codes=[code]).findings == ()


def test_words_in_quotes_are_left_alone(root: Path) -> None:
    rc = 'build "--experimental_strict_action_env"\n'
    write_files(root, {"WORKSPACE": "", ".bazelversion": "4.2.3", ".bazelrc": rc})
    assert _made(root, ".bazelrc", "BZS107", also_unsafe=True) == rc


_LOAD = 'load("@rules_cc//cc:cc_library.bzl", "cc_library")\n'
_ALIAS = 'load("@rules_cc//cc:cc_library.bzl", _cc_library = "cc_library")\n'
_TEST = 'load("@rules_cc//cc:cc_test.bzl", "cc_test")\n'
_OTHER = 'load("//a:b.bzl", "c")\n'
_ANDROID = 'load("@rules_android//rules:rules.bzl", "android_sdk"%s)\n'
_IN_LINES = 'load(\n    "@rules_android//rules:rules.bzl",\n    "android_sdk",\n%s)\n'
_MORE, _MORE_LINES = ', "android_binary"', '    "android_binary",\n'
_X, _Y = 'cc_library(name = "x")\n', 'cc_test(name = "y")\n'
_BINARY = 'android_binary(name = "x")\n'
_SAYS = '"""Says\ncc_binary()\n"""\n'
_DEF = "def f(name):\n"
_OWN = "def cc_library(name):\n"
_BUILD = {
    "behind what the file says of itself": (f"# A.\n\n{_X}", f"# A.\n\n{_LOAD}\n{_X}"),
    "above what is said of the first rule": (
        f"# A.\n\n# Of x.\n{_X}",
        f"# A.\n\n{_LOAD}\n# Of x.\n{_X}",
    ),
    "behind a text": (f"{_SAYS}{_X}", f"{_SAYS}{_LOAD}\n{_X}"),
    "behind other loads": (f"{_OTHER}{_X}{_Y}", f"{_OTHER}{_LOAD}{_TEST}{_X}{_Y}"),
    "in a load that is there": (
        f"{_ANDROID % ''}{_BINARY}",
        f"{_ANDROID % _MORE}{_BINARY}",
    ),
    "in a load of several lines": (
        f"{_IN_LINES % ''}{_BINARY}",
        f"{_IN_LINES % _MORE_LINES}{_BINARY}",
    ),
    "not in a comment": ("# cc_library(\n", "# cc_library(\n"),
    "not what the file defines": (
        "cc_library, other = (1, 2)\nX = [cc_library]\n",
        "cc_library, other = (1, 2)\nX = [cc_library]\n",
    ),
}
_BZL = {
    "without `native.`": (
        f"{_DEF}    native.cc_library(name = name)\n",
        f"{_LOAD}\n{_DEF}    cc_library(name = name)\n",
    ),
    "beside a function of that name": (
        f"{_OWN}    native.cc_library(name = name)\n",
        f"{_ALIAS}\n{_OWN}    _cc_library(name = name)\n",
    ),
    "beside a parameter of that name": (
        "def f(cc_library = native.cc_library):\n    cc_library()\n",
        f"{_ALIAS}\ndef f(cc_library = _cc_library):\n    cc_library()\n",
    ),
}


@pytest.mark.parametrize("name", [*_BUILD, *_BZL])
def test_what_is_no_native_rule_any_more_is_loaded(root: Path, name: str) -> None:
    path, (before, after) = ("BUILD", _BUILD[name]) if name in _BUILD else ("x.bzl", _BZL[name])
    rule_sets = ("rules_cc", "rules_android")
    module = "\n".join(f'bazel_dep(name = "{name}", version = "1")' for name in rule_sets)
    write_files(root, {"MODULE.bazel": module, ".bazelversion": "8.0.0", "BUILD": "", path: before})
    assert _made(root, path, "BZS510", also_unsafe=True, target="9.1.0") == after
    left = Workspace.open(root).configure().check(codes=["BZS510"], target="9.1.0").findings
    assert left == ()


def test_a_rule_set_that_the_workspace_lacks_makes_a_fix_unsafe(root: Path) -> None:
    files = {"WORKSPACE": "", ".bazelversion": "6.5.0", "BUILD": "cc_library(name = 'x')\n"}
    write_files(root, files)
    line = Workspace.open(root).configure()
    answer = line.check(codes=["BZS510"], target="9.1.0")
    assert [fix.is_safe for one in answer.findings for fix in one.fixes] == [False]
    assert line.patch(answer) == ""


_MODULE = """module(name = "m")
bazel_dep(name = "platforms", version = "0.0.5", repo_name = "p")
bazel_dep(
    name = "a",  # Ours.
    version = "1.0",
)
ext = use_extension("@a//:ext.bzl", "ext")
use_repo(ext, "one", "three", mine = "two")
local_path_override(module_name = "a", path = "a")
"""
_EXTENSION = """def _rule(ctx):
    ctx.file("BUILD", "exports_files(['x'])")
made = repository_rule(implementation = _rule)
def _ext(ctx):
    for name in ("one", "two", "three", "four"):
        made(name = name)
    return %s
ext = module_extension(implementation = _ext)
"""
_METADATA = """ctx.extension_metadata(
        root_module_direct_deps = [%s], root_module_direct_dev_deps = [%s])"""


def _write_modules(root: Path, returned: str, module: str = _MODULE) -> None:
    files = {
        "MODULE.bazel": module,
        ".bazelversion": "8.1.0",
        "a/MODULE.bazel": 'module(name = "a", version = "1.0")\n',
        "a/BUILD": "",
        "a/ext.bzl": _EXTENSION % returned,
        "BUILD": 'filegroup(name = "x", srcs = ["@one//:x", "@p//:x"])\n',
    }
    write_files(root, files)


def test_the_version_that_is_built_anyway_is_written(root: Path) -> None:
    _write_modules(root, "None")
    text = _made(root, "MODULE.bazel", "BZS306", also_unsafe=False)
    (changed,) = set(text.splitlines()) - set(_MODULE.splitlines())
    assert re.fullmatch(
        r'bazel_dep\(name = "platforms", version = "(1\.|0\.0\.)\d+(\.\d+)*", repo_name = "p"\)',
        changed,
    )
    assert Workspace.open(root).check(codes=["BZS306"]).findings == ()


def test_imports_that_nothing_names_are_taken_out(root: Path) -> None:
    _write_modules(root, "None")
    assert _made(root, "MODULE.bazel", "BZS308", also_unsafe=False) == _MODULE
    text = _made(root, "MODULE.bazel", "BZS308", also_unsafe=True)
    assert text == _MODULE.replace('"three", mine = "two"', '"three"')


def test_a_module_that_nothing_uses_goes_with_its_lines(root: Path) -> None:
    module = _MODULE.replace('"@a//', '"//').replace("use_repo", "# ")
    _write_modules(root, "None", module)
    write_files(root, {"ext.bzl": _EXTENSION % "None"})
    lines = module.splitlines(keepends=True)
    made = _made(root, "MODULE.bazel", "BZS307", also_unsafe=True)
    # What overrides it goes, too: Bazel refuses it without the module.
    assert made == "".join((*lines[:2], *lines[6:-1]))


_TIDIED = {
    "one more": (
        ('"one", "two", "three", "four"', ""),
        'use_repo(ext, "one", "three", "four", mine = "two")',
    ),
    "two more, two less": (('"one", "four"', ""), 'use_repo(ext, "one", "four")'),
    "the first goes": (('"three"', ""), 'use_repo(ext, "three")'),
    "none is left": (("", ""), "use_repo(ext)"),
    # There is no use_extension() for development alone: where it belongs is not known.
    "one for development": (
        ('"two", "three"', '"one"'),
        'use_repo(ext, "one", "three", mine = "two")',
    ),
}


@pytest.mark.parametrize("name", _TIDIED)
def test_use_repo_takes_what_the_extension_reports(root: Path, name: str) -> None:
    wanted, line = _TIDIED[name]
    _write_modules(root, _METADATA % wanted)
    text = _made(root, "MODULE.bazel", "BZS312", also_unsafe=False)
    assert text == _MODULE.replace('use_repo(ext, "one", "three", mine = "two")', line)


def test_each_import_has_a_line_where_the_others_have(root: Path) -> None:
    apart = 'use_repo(\n    ext,\n    "one",\n)'
    module = _MODULE.replace('use_repo(ext, "one", "three", mine = "two")', apart)
    _write_modules(root, _METADATA % ('"one", "four"', ""), module)
    text = _made(root, "MODULE.bazel", "BZS312", also_unsafe=False)
    assert text == module.replace('    "one",\n', '    "one",\n    "four",\n')


def test_a_name_that_is_misspelled_in_a_package(root: Path) -> None:
    before = 'cc_libary(name = "x")\n'
    write_files(root, {"WORKSPACE": "", ".bazelversion": "4.2.3", "BUILD": before})
    text = _made(root, "BUILD", "BZS005", also_unsafe=True)
    assert text == 'cc_library(name = "x")\n'


_LABELS = {
    "of its package": ("BZS006", 'deps = [":near_hear"]', 'deps = [":near_here"]'),
    "without a colon": ("BZS006", "deps = ['near_hear']", "deps = ['near_here']"),
    "with the path of its package": (
        "BZS006",
        'deps = ["//:near_hear"]',
        'deps = ["//:near_here"]',
    ),
    "of another package": ("BZS006", 'deps = ["//far:awa"]', 'deps = ["//far:away"]'),
    "another package": ("BZS006", 'deps = ["//fra:away"]', 'deps = ["//far:away"]'),
    "of its own repository by name": (
        "BZS006",
        'deps = ["@//fra:away"]',
        'deps = ["@//far:away"]',
    ),
    "another package of the same name": ("BZS006", 'deps = ["//fra"]', 'deps = ["//far"]'),
    "a package below one": ("BZS006", 'deps = ["//far/belwo:x"]', 'deps = ["//far/below:x"]'),
    "in a branch": (
        "BZS006",
        'deps = select({":here": [":near_hear"], "//conditions:default": []})',
        'deps = select({":here": [":near_here"], "//conditions:default": []})',
    ),
    "a key": (
        "BZS006",
        'deps = select({":hre": [], "//conditions:default": []})',
        'deps = select({":here": [], "//conditions:default": []})',
    ),
    "a key of another package": (
        "BZS006",
        'deps = select({"//far:her": [], "//conditions:default": []})',
        'deps = select({"//far:here": [], "//conditions:default": []})',
    ),
    "a file": ("BZS007", 'srcs = ["source.cpp"]', 'srcs = ["source.cc"]'),
    "a file below a folder": ("BZS007", 'srcs = ["in/sorce.cc"]', 'srcs = ["in/source.cc"]'),
    "nothing is near": ("BZS007", 'srcs = ["quite_other.cc"]', 'srcs = ["quite_other.cc"]'),
    "put together": ("BZS006", 'deps = [":near" + "_hear"]', 'deps = [":near" + "_hear"]'),
}
_AROUND = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3",
    "far/BUILD": """
package(default_visibility = ["//visibility:public"])
cc_library(name = "away")
cc_library(name = "far")
config_setting(name = "here", values = {"cpu": "k8"})
""",
    "far/below/BUILD": 'cc_library(name = "x", visibility = ["//visibility:public"])\n',
    "source.cc": "",
    "in/source.cc": "",
}


@pytest.mark.parametrize("name", _LABELS)
@pytest.mark.parametrize("words", [[], ["//:asks"]], ids=["all", "one target"])
def test_a_label_that_is_misspelled(root: Path, name: str, words: list[str]) -> None:
    code, before, after = _LABELS[name]
    build = """
config_setting(name = "here", values = {{"cpu": "k8"}})
cc_library(name = "near_here")
cc_library(name = "asks", {})
"""
    write_files(root, {**_AROUND, "BUILD": build.format(before)})
    line = Workspace.open(root).configure(words)
    assert [one.code for one in line.check().findings if one.code < "BZS1"] == [code]
    text = _made(root, "BUILD", code, also_unsafe=True, words=words)
    assert text == build.format(after)


def test_of_many_targets_the_nearest_is_meant(root: Path) -> None:
    """Each of many that name nothing is compared with a few names, not with all."""
    rule = 'cc_library(name = "lib_{0:04}_x")\ncc_library(name = "{0}", deps = [":lib_{0:04}_y"])\n'
    write_files(root, {**_AROUND, "BUILD": "".join(map(rule.format, range(300)))})
    found = Workspace.open(root).configure(["//:all"]).check(codes=["BZS006"]).findings
    assert {one.remedy for one in found} == {f"did you mean `lib_{i:04}_x`?" for i in range(300)}
    assert all(one.fixes for one in found)


def test_the_text_of_a_label_is_mended_where_a_macro_has_it(root: Path) -> None:
    bzl = "def lib(name, deps = []):\n    native.cc_library(name = name, deps = deps + {})\n"
    build = 'load(":lib.bzl", "lib")\ncc_library(name = "near_here")\nlib(name = "asks")\n'
    write_files(root, {**_AROUND, "BUILD": build, "lib.bzl": bzl.format('["near_hear"]')})
    text = _made(root, "lib.bzl", "BZS006", also_unsafe=True, words=["//:asks"])
    assert text == bzl.format('["near_here"]')


def test_fixes_in_sarif_and_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rc = "build --jobs=1\nbuild --jobs=1\n"
    write_files(tmp_path, {"WORKSPACE": "", ".bazelversion": "4.2.3", ".bazelrc": rc})
    monkeypatch.chdir(tmp_path)

    def printed(form: str) -> Any:
        main(["check", "--codes", "BZS104", "--format", form])
        return json.loads(capsys.readouterr().out)

    (result,) = printed("sarif")["runs"][0]["results"]
    (fix,) = result["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == {"uri": ".bazelrc", "uriBaseId": "WORKSPACE"}
    region = {"startLine": 1, "startColumn": 1, "endLine": 2, "endColumn": 1}
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": ""}}]
    (finding,) = printed("json")["findings"]
    assert [(fix["title"], fix["is_safe"]) for fix in finding["fixes"]] == [
        ("Delete `--jobs=1`", True)
    ]


def test_a_patch_has_no_file_of_another_place(tmp_path: Path) -> None:
    home = tmp_path / "home"
    rc = "build --jobs=1\nbuild --jobs=1\n"
    write_files(tmp_path, {"w/WORKSPACE": "", "home/.bazelrc": rc})
    line = Workspace.open(tmp_path / "w", environment={"HOME": str(home)}).configure()
    answer = line.check(codes=["BZS104"])
    assert [fix.is_safe for fix in answer.fixes()] == [True]
    assert line.patch(answer) == ""


def test_a_name_that_is_no_native_any_more_is_loaded_not_spelled_otherwise(root: Path) -> None:
    before = f"# A.\n\n{_X}proto_library(name = 'y')\n"
    write_files(root, {"MODULE.bazel": "", ".bazelversion": "9.1.0", "BUILD": before})
    text = _made(root, "BUILD", "BZS005", also_unsafe=True)
    load = 'load("@protobuf//bazel:proto_library.bzl", "proto_library")\n'
    assert text == before.replace("\n\n", f"\n\n{load}\n", 1)
    (found,) = Workspace.open(root).configure().check_text("BUILD", before)
    assert [fix.title for fix in found.fixes] == [
        "Load `proto_library` from @protobuf//bazel:proto_library.bzl"
    ]


def test_a_safe_fix_loads_nothing_that_is_not_there(root: Path) -> None:
    module = """bazel_dep(name = "rules_cc")
local_path_override(module_name = "rules_cc", path = "cc")
bazel_dep(name = "rules_python")
local_path_override(module_name = "rules_python", path = "py")
"""
    files = {
        "MODULE.bazel": module,
        ".bazelversion": "8.0.0",
        "cc/MODULE.bazel": 'module(name = "rules_cc")',
        "cc/cc/BUILD": "",
        "cc/cc/cc_library.bzl": "def cc_library(**kwargs): pass\n",
        "py/MODULE.bazel": 'module(name = "rules_python")',
        "BUILD": f"{_OTHER}{_X}py_library(name = 'p')\n",
        "a/BUILD": "",
        "a/b.bzl": "c = 1\n",
    }
    write_files(root, files)
    text = _made(root, "BUILD", "BZS510", also_unsafe=False, target="9.1.0")
    assert text == f"{_OTHER}{_LOAD}{_X}py_library(name = 'p')\n"
    text = _made(root, "BUILD", "BZS510", also_unsafe=True, target="9.1.0")
    load = 'load("@rules_python//python:py_library.bzl", "py_library")\n'
    assert text == f"{_OTHER}{_LOAD}{load}{_X}py_library(name = 'p')\n"
