"""The command lines that the fixtures serve, configured, and chains of causes as lines."""

from __future__ import annotations

from functools import cache

from bazelscope.api import ConfiguredWorkspace, Workspace
from bazelscope.questions.why.answer import Link
from tests.support.parts import FIXTURES

PACKAGE = "//tensorflow/tools/pip_package:build_pip_package"


LINES: dict[str, tuple[str, str | None, str]] = {
    "tf-2.4-mkl": (f"--config=mkl --config=opt --copt=-O3 -s {PACKAGE}", None, "linux"),
    "tf-1.14-cuda-debug": (
        f"-c opt --config=cuda --copt=-g --cxxopt=-g {PACKAGE}",
        "0.24.1",
        "linux",
    ),
    "tf-2.18-cuda-wheel": (
        (
            "//tensorflow/tools/pip_package:wheel --repo_env=WHEEL_NAME=tensorflow --config=cuda"
            " --config=cuda_wheel --config=opt --copt=-Wno-gnu-offsetof-extensions"
        ),
        None,
        "linux",
    ),
    "tf-2.4-windows-ampere": (
        f"--config=opt --define=no_tensorflow_py_deps=true {PACKAGE}",
        None,
        "windows",
    ),
}
"""The command line of the text that each fixture serves, its Bazel and its machine."""


@cache
def build(fixture: str) -> ConfiguredWorkspace:
    line, version, host = LINES[fixture]
    workspace = Workspace.open(FIXTURES / fixture, bazel_version=version, host=host)
    return workspace.configure(line.split())


def chain(links: tuple[Link, ...]) -> list[str]:
    """Each link on a line of its own, further in: `set-by --define=x=1 .bazelrc:3`."""
    lines = []
    for link in links:
        place = f" {link.location.short}" if link.location else ""
        lines.append(f"{link.relation.value} {link.text}{place}")
        lines += [f"  {line}" for line in chain(link.causes)]
    return lines
