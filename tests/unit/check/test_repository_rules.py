"""What is told of repositories, modules and variables: where a rule holds, and where not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.check.repositories.variable_rules import _is_slip
from tests.support.files import write_files

_HEAD = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
_SUM = 'sha256 = "' + "0" * 64 + '"'
_TWO = '["https://a.example/x.zip", "https://{}.example/x.zip"]'
_RULE = """
def _impl(ctx):
    pass
mkl_repository = repository_rule(implementation = _impl, environ = ["TF_MKL_ROOT"])
cuda_configure = repository_rule(implementation = _impl, environ = ["TF_CUDA_VERSION"])
"""
_CALL = 'load("//:defs.bzl", "cuda_configure")\ncuda_configure(name = "cuda")\n'
_LOOKING_UP = """
_SUMS = {{"https://a.example/x.zip": {sum}}}
def _impl(ctx):
    url = ctx.attr.url
    ctx.download_and_extract(url = url, sha256 = _SUMS.get(url, ""))
tool = repository_rule(implementation = _impl, attrs = {{"url": attr.string()}})
"""

_WORKSPACES = {
    "BZS301": (
        'local_repository(name = "a", path = "x")\nlocal_repository(name = "a", path = "x")\n',
        {},
        ["BZS301:1 @a"],
    ),
    "BZS302": (
        'local_repository(name = "a", path = "x")\nlocal_repository(name = "a", path = "y")\n',
        {},
        ["BZS302:1 @a"],
    ),
    "BZS303": (
        _HEAD + 'http_archive(name = "x", url = "https://a.example/x.zip")\n',
        {},
        ["BZS303:2 @x"],
    ),
    "BZS303: not with a checksum": (
        _HEAD + f'http_archive(name = "x", url = "https://a.example/x.zip", {_SUM})\n',
        {},
        [],
    ),
    "BZS303: not where the rule looks the checksum up": (
        'load("//:sums.bzl", "tool")\ntool(name = "x", url = "https://a.example/x.zip")\n',
        {"BUILD": "", "sums.bzl": _LOOKING_UP.format(sum=repr("0" * 64))},
        [],
    ),
    "BZS303: where the rule looks up nothing": (
        'load("//:sums.bzl", "tool")\ntool(name = "x", url = "https://a.example/x.zip")\n',
        {"BUILD": "", "sums.bzl": _LOOKING_UP.format(sum='""')},
        ["BZS303:2 @x"],
    ),
    "BZS303: not where the rule completes the URL": (
        'load("//:sums.bzl", "tool")\ntool(name = "x", url = "https://a.example/{}")\n',
        {"BUILD": "", "sums.bzl": _LOOKING_UP.format(sum='""')},
        [],
    ),
    "BZS304": (
        _HEAD + f'http_archive(name = "x", url = "http://a.example/x.zip", {_SUM})\n',
        {},
        ["BZS304:2 @x"],
    ),
    "BZS305": (
        _HEAD + f'http_archive(name = "x", urls = {_TWO.format("a")}, {_SUM})\n',
        {},
        ["BZS305:2 @x"],
    ),
    "BZS305: not with a mirror": (
        _HEAD + f'http_archive(name = "x", urls = {_TWO.format("b")}, {_SUM})\n',
        {},
        [],
    ),
    "BZS310": (
        _CALL,
        {"defs.bzl": _RULE, ".bazelrc": "build --repo_env=TF_CUDA_VERSON=11\n"},
        ["BZS310:1 TF_CUDA_VERSON"],
    ),
    "BZS310: not what is read": (
        _CALL,
        {"defs.bzl": _RULE, ".bazelrc": "build --repo_env=TF_CUDA_VERSION=11\n"},
        [],
    ),
    "BZS310: not what something mentions": (
        _CALL,
        {
            "defs.bzl": _RULE,
            ".bazelrc": "build --action_env=TF_CUDA_VERSON=11\n",
            "run.sh": "echo $TF_CUDA_VERSON\n",
        },
        [],
    ),
    "BZS311": (
        _CALL,
        {"defs.bzl": _RULE, ".bazelrc": "# set TF_MKL_ROOT\nbuild --jobs=1\n"},
        ["BZS311:1 TF_MKL_ROOT"],
    ),
    "BZS311: not of a rule that is called": (
        'load("//:defs.bzl", "mkl_repository")\nmkl_repository(name = "mkl")\n',
        {"defs.bzl": _RULE, ".bazelrc": "# set TF_MKL_ROOT\nbuild --jobs=1\n"},
        [],
    ),
}


def _found(tmp_path: Path, files: Mapping[str, str]) -> list[str]:
    write_files(tmp_path, {"BUILD": "", **files})
    found = Workspace.open(tmp_path).check(codes=["BZS3"]).findings
    return sorted(f"{one.code}:{one.span.line if one.span else 0} {one.subject}" for one in found)


@pytest.mark.parametrize("case", _WORKSPACES)
def test_rule_of_workspaces(case: str, tmp_path: Path) -> None:
    workspace, files, wanted = _WORKSPACES[case]
    given = {"WORKSPACE": workspace, ".bazelversion": "6.5.0", **files}
    assert _found(tmp_path, given) == wanted


@pytest.mark.parametrize(
    ("schemes", "message"),
    [
        (("http", "https"), "is downloaded without encryption"),
        (("https", "http"), "may be downloaded without encryption"),
    ],
)
def test_an_insecure_mirror_may_never_be_asked(
    schemes: tuple[str, str], message: str, tmp_path: Path
) -> None:
    urls = ", ".join(f'"{scheme}://{scheme}.example/x.zip"' for scheme in schemes)
    archive = f'{_HEAD}http_archive(name = "x", urls = [{urls}], {_SUM})\n'
    write_files(tmp_path, {"BUILD": "", "WORKSPACE": archive, ".bazelversion": "6.5.0"})
    found = Workspace.open(tmp_path).check(codes=["BZS304"]).findings
    assert [one.message for one in found] == [f"`@x` {message}"]


_MODULES = {
    "MODULE.bazel": """module(name = "m")
