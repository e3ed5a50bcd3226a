"""Module extensions in small worlds, as Bazel's own tests of them have it
(`ModuleExtensionResolutionTest`, `BazelModuleResolutionFunctionTest`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.release import Release
from bazelscope.loading.loader import Loader
from bazelscope.loading.modules.module_versions import is_version
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage, Rule, UnknownPackage
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

EXTENSION = """
def _made(ctx):
    ctx.file("BUILD")
    ctx.file("said.bzl", ctx.attr.loads + "SAID = " + repr(ctx.attr.said))
made = repository_rule(_made, attrs = {"said": attr.string(), "loads": attr.string()})
"""


def loader(root: Path, files: Mapping[str, str], version: str = "9.1.0") -> Loader:
    write_files(root, files)
    return Loader(Workspace.open(root), LoadingOptions(version))


@pytest.mark.parametrize(("release", "name"), [("7.7.1", "_main~hid~kept"), ("9.1.0", "+hid+kept")])
def test_a_canonical_name_that_no_use_repo_tells_has_its_extension_run(
    tmp_path: Path, release: str, name: str
) -> None:
    """The file of the first extension loads what the second makes, before that was asked for."""
    uses = 'one = use_extension("//:one.bzl", "one")\nuse_repo(one, "shown")\n'
    uses += 'two = use_extension("//:two.bzl", "hid")\n'
    one = f'load("@@{name}//:said.bzl", "SAID")\nload("//:rule.bzl", "made")\n'
    one += 'def _one(ctx):\n    made(name = "shown", said = SAID + "!")\n'
    two = 'load("//:rule.bzl", "made")\ndef _two(ctx):\n    made(name = "kept", said = "hush")\n'
    files = {
        "MODULE.bazel": uses,
        "BUILD": "",
        "rule.bzl": EXTENSION,
        "one.bzl": one + "one = module_extension(_one)",
        "two.bzl": two + "hid = module_extension(_two)",
    }
    definition = loader(tmp_path, files, release).table.definitions["shown"]
    assert definition.attributes["said"] == "hush!"


@pytest.mark.parametrize("release", ["7.1.1", "8.4.0"])
def test_files_of_extensions_load_what_bazel_writes_of_the_host(
    tmp_path: Path, release: str
) -> None:
    body = 'load("@platforms//host:constraints.bzl", "HOST_CONSTRAINTS")\n'
    body += 'load("//:rule.bzl", "made")\n'
    body += 'def _e(ctx):\n    made(name = "r", said = HOST_CONSTRAINTS[-1])\n'
    files = {
        "MODULE.bazel": 'bazel_dep(name = "platforms", version = "0.0.10")\n'
        'e = use_extension("//:e.bzl", "e")\nuse_repo(e, "r")',
        "BUILD": "",
        "rule.bzl": EXTENSION,
        "e.bzl": f"{body}e = module_extension(_e)",
    }
    loaded = loader(tmp_path, files, release)
    assert str(loaded.table.definitions["r"].attributes["said"]).startswith("@platforms//os:")


@pytest.mark.parametrize(("release", "is_there"), [("5.4.1", False), ("6.5.0", True)])
def test_targets_name_the_file_of_the_hosts_constraints_since_bazel_6(
    tmp_path: Path, release: str, is_there: bool
) -> None:
    loaded = loader(tmp_path, {"WORKSPACE": "", "BUILD": ""}, release)
    package = loaded.package(PackageId("local_config_platform", ""))
    assert isinstance(package, Package)
    assert ("constraints.bzl" in package.targets) is is_there


@pytest.mark.parametrize(
    ("release", "reads_modules", "kind"),
    [("7.1.2", True, "platform"), ("7.2.0", True, "alias"), ("7.2.0", False, "platform")],
)
def test_the_hosts_platform_stands_for_that_of_platforms_since_bazel_7_2(
    tmp_path: Path, release: str, reads_modules: bool, kind: str
) -> None:
    write_files(tmp_path, {"MODULE.bazel": "", "WORKSPACE": "", "BUILD": ""})
    options = LoadingOptions(release, enable_bzlmod=reads_modules)
    loaded = Loader(Workspace.open(tmp_path), options)
    host = loaded.target(Label("local_config_platform", "", "host"))
    assert isinstance(host, Rule) and host.rule_class.name == kind
    if kind == "alias":
        behind = loaded.target(host.value("actual"))
        assert isinstance(behind, Rule) and behind.rule_class.name == "platform"
        assert len(behind.value("constraint_values")) == 2


def test_a_name_that_leads_nowhere_is_told_of_the_repository_that_asks(tmp_path: Path) -> None:
    body = "def _e(ctx):\n    made(name = \"r\", loads = \"load('@nowhere//:x.bzl', 'x')\\n\")\n"
    files = {
        "MODULE.bazel": 'e = use_extension("//:e.bzl", "e")\nuse_repo(e, "r")',
        "BUILD": 'load("@r//:said.bzl", "SAID")',
        "e.bzl": f"{EXTENSION}{body}e = module_extension(_e)",
    }
    package = loader(tmp_path, files).package(PackageId("", ""))
    assert isinstance(package, NoSuchPackage)
    assert "No repository visible as '@nowhere' from repository '@@+e+r'" in package.message


BOTH = "root_module_direct_deps and root_module_direct_dev_deps"
METADATA = {
    "root_module_direct_deps = ['r']": f"{BOTH} must both be specified or both be unspecified",
    "root_module_direct_deps = 'all'": '"all", the other must be an empty list',
    "root_module_direct_dev_deps = 'most'": f'{BOTH} must be None, "all", or a list of strings',
    "root_module_direct_deps = ['_r'], root_module_direct_dev_deps = []": "in root_module_direct_de"
    "ps: invalid user-provided repo name '_r'",
    "root_module_direct_deps = [], root_module_direct_dev_deps = ['r', 'r']": "in root_module_direc"
    "t_dev_deps: duplicate entry 'r'",
    "root_module_direct_deps = ['r'], root_module_direct_dev_deps = ['r']": "in root_module_direct_"
    "dev_deps: entry 'r' is also in root_module_direct_deps",
    "root_module_direct_deps = ['r'], root_module_direct_dev_deps = []": "",
    "root_module_direct_deps = [], root_module_direct_dev_deps = 'all'": "",
    "": "",
}


def failure(root: Path, body: str) -> str:
    """Why an extension of this body does not come to its end; empty if it does."""
    files = {
        "MODULE.bazel": 'e = use_extension("//:e.bzl", "e")\nuse_repo(e, "r")',
        "BUILD": "",
        "e.bzl": f"{EXTENSION}def _e(ctx):\n    {body}\ne = module_extension(_e)",
    }
    modules = loader(root, files).table.modules
    assert modules is not None and modules.extensions is not None
    (extension,) = [one for one in modules.extensions.every if one.name == "e"]
    return extension.unknown.detail if extension.unknown is not None else ""


@pytest.mark.parametrize(("arguments", "message"), METADATA.items())
def test_what_an_extension_says_of_imports(tmp_path: Path, arguments: str, message: str) -> None:
    body = f'made(name = "r")\n    return ctx.extension_metadata({arguments})'
    found = failure(tmp_path, body)
    assert (message in found) if message else (found == "")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('made(name = "r")\n    return 3', "to return None or extension_metadata, got int"),
        ('made(name = "_r")', "invalid user-provided repo name '_r'"),
    ],
)
def test_what_an_extension_may_not_return_or_make(tmp_path: Path, body: str, message: str) -> None:
    assert message in failure(tmp_path, body)


def test_a_prerelease_is_less_than_its_release() -> None:
    release = Release.of("8.1.0-pre.20241201.1")
    suits = {condition: release.suits_module(condition) for condition in CONDITIONS}
    assert suits == CONDITIONS
    assert all(map(Release.of("8.1.0-pre").suits_module, CONDITIONS))
    assert not Release.of("8.1.0rc1").suits_module("-8.1.0")


CONDITIONS = {"<8.1.0": True, "<=8.1.0": True, "-8.1.0": True, ">=8.1.0": False, ">8.1.0": False}


LASTING = 'use_extension("//:e.bzl", "e")\n'


@pytest.mark.parametrize(
    ("uses", "expected"),
    [
        ('e = use_extension("//:e.bzl", "e")', "True"),
        ('e = use_extension("//:e.bzl", "e", dev_dependency = True)', "False"),
        (
            LASTING + 'e = use_extension("//:e.bzl", "e", dev_dependency = True)',
            "True",
        ),
    ],
)
def test_an_extension_is_told_of_uses_without_a_tag(
    tmp_path: Path, uses: str, expected: str
) -> None:
    body = '    made(name = "r", said = str(ctx.root_module_has_non_dev_dependency))\n'
    files = {
        "MODULE.bazel": f'{uses}\nuse_repo(e, "r")',
        "BUILD": "",
        "e.bzl": f"{EXTENSION}def _e(ctx):\n{body}e = module_extension(_e)",
    }
    definition = loader(tmp_path, files).table.definitions["r"]
    assert definition.attributes["said"] == expected


def test_a_part_of_a_version_is_no_larger_than_64_bits() -> None:
    assert is_version("1.0-20250113215904") and not is_version(f"1.0-{'1' * 40}")


@pytest.mark.parametrize("written", ["repr(ctx.attr.said)", "json.encode(ctx.attr.said)"])
def test_what_nobody_knows_of_an_attribute_is_a_piece_of_what_the_rule_writes(
    tmp_path: Path, written: str
) -> None:
    """The file that it stands in is read, and nothing of it is refused."""
    uses = 'bazel_dep(name = "rules_go", version = "0.50.1")\ne = use_extension("//:e.bzl", "e")\n'
    extension = 'load("@rules_go//go:nowhere.bzl", "WORD")\n'
    extension += EXTENSION.replace("repr(ctx.attr.said)", written)
    body = 'def _e(ctx):\n    made(name = "r", said = "the " + WORD)\n'
    files = {
        "MODULE.bazel": f'{uses}use_repo(e, "r")',
        "BUILD": 'load("@r//:said.bzl", "SAID")\nfilegroup(name = "f", tags = ["of " + SAID])',
        "e.bzl": f"{extension}{body}e = module_extension(_e)",
    }
    package = loader(tmp_path, files).package(PackageId("", ""))
    assert isinstance(package, Package) and package.diagnostics == ()


_MADE = 'def _e(ctx):\n    made(name = "right")\n    made(name = "other")\ne = module_extension(_e)'
_INJECTED = """
mine = use_repo_rule("//:rule.bzl", "made")
mine(name = "own")
inject_repo(e, wrong = "own")
"""
_UNKNOWN = _MADE.replace(
    "def _e(ctx):\n", "def _e(ctx):\n    made(name = ctx.execute(['x']).stdout)\n"
)


@pytest.mark.parametrize("package", ["right", "wrong"])
@pytest.mark.parametrize(
    ("uses", "body", "said"),
    [
        ('use_repo(e, "right", "wrong")', _MADE, 'imported as "wrong" in the usage'),
        ('use_repo(e, "right", wrong = "write")', _MADE, 'does not generate repository "write"'),
        ('use_repo(e, "right", wrong = "other")', _MADE, ""),
        ('use_repo(e, "right", "wrong")', _UNKNOWN, ""),
        (f'use_repo(e, "right", "wrong")\n{_INJECTED}', _MADE, ""),
    ],
)
def test_of_an_extension_that_lacks_an_import_bazel_makes_nothing(
    tmp_path: Path, package: str, uses: str, body: str, said: str
) -> None:
    files = {
        "MODULE.bazel": f'e = use_extension("//:e.bzl", "e")\n{uses}\n',
        "BUILD": "",
        "rule.bzl": EXTENSION,
        "e.bzl": f'load("//:rule.bzl", "made")\n{body}',
    }
    table = loader(tmp_path, files).table
    failure = table.failure_of(package)
    if not said:
        assert failure is None
        return
    assert failure is not None and failure.span is not None
    assert said in failure.message
    assert failure.message.endswith("the usage at MODULE.bazel:1:18")
    assert failure.span.line == 2


@pytest.mark.parametrize("called", ["called", "extended"])
def test_labels_of_arguments_are_relative_to_the_file_that_asks(
    tmp_path: Path, called: str
) -> None:
    """What `use_repo_rule` makes to MODULE.bazel, what an extension makes to its file, neither to
    `//external`. Bazel: `BzlmodRepoRuleCreator`."""
    files = {
        "MODULE.bazel": 'rule = use_repo_rule("//in:rule.bzl", "copy")\n'
        'rule(name = "called", of = "sub/text")\n'
        'e = use_extension("//in:rule.bzl", "e")\nuse_repo(e, "extended")\n',
        "BUILD": "",
        "sub/text": "of the root",
        "in/BUILD": "",
        "in/sub/text": "of the file",
        "in/rule.bzl": "def _copy(ctx):\n"
        '    ctx.file("BUILD", "filegroup(name = %r)" % ctx.read(ctx.attr.of))\n'
        'copy = repository_rule(_copy, attrs = {"of": attr.label()})\n'
        'def _e(ctx):\n    copy(name = "extended", of = "sub/text")\n'
        "e = module_extension(_e)\n",
    }
    package = loader(tmp_path, files).package(PackageId(called, ""))
    assert isinstance(package, Package)
    expected = {"called": "of the root", "extended": "of the file"}[called]
    assert expected in package.targets


def test_what_only_its_canonical_name_tells_of_an_extension_that_is_not_here_is_unknown(
    tmp_path: Path,
) -> None:
    """Nobody can tell which repositories the extension of another module makes."""
    files = {
        "MODULE.bazel": 'bazel_dep(name = "far", version = "1.0")\n'
        'e = use_extension("@far//:e.bzl", "e")\nuse_repo(e, "shown")\n',
        "BUILD": "",
    }
    loads = loader(tmp_path, files)
    assert isinstance(loads.package(PackageId("far++e+hidden", "")), UnknownPackage)
    assert isinstance(loads.package(PackageId("far++other+hidden", "")), NoSuchPackage)


def test_what_a_tag_has_are_its_attributes_alone(tmp_path: Path) -> None:
    body = "def _e(ctx):\n    for tag in ctx.modules[0].tags.t:\n"
    body += '        made(name = "r", said = " ".join([getattr(tag, key) for key in dir(tag)]))\n'
    tag = 'tag_class(attrs = {"a": attr.string(), "b": attr.string()})'
    files = {
        "MODULE.bazel": 'e = use_extension("//:e.bzl", "e")\n'
        'e.t(a = "x", b = "y")\nuse_repo(e, "r")',
        "BUILD": "",
        "e.bzl": f'{EXTENSION}{body}e = module_extension(_e, tag_classes = {{"t": {tag}}})',
    }
    for release in ("7.7.1", "9.1.0"):
        definition = loader(tmp_path, files, release).table.definitions["r"]
        assert definition.attributes["said"] == "x y"


def test_what_an_unlikely_answer_leads_an_extension_to_make_is_in_doubt(tmp_path: Path) -> None:
    """As `npm_translate_lock` reads a lock file by a program: that it prints nothing is assumed
    where nothing can be made of what it prints."""
    body = """
