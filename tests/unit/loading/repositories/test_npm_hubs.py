"""What a hub of rules_js declares that a pnpm-lock.yaml locks.

Compared with the rules of releases 3.0.1, 3.1.1, 3.2.1 and 3.4.0 themselves, run dry on the lock
files of public trees: all of the 170 to 7,000 targets of each are the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import Label
from bazelscope.cli.entry import main
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.targets import Rule, UnknownTarget
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

_LOCK = """\
lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      '@s/one':
        specifier: ^1.0.0
        version: 1.0.0(peer@2.0.0)
      other-name:
        specifier: npm:peer@2.0.0
        version: peer@2.0.0
    devDependencies:
      '@s/dev':
        specifier: 3.0.0
        version: 3.0.0

  a:
    dependencies:
      '@s/b':
        specifier: workspace:*
        version: link:../b
      circle:
        specifier: 1.0.0
        version: 1.0.0

  b:
    dependencies:
      peer:
        specifier: 2.0.0
        version: 2.0.0

packages:

  '@s/dev@3.0.0':
    resolution: {integrity: sha512-dev==}
    hasBin: true

  '@s/one@1.0.0':
    resolution: {integrity: sha512-one==}
    peerDependencies:
      peer: '*'

  back@1.0.0:
    resolution: {integrity: sha512-back==}

  built@1.0.0:
    resolution: {integrity: sha512-built==}

  circle@1.0.0:
    resolution: {integrity: sha512-circle==}

  for-linux@1.0.0:
    resolution: {integrity: sha512-linux==}
    cpu: [x64, arm64]
    os: [linux]

  for-mac@1.0.0:
    resolution: {integrity: sha512-mac==}
    os: [darwin]

  peer@2.0.0:
    resolution: {integrity: sha512-peer==}

snapshots:

  '@s/dev@3.0.0':
    dependencies:
      built: 1.0.0

  '@s/one@1.0.0(peer@2.0.0)':
    dependencies:
      peer: 2.0.0
      peer-again: peer@2.0.0
    optionalDependencies:
      for-linux: 1.0.0
      for-mac: 1.0.0

  back@1.0.0:
    dependencies:
      circle: 1.0.0

  built@1.0.0: {}

  circle@1.0.0:
    dependencies:
      back: 1.0.0

  for-linux@1.0.0:
    optional: true

  for-mac@1.0.0:
    optional: true

  peer@2.0.0: {}
