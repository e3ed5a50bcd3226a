"""A BUILD file that was found, apart from what evaluates it: most runs find it evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile
from bazelscope.loading.packages.repository_access import PartlyKnownFile
from bazelscope.loading.packages.targets import Provenance

if TYPE_CHECKING:
    from bazelscope.loading.evaluation.build_files.repo_file import RepoFile
    from bazelscope.loading.tree.globs import PackageFiles


@dataclass(frozen=True, slots=True)
class BuildFile:
    """A BUILD file that was found: `label` is its own target, `files` answers its globs
    (None: they cannot be answered). `partly` tells what of its text is not known."""

    id: PackageId
    label: Label
    source: SourceFile
    provenance: Provenance
    repo_mapping: Mapping[str, str]
    files: PackageFiles | None
    partly: PartlyKnownFile | None = None
    repo_file: RepoFile | None = None
    """What the REPO.bazel of its repository says."""