load("//:rule.bzl", "hub")
def _e(ctx):
    said = ctx.execute(["yq"]).stdout
    hub(name = "r", names = sorted(json.decode(said)) if said else [])
"""
    rule = """
def _hub(ctx):
    ctx.file("BUILD")
    for name in ctx.attr.names:
        ctx.file(name + "/BUILD")
    names = ctx.attr.names
    ctx.file("defs.bzl", "def link(name):\\n    if name not in %r: fail('no such')" % names)
hub = repository_rule(_hub, attrs = {"names": attr.string_list()})
"""
    files = {
        "MODULE.bazel": 'e = use_extension("//:e.bzl", "e")\nuse_repo(e, "r")',
        "BUILD": 'load("@r//:defs.bzl", "link")\nlink("a")\n',
        "rule.bzl": rule,
        "e.bzl": f"{body}e = module_extension(_e)",
    }
    loaded = loader(tmp_path, files, "7.7.1")
    package = loaded.package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics
    assert isinstance(loaded.package(PackageId("r", "a")), UnknownPackage)


@pytest.mark.parametrize(("host", "is_sure"), [("ours", True), ("rules_python", False)])
def test_a_rule_that_fails_by_what_modules_say_fails_if_all_is_heard(
    tmp_path: Path, host: str, is_sure: bool
) -> None:
    """Bazel's own tools need protobuf, and that rules_python: it may say something to it."""
    extension = """
def _made(ctx):
    if ctx.attr.count < 2:
        fail("too few")
    ctx.file("BUILD")
made = repository_rule(_made, attrs = {"count": attr.int()})
def _e(ctx):
    made(name = "r", count = len([tag for module in ctx.modules for tag in module.tags.t]))
e = module_extension(_e, tag_classes = {"t": tag_class()})
"""
    files = {
        "MODULE.bazel": f'bazel_dep(name = "{host}")\n'
        f'local_path_override(module_name = "{host}", path = "host")\n'
        f'e = use_extension("@{host}//:e.bzl", "e")\ne.t()\nuse_repo(e, "r")',
        "BUILD": "",
        "host/MODULE.bazel": f'module(name = "{host}")',
        "host/BUILD": "",
        "host/e.bzl": extension,
    }
    loaded = loader(tmp_path, files, "7.7.1")
    loaded.package(PackageId("r", ""))
    assert (loaded.table.failure_of("r") is not None) is is_sure


