"""MODULE.bazel: the repositories that modules, extensions and repository rules define."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from bazelscope.base.label import Label, PackageId
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage, Provenance, Rule
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace


def loader(root: Path, files: Mapping[str, str], version: str = "8.0.0", **more: object) -> Loader:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    options = LoadingOptions(version, **more)  # type: ignore[arg-type]
    return Loader(Workspace.open(root), options)


def defined(table: RepositoryTable) -> dict[str, tuple[str, str]]:
    """Rule and place of everything that the workspace's own files define."""
    return {
        name: (definition.rule_class, definition.location.short)
        for name, definition in table.definitions.items()
        if not definition.location.path.startswith(("<builtin>", "bazel_tools/"))
        and "@" not in definition.location.path
    }


def messages(table: RepositoryTable) -> list[str]:
    return [diagnostic.message for diagnostic in table.diagnostics]


MODULE = """
    module(name = "mine", version = "1.0", repo_name = "me")
    bazel_dep(name = "rules_cc", version = "0.0.9")
    bazel_dep(name = "abseil-cpp", version = "20240116.0", repo_name = "com_google_absl")
    bazel_dep(name = "only_a_version", version = "2", repo_name = None)
    bazel_dep(name = "tester", version = "3", dev_dependency = True)
    register_toolchains("//tools:all", dev_dependency = True)
"""


def test_dependencies_are_repositories_under_the_names_that_the_module_gives_them(
    tmp_path: Path,
) -> None:
    table = loader(tmp_path, {"MODULE.bazel": MODULE}).table
    assert defined(table) == {
        "rules_cc": ("bazel_dep", "MODULE.bazel:2"),
        "com_google_absl": ("bazel_dep", "MODULE.bazel:3"),
        "tester": ("bazel_dep", "MODULE.bazel:5"),
    }
    mapping = table.repo_mapping("")
    assert [mapping[name] for name in ("", "me", "rules_cc", "com_google_absl")] == [
        *("", "", "rules_cc", "com_google_absl"),
    ]
    found = table.get("com_google_absl")
    assert found is not None and found.provenance is Provenance.UNKNOWN
    assert found.unknown is not None and "abseil-cpp 20240116.1 or newer" in found.unknown.detail
    assert messages(table) == []


def test_development_dependencies_can_be_left_out(tmp_path: Path) -> None:
    table = loader(tmp_path, {"MODULE.bazel": MODULE}, ignore_dev_dependency=True).table
    assert "tester" not in defined(table)


def test_a_development_dependency_that_is_left_out_is_checked_and_has_its_name(
    tmp_path: Path,
) -> None:
    text = """
        bazel_dep(name = "a", version = "1", dev_dependency = True)
        bazel_dep(name = "b", version = "1", repo_name = "a")
        bazel_dep(name = "Bad", dev_dependency = True)
    """
    table = loader(tmp_path, {"MODULE.bazel": text}, ignore_dev_dependency=True).table
    first, second = messages(table)
    assert first.startswith("The repo name 'a' is already being used by a bazel_dep at")
    assert second.startswith("invalid module name 'Bad'")


def test_a_name_that_the_module_does_not_declare_leads_nowhere(tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": 'bazel_dep(name = "abseil-cpp", version = "1", repo_name = "absl")',
        "p/BUILD": 'filegroup(name = "f", srcs = ["@abseil-cpp//:x", "@absl//:y", "@@//p:z"])',
        "p/z": "",
    }
    loaded = loader(tmp_path, files)
    target = loaded.target(Label("", "p", "f"))
    assert isinstance(target, Rule)
    attribute = target.attribute("srcs")
    assert attribute is not None and isinstance(attribute.value, tuple)
    lost, known, own = attribute.value
    assert (str(known), str(own)) == ("@absl//:y", "//p:z")
    missing = loaded.package(lost.package_id)
    assert isinstance(missing, NoSuchPackage)
    assert missing.message.endswith(
        "could not be resolved: No repository visible as '@abseil-cpp' from main repository"
    )


