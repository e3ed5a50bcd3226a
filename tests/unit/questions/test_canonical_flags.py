"""`canonicalize-flags`: Bazel's own output, and one line to paste."""

from __future__ import annotations

import json
import random
import shlex
from pathlib import Path

import pytest

from bazelscope.api import Workspace
from bazelscope.cli import main
from tests.support.canonical_lines import LINES
from tests.support.files import write_files

FILES = {
    "WORKSPACE": "",
    ".bazelrc": "startup --batch\nbuild --copt=-g --jobs=2\nbuild:a --copt=-O3 --define=b=c\n",
}


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
@pytest.mark.parametrize("line", LINES)
def test_the_output_is_bazels(
    version: str, line: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, FILES)
    words = ("-w", str(tmp_path), "--bazel-version", version, "--for_command=test", "--", *line)
    code = main(["canonicalize-flags", *words])
    expected = LINES[line]
    out = capsys.readouterr().out
    assert (code, out.splitlines()) == ((2, []) if expected is None else (0, expected))


def test_one_line_to_paste(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, FILES)
    words = ("-w", str(tmp_path), "--bazel-version=4.2.3", "--", "--config=a", "--jobs=4")
    assert main(["canonicalize-flags", "--places", *words]) == 0
    first, _, *rest = capsys.readouterr().out.splitlines()
    assert shlex.split(first) == [
        *("bazel", "--ignore_all_rc_files", "--batch", "build"),
        *("--copt=-g", "--copt=-O3", "--define=b=c", "--jobs=4"),
    ]
    assert [line.split()[:2] for line in rest] == [
        ["--copt=-g", ".bazelrc:2"],
        ["--copt=-O3", ".bazelrc:3,"],
        ["--define=b=c", ".bazelrc:3,"],
        ["--jobs=4", "command"],
    ]


def test_all_options_of_the_line_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, FILES)
    asked = Workspace.open(tmp_path, bazel_version="4.2.3", cache_dir=None, environment={})
    answer = asked.configure(["--config=a", "--jobs=4"]).canonicalize_flags(places=True)
    texts = [setting.canonical for setting in answer.instances]
    assert texts == [
        *("--copt=-g", "--jobs=2", "--config=a", "--copt=-O3", "--define=b=c", "--jobs=4"),
    ]
    words = ("-w", str(tmp_path), "--bazel-version=4.2.3", "--format=json", "--places")
    main(["canonicalize-flags", *words, "--", "--config=a", "--jobs=4"])
    told = json.loads(capsys.readouterr().out)
    assert [setting["text"] for setting in told["instances"]] == texts


_OPTIONS = (
    *("--copt=-g", "--copt=-O3", "--cxxopt=-std=c++17", "--define=a=1", "--define=b=2"),
    *("--define=a=2", "--jobs=4", "--jobs=8", "--stamp", "--nostamp", "-k", "--nokeep_going"),
    *("--test_env=X=1", "--action_env=Y", "-c opt", "-c dbg", "--strip=never", "--linkopt=-lz"),
)
_CONFIGS = ("x", "y", "z")


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_places_of_random_lines(version: str, tmp_path: Path) -> None:
    """Each place is the line that holds the word, and the line to paste gives the same words."""
    chance = random.Random(17)
    checked = 0
    for number in range(50):
        texts = {name: _random_rc(chance) for name in (".bazelrc", "more.bazelrc")}
        texts[".bazelrc"] += "import %workspace%/more.bazelrc\n" if chance.random() < 0.5 else ""
        root = tmp_path / str(number)
        write_files(root, {"WORKSPACE": "", **texts})
        line = chance.sample([one for one in _OPTIONS if " " not in one], chance.randint(0, 3))
        line += [f"--config={one}" for one in chance.sample(_CONFIGS, chance.randint(0, 2))]
        opened = Workspace.open(root, bazel_version=version, cache_dir=None, environment={})
        answer = opened.configure(line).canonicalize_flags(places=True)
        for setting in answer.settings:
            checked += 1
            if setting.location is None:
                assert setting.text in line
                continue
            written = texts[setting.location.path].splitlines()[setting.location.line - 1]
            assert setting.text in written
        again = opened.configure(answer.words).canonicalize_flags()
        assert again.words == answer.words
    assert checked > 150


def _random_rc(chance: random.Random) -> str:
    lines = []
    for _ in range(chance.randint(1, 8)):
        section = chance.choice(("build", "common", "build:x", "build:y", "build:z"))
        pool = _OPTIONS if section != "common" else ("--color=yes", "--curses=no")
        lines.append(f"{section} {' '.join(chance.sample(pool, chance.randint(1, 2)))}")
    # Every config is defined.
    lines += [f"build:{one} --define=of_{one}=1" for one in _CONFIGS]
    chance.shuffle(lines)
    return "".join(f"{one}\n" for one in lines)


def test_a_config_that_nothing_defines_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, FILES)
    words = ("-w", str(tmp_path), "--bazel-version=4.2.3", "--", "--config=b")
    assert main(["canonicalize-flags", "--places", *words]) == 2
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("--config=b is not defined for `build`: Bazel stops here")
