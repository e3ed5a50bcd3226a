"""Evaluates many packages at once, on every core, before they are asked for one by one."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Self

from bazelscope import starlark
from bazelscope.base import looks, phases
from bazelscope.base.label import PackageId
from bazelscope.loading.completeness import AskedPackages
from bazelscope.loading.package_maker import PackageMaker
from bazelscope.loading.packages.package import Following
from bazelscope.loading.packages.repository_access import FileFound
from bazelscope.loading.tree.recorded_disk import RecordedDisk
from bazelscope.loading.tree.workspace_files import is_clean

if TYPE_CHECKING:
    from bazelscope.loading.evaluators import Evaluators

_WORTH_A_PROCESS = 8
"""To begin one takes as long as evaluating two or three packages."""


class PackagesOnCores:
    """Has many packages made at once by `maker`, which others will ask for them one by one."""

    def __init__(self, maker: PackageMaker) -> None:
        self._maker = maker
        self._parts = maker.parts
        self._evaluators: Evaluators | None = None
        self._loaded = self._to_load = 0
        """Of the packages that are being made."""

    def beside(self, maker: PackageMaker) -> Self:
        """Has packages made by another `maker`, in the same processes."""
        other = copy.copy(self)
        other._maker, other._parts = maker, maker.parts
        return other

    def end(self) -> None:
        """Ends the processes: nothing more is asked for."""
        if self._evaluators is not None:
            self._evaluators.close()
            self._evaluators = None

    def look_at(self, packages: Iterable[PackageId]) -> None:
        """Looks at once at what many packages that will be asked for were made from."""
        if self._parts.cache is not None:
            self._parts.cache.look_at(packages, self._parts.stamps.are_as_stamped)

    def prepare(
        self,
        packages: Iterable[PackageId],
        following: Following | None,
        account: AskedPackages,
    ) -> bool:
        """Evaluates packages that will be asked for on every core, if they are many, and then
        those `following`, to the last; returns whether one of them is neither known nor kept. Does
        nothing without a cache. What `following` asks for is not noted in the `account`."""
        if self._parts.cache is None:
            return False
        asked = tuple(packages)
        self.look_at(asked)
        wanted = [package for package in asked if not self._is_at_hand(package)]
        has_processes = self._evaluators is not None and self._evaluators.are_there
        if not has_processes and sum(not p.repository for p in wanted) < _WORTH_A_PROCESS:
            wanted = [package for package in wanted if not self._is_out_of_reach(package)]
        is_cold = self._parts.cache.world is None and following is not None
        if not (is_cold or len(wanted) >= (1 if has_processes else _WORTH_A_PROCESS)):
            return bool(wanted)
        from bazelscope.loading.evaluators import cores

        if not has_processes and cores() < 2:
            return True
        with account.aside(), phases.phase("loading packages"):
            self._load_at_once(asked, wanted.copy(), following)
        return bool(wanted)

    def _load_at_once(
        self, asked: Iterable[PackageId], wanted: list[PackageId], following: Following | None
    ) -> None:
        """Evaluates those of the packages `asked` for that are `wanted`, and all that follow."""
        follow = self._follow(wanted, following) if following is not None else None
        self._loaded, self._to_load = 0, len(wanted)
        if follow is not None:
            for package in set(asked).difference(wanted):
                wanted += follow(package)
        if self._evaluators is None or not self._evaluators.are_there:
            while follow is not None and 0 < len(wanted) < _WORTH_A_PROCESS:
                self._evaluate_here(wanted[0])
                wanted += follow(wanted.pop(0))
            if not wanted:
                return
            self._parts.compile_no_more_ahead()
            # What all processes need, they take over from this one.
            _ = self._parts.table, self._parts.shown, self._parts.dry_runs
            starlark.prepare()
            from bazelscope.loading.evaluators import Evaluators, cores

            self._evaluators = Evaluators(
                cores() - 1, self._maker.evaluated, self._take_out, self._size
            )
        self._evaluators.run(wanted, self._evaluate_here, self._take_in, follow)

    def _is_at_hand(self, package: PackageId) -> bool:
        return package in self._maker.packages or self._maker.is_kept(package)

    def _follow(
        self, begun: Iterable[PackageId], following: Following
    ) -> Callable[[PackageId], list[PackageId]]:
        """What tells of a package that is at hand which ones have to be evaluated next, past those
        that are at hand as well; each once, and none of those that have `begun`."""
        met = set(begun)

        def follow(package: PackageId) -> list[PackageId]:
            wanted, pending = [], [package]
            while pending:
                one = pending.pop()
                for further in following(one, self._maker.made(one)):
                    if self._is_at_hand(further):
                        pending.append(further)
                    elif further not in met:
                        met.add(further)
                        wanted.append(further)
            self._to_load += len(wanted)
            return wanted

        return follow

    def _size(self, package: PackageId) -> int:
        """The length of the BUILD file of a package of the main repository in bytes."""
        if package.repository or not is_clean(package.package):
            return 0
        # Without a look into the directory, which who evaluates the package takes.
        directory = f"{self._parts.workspace.root}/{package.package}".rstrip("/")
        stamps = (
            self._parts.workspace.disk.stamp(f"{directory}/{name}")
            for name in ("BUILD", "BUILD.bazel")
        )
        return next((stamp[-1] for stamp in stamps if stamp), 0)

    def _is_out_of_reach(self, package: PackageId) -> bool:
        """Whether there is no file to evaluate, which no run keeps: it is told again each time."""
        if package.repository and not isinstance(self._parts.table.build_file(*package), FileFound):
            self._maker.make(package)
            return True
        return False

    def _evaluate_here(self, package: PackageId) -> None:
        self._maker.make(package)
        self._count_loaded()

    def _count_loaded(self) -> None:
        self._loaded += 1
        phases.count(self._loaded, max(self._to_load, self._loaded))

    def _take_out(self) -> tuple[object, ...]:
        """What this process has made since the last time, for another one."""
        noted = looks.current.take() if looks.current is not None else None
        return (noted, *(None if one is None else one.take() for one in self._takers()))

    def _take_in(self, made: tuple[Any, ...]) -> None:
        noted, *parts = made
        if looks.current is not None and noted is not None:
            looks.current.add(noted)
        for one, taken in zip(self._takers(), parts, strict=True):
            if one is not None:
                one.add(taken)
        self._count_loaded()

    def _takers(self) -> tuple[Any, ...]:
        """What grows while packages are evaluated, and can be taken from process to process."""
        disk = self._parts.workspace.disk
        recorded = disk if isinstance(disk, RecordedDisk) else None
        parts = self._parts
        return parts.cache, parts.programs, parts.dry_runs, parts.tree_pack, recorded
