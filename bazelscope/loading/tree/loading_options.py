"""What of the command line and the machine matters to loading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from bazelscope.base.budget import BudgetLimits
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.hosts import Host
from bazelscope.bazel.release import Release
from bazelscope.bazel.removed_natives import NO_AUTOLOADS, Autoloads


@dataclass(frozen=True, slots=True)
class ModuleFlags:
    """What the command line says about modules.

    `registries` are those of `--registry` (none: Bazel's central one); `repository_cache` is that
    of `--repository_cache`; `allowed_yanked` what `--allow_yanked_versions` and its variable of
    the environment name; `uses_plus` `--incompatible_use_plus_in_repo_names`, None where the
    version decides; `check_direct` and `check_compatibility` how strict Bazel is;
    `lockfile_mode` what Bazel does with MODULE.bazel.lock; `isolates_extensions` is
    `--experimental_isolated_extension_usages`.
    """

    registries: tuple[str, ...] = ()
    repository_cache: str | None = None
    allowed_yanked: frozenset[str] = frozenset()
    uses_plus: bool | None = None
    check_direct: str = "warning"
    check_compatibility: str = "error"
    lockfile_mode: str = "update"
    isolates_extensions: bool = False
    injected: tuple[tuple[str, str], ...] = ()
    """Names and directories of `--inject_repository`."""

    @property
    def reads_lock(self) -> bool:
        """Whether MODULE.bazel.lock counts."""
        return self.lockfile_mode != "off"


@dataclass(frozen=True)
class LoadingOptions:
    """The options of one loader.

    `host` is the operating system (`linux`, `macos`, `windows`), `host_cpu` the family of its
    processor, as constraint values are named; `override_repositories` maps
    names to directories, as `--override_repository` does, `override_modules` modules, as
    `--override_module` does; `repo_env` is what repository rules see of the environment;
    `output_base` is that of a Bazel whose fetched repositories may be read, `vendor_dir` where
    `bazel vendor` keeps them, as `--vendor_dir` names it; `modules` has the other flags of
    modules. `enable_bzlmod`,
    `enable_workspace` and `disallow_empty_glob` are None where the version decides. `autoloads`
    matters where natives are removed. `facts` are those of the release that flags decide.
    """

    bazel_version: str
    host: str = "linux"
    host_cpu: str = "x86_64"
    override_repositories: Mapping[str, str] = field(default_factory=dict)
    repo_env: Mapping[str, str] = field(default_factory=dict)
    deleted_packages: frozenset[str] = frozenset()
    output_base: str | None = None
    vendor_dir: str | None = None
    override_modules: Mapping[str, str] = field(default_factory=dict)
    enable_bzlmod: bool | None = None
    enable_workspace: bool | None = None
    ignore_dev_dependency: bool = False
    modules: ModuleFlags = ModuleFlags()
    disallow_empty_glob: bool | None = None
    autoloads: Autoloads = NO_AUTOLOADS
    facts: Mapping[str, bool] = field(default_factory=dict)
    max_steps: int | None = BudgetLimits().file_steps
    """The Starlark steps that one file may take."""

    def key(self) -> tuple[object, ...]:
        """What a cached package depends on, besides files."""
        return (
            self.bazel_version,
            self.host,
            self.host_cpu,
            tuple(sorted(self.override_repositories.items())),
            tuple(sorted(self.repo_env.items())),
            tuple(sorted(self.deleted_packages)),
            self.output_base or "",
            self.vendor_dir or "",
            tuple(sorted(self.override_modules.items())),
            self.reads_modules,
            self.reads_workspace,
            self.ignore_dev_dependency,
            self.modules,
            self.refuses_empty_globs,
            tuple(sorted(self.autoloads.names)),
            self.autoloads.in_main_repository,
            tuple(sorted(self.autoloads.taken)),
            tuple(sorted(self.facts.items())),
        )

    @property
    def machine(self) -> Host:
        """The machine that Bazel runs on."""
        return Host(self.host, self.host_cpu)

    @cached_property
    def release(self) -> Release:
        return Release.of(self.bazel_version).with_facts(self.facts)

    @property
    def refuses_empty_globs(self) -> bool:
        """What `glob(allow_empty)` is by default, the other way round."""
        if self.disallow_empty_glob is None:
            return self.release.refuses_empty_globs
        return self.disallow_empty_glob

    @property
    def reads_modules(self) -> bool:
        """Whether MODULE.bazel counts: as the release says, unless a flag says otherwise."""
        if not self.release.modules_exist:
            return False
        if self.enable_bzlmod is None or self.release.workspace_is_gone:
            return self.release.modules_by_default
        return self.enable_bzlmod

    @property
    def reads_workspace(self) -> bool:
        """Whether WORKSPACE counts: as the release says, unless a flag says otherwise."""
        if self.release.workspace_is_gone:
            return False
        if not self.reads_modules:
            return True
        if self.enable_workspace is None or not self.release.workspace_flag:
            return self.release.workspace_by_default
        return self.enable_workspace
