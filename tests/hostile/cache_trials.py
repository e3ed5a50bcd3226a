"""What a cache may be given: edits of every kind, runs at once, runs that are killed, damage.

Each trial takes a small workspace through seeded changes and compares every answer with that of
`--no-cache`.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bazelscope.cli import kept_answers
from bazelscope.cli.entry import cannot_write, main

_BUILDS = (
    'load("//lib:defs.bzl", "make")\nmake("x")\nfilegroup(name = "y", srcs = glob(["**/*.txt"]))\n',
    'load("//lib:defs.bzl", "make")\nmake("z")\nfilegroup(name = "y", srcs = glob(["**/*.txt"]))\n',
    'filegroup(name = "only")\n',
    """load("//lib:defs.bzl", "make")
package(default_visibility = ["//lib:all"])
make("x")
filegroup(name = "y", srcs = [":x_a", "//q:only", "made.txt"] + select({
    "//lib:on": ["//q:y"],
    "//conditions:default": [":x_b"],
}))
genrule(name = "g", outs = ["made.txt"], cmd = "", tools = ["//q:only"])
""",
)
_LIBRARY = (
    'config_setting(name = "on", values = {"cpu": "k8"})\n'
    'package_group(name = "all", packages = ["//..."])\n'
)
_DEFINITIONS = tuple(
    f"def make(name):\n    native.filegroup(name = name + '_{letter}')\n" for letter in "abcd"
)
_SETTLING = 0.06
"""After so many seconds what was written is kept; before, it could be written again in a tick."""
_SETTLES = 0.8
_QUESTIONS = (
    ("query", "//...:*"),
    ("query", "//p:*"),
    ("query", "deps(//p:y)"),
    ("query", "rdeps(//..., //q:only)", "--output=graph"),
    ("cquery", "deps(//p:y)"),
    ("path", "//p:y", "//q:only"),
    ("rdeps", "//q:only"),
    ("explain", "//p:y", "--cpu=k8"),
)


def lay_out(root: Path) -> None:
    """Writes the workspace: two packages, a macro, releases to link to."""
    for name, text in {
        "WORKSPACE": "",
        "p/BUILD": _BUILDS[0],
        "p/a.txt": "",
        "p/deep/er/b.txt": "",
        "q/BUILD": _BUILDS[2],
        "lib/BUILD": _LIBRARY,
        "lib/defs.bzl": _DEFINITIONS[0],
        "releases/1/BUILD": 'filegroup(name = "r1")\n',
        "releases/2/BUILD": 'filegroup(name = "r2")\n',
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    same = 1_600_000_000_000_000_000
    for number in (1, 2):  # As two releases unpacked with one time.
        for path in (root / f"releases/{number}/BUILD", root / f"releases/{number}"):
            os.utime(path, ns=(same, same))
    (root / "current").symlink_to("releases/1")


def answers(root: Path, cache: Path | None) -> tuple[object, ...]:
    """What runs of the program answer, each with its exit code; they save what they found."""
    kept = ("--no-cache",) if cache is None else ("--cache-dir", str(cache))
    found: list[object] = []
    for question in _QUESTIONS:
        words = [*question, "-w", str(root), *kept, "--bazel-version", "6.5.0", "--keep_going"]
        with _captured() as (out, err):
            code = main(words)
        found.append((code, out.getvalue(), err.getvalue()))
        if cache is not None:
            with _captured() as (out, err):
                code = kept_answers.run(words, main, cannot_write)
            assert found[-1] == (code, out.getvalue(), err.getvalue()), "of a kept answer"
    return tuple(found)


@contextlib.contextmanager
def _captured() -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    before = sys.stdout, sys.stderr
    streams = io.BytesIO(), io.BytesIO()
    sys.stdout, sys.stderr = (io.TextIOWrapper(stream, write_through=True) for stream in streams)
    try:
        yield streams
    finally:
        written = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = before
        for stream in written:
            stream.flush()
            stream.detach()


def changes(root: Path, rng: random.Random) -> Callable[[], None]:
    """One change of the workspace, chosen at random."""

    def edit() -> None:
        (root / rng.choice(("p", "q")) / "BUILD").write_text(rng.choice(_BUILDS))

    def edit_macro() -> None:
        (root / "lib/defs.bzl").write_text(rng.choice(_DEFINITIONS))

    def same_size_and_time() -> None:
        path = root / "lib/defs.bzl"
        before = path.stat()
        path.write_text(rng.choice(_DEFINITIONS))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def touch() -> None:
        path = rng.choice([one for one in root.rglob("*") if one.is_file()])
        path.touch()

    def checkout() -> None:
        """All files anew, with what they hold."""
        for path in [one for one in root.rglob("*") if one.is_file() and not one.is_symlink()]:
            text = path.read_bytes()
            path.unlink()
            path.write_bytes(text)

    def switch() -> None:
        link = root / "current"
        link.unlink()
        link.symlink_to(f"releases/{rng.choice((1, 2))}")

    def add() -> None:
        folder = rng.choice(("p", "p/deep", "p/deep/er"))
        (root / folder / f"{rng.randrange(5)}.txt").write_text("")

    def add_with_time_put_back() -> None:
        folder = root / rng.choice(("p", "p/deep", "p/deep/er"))
        before = folder.stat()
        (folder / f"{rng.randrange(5)}.txt").write_text("")
        os.utime(folder, ns=(before.st_atime_ns, before.st_mtime_ns))

    def remove() -> None:
        found = list((root / "p").rglob("*.txt"))
        if found:
            rng.choice(found).unlink()

    def package() -> None:
        build = root / "p/deep/BUILD"
        build.unlink() if build.exists() else build.write_text("")

    def replace_folder() -> None:
        shutil.rmtree(root / "q")
        shutil.copytree(root / rng.choice(("releases/1", "releases/2")), root / "q")

    def nothing() -> None:
        pass

    return rng.choice(
        (
            edit, edit_macro, same_size_and_time, touch, checkout, switch, add,
            add_with_time_put_back, remove, package, replace_folder, nothing,
        )
    )  # fmt: skip


def comparisons(root: Path, cache: Path, seed: int, count: int) -> Iterator[str]:
    """Takes a workspace through `count` changes; yields what was answered wrongly."""
    rng = random.Random(seed)
    lay_out(root)
    for number in range(count):
        change = changes(root, rng)
        change()
        if rng.random() < _SETTLES:
            time.sleep(_SETTLING)
        if answers(root, cache) != answers(root, None):
            yield f"seed {seed}, change {number} ({change.__name__}): not what --no-cache answers"


def damage(cache: Path, rng: random.Random) -> str:
    """Harms one file of a cache, or swaps two; says what was done."""
    files = sorted(path for path in cache.rglob("*") if path.is_file())
    path = rng.choice(files)
    content = path.read_bytes()
    what = rng.choice(("cut", "flip", "empty", "swap", "noise", "remove"))
    if what == "cut":
        path.write_bytes(content[: rng.randrange(len(content) + 1)])
    elif what == "flip" and content:
        at = rng.randrange(len(content))
        flipped = content[at] ^ 1 << rng.randrange(8)
        path.write_bytes(content[:at] + bytes([flipped]) + content[at + 1 :])
    elif what == "empty":
        path.write_bytes(b"")
    elif what == "noise":
        path.write_bytes(rng.randbytes(len(content)))
    elif what == "remove":
        path.unlink()
    elif what == "swap":
        other = rng.choice(files)
        theirs = other.read_bytes()
        other.write_bytes(content)
        path.write_bytes(theirs)
    return f"{what} {path.relative_to(cache)}"


def damages(root: Path, cache: Path, seed: int, count: int) -> Iterator[str]:
    """Harms a cache `count` times; yields what was answered wrongly after that."""
    rng = random.Random(seed)
    lay_out(root)
    expected = answers(root, None)
    time.sleep(_SETTLING)
    for number in range(count):
        answers(root, cache)
        done = damage(cache, rng)
        try:
            is_right = answers(root, cache) == expected
        except Exception as error:
            yield f"seed {seed}, damage {number} ({done}): {type(error).__name__}: {error}"
            continue
        if not is_right:
            yield f"seed {seed}, damage {number} ({done}): another answer"


def kills(root: Path, cache: Path, seed: int, count: int) -> Iterator[str]:
    """Kills runs that write a cache, at random moments; yields what was answered wrongly after."""
    rng = random.Random(seed)
    lay_out(root)
    expected = answers(root, None)
    script = (
        "import os, sys, threading, time\n"
        "from bazelscope.cli import kept_answers\n"
        "from bazelscope.cli.entry import cannot_write, main\n"
        "after = float(sys.argv[1])\n"
        "def end():\n    time.sleep(after)\n    os.kill(os.getpid(), 9)\n"
        "threading.Thread(target=end, daemon=True).start()\n"
        "while True:\n"
        "    kept_answers.run(sys.argv[2:], main, cannot_write)\n"
        "    os.utime(sys.argv[4] + '/WORKSPACE')\n"
        "    open(sys.argv[4] + '/q/note.txt', 'a').write('x')\n"
    )
    words = ["query", "-w", str(root), "//...", "--cache-dir", str(cache)]
    words += ["--bazel-version", "6.5.0"]
    for number in range(count):
        (root / "p/BUILD").write_text(rng.choice(_BUILDS))
        after = str(rng.uniform(0.05, 0.6))
        command = [sys.executable, "-c", script, after, *words]
        subprocess.run(command, check=False, capture_output=True, timeout=60)
        (root / "q/note.txt").unlink(missing_ok=True)
        (root / "p/BUILD").write_text(_BUILDS[0])
        if answers(root, cache) != expected:
            yield f"seed {seed}, kill {number}: not what --no-cache answers"
