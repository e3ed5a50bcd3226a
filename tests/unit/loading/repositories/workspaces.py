"""Small workspaces for the tests of repositories: files in, an evaluated table out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bazelscope import starlark
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.loading.evaluation.builtins.natives import Natives
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.loading.tree.loading_options import LoadingOptions
from bazelscope.loading.tree.workspace_files import Workspace


@dataclass(frozen=True)
class Options(LoadingOptions):
    """Those of the Bazel that most tests are about."""

    bazel_version: str = "4.2.3"


def lay_out(root: Path, files: Mapping[str, str]) -> Path:
    """Writes `files` below `root`, which becomes a workspace."""
    for path, text in {"WORKSPACE": "", **files}.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return root


def evaluate(root: Path, options: Options | None = None) -> RepositoryTable:
    """The table of the workspace at `root`, its WORKSPACE evaluated."""
    options = options or Options()
    workspace = Workspace.open(root)
    context = EvaluationContext(NativeRules(options.bazel_version))
    natives = Natives(context)
    modules = ModuleLoader(workspace, context, natives, None, starlark.Limits())
    table = RepositoryTable(workspace, options)
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
