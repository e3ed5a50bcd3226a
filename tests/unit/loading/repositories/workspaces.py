"""Small workspaces for the tests of repositories: files in, an evaluated table out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bazelscope import starlark
from bazelscope.base.label import Label, PackageId
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.attribute_types import SelectorList, selectors_of
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.loading.cache.package_index import PackageIndex
from bazelscope.loading.evaluation.builtins.natives import Natives
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.packages.targets import Rule
from bazelscope.loading.repositories.repository_facts import repository_facts
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace
from tests.support.files import write_files


@dataclass(frozen=True)
class Options(LoadingOptions):
    """Those of the Bazel that most tests are about."""

    bazel_version: str = "4.2.3"


def lay_out(root: Path, files: Mapping[str, str]) -> Path:
    """Writes `files` below `root`, which becomes a workspace."""
    write_files(root, {"WORKSPACE": "", **files})
    return root


def evaluate(root: Path, options: Options | None = None) -> RepositoryTable:
    """The table of the workspace at `root`, its WORKSPACE evaluated."""
    options = options or Options()
    workspace = Workspace.open(root)
    context = EvaluationContext(NativeRules(options.bazel_version))
    natives = Natives(context, workspace_directory=str(workspace.root))
    index = PackageIndex(workspace, ignored=workspace.ignored_directories())
    modules = ModuleLoader(
        workspace,
        context,
        natives,
        None,
        starlark.Limits(),
        lambda directory: index.build_file(directory) is not None,
    )
    table = RepositoryTable(workspace, options, index.is_deleted)
    modules.repositories = table
    context.mapping_of = table.repo_mapping
    table.evaluate(modules, context, natives.workspace_file)
    return table


def text_of(table: RepositoryTable, repository: str, path: str) -> str:
    """The text of a file that must be there."""
    found = table.find_file(repository, path)
    assert isinstance(found, FileFound), f"@{repository}//{path}: {found}"
    text = table.read_text(found)
    assert not isinstance(text, Unknown), text
    return text


def loader(root: Path, files: dict[str, str], version: str = "6.5.0") -> Loader:
    """A loader of a workspace of these files, for a release of Bazel."""
    workspace = Workspace.open(lay_out(root, {"BUILD": "", **files}))
    return Loader(workspace, LoadingOptions(version))


def labels_of(rule: Rule, name: str) -> list[str]:
    """The labels of an attribute, which is written, as texts."""
    attribute = rule.attribute(name)
    assert attribute is not None
    value = attribute.value
    return [str(value)] if isinstance(value, Label) else [str(item) for item in value]


def rules(root: Path, build: str, version: str = "6.5.0") -> dict[str, Rule]:
    """The rules of the main package of a workspace with this BUILD file."""
    package = loader(root, {"BUILD": build}, version).package(PackageId("", ""))
    assert isinstance(package, Package)
    assert not package.diagnostics, package.diagnostics
    return {name: item for name, item in package.targets.items() if isinstance(item, Rule)}


def branches(rule: Rule) -> dict[str, str]:
    """The branches of an alias's `actual`."""
    attribute = rule.attribute("actual")
    assert attribute is not None and isinstance(attribute.value, SelectorList)
    (selector,) = selectors_of(attribute.value)
    return {str(branch.condition): str(branch.value) for branch in selector.branches}


_CALLS_RULE = 'load("//:rule.bzl", "rr")\nrr(name = "r")\n'


def rule(body: str, attrs: str = "{}") -> dict[str, str]:
    """A workspace whose repository `@r` is made by a rule with this body."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    made = f"rr = repository_rule(implementation = _impl, attrs = {attrs})"
    text = f"def _impl(ctx):\n{lines}\n{made}\n"
    return {"BUILD": "", "WORKSPACE": _CALLS_RULE, "rule.bzl": text}


def assumed(root: Path, options: Options | None = None) -> list[str]:
    """What the dry run of `@r` assumed."""
    facts = repository_facts(evaluate(root, options), "r")
    assert facts is not None
    return [f"{item.subject.removeprefix('@r: ')}: {item.detail}" for item in facts.assumptions]