OVERRIDES = {
    "MODULE.bazel": """
        bazel_dep(name = "lib")
        bazel_dep(name = "archived", version = "1")
        bazel_dep(name = "pinned", version = "1")
        local_path_override(module_name = "lib", path = "third_party/lib")
        archive_override(module_name = "archived", urls = ["https://example.com/a.zip"])
        single_version_override(module_name = "pinned", version = "1.5")
    """,
    "third_party/lib/MODULE.bazel": """
        module(name = "lib", repo_name = "myself")
        bazel_dep(name = "archived", version = "0.5", repo_name = "arch")
        bazel_dep(name = "below", version = "7")
        bazel_dep(name = "for_its_tests", version = "7", dev_dependency = True)
    """,
    "third_party/lib/BUILD": """
        filegroup(name = "l", srcs = ["@myself//:m", "@arch//:a", "@below//:b", ":m"])
        filegroup(name = "m")
    """,
}


def test_overrides_say_where_a_module_comes_from(tmp_path: Path) -> None:
    loaded = loader(tmp_path, OVERRIDES)
    table = loaded.table
    assert defined(table) == {
        "lib": ("local_path_override", "MODULE.bazel:4"),
        "archived": ("archive_override", "MODULE.bazel:5"),
        "pinned": ("bazel_dep", "MODULE.bazel:3"),
        "below+": ("bazel_dep", "third_party/lib/MODULE.bazel:3"),
    }
    definition = table.definitions["archived"]
    assert definition.attributes["urls"] == ("https://example.com/a.zip",)
    (asked,) = definition.shadowed
    assert (asked.rule_class, asked.location.short) == ("bazel_dep", "MODULE.bazel:2")
    pinned = table.get("pinned")
    assert pinned is not None and pinned.unknown is not None
    assert "pinned 1.5 (single_version_override, MODULE.bazel:6)" in pinned.unknown.detail
    assert pinned.definition is not None and pinned.definition.shadowed == ()
    target = loaded.target(Label("lib", "", "l"))
    assert isinstance(target, Rule)
    attribute = target.attribute("srcs")
    assert attribute is not None and isinstance(attribute.value, tuple)
    labels = [str(label) for label in attribute.value]
    # `@myself//:m` and `:m` are one: Bazel refuses the second, and so do we.
    assert labels == ["@lib//:m", "@archived//:a", "@@below+//:b", "@lib//:m"]


def test_a_module_can_be_overridden_on_the_command_line(tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": 'bazel_dep(name = "lib", version = "1")',
        "elsewhere/MODULE.bazel": 'module(name = "lib")',
        "elsewhere/BUILD": 'filegroup(name = "l")',
    }
    override = {"lib": str(tmp_path / "elsewhere")}
    package = loader(tmp_path, files, override_modules=override).package(PackageId("lib", ""))
    assert isinstance(package, Package) and "l" in package.targets


EXTENSION = {
    "BUILD": "",
    "req.txt": "numpy==1.0",
    "MODULE.bazel": """
        module(name = "mine", version = "1.0")
        deps = use_extension("//:ext.bzl", "deps")
        deps.archive(name = "zlib", version = "1.3")
        deps.archive(name = "png", version = "1.6", note = "//:req.txt")
        use_repo(deps, "zlib", my_png = "png")
    """,
    "ext.bzl": """
        load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")

        def _deps(ctx):
            for module in ctx.modules:
                if not module.is_root or module.name != "mine":
                    fail("only the root module uses it")
                for tag in module.tags.archive:
                    text = ctx.read(tag.note) if tag.note else ""
                    http_archive(
                        name = tag.name,
                        urls = ["https://example.com/%s-%s.zip" % (tag.name, tag.version)],
                        build_file_content = "filegroup(name = '%s') # %s" % (tag.name, text),
                    )

        deps = module_extension(
            implementation = _deps,
            tag_classes = {
                "archive": tag_class(attrs = {
                    "name": attr.string(mandatory = True),
                    "version": attr.string(default = "0"),
                    "note": attr.label(),
                }),
            },
        )
    """,
}


