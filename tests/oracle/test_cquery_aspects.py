"""What aspects need, as `cquery` shows it, beside what real Bazels say: every way in which an
aspect comes to a dependency, and random aspects on random rules.

`BAZELSCOPE_RANDOM_CQUERIES` says of how many random packages (6 unless told);
`BAZELSCOPE_RANDOM_SEED` where the seeds begin. A server shows what it has analysed for others as
well, so that it forgets all of it before a difference counts. Left out is what we say is chance.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bazelscope.cli.entry import main
from tests.oracle.aspect_worlds import (
    CARRIERS,
    NATIVE,
    NATIVE_CARRIERS,
    PROTOBUF,
    WRITTEN,
    random_package,
    write,
)
from tests.oracle.cquery_answers import KINDS, without_hashes
from tests.oracle.query_language_world import lay_out
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

VERSION = "4.2.3"
SEED = int(os.environ.get("BAZELSCOPE_RANDOM_SEED", "0"))
COUNT = int(os.environ.get("BAZELSCOPE_RANDOM_CQUERIES", "6"))
_WITH_KINDS = KINDS.replace("def format(", "def kind(") + (
    "\ndef format(target):\n    return str(target.label) + ' ' + kind(target)\n"
)
_QUESTIONS = (
    "--include_aspects deps({},1)",
    "--include_aspects deps({})",
    "--include_aspects --notool_deps deps({})",
    "--include_aspects --noimplicit_deps deps({})",
    "--noinclude_aspects deps({})",
    "--universe_scope={} //p:exec_tool + //p:walker + //p:flat + //p:host_tool",
)
_OF_LINES = (
    "--aspects=//p:r.bzl%walk //p:mid + //p:exec_tool",
    "--aspects=//p:r.bzl%walk deps(//p:mid) + //p:exec_tool",
    "--include_aspects --aspects=//p:r.bzl%walk deps(//p:mid)",
    "--include_aspects somepath(//p:w_mid, //p:walker)",
    "--include_aspects somepath(//p:w_mid, //p:low)",
    "--include_aspects somepath(//p:f_w, //p:host_tool)",
    "--include_aspects allpaths(//p:w_mid, //p:low)",
    "--include_aspects rdeps(//p:w_w, //p:walker, 1)",
    "--include_aspects --noimplicit_deps rdeps(//p:w_w, //p:f.txt)",
    "--include_aspects labels(deps, //p:w_mid)",
    "--compilation_mode=opt --include_aspects deps(//p:w_select, 1)",
)
ASKED = (
    *(one.format(f"//p:{carrier}") for carrier in CARRIERS for one in _QUESTIONS[:1]),
    # Whether a cc_library there has a toolchain of the host, too, differs from run to run.
    *(_QUESTIONS[1].format(f"//p:{carrier}") for carrier in CARRIERS if carrier != "w_cc"),
    *(one.format(f"//p:{carrier}") for one in _QUESTIONS[2:] for carrier in CARRIERS[::6]),
    *(f"--include_aspects rdeps(//p:{one}, //p:own)" for one in ("w_mid", "w_w", "p_mid", "f_w")),
    *_OF_LINES,
    *(one.format(f"//n:{carrier}") for carrier in NATIVE_CARRIERS for one in _QUESTIONS[:2]),
    *(one.format("//n:cc_mid") for one in _QUESTIONS[2:5]),
    "--include_aspects --proto_toolchain_for_cc=//n:own deps(//n:cc_low)",
    "--include_aspects rdeps(//n:cc_mid, //n:low)",
)
OLDER = (
    *(f"deps(//p:{carrier})" for carrier in ("w_mid", "p_mid")),
    "--universe_scope=//p:w_mid //p:exec_tool + //p:below_tool",
    "--universe_scope=//p:w_another //p:walker",
    "rdeps(//p:w_w, //p:walker)",
)


@dataclass(frozen=True)
class Asked:
    """A workspace, the flags by which Bazel finds what it loads there, and the Bazel to ask."""

    bazel: Bazel
    root: Path
    flags: tuple[str, ...]

    def theirs(self, *words: str) -> tuple[int, list[str]]:
        answer = self.bazel.run(self.root, "cquery", "--noshow_progress", *self.flags, *words)
        return answer.exit_code, _lines(answer.stdout, words)

    def ours(self, capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], str]:
        capfd.readouterr()
        line = ["cquery", "-w", str(self.root), "--bazel-version", self.bazel.version, "--no-pager"]
        code = main([*line, *self.flags, *words])
        told = capfd.readouterr()
        return code, _lines(told.out, words), told.err


def _lines(text: str, words: Iterable[str]) -> list[str]:
    """The lines of an answer. A toolchain for C++ may stand there twice: as such, and as what an
    attribute leads to."""
    is_of_cc = any("//n:" in word for word in words)
    return sorted(set(text.splitlines()) if is_of_cc else text.splitlines())


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("aspects")
    flags = lay_out(folder)[1]
    root = folder / "w"
    write(root, WRITTEN)
    for number in range(COUNT):
        write(root, random_package(SEED + number, f"q{number}"))
    (root / "kinds.cquery").write_text(_WITH_KINDS)
    write(root, NATIVE)
    write(folder / "protobuf", PROTOBUF)
    flags += (f"--override_repository=com_google_protobuf={folder / 'protobuf'}",)
    bazel = Bazel(VERSION, folder / "bazel")
    base = bazel.run(root, "info", "output_base").checked().stdout.strip()
    # What Bazel makes of the machine's compilers is read there.
    (root / ".bazelrc").write_text(f"startup --output_base={base}\n")
    yield Asked(bazel, root, flags)
    bazel.shutdown()


def _compare(words: list[str], world: Asked, capfd: pytest.CaptureFixture[str]) -> None:
    """Compares two answers, unless ours is told to be chance."""
    words = ["--output=starlark", "--starlark:file=kinds.cquery", *words]
    code, found, told = world.ours(capfd, *words)
    if "chance" in told or "by its hashes" in told:
        return
    if world.theirs(*words) != (code, found):
        world.bazel.run(world.root, "clean").checked()
        assert (code, found) == world.theirs(*words)


@pytest.mark.parametrize("line", ASKED)
def test_what_aspects_need(line: str, world: Asked, capfd: pytest.CaptureFixture[str]) -> None:
    *options, last = line.split(" ", sum(word.startswith("--") for word in line.split()))
    _compare([*options, last], world, capfd)


@pytest.mark.parametrize("number", range(COUNT))
def test_random_aspects(number: int, world: Asked, capfd: pytest.CaptureFixture[str]) -> None:
    for target in (13, 12, 11, 9):
        for end in ("", ", 1"):
            words = ["--include_aspects", f"deps(//q{number}:t{target}{end})"]
            _compare(words, world, capfd)
    words = [f"--universe_scope=//q{number}:t13,//q{number}:t12", f"//q{number}:all"]
    _compare(words, world, capfd)


@pytest.mark.parametrize("version", ["2.1.0", "0.24.1"])
def test_older_releases(
    version: str,
    warm_path: Path,
    bazel: Callable[[str], Bazel],
    capfd: pytest.CaptureFixture[str],
) -> None:
    """They show nothing below a rule that only aspects need, and find it all the same."""
    flags = lay_out(warm_path)[1]
    files = dict(WRITTEN)
    write(warm_path / "w", files)
    asked = Asked(bazel(version), warm_path / "w", flags)
    for line in OLDER:
        *options, last = line.split(" ", line.count("--"))
        code, found, _ = asked.ours(capfd, *options, last)
        theirs = asked.theirs(*options, last)
        same = sorted(without_hashes("\n".join(theirs[1])).splitlines())
        assert (code, sorted(without_hashes("\n".join(found)).splitlines())) == (
            theirs[0],
            same,
        ), line
        asked.bazel.run(asked.root, "clean").checked()
