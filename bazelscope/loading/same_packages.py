"""Which packages are what they were when somebody looked at them, told without reading them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.loading.completeness import AskedPackages
from bazelscope.loading.package_maker import PackageMaker

if TYPE_CHECKING:
    from bazelscope.loading.cache.package_cache import Counts

AreMet = Callable[[Iterable[str]], bool]
"""Tells whether one of some targets, by their labels, was looked at."""


@dataclass(frozen=True)
class SamePackages:
    """Compares packages with hashes of theirs. What is the same counts as loaded in the account."""

    _maker: PackageMaker
    _account: AskedPackages
    _digest: Callable[[PackageId], bytes | None]
    """The hash of a package as it is now, which counts as loaded."""

    def is_same(self, package: PackageId, digest: bytes, are_met: AreMet | None = None) -> bool:
        """Whether a package, which counts as loaded from now on, is the one of that digest, but for
        the places of its targets, and for targets of which none is met. One that an earlier run has
        kept is not read for that."""
        counts = self._counts(package, digest)
        if counts is not None:
            self.take_as_loaded(package, counts)
            return True
        if self._digest(package) == digest:
            return True
        changed = (
            self._maker.parts.cache.changed(package, digest)
            if self._maker.parts.cache is not None
            else None
        )
        if not changed or are_met is None:
            return changed is not None and not changed
        return not are_met(str(Label(*package, name)) for name in changed)

    def compared(self) -> Mapping[PackageId, bytes | None]:
        """The packages that may have been found to be the same in spite of other places and
        targets, with their hashes now."""
        return self._maker.parts.cache.compared() if self._maker.parts.cache is not None else {}

    def are_same(self, digests: Mapping[PackageId, bytes], are_met: AreMet | None = None) -> bool:
        """Whether each of many packages `is_same`: those count as loaded from now on that come
        before the first one which is not."""
        kept = self.kept_as(digests)
        packages, unread = self._account.packages, self._account.unread
        for package, digest in digests.items():
            counts = kept.get(package)
            if counts is not None:
                # What `take_as_loaded` does, without a call.
                packages.setdefault(package)
                unread[package] = counts
            elif not self.is_same(package, digest, are_met):
                return False
        return True

    def kept_as(self, digests: Mapping[PackageId, bytes]) -> Mapping[PackageId, Counts]:
        """What is counted of packages that nobody has to look into, as far as they have these
        digests and that can be told of many at once."""
        if self._maker.parts.cache is None or self._maker.takes_from_others:
            return {}
        made, put_off = self._maker.packages, self._maker.put_off
        unknown = {id: one for id, one in digests.items() if id not in made and id not in put_off}
        return self._maker.parts.cache.all_counts(
            unknown, self._maker.parts.stamps.are_as_stamped, self._maker.parts.checker.holds
        )

    def take_as_loaded(self, package: PackageId, counts: Counts) -> None:
        """Counts a package as loaded from now on that an earlier run has kept, unread."""
        self._account.packages.setdefault(package)
        self._account.unread[package] = counts

    def is_kept_as(self, package: PackageId, digest: bytes) -> bool:
        """Whether an earlier run has kept a package with that digest, and it still holds."""
        return self._counts(package, digest) is not None

    def _counts(self, package: PackageId, digest: bytes) -> Counts | None:
        """What is counted of a package that nobody has to look into, if it has that digest."""
        is_known = (
            package in self._maker.packages
            or package in self._maker.put_off
            or self._maker.takes_from_others
        )
        if self._maker.parts.cache is None or is_known:
            return None
        return self._maker.parts.cache.counts(package, digest, self._maker.parts.checker.holds)