def test_an_extension_of_the_workspace_is_run(tmp_path: Path) -> None:
    loaded = loader(tmp_path, EXTENSION)
    table = loaded.table
    assert messages(table) == []
    assert defined(table) == {
        "zlib": ("http_archive", "ext.bzl:9"),
        "my_png": ("http_archive", "ext.bzl:9"),
    }
    definition = table.definitions["my_png"]
    assert definition.attributes["urls"] == ("https://example.com/png-1.6.zip",)
    assert definition.call_stack[0].location.short == "MODULE.bazel:5"
    package = loaded.package(PackageId("my_png", ""))
    assert isinstance(package, Package) and "png" in package.targets


def test_what_an_extension_does_not_make_is_unknown_and_keeps_it_from_making_the_rest(
    tmp_path: Path,
) -> None:
    more = f'{EXTENSION["MODULE.bazel"].rstrip()}\n        use_repo(deps, "nobody")\n'
    loaded = loader(tmp_path, {**EXTENSION, "MODULE.bazel": more})
    assert defined(loaded.table)["nobody"] == ("module_extension", "MODULE.bazel:6")
    nobody = loaded.table.get("nobody")
    assert nobody is not None and nobody.unknown is not None
    assert "the extension makes no such repository" in nobody.unknown.detail
    package = loaded.package(PackageId("my_png", ""))
    assert isinstance(package, NoSuchPackage)
    assert 'does not generate repository "nobody"' in package.message


def test_an_extension_goes_the_way_on_which_it_comes_to_its_end(tmp_path: Path) -> None:
    body = """
def _repo(ctx):
    pass

repo = repository_rule(implementation = _repo)

def _deps(ctx):
    version = ctx.execute(["tool", "--version"]).stdout
    ctx.file("of//it", version)
    if ctx.read("of//it").split(".")[1:][0] != "3":
        fail("only 3 will do")
    repo(name = "zlib")

deps = module_extension(implementation = _deps)
"""
    module = """
        deps = use_extension("//:ext.bzl", "deps")
        use_repo(deps, "zlib")
    """
    files = {"MODULE.bazel": module, "ext.bzl": body, "BUILD": ""}
    table = loader(tmp_path, files).table
    assert defined(table) == {"zlib": ("repo", "ext.bzl:11")}
    assert [str(unknown) for unknown in table.unknowns] == [
        "//:ext.bzl%deps: `tool --version`: assumed that its output is `3`"
    ]


def test_a_wrong_tag_is_an_error_of_the_extension(tmp_path: Path) -> None:
    module = """
        deps = use_extension("//:ext.bzl", "deps")
        deps.archive(version = "1.3")
        use_repo(deps, "zlib")
    """
    table = loader(tmp_path, {**EXTENSION, "MODULE.bazel": module}).table
    found = table.get("zlib")
    assert found is not None and found.unknown is not None
    assert (
        "in tag at MODULE.bazel:2:13, mandatory attribute name isn't being specified"
        in found.unknown.detail
    )


def test_a_repository_rule_can_be_used_directly(tmp_path: Path) -> None:
    files = {
        "MODULE.bazel": """
            http = use_repo_rule("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
            http(name = "z", urls = ["https://example.com/z.zip"], build_file = "//:z.BUILD")
            other = use_repo_rule("@rules_x//:x.bzl", "x_repo")
            other(name = "x")
        """,
        "BUILD": "",
        "z.BUILD": 'filegroup(name = "z")',
    }
    loaded = loader(tmp_path, files)
    package = loaded.package(PackageId("z", ""))
    assert isinstance(package, Package) and "z" in package.targets
    assert loaded.table.definitions["z"].location.short == "MODULE.bazel:2"
    unknown = loaded.table.get("x")
    assert unknown is not None and unknown.unknown is not None
    assert "@rules_x//:x.bzl%x_repo" in unknown.unknown.detail


