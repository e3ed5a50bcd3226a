"""README.md and docs/ say what is so: their commands are run, and what they show is what comes out.

    BAZELSCOPE_REGENERATE=1 python -m pytest tests/test_readme.py

writes the output of every example anew that is shown in full. An example with a line `...`
shows parts: its other lines must come out in their order, whatever the columns' width.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bazelscope.bazel.release import known_releases
from bazelscope.cli import entry, session
from tests.support.parts import CHECKOUT, FIXTURES, need_dot
from tests.support.repositories import Repository

README = CHECKOUT / "README.md"
DOCUMENTS = (README, *sorted((CHECKOUT / "docs").glob("*.md")))
ELLIPSIS = "..."
EDITED = "fixtures/tf-2.4-mkl/tensorflow/core/kernels/matmul_op.cc"
"""What the example of `affected` is about."""

_BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(kind: str, documents: Sequence[Path] = DOCUMENTS) -> list[str]:
    texts = [document.read_text() for document in documents]
    blocks = (m for text in texts for m in _BLOCK.finditer(text) if m["kind"] == kind)
    return list(dict.fromkeys(m["body"] for m in blocks))


EXAMPLES = tuple(_blocks("console"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the examples run: like the checkout, but files may be written into it; in a git
    repository, where one file is edited."""
    place = tmp_path_factory.mktemp("readme")
    shutil.copytree(FIXTURES, place / "fixtures")
    repository = Repository(place)
    repository.git.references.create("refs/remotes/origin/main", repository.commit())
    (place / EDITED).write_text("edited")
    return place


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """A user without rc files or cache of their own."""
    home = tmp_path_factory.mktemp("home")
    return {
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(CHECKOUT),
    }


def _run(words: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    allowed = [session.EXIT_ANSWERED, session.EXIT_NEGATIVE]
    # What cannot be told may hide a path; what Bazel refuses is said first.
    if {"path", "query", "cquery", "check"} & {*words} or "Bazel refuses" in done.stdout:
        allowed.append(session.EXIT_IN_ERROR)
    assert done.returncode in allowed, done.stderr
    return done.stdout


def _command_of(example: str) -> tuple[str, str]:
    command, _, shown = example.partition("\n")
    return command.removeprefix("$ "), shown


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: _command_of(example)[0])
def test_example(example: str, folder: Path, environment: Mapping[str, str]) -> None:
    command, shown = _command_of(example)
    printed = _run(shlex.split(command), folder, environment)
    if not any(ELLIPSIS in line for line in shown.splitlines()):
        if os.environ.get("BAZELSCOPE_REGENERATE"):
            for document in DOCUMENTS:
                text = document.read_text()
                if example in text:
                    document.write_text(text.replace(example, f"$ {command}\n{printed}"))
            shown = printed
        assert printed == shown
        return
    remaining = iter(printed.splitlines())
    for line in shown.splitlines():
        if line != ELLIPSIS:
            assert _comes(line, remaining), f"not printed, or not in this order: {line!r}"


def _comes(wanted: str, lines: Iterator[str]) -> bool:
    start, ellipsis, end = _narrow(wanted).partition(ELLIPSIS)
    if not ellipsis:
        return any(_narrow(line) == start for line in lines)
    found = (_narrow(line) for line in lines)
    return any(line.startswith(start) and line.endswith(end) for line in found)


def _narrow(line: str) -> str:
    return re.sub(" +", " ", line)


@dataclass(frozen=True)
class Question:
    """One row of the tables: the command is run in the folder of its fixture."""

    fixture: str
    question: str
    command: str
    decides: str


def _questions(title: str) -> Iterator[Question]:
    (text,) = [d.read_text() for d in DOCUMENTS if f"\n## {title}\n" in d.read_text()]
    _, _, part = text.partition(f"\n## {title}\n")
    fixture = ""
    for line in part.partition("\n## ")[0].splitlines():
        heading = re.fullmatch(r"In `fixtures/(.+)`:", line)
        if heading:
            fixture = heading[1]
        row = re.fullmatch(r"\| (.+) \| `(.+)` \| `(.+)` \|", line)
        if row:
            yield Question(fixture, row[1], row[2], row[3])


QUESTIONS = tuple(_questions("Two dozen questions"))
FORMATS = tuple(_questions("Pictures, and Bazel's formats"))
TASKS = tuple(_questions("At the terminal"))


def test_there_are_questions_about_every_workspace() -> None:
    assert len(QUESTIONS) >= 20
    assert {asked.fixture for asked in QUESTIONS} == {path.name for path in FIXTURES.iterdir()}


def test_there_are_eight_tasks() -> None:
    assert len(TASKS) == 8


def test_there_are_commands_for_every_format() -> None:
    words = " ".join(asked.command for asked in FORMATS)
    for said in (".png", "mmd", ".graphml", "--collapse", "starlark", "files", "--transitions"):
        assert said in words


@pytest.mark.parametrize("asked", (*QUESTIONS, *FORMATS, *TASKS), ids=lambda asked: asked.question)
def test_question(asked: Question, folder: Path, environment: Mapping[str, str]) -> None:
    if asked.command.endswith((".png", ".pdf")):
        need_dot()
    words = ["bazelscope", *shlex.split(asked.command)]
    printed = _run(words, folder / "fixtures" / asked.fixture, environment)
    lines = [_narrow(line).strip() for line in printed.splitlines()]
    decides = _narrow(asked.decides)
    assert any(decides in line for line in lines), f"not printed: {asked.decides}"


