"""Short names that MODULE.bazel gives Starlark flags: `flag_alias(name, starlark_flag)`.

They count before anything else is loaded, since the command line is read with them.
Bazel: `BlazeOptionHandler`, which asks the root module's file for them.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope import starlark
from bazelscope.base.errors import LoadingError
from bazelscope.bazel.release import Release
from bazelscope.loading.modules.module_file import FILE_NAME, ModuleSettings
from bazelscope.loading.modules.module_file_evaluation import evaluate_module_file
from bazelscope.loading.tree.workspace_files import Workspace

_CALL = "flag_alias"


def flag_aliases(workspace: Workspace, release: Release) -> Mapping[str, str]:
    """The aliases of the root module, where this Bazel has any; its errors are told elsewhere."""
    if not release.module_flag_alias or not workspace.is_file(FILE_NAME):
        return {}
    try:
        source = workspace.read(FILE_NAME)
    except LoadingError:
        return {}
    if _CALL not in source.text and "include(" not in source.text:
        return {}
    settings = ModuleSettings(
        read=workspace.read,
        ignore_dev=False,
        program_cache=None,
        limits=starlark.Limits(),
        release=release,
    )
    return evaluate_module_file(source, settings).flag_aliases
