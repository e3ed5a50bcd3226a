"""Where the MODULE.bazel of a module is read, in this order; and what a lock file adds."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from bazelscope.base.errors import Severity
from bazelscope.base.label import PackageId
from bazelscope.bazel.release import Release, lock_version
from bazelscope.cli.entry import main
from bazelscope.loading.loader import Loader
from bazelscope.loading.modules.lock_file import parse_lock
from bazelscope.loading.modules.registry_index import CENTRAL_REGISTRY, central_registry
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Provenance
from bazelscope.loading.tree.loading_options import LoadingOptions, ModuleFlags
from bazelscope.loading.tree.workspace_files import Workspace

ROOT = 'module(name = "m")\nbazel_dep(name = "lib", version = "1")\n'
LIB = 'module(name = "lib", version = "1")\nbazel_dep(name = "{needs}", version = "7")\n'
NEEDED = 'module(name = "{needs}", version = "7")\n'


def selected(root: Path, **options: object) -> tuple[set[str], list[str]]:
    flags = options.pop("modules", ModuleFlags())
    made = LoadingOptions("8.1.0", modules=flags, **options)  # type: ignore[arg-type]
    table = Loader(Workspace.open(root), made).table
    assert table.modules is not None and table.modules.resolved is not None
    keys = {str(key) for key in table.modules.resolved.resolution.selected}
    return keys, [item.message for item in table.diagnostics]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


ARCHIVE = '{"url": "https://a.example/lib.zip", "integrity": "sha256-AA=", "strip_prefix": "lib"}'


def registry(root: Path, needs: str) -> str:
    write(root / "reg/modules/lib/1/MODULE.bazel", LIB.format(needs=needs))
    write(root / f"reg/modules/{needs}/7/MODULE.bazel", NEEDED.format(needs=needs))
    for place in ("lib/1", f"{needs}/7"):
        write(root / f"reg/modules/{place}/source.json", ARCHIVE)
    return f"file://{root}/reg"


def test_a_file_registry(tmp_path: Path) -> None:
    write(tmp_path / "MODULE.bazel", ROOT)
    url = registry(tmp_path, "of_registry")
    keys, _ = selected(tmp_path, modules=ModuleFlags(registries=(url, CENTRAL_REGISTRY)))
    assert {"lib@1", "of_registry@7", "rules_cc@0.0.17"} <= keys


@pytest.mark.parametrize("folder", ["vendor/lib+", "base/external/lib+", "base/external/lib~1"])
def test_what_was_downloaded_goes_before_it(tmp_path: Path, folder: str) -> None:
    write(tmp_path / "MODULE.bazel", ROOT)
    url = registry(tmp_path, "of_registry")
    write(tmp_path / "reg/modules/of_folder/7/MODULE.bazel", NEEDED.format(needs="of_folder"))
    write(tmp_path / folder / "MODULE.bazel", LIB.format(needs="of_folder"))
    keys, _ = selected(
        tmp_path,
        modules=ModuleFlags(registries=(url, CENTRAL_REGISTRY)),
        vendor_dir=str(tmp_path / "vendor"),
        output_base=str(tmp_path / "base"),
    )
    assert "of_folder@7" in keys and "of_registry@7" not in keys


def test_another_version_that_was_downloaded_says_nothing(tmp_path: Path) -> None:
    write(tmp_path / "MODULE.bazel", ROOT)
    url = registry(tmp_path, "of_registry")
    old = LIB.format(needs="of_folder").replace('"1"', '"0.9"')
    write(tmp_path / "vendor/lib+/MODULE.bazel", old)
    flags = ModuleFlags(registries=(url, CENTRAL_REGISTRY))
    keys, _ = selected(tmp_path, modules=flags, vendor_dir=str(tmp_path / "vendor"))
    assert "of_registry@7" in keys


def test_the_files_of_another_version_are_left_aside(tmp_path: Path) -> None:
    """Bazel would fetch the module anew; names that only the other version sees are no errors."""
    write(tmp_path / "MODULE.bazel", 'bazel_dep(name = "rules_cc", version = "0.1.1")\n')
    write(tmp_path / "BUILD", 'load("@rules_cc//cc:my.bzl", "my_rule")\nmy_rule(name = "x")\n')
    own = 'module(name = "rules_cc", version = "0.9.9")\n'
    write(tmp_path / "vendor/rules_cc+/MODULE.bazel", own)
    write(tmp_path / "vendor/rules_cc+/cc/BUILD", "")
    write(tmp_path / "vendor/rules_cc+/cc/my.bzl", 'load("@of_its_extension//:x.bzl", "x")\n')
    made = LoadingOptions("8.1.0", vendor_dir=str(tmp_path / "vendor"))
    loader = Loader(Workspace.open(tmp_path), made)
    package = loader.package(PackageId("", ""))
    assert isinstance(package, Package)
    repository = loader.table.get("rules_cc")
    assert repository is not None and repository.unknown is not None
    assert "external/rules_cc+/MODULE.bazel is of 0.9.9" in repository.unknown.detail


def test_the_repository_cache_by_the_hash_of_the_lock_file(tmp_path: Path) -> None:
    write(tmp_path / "MODULE.bazel", ROOT)
    base = "https://registry.example.com/modules"
    texts = {"lib/1": LIB.format(needs="cached"), "cached/7": NEEDED.format(needs="cached")}
    hashes: dict[str, str | None] = {}
    for place, text in texts.items():
        digest = hashlib.sha256(text.encode()).hexdigest()
        hashes[f"{base}/{place}/MODULE.bazel"] = digest
        write(tmp_path / "cache/content_addressable/sha256" / digest / "file", text)
    lock = {"lockFileVersion": 18, "registryFileHashes": hashes}
    write(tmp_path / "MODULE.bazel.lock", json.dumps(lock))
    flags = ModuleFlags(
        registries=("https://registry.example.com", CENTRAL_REGISTRY),
        repository_cache=str(tmp_path / "cache"),
    )
    keys, _told = selected(tmp_path, modules=flags)
    assert {"lib@1", "cached@7"} <= keys
    # A file that is not what its name says is not read.
    for path in (tmp_path / "cache/content_addressable").rglob("file"):
        path.write_text("changed")
    keys, told = selected(tmp_path, modules=flags)
    assert "cached@7" not in keys
    assert any("left aside: its content is not that of its SHA-256" in one for one in told)


BROKEN = [
    ("lib/1/source.json", '{"url": ', "Unable to get module repo spec for lib@1 from registry: Un"),
    ("lib/1/source.json", "[]", "source.json: Expected BEGIN_OBJECT"),
    ("lib/1/source.json", '{"type": "foo"}', 'Invalid source type "foo" for module lib@1'),
    ("lib/1/source.json", '{"url": "https://a.example/b"}', "Missing integrity for module lib@1"),
    ("lib/1/source.json", '{"type": "local_path", "path": "x"}', "has no module_base_path"),
    ("../bazel_registry.json", "nope", "bazel_registry.json: Expecting value"),
    ("../bazel_registry.json", '{"mirrors": 3}', "mirrors of bazel_registry.json is no list"),
    ("lib/metadata.json", "{{", "Could not read metadata file for module lib from registry file:"),
    ("lib/metadata.json", '{"yanked_versions": [1]}', "yanked_versions is no object"),
    ("lib/metadata.json", '{"yanked_versions": {"1": "bad"}}', "lib@1, for the reason: bad."),
    ("lib/1/MODULE.bazel", 'module(name = "lib"', "`(` is never closed"),
]


@pytest.mark.parametrize(("path", "text", "message"), BROKEN)
def test_broken_files_of_a_registry(tmp_path: Path, path: str, text: str, message: str) -> None:
    write(tmp_path / "MODULE.bazel", ROOT)
    url = registry(tmp_path, "of_registry")
    write(tmp_path / "reg/modules" / path, text)
    keys, told = selected(tmp_path, modules=ModuleFlags(registries=(url, CENTRAL_REGISTRY)))
    assert "lib@1" in keys
    about_lib = [one for one in told if message in one]
    assert about_lib and "declares a different name" not in "".join(told)


def test_a_registry_tells_where_the_content_of_a_module_is(tmp_path: Path) -> None:
    write(tmp_path / "MODULE.bazel", ROOT)
    url = registry(tmp_path, "of_registry")
    write(tmp_path / "reg/bazel_registry.json", '{"mirrors": ["https://m.example/"]}')
    flags = ModuleFlags(registries=(url, CENTRAL_REGISTRY))
    loader = Loader(Workspace(tmp_path), LoadingOptions("8.1.0", modules=flags))
    urls = ("https://m.example/a.example/lib.zip", "https://a.example/lib.zip")
    attributes = loader.table.definitions["lib"].attributes
    assert (attributes["urls"], attributes["strip_prefix"]) == (urls, "lib")
    # What the registry keeps beside its files is read there.
    write(tmp_path / "reg/bazel_registry.json", '{"module_base_path": "kept"}')
    write(tmp_path / "reg/modules/lib/1/source.json", '{"type": "local_path", "path": "lib"}')
    write(tmp_path / "reg/kept/lib/BUILD", 'filegroup(name = "files")')
    loader = Loader(Workspace(tmp_path), LoadingOptions("8.1.0", modules=flags))
    kept = loader.table.get("lib")
    assert kept is not None and kept.provenance is Provenance.LOCAL


def test_what_was_chosen_when_the_lock_was_written_is_not_taken_back(tmp_path: Path) -> None:
    write(tmp_path / "MODULE.bazel", ROOT)
    url = registry(tmp_path, "of_registry")
    write(tmp_path / "reg/modules/lib/metadata.json", '{"yanked_versions": {"1": "bad"}}')
    flags = ModuleFlags(registries=(url, CENTRAL_REGISTRY))
    hashes = {f"{url}/modules/lib/1/{name}": "ab" for name in ("MODULE.bazel", "source.json")}
    lock = {"lockFileVersion": 18, "registryFileHashes": hashes}
    for yanked, is_told in (({}, False), ({"lib@1": "bad"}, True)):
        text = json.dumps({**lock, "selectedYankedVersions": yanked})
        write(tmp_path / "MODULE.bazel.lock", text)
        _, told = selected(tmp_path, modules=flags)
        assert any("Yanked version" in one for one in told) is is_told


def test_a_lock_file_that_is_older_than_the_workspace_is_told_as_one(tmp_path: Path) -> None:
    write(tmp_path / "MODULE.bazel", 'bazel_dep(name = "bazel_skylib", version = "1.8.2")\n')
    url = f"{CENTRAL_REGISTRY}/modules/bazel_skylib/1.7.1/MODULE.bazel"
    lock = {"lockFileVersion": 18, "registryFileHashes": {url: "ab"}}
    write(tmp_path / "MODULE.bazel.lock", json.dumps(lock))
    keys, told = selected(tmp_path)
    assert "bazel_skylib@1.8.2" in keys
    assert len(told) == 1 and told[0].startswith("MODULE.bazel.lock is out of date: it lacks ")
    flags = ModuleFlags(lockfile_mode="off")
    assert selected(tmp_path, modules=flags)[1] == []


@pytest.mark.parametrize(
    "text",
    [
        *("{broken", "[]", "<<<<<<< HEAD\n{}\n", '{"lockFileVersion": 3, "x"'),
        '{"lockFileVersion": 3, "registryFileHashes": []}',
        '{"lockFileVersion": 3, "moduleExtensions": {"//:x.bzl%x": {"general": 7}}}',
        '{"lockFileVersion": 3, "registryFileHashes": {"a": 3}}',
        '{"lockFileVersion": 3, "selectedYankedVersions": [3]}',
        '{"lockFileVersion": "x"}',
        '{"moduleExtensions": {"//:x.bzl%x": {"general": {"generatedRepoSpecs": {"r": 3}}}}}',
    ],
)
def test_a_broken_lock_file_is_told_and_left_aside(tmp_path: Path, text: str) -> None:
    write(tmp_path / "MODULE.bazel", 'bazel_dep(name = "bazel_skylib", version = "1.8.2")\n')
    write(tmp_path / "MODULE.bazel.lock", text)
    keys, told = selected(tmp_path)
    assert "bazel_skylib@1.8.2" in keys
    assert told == ["MODULE.bazel.lock is no lock file, so it is left aside"]


def test_a_broken_lock_file_of_the_version_that_bazel_reads_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "MODULE.bazel", 'bazel_dep(name = "bazel_skylib", version = "1.8.2")\n')
    for release, version in (
        ("7.4.1", 11),
        ("7.5.0", 13),
        ("8.1.0", 18),
        ("8.5.0", 24),
        ("9.2.0", 28),
    ):
        assert lock_version(Release.of(release)) == version
        text = f'{{"lockFileVersion": {version},\n"registryFileHashes": oops}}'
        lock = parse_lock(text, Release.of(release))
        assert lock.problem is not None and lock.problem.span is not None
        assert lock.problem.severity is Severity.ERROR
        assert "Failed to read and parse the MODULE.bazel.lock file" in lock.problem.message
        assert (lock.problem.span.line, lock.hashes) == (2, {})


def test_a_lock_with_the_graph_may_be_older_than_the_workspace_too(tmp_path: Path) -> None:
    """Bazel 7.0 and 7.1 write the graph instead of what they asked for."""
    write(tmp_path / "MODULE.bazel", 'bazel_dep(name = "bazel_skylib", version = "1.8.2")\n')
    graph = {"bazel_skylib@1.7.1": {"name": "bazel_skylib", "version": "1.7.1"}}
    lock = {"lockFileVersion": 3, "moduleDepGraph": graph}
    write(tmp_path / "MODULE.bazel.lock", json.dumps(lock))
    _, told = selected(tmp_path)
    assert told[0].startswith("MODULE.bazel.lock is out of date: it lacks bazel_skylib@1.8.2")


def test_a_lock_of_what_nothing_needs_or_of_another_bazel_is_out_of_date(tmp_path: Path) -> None:
    write(tmp_path / "MODULE.bazel", 'module(name = "m")\n')
    graph = {"rules_go@0.39.1": {"name": "rules_go", "version": "0.39.1"}}
    chosen = selected(tmp_path)[0]
    needed = {
        key: dict(zip(("name", "version"), key.split("@"), strict=True))
        for key in chosen
        if "@" in key and not key.endswith("@_")
    }
    for version, held, why in (
        (18, needed, ""),
        (18, {**needed, **graph}, "nothing needs rules_go@0.39.1 any more"),
        (16, needed, "it has version 16, and Bazel 8.1.0 writes version 18"),
    ):
        lock = {"lockFileVersion": version, "moduleDepGraph": held}
        write(tmp_path / "MODULE.bazel.lock", json.dumps(lock))
        told = [f"MODULE.bazel.lock is out of date: {why}"] if why else []
        assert selected(tmp_path)[1] == told


def test_what_a_build_without_a_release_asks_for_is_taken_from_its_lock(tmp_path: Path) -> None:
    """Which modules a commit's bazel_tools needs is known of releases alone."""
    write(tmp_path / "MODULE.bazel", 'bazel_dep(name = "bazel_skylib", version = "1.7.1")\n')
    write(tmp_path / ".bazelversion", "0123456789abcdef" * 2 + "01234567")
    base = f"{CENTRAL_REGISTRY}/modules"
    files = ("platforms/0.0.10", "bazel_skylib/1.7.1", "zlib/1.3", "rules_license/0.0.7")
    urls = [f"{base}/{place}/{file}" for place in files for file in ("MODULE.bazel", "source.json")]
    lock = {"lockFileVersion": 12, "registryFileHashes": dict.fromkeys(urls, "ab")}
    write(tmp_path / "MODULE.bazel.lock", json.dumps(lock))
    made = LoadingOptions("8.0.0-pre")
    table = Loader(Workspace.open(tmp_path), made).table
    assert table.modules is not None and table.modules.resolved is not None
    keys = {str(key) for key in table.modules.resolved.resolution.selected}
    assert {"zlib@1.3", "platforms@0.0.10"} <= keys
    assert not any(key.startswith("rules_java") for key in keys)


