"""What a caller asks this stage: a command line, and the world that it would run in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.hosts import OS_NAMES
from bazelscope.flags.flag_values import FromRc

DEFAULT_SYSTEM_RC = "/etc/bazel.bazelrc"


@dataclass(frozen=True, slots=True)
class FlagRequest:
    """One Bazel command line.

    `words` are those after the command, `startup` those before it. `workspace_root` is
    absolute, or None outside of a workspace; `host` is `OS` or `OS-CPU`. `home`,
    `system_rc` and `environment` stand for the user's; None means there is none. Relative
    paths in `import` lines and in `--bazelrc` are relative to `working_directory`, by
    default the workspace. `takes_value` tells of Starlark flags, as they are written, whether
    they have a value, booleans being the ones that need none; without it, the next word will
    tell. Only Bazels before 4 need it. `aliases` are short names of Starlark flags that
    MODULE.bazel gives. `project_words` are flags of project files, which count
    as if they stood behind the words.
    """

    workspace_root: str | None
    words: tuple[str, ...] = ()
    command: str = "build"
    startup: tuple[str, ...] = ()
    bazel_version: str | None = None
    host: str = "linux"
    home: str | None = None
    system_rc: str | None = DEFAULT_SYSTEM_RC
    environment: Mapping[str, str] = field(default_factory=dict)
    working_directory: str | None = None
    takes_value: Mapping[str, bool] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    project_words: tuple[tuple[str, FromRc], ...] = ()

    @property
    def platform_config(self) -> str:
        """The config that `--enable_platform_specific_config` means on `host`."""
        system = self.host.partition("-")[0].lower()
        return OS_NAMES.get(system, system)

    @property
    def directory(self) -> str:
        """Where relative paths start."""
        return self.working_directory or self.workspace_root or "/"
