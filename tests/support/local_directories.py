"""A workspace `main` beside directories, each of which stands for a repository of its name."""

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
    files["main/WORKSPACE"] = "" if by_option else "".join(defined)
    for name in NAMES:
        files[f"main/{name}/BUILD"] = f'filegroup(name = "x", srcs = ["@{name}//:x"])\n'
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
