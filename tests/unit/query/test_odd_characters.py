"""Quotes, markup and control characters in Bazel's own formats: as Bazel writes them.

`tests/oracle/test_odd_characters.py` asks 0.24.1, 2.1.0 and 4.2.3 about the same file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main
from tests.support.files import write_files

BUILD = r"""
config_setting(name = "set\"x", values = {"cpu": "k8"})
filegroup(name = "tags", tags = ["\033]0;title\007\001\177", "<b>&\t\r\n", "\\ \" '", "ß"])
genrule(name = "g'\"<&>", outs = ["o\"ut"], cmd = "a\014b\013", srcs = ["a\""])
filegroup(name = "chosen", srcs = select({":set\"x": ["q\"r"], "//conditions:default": []}))
"""


@pytest.mark.parametrize(
    ("output", "lines"),
    [
        (
            "build",
            [
                '  name = "set"x",',  # Bazel escapes all but names.
                '  name = "g\'"<&>",',
                '  srcs = ["//:a\\""],',
                '  outs = ["//:o\\"ut"],',
                '  cmd = "a\\x0cb\\x0b",',
                '  srcs = select({"//:set\\"x": ["//:q\\"r"], "//conditions:default": []}),',
                '  tags = ["\\x1b]0;title\\x07\\x01\x7f", "<b>&\\t\\r\\n", "\\\\ \\" \'", "ß"],',
            ],
        ),
        (
            "xml",
            [
                '            <string value="&#27;]0;title&#7;&#1;\x7f"/>',
                '            <string value="&lt;b&gt;&amp;&#9;&#13;&#10;"/>',
                '            <string value="\\ &quot; \'"/>',
                '            <string value="Ã\x9f"/>',
                '        <string name="cmd" value="a&#12;b&#11;"/>',
            ],
        ),
        ("label", ["//:g'\"<&>", '//:set"x']),
        ("graph", ['  "//:chosen" -> "//:set"x"', '  "//:set"x"']),
    ],
)
def test_as_bazel_writes_them(
    tmp_path: Path, output: str, lines: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": BUILD})
    own = ("-w", str(tmp_path), "--bazel-version", "4.2.3", "--no-cache")
    assert main(["query", "//:all", f"--output={output}", *own]) == 0
    said = capfd.readouterr().out.split("\n")
    assert [line for line in lines if line not in said] == []