def test_tags_of_all_classes_have_an_order(tmp_path: Path) -> None:
    extension = """
def _made(ctx):
    ctx.file("BUILD")
made = repository_rule(_made, attrs = {"names": attr.string_list()})
def _e(ctx):
    tags = [tag for module in ctx.modules for tag in module.tags.a + module.tags.b]
    tags = sorted(tags, key = ctx.tag_sort_key)
    made(name = "hello", names = [tag.name for tag in tags])
_tag = tag_class(attrs = {"name": attr.string()})
e = module_extension(_e, tag_classes = {"a": _tag, "b": _tag})
"""
    root = (
        'e = use_extension("//:e.bzl", "e")\nuse_repo(e, "hello")\n'
        'e.b(name = "1")\ne.a(name = "2")\ne.b(name = "3")\n'
    )
    write_files(tmp_path, {"MODULE.bazel": root, "e.bzl": extension, "BUILD": ""})
    for release, is_there in (("9.2.0", True), ("8.8.0", True), ("9.1.0", False)):
        table = Loader(Workspace.open(tmp_path), LoadingOptions(release)).table
        assert table.extensions is not None
        failure = table.extensions.failure_of("hello")
        assert (failure is None) is is_there
        if is_there:
            names = table.definitions["hello"].attributes["names"]
            assert isinstance(names, list | tuple) and list(names) == ["1", "2", "3"]
