"""`query` in a workspace of modules: labels go by canonical names (`bzlmod_query_test`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main

LIB = 'filegroup(name = "lib", srcs = [SRCS], visibility = ["//visibility:public"])\n'
FILES = {
    "MODULE.bazel": 'bazel_dep(name = "aaa", repo_name = "my_repo")\n'
    'local_path_override(module_name = "aaa", path = "a")\n'
    'local_path_override(module_name = "ccc", path = "c")\n',
    "pkg/BUILD": 'filegroup(name = "main", srcs = ["@my_repo//:lib"])\n',
    "a/MODULE.bazel": 'module(name = "aaa")\nbazel_dep(name = "ccc")\n',
    "a/BUILD": LIB.replace("SRCS", '"@ccc//:lib"'),
    "c/MODULE.bazel": 'module(name = "ccc")\n',
    "c/BUILD": LIB.replace("SRCS", ""),
}
QUERY = 'kind("filegroup rule", deps(//pkg:main))'


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Bazel's own modules ask for nothing here: no registry has to have what they need."""
    evaluation = "bazelscope.loading.modules.module_evaluation"
    monkeypatch.setattr(f"{evaluation}.requests_of_bazel_tools", lambda version: ())
    monkeypatch.setattr(f"{evaluation}.platforms_of_local_config_platform", lambda version: ())
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), ["//pkg:main", "@my_repo//:lib", "@@ccc+//:lib"]),
        (("--output=minrank",), ["0 //pkg:main", "1 @my_repo//:lib", "2 @@ccc+//:lib"]),
        (("--consistent_labels",), ["@@//pkg:main", "@@aaa+//:lib", "@@ccc+//:lib"]),
        (("--consistent_labels", "--output=package"), ["@@//pkg", "@@aaa+//", "@@ccc+//"]),
    ],
)
def test_labels_go_by_canonical_names(
    root: Path, capfd: pytest.CaptureFixture[str], options: tuple[str, ...], expected: list[str]
) -> None:
    words = ["query", QUERY, *options, "-w", str(root), "--no-cache", "--bazel-version=8.1.0"]
    assert main(words) == 0
    assert capfd.readouterr().out.splitlines() == expected
