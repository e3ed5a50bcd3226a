"""What SECURITY.md promises, of every command: what is opened, started, connected to and written.

An audit hook sees each; a link of the workspace leads to a file of somebody else.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from bazelscope.cli.completion.labels import LabelCandidates
from bazelscope.cli.entry import cli
from bazelscope.render import programs
from bazelscope.render.programs import find_program
from tests.hostile.attacks import CANARY, Touches, asked
from tests.hostile.test_injection import AS_SOMEBODY, FILES, WORDS
from tests.support.files import write_files
from tests.support.parts import CHECKOUT

_LINKED = {
    "linked/BUILD": 'load(":out.bzl", "secret")\nfilegroup(name = secret)\n',
    "globbed/BUILD": 'filegroup(name = "all", srcs = glob(["**"]))\n',
    "rules.bzl": (
        "def _read(ctx):\n"
        '    fail(ctx.read(Label("//linked:text")))\n'
        "reading = repository_rule(_read)\n"
    ),
    "WORKSPACE": 'load("//:rules.bzl", "reading")\nreading(name = "r")\n',
    ".bazelrc": FILES[".bazelrc"] + "try-import %workspace%/linked/rc\n",
}
_LINKS = {
    "linked/out.bzl": "canary.bzl",
    "linked/text": "canary.bzl",
    "linked/rc": "rc",
    "globbed/folder": ".",
    "through": ".",
}
_MORE = (
    ("query", "//linked:all + //globbed:all", "--keep_going"),
    ("query", "//through:all + @r//:all", "--keep_going"),
    ("deps", "//globbed:all"),
)


def _world(directory: Path) -> Path:
    outside, root = directory / "outside", directory / "w"
    secret = {"canary.bzl": f'secret = "{CANARY}"\n', "BUILD": f'filegroup(name = "{CANARY}")\n'}
    write_files(outside, {**secret, "rc": f"build --copt={CANARY}\n"})
    write_files(root, {**FILES, **_LINKED})
    for link, target in _LINKS.items():
        (root / link).symlink_to(outside / target)
    for words in (("init", "-q"), ("add", "."), (*AS_SOMEBODY, "commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=root, check=True)
    return root


def _ask_all(root: Path, cache: str) -> None:
    """Asks every question, and prints as JSON what was touched and what was said."""
    from bazelscope.render import layout  # noqa: F401  (what it loads is ours)

    os.chdir(root)
    kept = ("--cache-dir", cache) if cache else ("--no-cache",)
    touches = Touches(Path(cache) if cache else root)
    lines = [(command, *words) for command, words in WORDS.items()] + list(_MORE)
    lines = [words for words in lines if words[0] != "page"]
    said = ""
    touches.allow(root)
    touches.is_on = True
    for words in lines:
        at = words.index("--") if "--" in words else len(words)
        release = () if "--bazel-version" in words else ("--bazel-version", "6.5.0")
        said += "".join(map(str, asked([*words[:at], *kept, *release, *words[at:]])))
    touches.is_on = False
    print(json.dumps({"seen": touches.seen, "said": said, "count": len(lines)}))


@pytest.mark.parametrize("kept", [False, True])
def test_nothing_else_is_touched(kept: bool, tmp_path: Path) -> None:
    root = _world(tmp_path)
    cache = tmp_path / "cache"
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.hostile.test_promises",
            str(root),
            str(cache) if kept else "",
        ],
        cwd=CHECKOUT,
        env={**os.environ, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["count"] == len(WORDS) - 1 + len(_MORE)
    own = (str(cache), str(home / ".bazelrc"), str(home / ".gitconfig"))
    assert [seen for seen in found["seen"] if not any(place in seen for place in own)] == []
    assert any(str(cache) in seen for seen in found["seen"]) == kept
    assert CANARY not in found["said"]
    assert not list(home.iterdir())


def test_the_limits_are_the_ones_that_are_promised() -> None:
    promised = re.search(
        r"after (\d+) s, (\d+) GB, (\d+) configurations", (CHECKOUT / "SECURITY.md").read_text()
    )
    assert promised is not None
    seconds, gigabytes, configurations = map(int, promised.groups())
    wanted = {
        "max_seconds": seconds,
        "max_memory": gigabytes << 10,
        "max_configurations": configurations,
    }
    asked = 0
    for command in cli.every_command().values():
        limits = {param.name: param.default for param in command.params if param.name in wanted}
        if limits:
            asked += 1
            assert limits == wanted, command.name
    assert asked == len(WORDS)


@pytest.mark.parametrize("named", ["OUTSIDE/canary.bzl", "linked/text", "pipe", "/dev/zero"])
@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("query --query_file=NAMED", ("query",)),
        ("cquery --output=starlark --starlark:file=NAMED", ("cquery", "//globbed:all")),
        ("build --platform_mappings=NAMED", ("explain",)),
        ("import NAMED", ("explain",)),
    ],
)
def test_what_rc_lines_of_a_workspace_name(
    option: str, named: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    """A file outside, a link to it, a pipe that nobody writes, a file without an end."""
    root = _world(tmp_path)
    os.mkfifo(root / "pipe")
    path = named.replace("OUTSIDE", str(tmp_path / "outside"))
    (root / ".bazelrc").write_text(option.replace("NAMED", path) + "\n")
    limited = f'ulimit -v {2 << 20}; exec "$0" -m bazelscope "$@"'
    done = subprocess.run(
        ["bash", "-c", limited, sys.executable, *words, "--bazel-version=6.5.0", "--no-cache"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 1, 2, 3), done.stderr
    assert CANARY not in done.stdout + done.stderr and "defect" not in done.stderr
    assert "cannot read" in done.stderr or "not read" in done.stderr or "explain" in words


def test_the_user_may_name_a_file_outside(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "question": "//p:all\n",
            "w/WORKSPACE": "",
            "w/p/BUILD": "exports_files(['f'])\nfilegroup(name = 'x')\n",
        },
    )
    option = f"--query_file={tmp_path}/question"
    code, out, _ = asked(["query", option, "-w", str(tmp_path / "w"), "--no-cache"])
    assert (code, out) == (0, "//p:x\n")


def test_completion_reads_no_file_outside(tmp_path: Path) -> None:
    """Neither by a link, nor by a label that leads out, nor from a pipe."""
    root = _world(tmp_path)
    (root / "linked/BUILD").unlink()
    (root / "linked/BUILD").symlink_to(tmp_path / "outside/BUILD")
    (root / "WORKSPACE").write_text('load("//../outside:BUILD", "x")\n')
    (root / "piped").mkdir()
    os.mkfifo(root / "piped/BUILD")
    labels = LabelCandidates(root, "6.5.0", ())
    told = [labels.short(CANARY[:3]), labels._written("linked"), labels._written("piped")]
    assert not any(told) and CANARY not in labels._written_repositories()


def test_no_program_of_a_workspace_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by a PATH that leads there, nor by a link to it, nor by a relative one."""
    root, elsewhere = tmp_path / "w", tmp_path / "bin"
    for folder in (root / "bin", elsewhere):
        folder.mkdir(parents=True)
    program = root / "bin/dot"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (elsewhere / "dot").symlink_to(program)
    monkeypatch.chdir(root)
    for path in (str(root / "bin"), "bin", ".", "", str(elsewhere)):
        monkeypatch.setenv("PATH", path)
        assert find_program("dot", root) is None, path
    monkeypatch.setenv("PATH", str(root / "bin"))
    assert find_program("dot", tmp_path / "another") == program


