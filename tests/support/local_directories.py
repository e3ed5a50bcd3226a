"""A workspace `w` beside directories, each of which stands for a repository of its name."""

from __future__ import annotations

from pathlib import Path

_MARKERS = {
    "bare": None,
    "later": "WORKSPACE.bazel",
    "marked": "WORKSPACE",
    "module": "MODULE.bazel",
    "repo": "REPO.bazel",
}
NAMES = (*_MARKERS, "file", "nothing")


def files_of(by_option: bool) -> dict[str, str]:
    """The files; WORKSPACE defines the repositories, unless options do."""
    public = 'filegroup(name = "x", visibility = ["//visibility:public"])\n'
    files = {"file": ""}
    for name, marker in _MARKERS.items():
        files[f"{name}/BUILD"] = public
        if marker is not None:
            files[f"{name}/{marker}"] = ""
    defined = [f'local_repository(name = "{name}", path = "../{name}")\n' for name in NAMES]
    files["w/WORKSPACE"] = "" if by_option else "".join(defined)
    for name in NAMES:
        files[f"w/{name}/BUILD"] = f'filegroup(name = "x", srcs = ["@{name}//:x"])\n'
    return files


def overrides(directory: Path) -> list[str]:
    """The options that define the repositories."""
    return [f"--override_repository={name}={directory / name}" for name in NAMES]


def nested_load(package: str) -> dict[str, str]:
    """A workspace that loads from a directory with a WORKSPACE file, or from below one."""
    return {
        "WORKSPACE": f'load("//{package}:f.bzl", "F")\n',
        "BUILD": 'filegroup(name = "x")\n',
        "nested/WORKSPACE": "",
        f"{package}/BUILD": "",
        f"{package}/f.bzl": "F = 1\n",
    }


LAID_OVER = {
    'build_file = "//:over"': None,
    'build_file = "//p:none"': "ROOT/p/none is not a regular file",
    'build_file = "p/none"': (
        "In new_local_repository rule //external:r the 'build_file' attribute does not specify an"
        " existing file (ROOT/p/none does not exist)"
    ),
    'build_file = "//:over", build_file_content = ""': (
        "Rule new_local_repository rule //external:r cannot have both a 'build_file' and"
        " 'build_file_content' attribute"
    ),
    'build_file = "//:over", workspace_file = "//p:none"': "ROOT/p/none is not a regular file",
    'build_file = "//:over", workspace_file = "//:over"': None,
    'build_file = "//:over", workspace_file = "//:over", workspace_file_content = ""': (
        "Rule new_local_repository rule //external:r cannot have both a 'workspace_file' and"
        " 'workspace_file_content' attribute"
    ),
}
"""What `new_local_repository` may lay over its directory: what Bazel says of it."""


def laid_over(arguments: str) -> dict[str, str]:
    """A workspace with such a repository `@r`."""
    defined = f'new_local_repository(name = "r", path = "r", {arguments})\n'
    target = 'filegroup(name = "x", visibility = ["//visibility:public"])\n'
    user = 'filegroup(name = "t", srcs = ["@r//:x"])\n'
    return {"WORKSPACE": defined, "BUILD": user, "p/BUILD": "", "over": target, "r/f": ""}
