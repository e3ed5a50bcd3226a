"""What `query` and `cquery` print of packages with planted faults, and their exit codes: beside a
real Bazel, told to go on and not.

    BAZELSCOPE_RANDOM_WORLDS=100 python -m pytest tests/oracle/test_query_of_faults.py

asks of a hundred packages; by default of a few.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from bazelscope.cli.entry import cli
from tests.oracle.refusals.worlds import FLAGS, make_world
from tests.support.bazel import Bazel
from tests.support.files import write_files

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

_SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "71"))
_PACKAGES = int(os.environ.get("BAZELSCOPE_RANDOM_WORLDS", "4"))
_WORDS = {"query": ("--noimplicit_deps",), "cquery": ("--noimplicit_deps", *FLAGS)}
_PROGRAMS = (
    *("GenClass", "JavaBuilder", "Turbine", "TurbineDirect", "VanillaJavaBuilder"),
    *("java_compiler_jar", "javac_jar", "jdk_compiler_jar"),
)
_JARS = (
    *("ExperimentalRunner", "GenClass", "JacocoCoverage_jarjar", "JavaBuilder", "Runner"),
    *("bazel-singlejar", "turbine", "turbine_direct_binary"),
)
_OF_JAVA = {
    "remote_java_tools": {
        "BUILD": 'package(default_visibility = ["//visibility:public"])\n'
        + "".join(f'filegroup(name = "{name}", srcs = ["x.jar"])\n' for name in _PROGRAMS)
        + "".join(f'exports_files(["java_tools/{name}_deploy.jar"])\n' for name in _JARS),
        "x.jar": "",
    },
    "remotejdk10_linux": {
        "BUILD": 'java_runtime(name = "jdk", srcs = ["bin/java"], java = "bin/java",'
        ' visibility = ["//visibility:public"])\n',
        "bin/java": "",
    },
}
"""What 0.24.1 would fetch for each test: without it, it analyses none."""


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
@pytest.mark.parametrize("command", ["query", "cquery"])
@pytest.mark.parametrize("going_on", [(), ("--keep_going",)], ids=["", "going-on"])
def test_the_same_is_printed(
    command: str,
    version: str,
    going_on: tuple[str, ...],
    warm_root: Path,
    tmp_path: Path,
    bazel: Callable[[str], Bazel],
) -> None:
    make_world(_SEED, _PACKAGES).write(warm_root)
    words = (*_WORDS[command], *going_on)
    for name, files in _OF_JAVA.items() if version == "0.24.1" else ():
        write_files(tmp_path / name, {"WORKSPACE": "", **files})
        words = (*words, f"--override_repository={name}={tmp_path / name}")
    different = {}
    for number in range(1, _PACKAGES + 1):
        expression = f"deps(//p{number}:all)"
        answer = bazel(version).run(warm_root, command, "--noshow_progress", *words, expression)
        theirs = (answer.exit_code, _labels(answer.stdout))
        line = [command, "--workspace", str(warm_root), "--bazel-version", version]
        done = CliRunner().invoke(cli, [*line, *words, expression], standalone_mode=False)
        mine = (done.return_value, _labels(done.stdout))
        if mine != theirs:
            different[expression] = (mine, theirs)
    assert not different


def _labels(text: str) -> set[str]:
    # What @local_config_cc holds depends on the machine.
    labels = {line.partition(" (")[0] for line in text.splitlines()}
    return {label for label in labels if not label.startswith("@local_config_cc")}
