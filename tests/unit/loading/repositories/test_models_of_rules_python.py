"""Flags of rules_python, and its program that locks requirements, by release."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bazelscope.cli import main

_FLAGS_OF_PYTHON = "@rules_python//python/config_settings"


@pytest.mark.parametrize(
    ("release", "words", "answer"),
    [
        ("1.6.0", (f"--{_FLAGS_OF_PYTHON}:bootstrap_impl=script",), "holds"),
        (
            "1.6.0",
            (f"--{_FLAGS_OF_PYTHON}:bootstrap_impl=script", "--host=windows"),
            "does-not-hold",
        ),
        ("1.6.0", (), "does-not-hold"),
        ("1.0.0", (), "does-not-hold"),
        ("0.30.0", (), "unknown"),
    ],
)
def test_flags_of_rules_python(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    release: str,
    words: tuple[str, ...],
    answer: str,
) -> None:
    setting = f'flag_values = {{"{_FLAGS_OF_PYTHON}:bootstrap_impl": "script"}}'
    build = f"""
config_setting(name = "script", {setting})
filegroup(name = "it", srcs = select({{":script": ["a"], "//conditions:default": ["b"]}}))
"""
    module = f'bazel_dep(name = "rules_python", version = "{release}")\n'
    (tmp_path / "MODULE.bazel").write_text(module)
    (tmp_path / "BUILD").write_text(build)
    line = ["explain", "-w", str(tmp_path), "--bazel-version=7.4.0", "--format=json", "//:it"]
    main([*line, *words])
    conditions = json.loads(capsys.readouterr()[0])["conditions"]
    (found,) = (one["type"] for one in conditions if one["condition"] == "//:script")
    assert found == answer


@pytest.mark.parametrize(
    ("release", "resolver"),
    [
        ("1.6.0", "private/pypi/dependency_resolver:dependency_resolver.py"),
        ("0.33.0", "pip_install/tools/dependency_resolver:dependency_resolver.py"),
        ("0.16.0", "pip_install:pip_compile.py"),
    ],
)
def test_the_program_that_locks_requirements(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], release: str, resolver: str
) -> None:
    where = f"https://example.org/rules_python-{release}.zip"
    files = {
        "WORKSPACE": 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        f'http_archive(name = "rules_python", urls = ["{where}"])\n',
        "BUILD": 'load("@rules_python//python:pip.bzl", "compile_pip_requirements")\n'
        'compile_pip_requirements(name = "it", src = "a.in")\n',
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    line = ["query", "-w", str(tmp_path), "--bazel-version=6.5.0", "--output=build"]
    main([*line, "//:it.update"])
    assert f'srcs = ["@rules_python//python/{resolver}"]' in capsys.readouterr()[0]
