"""Builds that Bazel refuses: `when` does not say that they can be built."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

_BUILD = """
config_setting(name = "w", define_values = {"w": "1"})
filegroup(name = "lacks", srcs = ["//gone:c"])
filegroup(name = "always", srcs = [":lacks"])
filegroup(name = "some", srcs = select({":w": [":lacks"], "//conditions:default": []}))
filegroup(name = "unseen", srcs = ["//sub:x"])
filegroup(name = "fine")
"""
_FILES = {
    "WORKSPACE": "",
    ".bazelversion": "4.2.3",
    "BUILD": _BUILD,
    "sub/BUILD": 'filegroup(name = "x", visibility = ["//visibility:private"])',
}


@pytest.mark.parametrize(
    ("words", "code", "told"),
    (
        (("always",), 1, "//:always can never be built: Bazel refuses it whatever the flags."),
        (("some",), 0, "//:some can be built always, unless: --define=w=1"),
        (("some", "--define=w=1"), 1, "//:some can never be built"),
        (("unseen",), 3, "Bazel refuses this: 1 error. //:unseen (srcs)"),
        (("fine",), 0, "//:fine can be built always, whatever the flags."),
    ),
)
def test_what_is_missing_or_refused_keeps_a_target_from_being_built(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    code: int,
    told: str,
) -> None:
    write_files(tmp_path, _FILES)
    for _ in range(2):  # The second run has what the first one kept.
        line = ["when", f"//:{words[0]}", *words[1:]]
        place = ["-w", str(tmp_path), "--cache-dir", str(tmp_path / "kept")]
        assert main([*line, *place]) == code
        assert told in " ".join(capfd.readouterr().out.split())
