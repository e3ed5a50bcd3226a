"""What directives of MODULE.bazel take and refuse, release by release, in Bazel's words.

Each world stands for what Bazel's own tests of MODULE.bazel say (`ModuleFileFunctionTest`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bazelscope.loading.loader import Loader
from bazelscope.loading.modules.module_patches import PatchError, patched_module_file
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.loading.tree.loading_options import LoadingOptions, ModuleFlags
from bazelscope.loading.tree.workspace_files import Workspace

RELEASES = ("7.7.1", "8.7.0", "9.1.0")


def table(
    root: Path, files: Mapping[str, str], version: str = "9.1.0", **more: object
) -> RepositoryTable:
    """The repositories of a workspace; `@wool@1` is the MODULE.bazel of that in its registry."""
    for path, text in files.items():
        if path.startswith("@"):
            path = f"registry/modules/{path[1:].replace('@', '/')}/MODULE.bazel"
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    isolates = bool(more.pop("isolates", False))
    url = f"file://{root}/registry"
    flags = ModuleFlags(registries=(url, "https://bcr.bazel.build"), isolates_extensions=isolates)
    made = LoadingOptions(version, modules=flags, **more)  # type: ignore[arg-type]
    return Loader(Workspace.open(root), made).table


def told(root: Path, text: str, version: str = "9.1.0", **more: object) -> list[str]:
    files = {"MODULE.bazel": text, "BUILD": "", "x.bzl": EXTENSION, **WOOL}
    return [one.message for one in table(root, files, version, **more).diagnostics]


WOOL = {"@wool@1": 'module(name = "wool", version = "1")\n'}
EXTENSION = """
def _made(ctx):
    ctx.file("BUILD")
made = repository_rule(_made)
def _dye(ctx):
    for name in ("red", "blue.2", "of-loom-3.1"):
        made(name = name)
