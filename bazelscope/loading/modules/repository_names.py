"""The names of repositories that a MODULE.bazel file takes."""

from __future__ import annotations

from bazelscope import starlark
from bazelscope.base.source import Location
from bazelscope.bazel.release import Release
from bazelscope.loading.modules.extension_proxy import place_of
from bazelscope.loading.modules.module_file_checks import check_repository_name


class RepositoryNames:
    """Names in use: how and where each was `taken`."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self.taken: dict[str, tuple[str, Location]] = {}

    def take(self, name: str, how: str) -> None:
        """Reserves a repository name. Bazel: `ModuleThreadContext.addRepoNameUsage`."""
        check_repository_name(name, self._release)
        place = place_of(starlark.call_stack())
        if name in self.taken:
            starlark.fail_with(self.collision(name, how, place))
        self.taken[name] = how, place

    def collision(self, name: str, how: str, place: Location) -> str:
        """What Bazel says of a name that is in use already."""
        how_before, before = self.taken[name]
        if not self._release.names_both_uses_of_repository_name:
            return f"The repo name '{name}' is already being used {how_before} at {before.short}"
        return (
            f"The repo name '{name}' cannot be defined {how} at {place.short} as it is already"
            f" defined {how_before} at {before.short}"
        )
