"""What evaluating a MODULE.bazel takes besides its text."""

from __future__ import annotations

from collections.abc import Callable

from bazelscope import starlark
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import SourceFile
from bazelscope.bazel.release import Release


@dataclass(frozen=True, slots=True)
class ModuleSettings:
    """What evaluating a MODULE.bazel takes besides its text.

    `read` finds an included file by its path from the module's root (`LoadingError` if it is
    not there), and `is_package` tells whether a directory below that is one; `ignore_dev` leaves
    development dependencies out, as in every module but the root, or with
    `--ignore_dev_dependency`; `ignore_overrides` overrides, which only the root has. `release`
    says which functions there are, `isolates_extensions` whether
    `--experimental_isolated_extension_usages` is on, `may_include` whether this module may call
    `include()`. `injected` are names and directories of repositories that the command line adds to
    the root module.
    """

    read: Callable[[str], SourceFile]
    ignore_dev: bool
    program_cache: starlark.ProgramCache | None
    limits: starlark.Limits
    release: Release
    ignore_overrides: bool = False
    isolates_extensions: bool = False
    may_include: bool = True
    is_package: Callable[[str], bool] = lambda _: True
    injected: tuple[tuple[str, str], ...] = ()
