"""A loader over a small workspace, with short ways to look at what it loads."""

from __future__ import annotations

from collections.abc import Callable

from bazelscope.base.label import Label, PackageId
from bazelscope.bazel.attribute_types import DictValue, Selector, SelectorList
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage, Rule
from tests.support.ours import label

Load = Callable[..., "Loaded"]


class Loaded:
    """A loader with short ways to look at what it loads."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def package(self, name: str) -> Package:
        found = self.loader.package(PackageId("", name))
        assert isinstance(found, Package), found
        return found

    def refused(self, name: str) -> NoSuchPackage:
        """A package that is not there, since a file that it loads is not, or fails."""
        found = self.loader.package(PackageId("", name))
        assert isinstance(found, NoSuchPackage), found
        return found

    def rule(self, text: str) -> Rule:
        found = self.loader.target(label(text))
        assert isinstance(found, Rule), found
        return found

    def kinds(self, package: str) -> dict[str, str]:
        """The package's targets without its BUILD file: name to kind, sorted."""
        targets = self.package(package).targets
        names = sorted(name for name in targets if name not in ("BUILD", "BUILD.bazel"))
        return {name: targets[name].kind for name in names}

    def errors(self, package: str) -> list[str]:
        found = self.loader.package(PackageId("", package))
        assert isinstance(found, Package | NoSuchPackage), found
        return [item.message for item in found.diagnostics]

    def value(self, text: str, attribute: str) -> object:
        """An attribute's value with labels as text."""
        found = self.rule(text).attribute(attribute)
        assert found is not None
        return shown(found.value)


def shown(value: object) -> object:
    if isinstance(value, Label):
        return str(value)
    if isinstance(value, tuple):
        return [shown(item) for item in value]
    if isinstance(value, DictValue):
        return {shown(key): shown(item) for key, item in value.items}
    if isinstance(value, SelectorList):
        return [shown(part) for part in value.parts]
    if isinstance(value, Selector):
        return {str(branch.condition): shown(branch.value) for branch in value.branches}
    return value
