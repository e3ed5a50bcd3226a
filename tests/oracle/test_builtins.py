"""What builtin functions, methods and operators take, beside real Bazels: each expression of
`builtin_probes` in a package of its own, whose one target bears the value's text as a tag. An
expression that a release refuses is refused, and what it takes has its value."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package
from tests.oracle.builtin_probes import probes
from tests.support.bazel import Bazel

pytestmark = pytest.mark.oracle

_CRASHES = re.compile(r"^getattr\('', (?:1|\[\]|\{\}|\(\)|True|depset\(\))\)$")
"""What 2.1.0 dies of."""
_NOT_COMPARED = re.compile(
    # What it prints looks like an error; text is bytes there; how functions and modules are shown.
    r"print\(|[^\x00-\x7f]|^getattr\('', 'join'|^json$|^native$"
    # Of these it is left open what later releases do, or what stands for a token.
    r"|^\+1$|,\)$|^depset\(None\)$|^\{range\(3\): 1\}$"
)


@pytest.mark.parametrize("version", ["4.2.3", "2.1.0", "0.24.1"])
def test_each_release_takes_what_it_takes(
    version: str, warm_path: Path, bazel: Callable[[str], Bazel]
) -> None:
    asked = [text for text in probes() if not _CRASHES.match(text)]
    root = warm_path / "w"
    for number, text in enumerate(asked):
        folder = root / f"p{number}"
        folder.mkdir(parents=True)
        statement = f'filegroup(name = "ok", tags = [repr({text})])\n'
        (folder / "BUILD").write_text(statement, encoding="utf-8")
    (root / "WORKSPACE").write_text("")
    answer = bazel(version).query(root, "//...", "--output=xml")
    theirs = _values(answer.stdout)
    for number in _in_error(answer.stderr):
        theirs.pop(number, None)
    mine = _ours(root, version, len(asked))
    compared = [n for n, text in enumerate(asked) if not _NOT_COMPARED.search(text)]
    different = [(asked[n], mine.get(n), theirs.get(n)) for n in compared]
    assert [one for one in different if one[1] != one[2]] == []
    assert len(theirs) > len(asked) / 4


def _values(xml: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for rule in ElementTree.fromstring(xml).iter("rule"):
        tags = rule.find("list[@name='tags']/string")
        number = int((rule.get("name") or "")[3:].partition(":")[0])
        found[number] = (tags.get("value") or "") if tags is not None else ""
    return found


def _in_error(stderr: str) -> set[int]:
    return {int(number) for number in re.findall(r"/p(\d+)/BUILD:\d+:\d+: ", stderr)}


def _ours(root: Path, version: str, count: int) -> dict[int, str]:
    loader = Workspace.open(root, bazel_version=version, host="linux").configure([]).loader
    found: dict[int, str] = {}
    for number in range(count):
        package = loader.package(PackageId("", f"p{number}"))
        if not isinstance(package, Package) or package.diagnostics or "ok" not in package.targets:
            continue
        attributes = getattr(package.targets["ok"], "attributes", {})
        value = attributes["tags"].value
        found[number] = str(value[0]) if isinstance(value, tuple) and value else repr(value)
    return found