UNKNOWN = {
    "a name that is not in the index": ("nobody_has_this", "1", False),
    "a version newer than those known": ("bazel_skylib", "99.0", False),
    "a version between those known": ("bazel_skylib", "1.6.99", True),
}


@pytest.mark.parametrize(("name", "version", "is_refused"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_the_index_does_not_have(
    tmp_path: Path, name: str, version: str, is_refused: bool
) -> None:
    write(tmp_path / "MODULE.bazel", f'bazel_dep(name = "{name}", version = "{version}")\n')
    _, told = selected(tmp_path)
    assert bool(told) is is_refused
    if is_refused:
        assert f"module {name}@{version} not found in registries:" in told[0]


def test_the_index_is_small() -> None:
    index = central_registry()
    assert len(index.names()) > 1_000 and index.date >= "2026"


def test_warnings_of_resolution_are_told_with_every_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path / "MODULE.bazel",
        'module(name = "m", version = "1", bazel_compatibility = [">8.1.0"])\n'
        'bazel_dep(name = "rules_cc", version = "0.0.1")\n',
    )
    write(tmp_path / "BUILD", 'filegroup(name = "a")\n')
    monkeypatch.chdir(tmp_path)
    direct = "For repository 'rules_cc', the root module requires module version rules_cc@0.0.1"
    compatible = 'Bazel version 8.1.0 is not compatible with module "<root>"'
    warned = ["--check_bazel_compatibility=warning"]
    for command in ("query", "explain", "deps"):
        for flags, is_told in (
            (warned, (True, True)),
            ([*warned, "--check_direct_dependencies=off"], (False, True)),
            (["--check_bazel_compatibility=off"], (True, False)),
        ):
            assert main([command, "//:a", "--bazel-version=8.1.0", *flags]) == 0
            told = capsys.readouterr().err
            assert (told.count(direct), told.count(compatible)) == is_told


def test_a_graph_in_the_lock_file_is_not_resolved_again(tmp_path: Path) -> None:
    write(tmp_path / "MODULE.bazel", 'bazel_dep(name = "rules_cc", version = "0.0.1")\n')
    for release, has_lock in (("7.1.0", False), ("7.1.0", True), ("8.1.0", True)):
        version = lock_version(Release.of(release))
        if has_lock:
            write(tmp_path / "MODULE.bazel.lock", json.dumps({"lockFileVersion": version}))
        table = Loader(Workspace.open(tmp_path), LoadingOptions(release)).table
        is_told = any(one.code == "direct-dependency" for one in table.diagnostics)
        assert is_told is not (release == "7.1.0" and has_lock)


def test_words_about_versions_of_the_releases(tmp_path: Path) -> None:
    module = 'module(name = "m", version = "1", bazel_compatibility = [">9.9.9"])\n'
    write(tmp_path / "MODULE.bazel", f'{module}bazel_dep(name = "rules_cc", version = "0.0.1")\n')
    flags = ModuleFlags(check_compatibility="warning")
    for release, named, end in (
        ("7.1.0", '"m@1"', "in the resolved dependency graph."),
        ("8.1.0", '"<root>"', "or set --check_direct_dependencies=off"),
    ):
        options = LoadingOptions(release, modules=flags)
        table = Loader(Workspace.open(tmp_path), options).table
        direct, compatible = (one.message for one in table.diagnostics)
        assert direct.endswith(end)
        assert f"is not compatible with module {named}" in compatible