bazel_dep(name = "a", version = "1.0")
bazel_dep(name = "b", version = "1.0")
bazel_dep(name = "c", version = "1.0")
ext = use_extension("@a//:ext.bzl", "ext")
use_repo(ext, "used", "unused")
local_path_override(module_name = "a", path = "a")
local_path_override(module_name = "b", path = "b")
local_path_override(module_name = "c", path = "c")
""",
    ".bazelversion": "8.1.0",
    "a/MODULE.bazel": 'module(name = "a", version = "1.0")\n',
    "a/BUILD": "",
    "b/MODULE.bazel": 'module(name = "b", version = "1.0")\n',
    "c/MODULE.bazel": 'module(name = "c", version = "1.0")\nregister_toolchains("//:all")\n',
    "a/ext.bzl": "ext = module_extension(implementation = lambda ctx: None)\n",
    "BUILD": 'filegroup(name = "x", srcs = ["@used//:x"])\n',
}


def test_what_nothing_names_is_told(tmp_path: Path) -> None:
    assert _found(tmp_path, _MODULES) == ["BZS307:3 b", "BZS308:6 unused"]


_WANTS = """
def _ext(ctx):
    return ctx.extension_metadata(%s)
ext = module_extension(implementation = _ext)
"""


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ("", ["BZS308:6 unused"]),
        (
            'root_module_direct_deps = ["used"], root_module_direct_dev_deps = []',
            ["BZS308:6 unused"],
        ),
        ('root_module_direct_deps = ["unused"], root_module_direct_dev_deps = []', []),
        ('root_module_direct_deps = [], root_module_direct_dev_deps = ["unused"]', []),
        ('root_module_direct_deps = "all", root_module_direct_dev_deps = []', []),
    ],
)
def test_what_the_extension_wants_imported_is_no_finding(
    tmp_path: Path, metadata: str, expected: list[str]
) -> None:
    files = {**_MODULES, "a/ext.bzl": _WANTS % metadata}
    assert [one for one in _found(tmp_path, files) if one.startswith("BZS308")] == expected


def test_a_use_repo_that_lacks_what_the_extension_reports(tmp_path: Path) -> None:
    module = 'e = use_extension("//:e.bzl", "e")\nuse_repo(e, "one")\n'
    extension = """def _rule(ctx):
    ctx.file("BUILD", "exports_files(['x'])")
made = repository_rule(implementation = _rule)
def _e(ctx):
    made(name = "one")
    made(name = "two")
    return ctx.extension_metadata(
        root_module_direct_deps = ["one", "two"],
        root_module_direct_dev_deps = [],
    )
