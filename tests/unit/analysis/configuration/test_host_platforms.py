"""Platforms whose parent is the one that Bazel brings along for the machine that it runs on."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

FILES = {
    "MODULE.bazel": 'bazel_dep(name = "platforms", version = "0.0.11")\n',
    "BUILD": """\
platform(name = "tools_host", parents = ["@bazel_tools//tools:host_platform"])
platform(name = "platforms_host", parents = ["@platforms//host"])
platform(name = "freestanding", parents = [":tools_host"],
         constraint_values = ["@platforms//os:none"])
filegroup(name = "none")
filegroup(name = "linux")
filegroup(name = "windows")
filegroup(name = "x", srcs = select({
    "@platforms//os:none": [":none"],
    "@platforms//os:linux": [":linux"],
    "@platforms//os:windows": [":windows"],
}))
""",
}


@pytest.mark.parametrize("version", ("7.7.1", "8.4.2"))
@pytest.mark.parametrize(
    ("platform", "host", "taken"),
    [
        ("//:tools_host", "linux", "linux"),
        ("//:tools_host", "windows", "windows"),
        ("//:platforms_host", "windows", "windows"),
        ("@platforms//host", "linux", "linux"),
        ("//:freestanding", "linux", "none"),
    ],
)
def test_it_has_the_constraint_values_of_the_machine(
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    version: str,
    platform: str,
    host: str,
    taken: str,
) -> None:
    write_files(tmp_path, {**FILES, ".bazelversion": version})
    line = ["cquery", "deps(//:x) - //:x", f"--platforms={platform}", "--host", host]
    main([*line, "-w", str(tmp_path), "--no-cache", "--output=starlark"])
    named = {word for word in capfd.readouterr().out.split() if "//:" in word}
    assert {word.rpartition(":")[2] for word in named} & {"none", "linux", "windows"} == {taken}