LOCK = {
    "lockFileVersion": 13,
    "registryFileHashes": {
        "https://registry.example/modules/rules_cc/0.0.9/MODULE.bazel": "a",
        "https://registry.example/modules/rules_cc/0.1.1/MODULE.bazel": "b",
        "https://registry.example/modules/rules_cc/0.1.1/source.json": "c",
    },
    "moduleExtensions": {
        "@@rules_x+//x:extensions.bzl%ext": {
            "general": {
                "generatedRepoSpecs": {
                    "made": {
                        "repoRuleId": "@@bazel_tools//tools/build_defs/repo:http.bzl%http_archive",
                        "attributes": {
                            "urls": ["https://example.com/made.zip"],
                            "build_file": "@@//:made.BUILD",
                        },
                    }
                }
            }
        }
    },
}


def test_the_lock_file_tells_versions_and_what_extensions_made(tmp_path: Path) -> None:
    files = {
        "BUILD": "",
        "made.BUILD": 'filegroup(name = "inside")',
        "MODULE.bazel.lock": json.dumps(LOCK),
        "MODULE.bazel": """
            bazel_dep(name = "rules_cc", version = "0.0.9")
            bazel_dep(name = "rules_x", version = "1")
            ext = use_extension("@rules_x//x:extensions.bzl", "ext")
            use_repo(ext, "made", "unmade")
        """,
    }
    loaded = loader(tmp_path, files)
    table = loaded.table
    assert table.definitions["rules_cc"].attributes["version"] == "0.1.1"
    assert defined(table)["made"] == ("http_archive", "MODULE.bazel:4")
    package = loaded.package(PackageId("made", ""))
    assert isinstance(package, Package) and "inside" in package.targets
    unmade = table.get("unmade")
    assert unmade is not None and unmade.unknown is not None
    assert unmade.unknown.detail.startswith("made by @rules_x//x:extensions.bzl%ext")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"moduleExtensions": 5}', "[" * 100_000])
def test_a_lock_file_that_is_none_says_nothing(tmp_path: Path, text: str) -> None:
    files = {"MODULE.bazel": MODULE, "MODULE.bazel.lock": text}
    assert "rules_cc" in defined(loader(tmp_path, files).table)


def test_included_files_belong_to_the_module(tmp_path: Path) -> None:
    files = {
        "BUILD": "",
        "MODULE.bazel": """
            include("//:more.MODULE.bazel")
            include("//:gone.MODULE.bazel")
            include("more.MODULE.bazel")
        """,
        "more.MODULE.bazel": """
            bazel_dep(name = "more", version = "1")
            include("//:more.MODULE.bazel")
        """,
    }
    table = loader(tmp_path, files).table
    assert defined(table) == {"more": ("bazel_dep", "more.MODULE.bazel:1")}
    assert [text.partition(":")[0] for text in messages(table)] == [
        *(
            "the file '//",
            "cannot include '//",
            "bad include label 'more.MODULE.bazel' at MODULE.bazel",
        ),
    ]