e = module_extension(implementation = _e)
"""
    build = 'filegroup(name = "x", srcs = ["@one//:x"])\n'
    files = {"MODULE.bazel": module, "e.bzl": extension, "BUILD": build, ".bazelversion": "8.1.0"}
    assert _found(tmp_path, files) == ["BZS312:1 MODULE.bazel"]


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ("null", ["BZS308:6 unused"]),
        ('{"explicitRootModuleDirectDeps": ["used"], "useAllRepos": "NO"}', ["BZS308:6 unused"]),
        ('{"explicitRootModuleDirectDeps": ["unused"], "useAllRepos": "NO"}', []),
        ('{"explicitRootModuleDirectDevDeps": ["unused"], "useAllRepos": "NO"}', []),
        ('{"useAllRepos": "REGULAR"}', []),
        (None, []),
    ],
)
def test_the_lock_file_says_what_an_extension_that_is_not_here_wants_imported(
    tmp_path: Path, metadata: str | None, expected: list[str]
) -> None:
    by_platform = f'{{"general": {{"moduleExtensionMetadata": {metadata}}}}}'
    lock = f'{{"moduleExtensions": {{\n    "@@a+//:ext.bzl%ext": {by_platform}}}}}'
    files = {key: text for key, text in _MODULES.items() if key != "a/ext.bzl"}
    if metadata is not None:
        files["MODULE.bazel.lock"] = lock
    assert [one for one in _found(tmp_path, files) if one.startswith("BZS308")] == expected


_ARCHIVE = """
http_archive = use_repo_rule("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "far", url = "https://a.example/x.zip", sha256 = "00")
"""
_OWN_EXTENSION = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
def _ext(ctx):
    http_archive(name = "far", url = "https://a.example/x.zip", sha256 = "00")
own = module_extension(implementation = _ext)
"""
_USES_OWN = """
own = use_extension("//:own.bzl", "own")
use_repo(own, "far")
"""


@pytest.mark.parametrize(
    ("more", "files"), [(_ARCHIVE, {}), (_USES_OWN, {"own.bzl": _OWN_EXTENSION})]
)
def test_an_archive_that_sees_what_the_root_sees_may_need_a_name(
    tmp_path: Path, more: str, files: Mapping[str, str]
) -> None:
    files = {**_MODULES, "MODULE.bazel": _MODULES["MODULE.bazel"] + more, **files}
    files["BUILD"] = 'filegroup(name = "x", srcs = ["@used//:x", "@far//:y"])\n'
    assert _found(tmp_path, files) == []


def test_an_override_of_a_module_is_told_the_checksum_that_it_takes(tmp_path: Path) -> None:
    url = "https://a.example/x.zip"
    files = {
        "MODULE.bazel": f"""bazel_dep(name = "far")
archive_override(module_name = "far", urls = ["{url}"])
""",
        ".bazelversion": "7.4.0",
        "BUILD": 'filegroup(name = "x", srcs = ["@far"])\n',
    }
    write_files(tmp_path, files)
    [finding] = Workspace.open(tmp_path).check(codes=["BZS303"]).findings
    assert finding.remedy == "add `integrity`; Bazel prints it when it downloads"


def test_what_a_module_of_the_registry_downloads_is_its_authors_to_mend(tmp_path: Path) -> None:
    archive = """
http_archive = use_repo_rule("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "x", url = "http://a.example/x.zip", sha256 = "00")
"""
    module = 'module(name = "far", version = "1.0")\n' + archive
    files = {
        ".bazelversion": "8.1.0",
        "BUILD": 'filegroup(name = "x", srcs = ["@far"])\n',
        "registry/modules/far/1.0/MODULE.bazel": module,
        "registry/BUILD": "",
        ".bazelrc": f"common --registry={(tmp_path / 'registry').as_uri()}\n",
    }
    dep = 'bazel_dep(name = "far", version = "1.0")\n'
    assert _found(tmp_path, files | {"MODULE.bazel": dep}) == []
    assert _found(tmp_path, files | {"MODULE.bazel": dep + archive}) == ["BZS304:4 @x"]


def test_a_version_that_is_raised_is_told_with_who_asks(tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": 'bazel_dep(name = "platforms", version = "0.0.5")\n',
        ".bazelversion": "8.1.0",
        "BUILD": 'filegroup(name = "x", srcs = ["@platforms//os:linux"])\n',
    }
    write_files(tmp_path, files)
    (found,) = Workspace.open(tmp_path).check(codes=["BZS306"]).findings
    assert found.message.startswith("`platforms` is ")
    assert found.message.endswith(", not 0.0.5")
    assert any(cause.message.startswith("Bazel itself asks for ") for cause in found.causes)


@pytest.mark.parametrize(
    ("written", "meant", "is_slip"),
    [
        ("TF_CUDA_VERSON", "TF_CUDA_VERSION", True),
        ("TF_CUDA_VERSIONS", "TF_CUDA_VERSION", True),
        ("TF_CUAD_VERSION", "TF_CUDA_VERSION", True),
        ("TF_CUDA_VERSIOM", "TF_CUDA_VERSION", True),
        ("HERMETIC_CUDNN_VERSION", "HERMETIC_CUDA_VERSION", False),
        ("TF_NEED_ROCM", "TF_NEED_CUDA", False),
        ("TF_CUDA_VERSION", "TF_CUDA_VERSION", False),
    ],
)
def test_a_slip_is_one_letter(written: str, meant: str, is_slip: bool) -> None:
    assert _is_slip(written, meant) is is_slip


def test_a_lock_file_that_lacks_a_version_is_out_of_date(tmp_path: Path) -> None:
    url = "https://bcr.bazel.build/modules/bazel_skylib/1.7.1/MODULE.bazel"
    files = {
        "MODULE.bazel": 'bazel_dep(name = "bazel_skylib", version = "1.8.2")\n',
        "MODULE.bazel.lock": f'{{"lockFileVersion": 18, "registryFileHashes": {{"{url}": "ab"}}}}',
        ".bazelversion": "8.1.0",
    }
    write_files(tmp_path, {**files, "MODULE.bazel.lock": "{}"})
    assert not Workspace.open(tmp_path).check(codes=["BZS309"]).findings
    write_files(tmp_path, files)
    (found,) = Workspace.open(tmp_path).check(codes=["BZS309"]).findings
    assert found.path == "MODULE.bazel.lock"
    assert "it lacks bazel_skylib@1.8.2" in found.message
    assert found.remedy == "`bazel mod deps` brings it up to date"


_READS_HOME = """
def _impl(ctx):
    ctx.file("BUILD", 'filegroup(name = "x", visibility = ["//visibility:public"])')
    ctx.file("home.txt", ctx.os.environ["TOOL_HOME"])
tool = repository_rule(implementation = _impl, environ = ["TOOL_HOME"])
"""


_GIVE = "give the variable a value: --repo_env=TOOL_HOME=..., or in the environment"


@pytest.mark.parametrize(
    ("line", "script", "remedies"),
    [
        ("", "", [_GIVE]),
        ("", "TOOL_HOME_2", [_GIVE]),
        ("", "x TOOL_HOME=", [f"run `./configure`, which names it (configure:1); or {_GIVE}"]),
        ("build --repo_env=TOOL_HOME=/t", "", []),
    ],
)
def test_a_variable_that_a_rule_needs_is_told_once(
    line: str, script: str, remedies: list[str], tmp_path: Path
) -> None:
    files = {
        "WORKSPACE": 'load("//:defs.bzl", "tool")\ntool(name = "tool")\n',
        "defs.bzl": _READS_HOME,
        "BUILD": "".join(f'filegroup(name = "{n}", srcs = ["@tool//:x"])\n' for n in "ab"),
        ".bazelversion": "6.5.0",
        ".bazelrc": line,
        "configure": script,
    }
    write_files(tmp_path, files)
    findings = Workspace.open(tmp_path).check(codes=["BZS006"]).findings
    assert [(one.subject, one.remedy, len(one.causes)) for one in findings] == [
        ("@tool", remedy, 2) for remedy in remedies
    ]


def test_what_a_rule_of_bazels_refuses_is_told_where_the_repository_is_defined(
    tmp_path: Path,
) -> None:
    text = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
    files = {
        "WORKSPACE": f'{text}http_archive(name = "a", strip_prefix = "a")\n',
        "BUILD": 'filegroup(name = "x", srcs = ["@a//:y"])\n',
        ".bazelversion": "6.5.0",
    }
    write_files(tmp_path, files)
    (found,) = Workspace.open(tmp_path).check(codes=["BZS006"]).findings
    assert found.message == "@a cannot be made: At least one of url and urls must be provided"
    assert str(found.span).startswith("WORKSPACE:2:")