def test_programs_of_windows_have_their_endings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("dot", "dot.bat", "dot.exe"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    windows = {**vars(os), "name": "nt", "pathsep": ";"}
    monkeypatch.setattr(programs, "os", SimpleNamespace(**windows))
    monkeypatch.setenv("PATH", f"relative;{tmp_path}")
    monkeypatch.setenv("PATHEXT", ".COM;.exe;.bat")
    assert programs.find_program("dot") == tmp_path / "dot.exe"
    monkeypatch.setenv("PATHEXT", ".bat;.exe")
    assert programs.find_program("dot") == tmp_path / "dot.bat"
    monkeypatch.delenv("PATHEXT")
    (tmp_path / "dot.exe").rename(tmp_path / "dot.EXE")
    assert programs.find_program("dot") == tmp_path / "dot.EXE"


def test_every_sentence_names_what_is_there() -> None:
    paths = re.findall(
        r"`((?:bazelscope|tests|scripts)/[\w./]+)`", (CHECKOUT / "SECURITY.md").read_text()
    )
    assert len(paths) > 10
    assert [path for path in paths if not (CHECKOUT / path).exists()] == []


def test_every_command_is_asked() -> None:
    questions = {
        name
        for name, command in cli.every_command().items()
        if any(isinstance(param, click.Option) and param.name == "form" for param in command.params)
    }
    assert questions == set(WORDS)


if __name__ == "__main__":
    _ask_all(Path(sys.argv[1]), sys.argv[2])
