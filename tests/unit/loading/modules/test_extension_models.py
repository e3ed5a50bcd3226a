"""Models of module extensions: what they make of the lock files that lie in the tree.

Compared with what Bazel's own lock files record (not committed): of pigweed's `crate` 219 of 219
repositories, of its `pip.parse` 382 of 382; of bazel-remote's and scion's `go_deps` every one that
they use, 34 and 52.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.base.label import Label, PackageId
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchTarget, Rule
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files

FILES = {
    "MODULE.bazel": """
module(name = "m")
bazel_dep(name = "gazelle", version = "0.47.0")
bazel_dep(name = "rules_python", version = "1.7.0")
bazel_dep(name = "rules_rust", version = "0.54.1")
bazel_dep(name = "rules_jvm_external", version = "6.10")

go_deps = use_extension("@gazelle//:extensions.bzl", "go_deps")
go_deps.from_file(go_mod = "//:go.mod")
go_deps.module(path = "gopkg.in/yaml.v3", version = "v3.0.1", sum = "h1:yaml=")
use_repo(go_deps, "com_github_pkg_errors", "in_gopkg_yaml_v3", "org_nowhere")

pip = use_extension("@rules_python//python/extensions:pip.bzl", "pip")
pip.parse(hub_name = "deps", python_version = "3.11", requirements_lock = "//:req.txt")
pip.parse(hub_name = "deps", python_version = "3.12.4", requirements_lock = "//:req.txt")
pip.parse(
    extra_hub_aliases = {"ruamel.yaml.clib": ["headers"]},
    hub_name = "one",
    python_version = "3.12",
    requirements_lock = "//:req.txt",
)
use_repo(pip, "deps", "one")

crate = use_extension("@rules_rust//crate_universe:extension.bzl", "crate")
crate.from_cargo(name = "crates", cargo_lockfile = "//:Cargo.lock", manifests = ["//:Cargo.toml"])
use_repo(crate, "crates")

maven = use_extension("@rules_jvm_external//:extensions.bzl", "maven")
maven.install(artifacts = ["a.b:c-d:1.2"], lock_file = "//:maven_install.json")
use_repo(maven, "maven")
""",
    "BUILD": "",
    "go.mod": """
module example.com/x

go 1.21

require github.com/pkg/errors v0.9.1 // a comment

require (
    golang.org/x/sys v0.15.0 // indirect
    github.com/Azure/azure-sdk-for-go/sdk/azcore v1.9.0
)

replace golang.org/x/sys => golang.org/x/sys v0.16.0
""",
    "go.sum": """
github.com/pkg/errors v0.9.1 h1:FEBLx1=
github.com/pkg/errors v0.9.1/go.mod h1:bwawx=
""",
    "req.txt": """
# made by a tool
--index-url https://example.com
PyYAML==6.0.1 \\
    --hash=sha256:aa \\
    --hash=sha256:bb
ruamel.yaml.clib==0.2.8 ; python_version < "3.13"
""",
    "Cargo.lock": """
version = 3

[[package]]
name = "mine"
version = "0.1.0"

[[package]]
name = "libc"
version = "0.2.150"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "89d92a4743f9a61002fae18374ed11e7973f530cb3a3255fb354818118b2203c"
""",
    "maven_install.json": json.dumps(
        {
            "artifacts": {
                "a.b:c-d": {"shasums": {"jar": "ab12", "sources": None}, "version": "1.2"}
            },
            "dependencies": {},
            "repositories": {"https://repo.example.com/m2/": ["a.b:c-d"]},
            "version": "2",
        }
    ),
}


@pytest.fixture
def loader(tmp_path: Path) -> Loader:
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    return Loader(Workspace.open(tmp_path), LoadingOptions("8.1.0"))


def attributes(loader: Loader, repository: str) -> dict[str, object]:
    assert loader.table.diagnostics == ()
    return dict(loader.table.definitions[repository].attributes)


def test_go_modules_of_go_mod(loader: Loader) -> None:
    errors = attributes(loader, "com_github_pkg_errors")
    assert (errors["version"], errors["sum"]) == ("v0.9.1", "h1:FEBLx1=")
    azure = "gazelle++go_deps+com_github_azure_azure_sdk_for_go_sdk_azcore"
    assert attributes(loader, azure)["version"] == "v1.9.0"
    assert attributes(loader, "gazelle++go_deps+org_golang_x_sys")["version"] == "v0.16.0"
    assert attributes(loader, "in_gopkg_yaml_v3")["sum"] == "h1:yaml="
    found = loader.table.get("org_nowhere")
    assert found is not None and found.unknown is not None
    assert "its model makes no such repository; the real one may" in found.unknown.detail


def test_wheels_of_a_requirements_file(loader: Loader) -> None:
    for version in ("311", "312"):
        wheel = attributes(loader, f"rules_python++pip+deps_{version}_pyyaml")
        assert wheel["requirement"] == "PyYAML==6.0.1 --hash=sha256:aa --hash=sha256:bb"
    assert "rules_python++pip+one_312_ruamel_yaml_clib" in loader.table.definitions
    package = loader.package(PackageId("one", "pyyaml"))
    assert isinstance(package, Package) and package.diagnostics == ()
    target = loader.target(Label("one", "pyyaml", "pkg"))
    assert isinstance(target, Rule)
    actual = target.attribute("actual")
    assert actual is not None
    assert str(actual.value) == "@@rules_python++pip+one_312_pyyaml//:pkg"


def test_a_hub_has_its_packages_where_an_index_would_tell_the_wheels(tmp_path: Path) -> None:
    for path, text in FILES.items():
        index = 'hub_name = "one", experimental_index_url = "https://example.com/simple",'
        (tmp_path / path).write_text(text.replace('hub_name = "one",', index))
    loader = Loader(Workspace.open(tmp_path), LoadingOptions("8.1.0"))
    assert isinstance(loader.package(PackageId("one", "pyyaml")), Package)
    wheel = loader.table.get("rules_python++pip+one_312_pyyaml")
    assert wheel is not None and wheel.unknown is not None


def test_a_model_takes_what_a_patched_extension_does(tmp_path: Path) -> None:
    """Of jax, which patches rules_python: `pip.parse(local_wheels = ...)`."""
    for path, text in FILES.items():
        text = text.replace('hub_name = "one",', 'hub_name = "one", local_wheels = {"a": "b"},')
        text = text.replace("use_repo(pip,", "pip.invented(x = 1)\nuse_repo(pip,")
        (tmp_path / path).write_text(text)
    patched = Loader(Workspace.open(tmp_path), LoadingOptions("8.1.0"))
    assert attributes(patched, "rules_python++pip+one_312_pyyaml")["requirement"]


def test_crates_of_a_cargo_lock(loader: Loader) -> None:
    crate = attributes(loader, "rules_rust++crate+crates__libc-0.2.150")
    assert crate["urls"] == ("https://static.crates.io/crates/libc/0.2.150/download",)
    assert str(crate["sha256"]).startswith("89d92a47")
    assert "rules_rust++crate+crates__mine-0.1.0" not in loader.table.definitions


def test_jars_of_a_maven_install_json(loader: Loader) -> None:
    jar = attributes(loader, "rules_jvm_external++maven+a_b_c_d_1_2")
    assert jar["urls"] == ("https://repo.example.com/m2/a/b/c-d/1.2/c-d-1.2.jar",)
    assert jar["sha256"] == "ab12"


_REAL = """
def _crate(ctx):
    ctx.download("https://example.com/config.json", "made//config.json", block = False).wait()
    made = ctx.execute(["cargo-bazel", "generate", ctx.path("made//config.json")])
    if made.return_code != 0:
        fail("it fails")
    for name in json.decode(made.stdout)["crates"]:
        repo(name = name)
    repo(name = "crates")