def test_every_command_has_an_example() -> None:
    used = {shlex.split(_command_of(example)[0])[1] for example in EXAMPLES}
    assert used >= {"path", "explain", "graph"}
    used |= {shlex.split(asked.command)[0] for asked in (*QUESTIONS, *FORMATS)}
    assert used >= {"flag", "configs", "select", "settings", "deps", "rdeps", "repos"}
    assert used >= {"query", "cquery"}
    assert used <= set(entry.cli.every_command())


def test_the_two_commands(folder: Path, environment: Mapping[str, str]) -> None:
    """The first command's last step answers; the second is the one that the full check runs."""
    main_job, tests = _blocks("sh", [README])
    words = shlex.split(main_job.split("&&")[-1])
    assert words[0] == ".venv/bin/bazelscope"
    assert "@mkl_dnn_v1//:mkl_dnn" in _run(["bazelscope", *words[1:]], folder, environment)
    assert tests.strip() in (CHECKOUT / ".ci" / "run").read_text().splitlines()


def test_from_python(folder: Path, environment: Mapping[str, str]) -> None:
    (code,) = _blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    said = "holds because --define=build_with_mkl=true\n6 ['//third_party/mkl:build_with_mkl']\n"
    assert (done.returncode, done.stdout) == (0, said), done.stderr


def test_the_exit_codes_are_those_of_the_command_line() -> None:
    page = (CHECKOUT / "docs" / "command-line.md").read_text()
    rows = re.findall(r"^\| (\d+) \| ", page, re.MULTILINE)
    names = vars(session)
    codes = {names[name] for name in names if re.fullmatch("EXIT_(?!CODES)[A-Z_]+", name)}
    assert {int(row) for row in rows} == codes


def test_every_command_stands_in_the_table() -> None:
    _, _, table = README.read_text().partition("\n## Commands\n")
    rows = "\n".join(line for line in table.partition("\n## ")[0].splitlines() if "|" in line)
    named = set(re.findall(r"`([a-z-]+)[ `]", rows))
    assert named >= {
        name for name, command in entry.cli.every_command().items() if not command.hidden
    }


def test_every_link_leads_somewhere() -> None:
    for document in DOCUMENTS:
        for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", document.read_text()):
            if "://" not in link:
                assert (document.parent / link).exists(), f"{document.name}: {link}"


def test_each_fixture_says_why_it_exists() -> None:
    for fixture in sorted(path for path in FIXTURES.iterdir() if path.is_dir()):
        why = (fixture / "WHY.md").read_text()
        assert "bazelscope " in why
        assert f"fixtures/{fixture.name}" in why


_FIXTURE_OF_DOCUMENT = {"modules.md": "modules"}
"""Where the commands of a document are run that say no workspace, if not in TensorFlow 2.4's."""


def _plain_commands() -> Iterator[tuple[str, str]]:
    """Every command that a document of `docs` names to be typed, or to be run by CI."""
    for document in DOCUMENTS[1:]:
        fixture = _FIXTURE_OF_DOCUMENT.get(document.name, "tf-2.4-mkl")
        for block in _BLOCK.finditer(document.read_text()):
            if block["kind"] in ("sh", "yaml"):
                for line in re.findall(r"\bbazelscope [a-z].*", block["body"]):
                    yield fixture, line


@pytest.mark.parametrize(("fixture", "line"), dict.fromkeys(_plain_commands()))
def test_a_plain_command(
    fixture: str, line: str, folder: Path, environment: Mapping[str, str]
) -> None:
    """What is piped on, or written into a file, comes out; where nothing differs, or can be mended,
    nothing."""
    words = shlex.split(re.split(r" (?:#|\||\|\||>) ", line)[0], comments=True)
    where = folder / "fixtures" / fixture
    if "--baseline" in words:
        (where / words[words.index("--baseline") + 1]).write_text(
            _run(["bazelscope", "check", "--format=json"], where, environment)
        )
    printed = _run(words, where, environment)
    assert printed or {"--baseline", "--tests", ":index", "origin/main", "patch"} & {*words}


def test_documents_count_the_releases_whose_options_are_known() -> None:
    told = [n for d in DOCUMENTS for n in re.findall(r"(\d+) releases", d.read_text())]
    assert told and {int(number) for number in told} == {len(known_releases())}


def test_commands_in_a_text_are_commands() -> None:
    for document in DOCUMENTS:
        for name in re.findall(r"`bazelscope ([a-z][\w-]*)", document.read_text()):
            assert name in entry.cli.every_command(), (document.name, name)


def _commands_of_fixtures() -> Iterator[str]:
    for why in sorted(FIXTURES.glob("*/WHY.md")):
        for line in why.read_text().splitlines():
            if line.startswith("    bazelscope "):
                yield line.strip()


@pytest.mark.parametrize("command", list(_commands_of_fixtures()))
def test_what_a_fixture_says_to_try(
    command: str, folder: Path, environment: Mapping[str, str]
) -> None:
    assert _run(shlex.split(command), folder, environment)