ERRORS = {
    'bazel_dep(name = "Bad")': "invalid module name 'Bad'",
    'bazel_dep(name = "a")\nbazel_dep(name = "b", repo_name = "a")': "The repo name 'a' is already",
    'bazel_dep(name = "a", repo_name = "0")': "invalid user-provided repo name '0'",
    'bazel_dep(name = "a", repo_name = ["b"])': "parameter 'repo_name' got value of type 'list',"
    " want 'string or NoneType'",
    'bazel_dep(name = "a")\nmodule(name = "m")': "it must be called before any other functions",
    'module(name = "m")\nmodule(name = "m")': "can only be called once",
    'load("//:x.bzl", "y")': "`load` statements may not be used in MODULE.bazel files",
    "def f():\n    pass": "functions may not be defined in MODULE.bazel files.",
    "if True:\n    pass": "`if` statements are not allowed in MODULE.bazel files. You may use an",
    "for x in []:\n    pass": "`for` statements are not allowed in MODULE.bazel files. You may",
    "x = lambda: 1": "functions may not be defined in MODULE.bazel files.",
    'bazel_dep(*["a"])': "*args arguments are not allowed in MODULE.bazel files. Pass the",
    'bazel_dep(**{"name": "a"})': "**kwargs arguments are not allowed in MODULE.bazel files. Pass",
    'bazel_dep("a")': "bazel_dep() got unexpected positional argument",
    'bazel_dep(version = "1")': "bazel_dep() missing 1 required named argument: name",
    'bazel_dep(name = "a", vers = "1")': "bazel_dep() got unexpected keyword argument 'vers' (did"
    " you mean 'version'?)",
    "bazel_dep(name = 1)": "in call to bazel_dep(), parameter 'name' got value of type 'int', want"
    " 'string'",
    'module(name = "m", compatibility_level = "1")': "parameter 'compatibility_level' got value of"
    " type 'string', want 'int'",
    'use_extension("//:x.bzl")': "use_extension() missing 1 required positional argument:"
    " extension_name",
    'include("//:a", "b")': "the `include` directive MUST be called with exactly one",
    'use_repo_rule("//:x.bzl", "f")(a = 1)': "f() missing 1 required named argument: name",
    'e = use_extension("//:x.bzl", "e")\nuse_repo(e, "a", "a")': "The repo name 'a' is already",
    'git_override(module_name = "a")\n' * 2: "multiple overrides for dep a found",
    "use_repo(5)": "parameter 'extension_proxy' got value of type 'int', want 'module_extension_p",
    "inject_repo(5)": "in call to inject_repo(), parameter 'extension_proxy' got value of type",
    'e = use_extension("//:x.bzl", "e")\nuse_repo(e, "a", b = "a")': "The repo exported as 'a' by"
    " module extension 'e' is already imported at MODULE.bazel:2",
    'register_toolchains(":x")': "Expected absolute target patterns (must begin with '//' or '@')"
    " for 'register_toolchains' argument, but got ':x' as an argument",
    'register_toolchains("//:x")\nmodule(name = "m")': "it must be called before any other",
    'module(name = "m", bazel_compatibility = ["8"])': "invalid version argument '8': valid",
    'module(name = "m", version = "a b")': "Invalid version in module(): bad version",
    'single_version_override(module_name = "a", urls = [])': "single_version_override() got"
    " unexpected keyword argument 'urls'",
    'single_version_override(module_name = "a", version = "?")': "Invalid version in single_ver",
    'local_path_override(module_name = "a")': "missing 1 required named argument: path",
    'multiple_version_override(module_name = "a", versions = ["1"])': "multiple_version_override()"
    " must specify at least 2 versions",
    'x = use_repo_rule("//:x.bzl", "x")\nx(name = "a")\nx(name = "a")': "The repo name 'a' is"
    " already being used by a repo rule at MODULE.bazel:2",
    "cc_library(name = 'x')": "cc_library",
}


@pytest.mark.parametrize(("text", "expected"), ERRORS.items())
def test_errors(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "MODULE.bazel").write_text(text)
    found = messages(loader(tmp_path, {}).table)
    assert len(found) == 1 and expected in found[0]


VERSIONS = {
    # Bazel version: what defines @a, where MODULE.bazel and WORKSPACE both do
    "6.5.0": "local_repository",
    "7.4.0": "bazel_dep",
    "8.1.0": "bazel_dep",
}


@pytest.mark.parametrize(("version", "rule"), VERSIONS.items())
def test_which_file_counts(tmp_path: Path, version: str, rule: str) -> None:
    files = {
        "MODULE.bazel": 'bazel_dep(name = "a", version = "1")',
        "WORKSPACE": """
            local_repository(name = "a", path = "a")
            local_repository(name = "b", path = "b")
        """,
    }
    table = loader(tmp_path, files, version).table
    assert defined(table)["a"][0] == rule
    assert ("b" in defined(table)) is (version < "8")
    assert table.repo_mapping("").get("b", "b") == "b" or version >= "8"


