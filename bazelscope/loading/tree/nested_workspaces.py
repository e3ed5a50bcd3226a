"""Folders of a workspace that are workspaces of their own. To Bazel they are plain folders of the
one that it runs in, unless `.bazelignore` names them: `//...` goes into them, and their labels
lead elsewhere than their authors meant."""

from __future__ import annotations

from bazelscope.base.label import PackageId
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.workspace_files import Workspace

_BOUNDARIES = ("MODULE.bazel", "REPO.bazel", "WORKSPACE.bazel", "WORKSPACE")


def remedy_of_nested(files: Workspace, user: PackageId, wanted: PackageId) -> str:
    """Returns what to do about the package `wanted` that is not there and that files of `user`
    name, if `user` lies in a folder that is a workspace of its own and has that package; else no
    text."""
    if user.repository or wanted.repository:
        return ""
    folder = user.package
    while folder:
        own = next((name for name in _BOUNDARIES if files.is_file(f"{folder}/{name}")), None)
        inside = f"{folder}/{wanted.package}".rstrip("/")
        if own is not None and any(files.is_file(f"{inside}/{name}") for name in BUILD_FILE_NAMES):
            return (
                f"{folder} is a workspace of its own ({folder}/{own}) and has that package: run in"
                f" it, or name `{folder}` in .bazelignore"
            )
        folder = folder.rpartition("/")[0]
    return ""
