"""Places as each Bazel has them, and what `attr()` finds of a visibility."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.support.files import write_files

_BUILD = """
load(":d.bzl", "m", "s")
[  m(name = "y" + i) for i in ["1"]]
s . m (
    name = "dot", visibility = ["//x:__pkg__", "//x:__pkg__"])
"""
_BZL = """
def m(name, **kw):
    native.filegroup(name = name, **kw)
s = struct(m = m)
"""


@pytest.mark.parametrize(
    ("version", "question", "expected"),
    [
        ("2.1.0", ("//:y1", "--output=location"), "BUILD:3:4: filegroup rule //:y1"),
        ("4.2.3", ("//:y1", "--output=location"), "BUILD:3:5: filegroup rule //:y1"),
        ("2.1.0", ("//:dot", "--output=location"), "BUILD:4:1: filegroup rule //:dot"),
        ("2.1.0", ("//:BUILD", "--output=location"), "BUILD:1: source file //:BUILD"),
        ("4.2.3", ("//:BUILD", "--output=location"), "BUILD: source file //:BUILD"),
        ("2.1.0", ("//:dot", "--output=build"), 'BUILD:4",'),
        ("4.2.3", ("//:dot", "--output=build"), 'BUILD:4:7",'),
        ("2.1.0", (r"attr(visibility, '^\[\]$', //:all)",), "//:y1"),
        ("4.2.3", ("attr(visibility, private, //:all)",), "//:y1"),
    ],
)
def test_places(
    version: str,
    question: tuple[str, ...],
    expected: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": _BUILD, "d.bzl": _BZL})
    main(["query", "-w", str(tmp_path), "--bazel-version", version, "--no-cache", *question])
    assert any(line.endswith(expected) for line in capfd.readouterr().out.splitlines())


def test_a_label_said_twice_is_printed_twice(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": _BUILD, "d.bzl": _BZL})
    main(["query", "-w", str(tmp_path), "--no-cache", "--output=xml", "//:dot"])
    assert capfd.readouterr().out.count('<label value="//x:__pkg__"/>') == 2


@pytest.mark.parametrize(("version", "others"), [("0.24.1", ["//:k", "//:a"]), ("2.1.0", [])])
def test_calls_with_stars_are_refused_and_run_in_old_bazels(
    version: str, others: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    build = 'K = {}\nfilegroup(name = "k", **K)\nfilegroup(name = "a")\n'
    write_files(tmp_path, {"WORKSPACE": "", "BUILD": build})
    line = ["query", "-w", str(tmp_path), "--bazel-version", version, "--no-cache", "//:all"]
    assert main(line) == 7
    assert capfd.readouterr().out == ""
    main([*line, "--keep_going"])
    told = capfd.readouterr()
    assert told.out.split() == others
    assert "**kwargs arguments are not allowed in BUILD files" in told.err


_MACROS = """
def _wrapped(name, visibility):
    native.filegroup(name = name, visibility = visibility)

def _impl(name, visibility):
    native.filegroup(name = name + "_plain")
    _wrapped(name, visibility)

m = macro(implementation = _impl)
"""


@pytest.mark.parametrize(
    ("version", "name", "expected"),
    [
        # At first, Bazel hid what called a symbolic macro.
        (
            "8.1.0",
            "m",
            """\
# ROOT/d.bzl:7:13
filegroup(
  name = "m",
  visibility = ["//:__pkg__"],
  generator_name = "m",
  generator_function = "_wrapped",
  generator_location = "ROOT/d.bzl:7:13",
)
# Rule m instantiated at (most recent call last):
#   ROOT/d.bzl:7:13 in <toplevel>
#   ROOT/d.bzl:3:21 in _wrapped
""",
        ),
        (
            "8.1.0",
            "m_plain",
            """\
# ROOT/d.bzl:6:21
filegroup(
  name = "m_plain",
)
# Rule m_plain instantiated at (most recent call last):
#   ROOT/d.bzl:6:21 in <toplevel>
""",
        ),
        (
            "8.2.0",
            "m_plain",
            """\
# ROOT/BUILD:2:2
filegroup(
  name = "m_plain",
  generator_name = "m",
  generator_function = "m",
  generator_location = "ROOT/BUILD:2:2",
)
# Rule m_plain instantiated at (most recent call last):
#   ROOT/BUILD:2:2  in <toplevel>
#   ROOT/d.bzl:9:1  in m
#   ROOT/d.bzl:6:21 in _impl
""",
        ),
    ],
)
def test_stacks_of_symbolic_macros(
    version: str, name: str, expected: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    build = 'load("//:d.bzl", "m")\nm(name = "m")\n'
    write_files(tmp_path, {"MODULE.bazel": "", "BUILD": build, "d.bzl": _MACROS})
    words = ["query", "-w", str(tmp_path), "--bazel-version", version, "--no-cache"]
    main([*words, "--output=build", f"//:{name}"])
    assert capfd.readouterr().out.replace(str(tmp_path), "ROOT").strip() == expected.strip()
    main([*words, "--output=location", f"//:{name}"])
    place = expected.splitlines()[0].removeprefix("# ROOT/")
    assert capfd.readouterr().out.endswith(f"{place}: filegroup rule //:{name}\n")
