"""Values that packages `p0`, `p1`, ... show as the first tag of their one target `ok`."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from bazelscope.api import Workspace
from bazelscope.base.label import PackageId
from bazelscope.loading.packages.package import Package


def values_of(xml: str) -> dict[int, str]:
    """Returns the value of each package by its number, of a real Bazel's XML."""
    found: dict[int, str] = {}
    for rule in ElementTree.fromstring(xml).iter("rule"):
        tags = rule.find("list[@name='tags']/string")
        number = int((rule.get("name") or "")[3:].partition(":")[0])
        found[number] = (tags.get("value") or "") if tags is not None else ""
    return found


def in_error(stderr: str) -> set[int]:
    """Returns the numbers of the packages that a real Bazel tells errors of."""
    return {int(number) for number in re.findall(r"/p(\d+)/BUILD:\d+:\d+: ", stderr)}


def values_of_ours(root: Path, version: str, count: int) -> dict[int, str]:
    """Returns the value of each of `count` packages by its number, without those in error."""
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
