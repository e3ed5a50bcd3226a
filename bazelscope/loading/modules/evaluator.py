"""What it takes to load the files of extensions, and to run them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.hosts import Host
from bazelscope.loading.dry_run.run_result import DryRunSettings, FilesOfRepositories
from bazelscope.loading.evaluation.bzl_files.module_loader import ModuleLoader
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.workspace.workspace_evaluation import WorkspaceFacts
from bazelscope.loading.packages.repository_access import RepositoryAccess


class Repositories(RepositoryAccess, FilesOfRepositories, Protocol):
    """The table of repositories, which grows while modules are evaluated."""


@dataclass(frozen=True)
class Evaluator:
    """What loads files and runs them, and the table that grows meanwhile."""

    modules: ModuleLoader
    repositories: Repositories
    context: EvaluationContext
    settings: DryRunSettings
    new_facts: Callable[[], WorkspaceFacts]
    isolates_extensions: bool
    """Whether an extension is told that its use is isolated."""
    host_if_frozen: Host | None = None
    """The machine that Bazel runs on, where it may not write the lock file."""