"""
_MODULE = """
bazel_dep(name = "aspect_rules_js", version = "%s")
npm = use_extension("@aspect_rules_js//npm:extensions.bzl", "npm")
npm.npm_translate_lock(
    name = "npm",
    npm_package_target_name = "{dirname}",
    pnpm_lock = "//:pnpm-lock.yaml",
    %s
)
npm.npm_exclude_package_contents(package = "peer@2.0.0", patterns = ["x/**"], presets = [])
npm.npm_replace_package(package = "back", replacement = "//:replaced")
use_repo(npm, "npm")
"""
_LINKS = """
load("@npm//:defs.bzl", "npm_link_all_packages", "npm_link_targets")
npm_link_all_packages()
filegroup(name = "prod", srcs = npm_link_targets(dev = False))
"""


def world(folder: Path, release: str, more: str = "", lock: str = _LOCK) -> Path:
    write_files(
        folder,
        {
            "MODULE.bazel": _MODULE % (release, more),
            "BUILD": _LINKS,
            "a/BUILD": _LINKS,
            "b/BUILD": _LINKS,
            "pnpm-lock.yaml": lock,
            "pnpm-workspace.yaml": "packages: [a, b]\nonlyBuiltDependencies:\n- built\n",
            "package.json": "{}",
        },
    )
    return folder


def shown(folder: Path, capsys: pytest.CaptureFixture[str], *labels: str) -> str:
    words = [
        "-w",
        str(folder),
        "--bazel-version=8.4.0",
        "--output=build",
        " + ".join(f"'{label}'" for label in labels),
    ]
    main(["query", *words])
    lines = capsys.readouterr()[0].splitlines()
    left_out = ("#", "  generator_", "  exclude_package_contents", "  tags = [", "  visibility = ")
    return "\n".join(line for line in lines if line and not line.startswith(left_out))


def test_a_package_in_the_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "//:.aspect_rules_js/node_modules/@s+one@1.0.0_peer@2.0.0"
    folder = world(tmp_path, "3.4.0")
    text = shown(folder, capsys, name, f"{name}/pkg", f"{name}/ref", f"{name}/dir")
    store = "//:.aspect_rules_js/node_modules/"
    deps = (
        f'{{"{store}peer@2.0.0<>": "peer,peer-again"}}'
        f' + select({{"@aspect_rules_js//platforms/pnpm:darwin": {{"{store}for-mac@1.0.0<>":'
        ' "for-mac"}, "//conditions:default": {}})'
        f' + select({{"@aspect_rules_js//platforms/pnpm:linux_x64": {{"{store}for-linux@1.0.0<>":'
        f' "for-linux"}}, "@aspect_rules_js//platforms/pnpm:linux_arm64":'
        f' {{"{store}for-linux@1.0.0<>": "for-linux"}}, "//conditions:default": {{}}}})'
    )
    said = """\
  package = "@s/one",
  version = "1.0.0(peer@2.0.0)",
  key = "@s/one@1.0.0(peer@2.0.0)",
)
"""
    source = '  src = "@@aspect_rules_js++npm+npm__at_s_one__1.0.0_peer_2.0.0//:pkg",\n'
    assert text == (
        f'npm_package_store_internal(\n  name = "{name[3:]}",\n{source}'
        f"  deps = {deps.replace('<>', '')},\n{said}"
        f'filegroup(\n  name = "{name[3:]}/dir",\n  srcs = ["{name}"],\n'
        '  output_group = "package_directory",\n)\n'
        f'npm_package_store_internal(\n  name = "{name[3:]}/pkg",\n{source}'
        f"  deps = {deps.replace('<>', '/ref')},\n{said}"
        f'npm_package_store_internal(\n  name = "{name[3:]}/ref",\n{said}'.rstrip()
    )


def test_packages_that_need_one_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each has all that it reaches, without what that needs, and the replaced one its target."""
    store = "//:.aspect_rules_js/node_modules/"
    text = shown(world(tmp_path, "3.4.0"), capsys, f"{store}back@1.0.0", f"{store}back@1.0.0/pkg")
    whole, package = text.split("\n)\n")
    assert "src = " not in whole
    assert (
        f'deps = {{"{store}back@1.0.0/pkg": "back", "{store}circle@1.0.0/pkg": "circle"}}' in whole
    )
    assert 'src = "//:replaced"' in package
    assert f'deps = {{"{store}circle@1.0.0/ref": "circle"}}' in package


def test_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = world(tmp_path, "3.4.0")
    names = ("@s/dev", "other-name")
    labels = [f"//:node_modules/{name}" for name in names] + ["//:node_modules", "//:prod"]
    assert shown(folder, capsys, *labels, "//:node_modules/@s") == (
        """\
js_library(
  name = "node_modules",
  srcs = ["//:node_modules/@s/one", "//:node_modules/other-name", "//:node_modules/@s/dev"],
)
js_library(
  name = "node_modules/@s",
  srcs = ["//:node_modules/@s/dev", "//:node_modules/@s/one"],
)
npm_link_package_store(
  name = "node_modules/@s/dev",
  src = "//:.aspect_rules_js/node_modules/@s+dev@3.0.0",
  package = "@s/dev",
  dev = True,
  bins = {},
)
npm_link_package_store(
  name = "node_modules/other-name",
  src = "//:.aspect_rules_js/node_modules/peer@2.0.0",
  package = "other-name",
  dev = False,
  bins = {},
)
filegroup(
  name = "prod",
  srcs = ["//:node_modules/@s/one", "//:node_modules/other-name"],
)"""
    )


def test_a_package_of_the_workspace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = world(tmp_path, "3.4.0")
    stored = "//:.aspect_rules_js/node_modules/@s+b@0.0.0"
    assert shown(folder, capsys, "//a:node_modules/@s/b", stored, f"{stored}/ref") == (
        """\
npm_package_store(
  name = ".aspect_rules_js/node_modules/@s+b@0.0.0",
  src = "//b:b",
  deps = {"//:.aspect_rules_js/node_modules/peer@2.0.0": "peer"},
  package = "@s/b",
  version = "0.0.0",
)
alias(
  name = ".aspect_rules_js/node_modules/@s+b@0.0.0/ref",
  actual = "//:.aspect_rules_js/node_modules/@s+b@0.0.0",
)
npm_link_package_store(
  name = "node_modules/@s/b",
  src = "//:.aspect_rules_js/node_modules/@s+b@0.0.0",
)"""
    )