dye = module_extension(_dye, tag_classes = {"tint": tag_class({"by": attr.string()})})
"""
USE = 'dye = use_extension("//:x.bzl", "dye")\n'
DEP = 'bazel_dep(name = "wool", version = "1")\n'

TAKEN = {
    "an extension's repository is named after the module": (
        'module(name = "loom", version = "3.1")\n'
        + USE
        + 'use_repo(dye, mine = "of-{name}-{version}")\n',
        ("9.0.0", "9.1.0"),
    ),
    "two stars before a literal dict": (
        USE + 'use_repo(dye, **{"azure.2": "blue.2"})\n',
        ("7.6.0", "8.2.0", "9.1.0"),
    ),
    "`include` may be a variable": (
        'include = use_extension("//:x.bzl", "dye")\nuse_repo(include, "red")\n',
        RELEASES,
    ),
    "a tag may be called so, too": (USE + "dye.include\nuse_repo(dye, include = 'red')", RELEASES),
    "patches of the main repository": (
        'module(name = "m", repo_name = "own")\n'
        + DEP
        + 'single_version_override(module_name = "wool", patches = ["//:p", "@own//:p", "@//:p"])',
        RELEASES,
    ),
}


@pytest.mark.parametrize(("text", "releases"), TAKEN.values(), ids=TAKEN)
def test_what_is_taken(tmp_path: Path, text: str, releases: tuple[str, ...]) -> None:
    (tmp_path / "p").write_text("")
    for release in releases:
        assert told(tmp_path, text, release) == [], release


def test_a_file_may_be_included_twice_and_not_by_itself(tmp_path: Path) -> None:
    (tmp_path / "tools.MODULE.bazel").write_text('register_toolchains("//:t")\n')
    twice = 'include("//:tools.MODULE.bazel")\n' * 2
    assert told(tmp_path, twice) == []
    (tmp_path / "tools.MODULE.bazel").write_text(twice)
    assert any("included by itself" in one for one in told(tmp_path, twice))


REFUSED = {
    "stars": (USE + 'D = {"a.b": "red"}\nuse_repo(dye, **D)', "9.1.0", "must be a literal dict in"),
    "stars before 7.6": (
        USE + 'use_repo(dye, **{"a.b": "red"})',
        "8.1.0",
        "**kwargs arguments are not allowed in MODULE.bazel files. Pass",
    ),
    "placeholders before 9": (
        USE + 'use_repo(dye, a = "of-{name}-3")',
        "8.7.0",
        "invalid user-provided repo name 'of-{name}-3'",
    ),
    "other file": ('include("//:MODULE.bazel.more")', "7.2.0", "must have a name ending in '.MOD"),
    "hidden file": ('include("//:.MODULE.bazel")', "8.1.0", "included must not start with '.'"),
    "no absolute label": ('include(":a.MODULE.bazel")', "9.1.0", "must be called with repo-relat"),
    "no literal": ('A = "//:a.MODULE.bazel"\ninclude(A)', "7.7.1", "exactly one positional arg"),
    "a keyword": ('include(label = "//:a.MODULE.bazel")', "9.1.0", "exactly one positional arg"),
    "no statement": ('a = include("//:a.MODULE.bazel")', "8.7.0", "called directly at the top-le"),
    "a name twice": (
        DEP + USE + 'use_repo(dye, wool = "red")',
        "8.4.0",
        "The repo name 'wool' is already being used by a bazel_dep at MODULE.bazel:1",
    ),
    "a name twice since 8.5": (
        DEP + USE + 'use_repo(dye, wool = "red")',
        "8.5.0",
        "cannot be defined by a use_repo() call at MODULE.bazel:3:9 as it is already defined by a",
    ),
    "a name of Bazel's": (
        'bazel_dep(name = "wool", version = "1", repo_name = "bazel_tools")',
        "9.1.0",
        "'bazel_tools' is a built-in dependency and cannot be used by any 'bazel_dep' or 'use_rep",
    ),
    "an import twice, by another label": (
        'module(name = "m")\n'
        + USE
        + 'use_repo(dye, "red")\nd = use_extension("@m//:x.bzl", "dye")\nuse_repo(d, r = "red")',
        "8.7.0",
        "repo exported as 'red' by module extension 'dye' is already imported at MODULE.bazel:3",
    ),
    "no label": (
        'use_extension("//:a:b.bzl", "e")',
        "9.1.0",
        'invalid label "//:a:b.bzl": invalid',
    ),
    "isolate": (
        'use_extension("//:x.bzl", "dye", isolate = False)',
        "8.7.0",
        "parameter 'isolate' is experimental and thus unavailable",
    ),
    "a patch from elsewhere": (
        DEP + 'single_version_override(module_name = "wool", patches = ["@other//:p"])',
        "7.4.0",
        "in 'patches': only patches in the main repository can be applied, not from '@other'",
    ),
    "a patch of an archive from elsewhere": (
        'archive_override(module_name = "wool", urls = [], patches = ["@other//:p"])',
        "9.1.0",
        "only patches in the main repository can be applied",
    ),
    "the root": (
        'module(name = "m")\ngit_override(module_name = "m", remote = "r")',
        "8.7.0",
        "invalid override for the root module found",
    ),
    "a chain": (
        DEP + USE + 'use_repo(dye, r = "red")\noverride_repo(dye, **{"blue.2": "r"})\n'
        'override_repo(dye, red = "wool")',
        "9.1.0",
        "in module extension 'dye' is itself overridden with 'wool' at MODULE.bazel:5:14, which is",
    ),
}


@pytest.mark.parametrize(("text", "release", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(tmp_path: Path, text: str, release: str, message: str) -> None:
    found = told(tmp_path, text, release)
    assert len(found) == 1 and message in found[0], found


@pytest.mark.parametrize("release", RELEASES)
def test_an_isolated_use_imports_something(tmp_path: Path, release: str) -> None:
    text = 'd = use_extension("//:x.bzl", "dye", isolate = True)\n'
    (found,) = told(tmp_path, text, release, isolates=True)
    assert "has no effect as no repositories are imported from it" in found
    assert told(tmp_path, text + 'use_repo(d, "red")', release, isolates=True) == []


def test_a_use_for_development_that_is_left_out_takes_its_names(tmp_path: Path) -> None:
    text = DEP + USE.replace(")", ", dev_dependency = True)") + 'use_repo(dye, wool = "red")'
    (found,) = told(tmp_path, text, ignore_dev_dependency=True)
    assert "The repo name 'wool'" in found


@pytest.mark.parametrize(("release", "is_left_out"), [("7.3.0", False), ("7.4.0", True)])
def test_overrides_are_left_out_with_what_is_for_development(
    tmp_path: Path, release: str, is_left_out: bool
) -> None:
    text = 'bazel_dep(name = "wool", dev_dependency = True)\n'
    text += 'local_path_override(module_name = "wool", path = "wool")\n'
    (tmp_path / "wool").mkdir()
    (tmp_path / "wool/MODULE.bazel").write_text('module(name = "wool")')
    found = told(tmp_path, text, release, ignore_dev_dependency=True)
    wanted = "the root module specifies overrides on nonexistent module(s): wool"
    assert found == ([] if is_left_out else [wanted])


def test_one_extension_by_several_labels_has_one_use(tmp_path: Path) -> None:
    labels = ("//:x.bzl", "@m//:x.bzl", "@//:x.bzl", ":x.bzl")
    text = 'module(name = "m")\n'
    for number, label in enumerate(labels):
        text += f'e{number} = use_extension("{label}", "dye")\ne{number}.tint(by = "{number}")\n'
    seen = 'def _dye(ctx):\n    for one in ctx.modules:\n        made(name = "_".join('
    seen += '["n"] + [t.by for t in one.tags.tint]))\n'
    head, _, tail = EXTENSION.partition("def _dye(ctx):")
    extension = head + seen + tail[tail.index("dye = ") :]
    files = {"MODULE.bazel": text + 'use_repo(e0, "n_0_1_2_3")', "BUILD": "", "x.bzl": extension}
    made = table(tmp_path, files)
    assert [one.message for one in made.diagnostics] == []
    found = made.get("n_0_1_2_3")
    assert found is not None and found.unknown is None


@pytest.mark.parametrize(("release", "is_refused"), [("8.4.0", True), ("8.5.0", False)])
def test_an_overridden_module_includes_files_since_8_5(
    tmp_path: Path, release: str, is_refused: bool
) -> None:
    here = 'bazel_dep(name = "felt")\nlocal_path_override(module_name = "felt", path = "felt")'
    felt = 'module(name = "felt")\ninclude("//:more.MODULE.bazel")\n'
    files = {"MODULE.bazel": here, "felt/MODULE.bazel": felt, "felt/BUILD": "", **WOOL}
    made = table(tmp_path, {**files, "felt/more.MODULE.bazel": DEP}, release)
    messages = [one.message for one in made.diagnostics]
    assert any("it can only be used in the root module" in one for one in messages) is is_refused
    assert made.modules is not None and made.modules.resolved is not None
    keys = {str(key) for key in made.modules.resolved.resolution.selected}
    assert ("wool@1" in keys) is not is_refused


def test_a_module_of_a_registry_includes_nothing_and_tells_its_version(tmp_path: Path) -> None:
    (tmp_path / "registry").mkdir()
    for text, wanted in (
        (
            'module(name = "wool", version = "1")\ninclude("//:a.MODULE.bazel")',
            "or in modules with",
        ),
        ('module(name = "wool")', "of wool@1 declares a different version ()"),
    ):
        made = table(tmp_path, {"MODULE.bazel": DEP, "@wool@1": text})
        assert any(wanted in one.message for one in made.diagnostics), wanted


PATCH = """
--- a/MODULE.bazel
+++ b/MODULE.bazel
@@ -1,1 +1,2 @@
 module(name = "wool", version = "1")
