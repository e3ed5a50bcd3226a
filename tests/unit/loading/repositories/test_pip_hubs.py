"""What a hub of pip defines in `requirements.bzl`, by the release of rules_python, and that a file
which a model of a rule writes may lack what the real rule's has.

Compared with the templates of `requirements.bzl` at rules_python's tags 0.5.0 to 2.0.0.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.base.label import PackageId
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import Rule
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace

_WORKSPACE = """
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "rules_python", urls = ["https://x.org/rules_python-{release}.tar.gz"])
load("@rules_python//python:pip.bzl", "pip_parse")
pip_parse(name = "pypi", requirements_lock = "//:lock.txt"{more})
load("@pypi//:requirements.bzl", "install_deps")
install_deps()
"""
_MODULE = """
bazel_dep(name = "rules_python", version = "{release}")
pip = use_extension("@rules_python//python/extensions:pip.bzl", "pip")
pip.parse(hub_name = "pypi", python_version = "3.11", requirements_lock = "//:lock.txt")
use_repo(pip, "pypi")
"""


def loaded(root: Path, main: str, build: str) -> Package:
    name = "WORKSPACE" if "http_archive" in main else "MODULE.bazel"
    for path, text in {name: main, "BUILD": build, "lock.txt": "my.lint==1.0\n"}.items():
        (root / path).write_text(text)
    version = "6.5.0" if name == "WORKSPACE" else "7.0.0"
    package = Loader(Workspace.open(root), LoadingOptions(version)).package(PackageId("", ""))
    assert isinstance(package, Package)
    return package


def srcs(package: Package) -> list[str]:
    (rule,) = (one for one in package.targets.values() if isinstance(one, Rule))
    attribute = rule.attribute("srcs")
    assert attribute is not None and isinstance(attribute.value, tuple)
    return [str(label) for label in attribute.value]


_TO_WHEELS = ["@pypi_my_lint//:pkg", "@pypi_my_lint//:rules_python_wheel_entry_point_my.lint"]
_TO_THE_HUB = ["@pypi//my_lint:pkg", _TO_WHEELS[1]]


@pytest.mark.parametrize(
    ("release", "more", "named"),
    [
        ("0.5.0", "", _TO_WHEELS),
        ("0.26.0", "", _TO_WHEELS),
        ("0.26.0", ", incompatible_generate_aliases = True", _TO_THE_HUB),
        ("0.35.0", "", _TO_THE_HUB),
        ("0.35.0", ", incompatible_generate_aliases = False", _TO_WHEELS),
    ],
)
def test_an_entry_point_is_in_the_wheel(
    tmp_path: Path, release: str, more: str, named: list[str]
) -> None:
    build = (
        'load("@pypi//:requirements.bzl", "entry_point", "requirement")\n'
        'filegroup(name = "a", srcs = [requirement("my.lint"), entry_point("my.lint")])\n'
    )
    package = loaded(tmp_path, _WORKSPACE.format(release=release, more=more), build)
    assert not package.diagnostics
    assert srcs(package) == named


def test_a_hub_of_a_module_has_the_function_only_to_refuse_it(tmp_path: Path) -> None:
    build = 'load("@pypi//:requirements.bzl", "entry_point")\n'
    package = loaded(tmp_path, _MODULE.format(release="0.31.0"), build)
    assert not package.diagnostics and not package.unknowns
    package = loaded(tmp_path, _MODULE.format(release="0.31.0"), build + 'entry_point("a")\n')
    (problem,) = package.diagnostics
    assert "py_console_script_binary" in problem.message


@pytest.mark.parametrize("main", [_WORKSPACE, _MODULE], ids=["workspace", "module"])
@pytest.mark.parametrize("file", ["requirements.bzl", "of_next_year.bzl"])
def test_what_a_modelled_rule_writes_may_lack_symbols_and_files(
    tmp_path: Path, main: str, file: str
) -> None:
    build = (
        f'load("@pypi//:{file}", "of_next_year")\n'
        'of_next_year(name = "b")\n'
        'filegroup(name = "a", srcs = [])\n'
    )
    package = loaded(tmp_path, main.format(release="1.0.0", more=""), build)
    assert not package.diagnostics
    assert package.targets["a"] is not None
    (unknown, *_) = package.unknowns
    assert "the real one may define more" in unknown.detail


def test_what_a_rule_at_hand_writes_lacks_what_it_lacks(tmp_path: Path) -> None:
    rule = (
        "def _impl(ctx):\n"
        "    ctx.file('BUILD', '')\n"
        "    ctx.file('a.bzl', 'x = 1')\n"
        "made = repository_rule(implementation = _impl)\n"
    )
    (tmp_path / "r.bzl").write_text(rule)
    main = "# http_archive\nload('//:r.bzl', 'made')\nmade(name = 'm')\n"
    package = loaded(tmp_path, main, "load('@m//:a.bzl', 'y')\n")
    (problem,) = package.diagnostics
    assert problem.message == "file '@m//:a.bzl' does not contain symbol 'y'"