def _repo(ctx):
    pass

repo = repository_rule(implementation = _repo)
crate = module_extension(
    implementation = _crate,
    tag_classes = {"from_cargo": tag_class(attrs = {
        "name": attr.string(),
        "cargo_lockfile": attr.label(),
        "manifests": attr.label_list(),
    })},
)
"""


def test_where_an_extension_that_is_here_asks_a_program_its_model_tells(tmp_path: Path) -> None:
    """As rules_rust's `crate` does where rules_rust was downloaded."""
    vendored = {
        "vendor/rules_rust+/MODULE.bazel": 'module(name = "rules_rust", version = "0.54.1")',
        "vendor/rules_rust+/REPO.bazel": "",
        "vendor/rules_rust+/crate_universe/BUILD": "",
        "vendor/rules_rust+/crate_universe/extension.bzl": _REAL,
    }
    write_files(tmp_path, {**FILES, **vendored})
    options = LoadingOptions("8.1.0", vendor_dir=str(tmp_path / "vendor"))
    loader = Loader(Workspace.open(tmp_path), options)
    crate = attributes(loader, "rules_rust++crate+crates__libc-0.2.150")
    assert crate["urls"] == ("https://static.crates.io/crates/libc/0.2.150/download",)
    assert loader.table.modules is not None and loader.table.modules.extensions is not None
    extensions = loader.table.modules.extensions.extensions.values()
    (extension,) = (one for one in extensions if one.name == "crate")
    assert extension.unknown is not None
    assert extension.unknown.detail.startswith(
        "told by a model, for the extension itself stops: json.decode needs a text that cannot be"
        " told (@rules_rust//crate_universe:extension.bzl%crate: `cargo-bazel generate"
    )


def test_a_hub_of_pip_has_the_aliases_that_are_asked_for(loader: Loader) -> None:
    assert isinstance(loader.target(Label("one", "ruamel_yaml_clib", "headers")), Rule)
    assert isinstance(loader.target(Label("one", "pyyaml", "headers")), NoSuchTarget)
    assert isinstance(loader.target(Label("deps", "ruamel_yaml_clib", "headers")), NoSuchTarget)


def test_requirements_of_a_hub_hold_whatever_the_hub_is_called(tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    module = tmp_path / "MODULE.bazel"
    asked = 'use_repo(pip, "deps", "one")'
    assert asked in module.read_text()
    module.write_text(module.read_text().replace(asked, 'use_repo(pip, "deps", mine = "one")'))
    build = tmp_path / "BUILD"
    load = 'load("@mine//:requirements.bzl", "requirement")\n'
    uses = 'filegroup(name = "needs", srcs = [requirement("PyYAML")])\n'
    build.write_text(f"{load}{build.read_text() if build.exists() else ''}\n{uses}")
    loader = Loader(Workspace.open(tmp_path), LoadingOptions("8.1.0"))
    rule = loader.target(Label("", "", "needs"))
    assert isinstance(rule, Rule)
    attribute = rule.attribute("srcs")
    assert attribute is not None and isinstance(attribute.value, tuple)
    (needed,) = attribute.value
    assert isinstance(loader.target(needed), Rule)
