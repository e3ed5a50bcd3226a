"""What of the command line and the machine matters to loading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class LoadingOptions:
    """The options of one loader.

    `host` is the operating system (`linux`, `macos`, `windows`); `override_repositories` maps
    names to directories, as `--override_repository` does; `repo_env` is what repository rules
    see of the environment; `output_base` is that of a Bazel whose fetched repositories may
    be read.
    """

    bazel_version: str
    host: str = "linux"
    override_repositories: Mapping[str, str] = field(default_factory=dict)
    repo_env: Mapping[str, str] = field(default_factory=dict)
    deleted_packages: frozenset[str] = frozenset()
    output_base: str | None = None
    max_steps: int | None = 5_000_000
    """The Starlark steps that one file may take: 25 times the most that a file of the real trees
    measured so far takes, and a few seconds of an endless loop."""

    def key(self) -> tuple[object, ...]:
        """What a cached package depends on, besides files."""
        return (
            self.bazel_version,
            self.host,
            tuple(sorted(self.override_repositories.items())),
            tuple(sorted(self.repo_env.items())),
            tuple(sorted(self.deleted_packages)),
            self.output_base or "",
        )