_LONG = "a-name-that-is-rather-long-for-a-package"


@pytest.mark.parametrize(
    ("release", "stored", "repository"),
    [
        (
            "3.2.2",
            f"{_LONG}-@9.9.9-with.a.suffix_peer@2.0.0",
            f"{_LONG}-__9.9.9-with.a.suffix_peer_2.0.0",
        ),
        ("3.3.1", f"{_LONG}-@1116848_164203060", f"{_LONG}-__1116848_164203060"),
    ],
)
def test_names_of_the_store(
    tmp_path: Path, release: str, stored: str, repository: str, capsys: pytest.CaptureFixture[str]
) -> None:
    long = f"{_LONG}-@9.9.9-with.a.suffix"
    lock = _LOCK.replace("back@1.0.0:\n    res", f"{long}:\n    res").replace(
        "\n  back@1.0.0:\n    dep", f"\n  {long}(peer@2.0.0):\n    dep"
    )
    lock = lock.replace("back: 1.0.0", f"back: {long}(peer@2.0.0)")
    text = shown(world(tmp_path, release, "", lock), capsys, "//:all")
    assert f'name = ".aspect_rules_js/node_modules/{stored}"' in text
    assert f"npm__{repository}//:pkg" in text


@pytest.mark.parametrize(
    ("release", "more", "lock"),
    [
        ("2.9.2", "", _LOCK),
        ("3.4.0", "", _LOCK.replace("'9.0'", "'6.0'")),
        ("3.4.0", "", _LOCK.replace("'9.0'", "&nine '9.0'")),
        ("3.4.0", "generate_bzl_library_targets = True", _LOCK),
    ],
)
def test_a_hub_that_is_unknown(tmp_path: Path, release: str, more: str, lock: str) -> None:
    folder = world(tmp_path, release, more, lock)
    loader = Loader(Workspace.open(folder), LoadingOptions("8.4.0"))
    for name in ("node_modules/@s/dev", "node_modules/x"):
        assert isinstance(loader.target(Label("", "", name)), UnknownTarget)


def test_packages_that_few_may_see(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are in no library; a project that may not see what it links is refused."""
    seen = 'package_visibility = {"peer": ["//b:__subpackages__"], "@s/dev": ["//:__pkg__"], %s}'
    folder = world(tmp_path, "3.4.0", seen % "")
    main(["query", "-w", str(folder), "--bazel-version=8.4.0", "--output=build", "//b:all"])
    text = capsys.readouterr()[0]
    assert text.count('  visibility = ["//b:__subpackages__"],') == 2
    assert text.count("  srcs = [],") == 2
    other = world(tmp_path / "other", "3.4.0", seen % '"circle": ["//b:__pkg__"]')
    main(["explain", "-w", str(other), "--bazel-version=8.4.0", "//..."])
    text = " ".join(capsys.readouterr()[0].split())
    assert "circle is not visible from a" in text
    assert "@s/dev is not visible" not in text


def test_what_is_built_is_unknown(tmp_path: Path) -> None:
    loader = Loader(Workspace.open(world(tmp_path, "3.4.0")), LoadingOptions("8.4.0"))
    store = ".aspect_rules_js/node_modules/"
    for name in ("built@1.0.0/pkg", "built@1.0.0/lc"):
        assert isinstance(loader.target(Label("", "", store + name)), UnknownTarget)
    folder = world(tmp_path / "other", "3.4.0", "run_lifecycle_hooks = False")
    loader = Loader(Workspace.open(folder), LoadingOptions("8.4.0"))
    assert isinstance(loader.target(Label("", "", f"{store}built@1.0.0/pkg")), Rule)


def test_the_repository_of_a_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What package.json says of programs is unknown of what is linked."""
    folder = world(tmp_path, "3.4.0")
    label = "@@aspect_rules_js++npm+npm__peer__2.0.0//:pkg"
    assert shown(folder, capsys, label).endswith(
        """\
npm_package_internal(
  name = "pkg",
  src = "@@aspect_rules_js++npm+npm__peer__2.0.0//:package.tgz",
  package = "peer",
  version = "2.0.0",
)"""
    )