+bazel_dep(name = "sheep", version = "2")
--- a/lib/MODULE.bazel
+++ b/lib/MODULE.bazel
@@ -7,1 +7,1 @@
-not = "here"
+nor = "there"
"""


@pytest.mark.parametrize(("release", "strip"), [("7.4.0", 1), ("9.1.0", 1), ("9.1.0", 0)])
def test_patches_of_the_root_change_the_module_file(
    tmp_path: Path, release: str, strip: int
) -> None:
    override = (
        f'single_version_override(module_name = "wool", patches = ["//:p"], patch_strip = {strip})'
    )
    sheep = {"@sheep@2": 'module(name = "sheep", version = "2")'}
    files = {"MODULE.bazel": DEP + override, "BUILD": "", "p": PATCH, **WOOL, **sheep}
    made = table(tmp_path, files, release)
    assert made.modules is not None and made.modules.resolved is not None
    keys = {str(key) for key in made.modules.resolved.resolution.selected}
    assert ("sheep@2" in keys) is (strip == 1)


def test_a_patch_that_bazel_cannot_apply_is_refused(tmp_path: Path) -> None:
    override = 'single_version_override(module_name = "wool", patches = ["//:p"])'
    renamed = "rename from MODULE.bazel\nrename to MODULE.old\n"
    for patch, wanted in ((renamed, "single file is not supported."), (None, "doesn't exist")):
        (tmp_path / "p").unlink(missing_ok=True)
        if patch is not None:
            (tmp_path / "p").write_text(patch)
        assert any(wanted in one for one in told(tmp_path, DEP + override)), wanted
    with pytest.raises(PatchError, match="the chunk content doesn't match"):
        patched_module_file("other\n", PATCH, 1)


IN_CALL = """
--- MODULE.bazel
+++ MODULE.bazel
@@ -1,1 +1,1 @@
-    version = "1",
+    version = "2",
"""


@pytest.mark.parametrize(("patch", "is_known"), [(PATCH, True), (IN_CALL, False), ("", True)])
def test_a_patch_of_a_module_that_only_the_index_knows(
    tmp_path: Path, patch: str, is_known: bool
) -> None:
    """Whole statements count; what else it changes, only the text of the file would tell."""
    text = 'bazel_dep(name = "bazel_skylib", version = "1.7.1")\n'
    override = 'single_version_override(module_name = "bazel_skylib", patches = ["//:p"])'
    patch = patch.replace("a/M", "M").replace("b/M", "M")
    sheep = {"@sheep@2": 'module(name = "sheep", version = "2")'}
    made = table(tmp_path, {"MODULE.bazel": text + override, "BUILD": "", "p": patch, **sheep})
    assert made.modules is not None and made.modules.resolved is not None
    resolution = made.modules.resolved.resolution
    told = any("is changed by the patch p" in one.detail for one in resolution.unknowns)
    assert told is not is_known
    assert ("sheep@2" in map(str, resolution.selected)) is (patch != "" and is_known)


def test_what_a_module_registers_that_only_the_index_knows_cannot_be_told(tmp_path: Path) -> None:
    versions = {"wool": "1", "rules_shell": "0.4.0"}
    asks = "".join(f'bazel_dep(name = "{k}", version = "{v}")\n' for k, v in versions.items())
    files = {"MODULE.bazel": asks, **WOOL}
    unread = {one.subject for one in table(tmp_path, files).unread_modules}
    assert "@rules_shell" in unread and "@wool" not in unread
