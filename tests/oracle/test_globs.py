"""Globs made at random over a directory of odd names, symbolic links and subpackages, each in a
package of its own whose one target bears the matching paths as a tag: what real Bazels list, and
which patterns they refuse."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracle.tagged_values import in_error, values_of, values_of_ours
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

_NAMES = (
    *("a", "b", "ab", "a.b", ".h", "x y", "a-b", "A", "sub", "dir.d", "a+b", "a[b]", "b.cc"),
    *("a.cc", ".a.cc", "BUILD.x", "a~", "%41", "a,b", "a$b", "^a", "a|b", "{a}", "a=b", "#a"),
)
_GLOBS = 60
_WRITTEN = (
    "glob(['**'], exclude = ['a/**/*/b'])",
    "glob(['**'], exclude = ['a**/*'])",
    "glob(['**'], exclude = ['/**/*'])",
    "glob(['**'], exclude = ['a/**/*a'])",
    "glob(['**'], exclude = ['a/b/**/*b/a'])",
    "glob(['**'], exclude = ['?/**/*a'])",
    "glob(['**'], exclude = ['*//a'])",
    "glob(['**'], exclude = ['//a'])",
)


@pytest.mark.parametrize("version", ["4.2.3", "0.26.1", "0.24.1"])
def test_globs_list_what_bazel_lists(
    version: str, warm_path: Path, bazel: Callable[[str], Bazel]
) -> None:
    choose = random.Random(1)
    root = warm_path / "w"
    _write_directory(choose, root / "made")
    globs = [*_WRITTEN, *(_glob(choose) for _ in range(_GLOBS))]
    if version == "0.24.1":
        globs = [text.partition(", allow_empty")[0].rstrip(")") + ")" for text in globs]
    for number, text in enumerate(globs):
        package = root / f"p{number}"
        shutil.copytree(root / "made", package, symlinks=True)
        (package / "BUILD").write_text(f'filegroup(name = "ok", tags = [repr({text})])\n')
    shutil.rmtree(root / "made")
    (root / "WORKSPACE").touch()
    answer = bazel(version).query(root, "//...", "--output=xml")
    theirs = values_of(answer.stdout)
    for number in in_error(answer.stderr):
        theirs.pop(number, None)
    mine = values_of_ours(root, version, len(globs))
    assert {globs[n]: mine.get(n) for n in range(len(globs)) if mine.get(n) != theirs.get(n)} == {}
    assert len(theirs) > _GLOBS / 4


def _write_directory(choose: random.Random, root: Path) -> None:
    root.mkdir(parents=True)
    directories = [root]
    for _ in range(80):
        path = choose.choice(directories) / choose.choice(_NAMES)
        if path.exists() or path.is_symlink():
            continue
        kind = choose.random()
        if kind < 0.3:
            path.mkdir()
            directories.append(path)
        elif kind < 0.35:
            path.symlink_to(choose.choice(["nowhere", "a.cc", "b.cc"]))
        elif kind < 0.4:
            path.mkdir()
            (path / choose.choice(["BUILD", "BUILD.bazel"])).touch()
            (path / "a").touch()
        else:
            path.touch()


def _glob(choose: random.Random) -> str:
    include = [_pattern(choose) for _ in range(choose.choice([1, 1, 1, 2, 3]))]
    exclude = [_pattern(choose) for _ in range(choose.choice([0, 1, 1, 2]))]
    directories = choose.choice(["", ", exclude_directories = 0"])
    empty = choose.choice(["", "", ", allow_empty = False", ", allow_empty = True"])
    return f"glob({include!r}, exclude = {exclude!r}{directories}{empty})"


def _pattern(choose: random.Random) -> str:
    pattern = "/".join(_segment(choose) for _ in range(choose.choice([1, 1, 2, 2, 3, 4])))
    changes = [f"/{pattern}", f"{pattern}/", f"../{pattern}", pattern.replace("/", "//")]
    return choose.choice(changes) if choose.random() < 0.05 else pattern


def _segment(choose: random.Random) -> str:
    kind = choose.random()
    if kind < 0.35:
        return "**" if kind < 0.2 else "*"
    name = choose.choice(_NAMES)
    if kind < 0.6:
        return name
    start = choose.randint(0, len(name))
    end = choose.randint(start, len(name))
    return name[:start] + choose.choice(["*", "*", "?", "**", "*.", "."]) + name[end:]