FLAGS = {
    ("6.5.0", True, None): (True, True),
    ("6.5.0", None, None): (False, True),
    ("7.7.1", None, None): (True, True),
    ("7.7.1", False, None): (False, True),
    ("7.7.1", True, False): (True, False),
    ("8.0.0", None, None): (True, False),
    ("8.0.0", None, True): (True, True),
    ("8.0.0", False, None): (False, True),
    ("9.0.0", False, True): (True, False),
}


@pytest.mark.parametrize(("asked", "expected"), FLAGS.items())
def test_flags_and_versions_say_what_is_read(
    asked: tuple[str, bool | None, bool | None], expected: tuple[bool, bool]
) -> None:
    version, modules, workspace = asked
    options = LoadingOptions(version, enable_bzlmod=modules, enable_workspace=workspace)
    assert (options.reads_modules, options.reads_workspace) == expected


DIRECTIVES = [
    # Bazel: ModuleFileGlobals; the release notes that first name each, and bazel_features
    ('http = use_repo_rule("//:x.bzl", "y")', "use_repo_rule", ("6.5.0", "7.0.0")),
    ('include("//:more.MODULE.bazel")', "include", ("7.1.2", "7.2.0")),
    ('bazel_dep(name = "a", version = "1")\ninject_repo(e)', "inject_repo", ("7.3.2", "7.4.0")),
    ('override_repo(e, a = "b")', "override_repo", ("7.3.2", "7.4.0")),
    ('flag_alias(name = "a", starlark_flag = "//:b")', "flag_alias", ("8.4.2", "8.5.0")),
    ('flag_alias(name = "a", starlark_flag = "//:b")', "flag_alias", ("7.6.1", "7.7.0")),
]


@pytest.mark.parametrize(("text", "name", "versions"), DIRECTIVES)
def test_directives_that_not_every_release_has(
    tmp_path: Path, text: str, name: str, versions: tuple[str, str]
) -> None:
    files = {
        "MODULE.bazel": f'e = use_extension("//:x.bzl", "e")\n{text}\n'
        if "(e" in text
        else f"{text}\n",
        "more.MODULE.bazel": "",
        "x.bzl": "y = repository_rule(implementation = lambda c: None)\n",
        "BUILD": "",
    }
    missing = f"name '{name}' is not defined"
    before, since = versions
    told = messages(loader(tmp_path, files, before, enable_bzlmod=True).table)
    assert [message for message in told if missing in message]
    told = messages(loader(tmp_path, files, since).table)
    assert not [message for message in told if missing in message]


@pytest.mark.parametrize(
    ("arguments", "before", "since"),
    [
        ("", "mandatory attribute name isn't", "mandatory attribute 'name' isn't"),
        (
            'name = "x", no = 1',
            "unknown attribute no provided",
            "unknown attribute 'no' provided",
        ),
        (
            "name = 1",
            "error converting value for attribute name: expected value of type 'string' for name,",
            "expected value of type 'string' for attribute 'name',",
        ),
        (
            'name = "x", kind = "c"',
            "the value for attribute kind has to be one of 'a' or 'b' instead of 'c'",
            "the value for attribute 'kind' has to be one of 'a' or 'b' instead of 'c'",
        ),
    ],
)
def test_a_wrong_tag_is_called_by_its_place_and_since_9_by_its_name(
    tmp_path: Path, arguments: str, before: str, since: str
) -> None:
    module = f"""
        deps = use_extension("//:ext.bzl", "deps")
        deps.archive({arguments})
        use_repo(deps, "zlib")
    """
    text = EXTENSION["ext.bzl"].replace(
        "tag_class(attrs = {", 'tag_class(attrs = {"kind": attr.string(values = ["a", "b"]),'
    )
    files = {**EXTENSION, "MODULE.bazel": module, "ext.bzl": text}
    for version, where in (("8.0.0", "tag at MODULE.bazel:2:13"), ("9.0.0", "'archive' tag")):
        found = loader(tmp_path, files, version).table.get("zlib")
        assert found is not None and found.unknown is not None
        said = before if version == "8.0.0" else since
        assert f"in {where}, {said}" in found.unknown.detail
