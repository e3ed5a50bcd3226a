"""Makes packages: from what an earlier run kept, from what a loader nearby has, or by evaluating
their BUILD files. What has been made once stays for the run, and with a cache for later runs, as
long as everything that it was made from is unchanged.
"""

from __future__ import annotations

import copy
from collections.abc import Container, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from bazelscope.base import budget, looks, phases
from bazelscope.base.budget import PUT_OFF, PutOffError
from bazelscope.base.errors import FAULT, Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.kept.pack import Input
from bazelscope.loading.cache.file_stamps import (
    UnsettledInputError,
    answer_digest,
    package_inputs,
)
from bazelscope.loading.cache.package_cache import digest_of_inputs
from bazelscope.loading.loader_parts import LoaderParts
from bazelscope.loading.packages.package import (
    Package,
    PackageResult,
    package_of,
    package_of_kept,
)
from bazelscope.loading.packages.package_data import PackageData
from bazelscope.loading.packages.targets import (
    NoSuchPackage,
    RepositoryDefinition,
    UnknownPackage,
)
from bazelscope.loading.repositories.build_files import no_such_package
from bazelscope.loading.repositories.external_package import EXTERNAL, external_package
from bazelscope.loading.tree.workspace_files import is_clean

if TYPE_CHECKING:
    from bazelscope.loading.evaluation.workspace.repository_definitions import Binding
    from bazelscope.loading.shared_packages import NearbyPackages

_NOT_KEPT = frozenset({FAULT, budget.LIMIT, "starlark-limit"})
"""What may come out otherwise the next time."""


class PackageMaker:
    """Makes packages of `parts`, each when it is first asked for."""

    def __init__(self, parts: LoaderParts) -> None:
        self.parts = parts
        self.packages: dict[PackageId, PackageResult] = {}
        """Every package that was made."""
        self.put_off: Container[PackageId] = ()
        """Packages that nobody waits for: `PutOffError` where one of them has yet to be made."""
        self._base: PackageMaker | None = None
        """Who has made them before, for other values of the environment."""
        self._near: NearbyPackages | None = None
        """Those that are taken from there, where they are the same."""
        self._inputs: dict[PackageId, tuple[Input, ...]] = {}
        """What packages are made from, where no cache has it."""
        self._seen: dict[PackageId, bytes] = {}
        """What their BUILD files saw of `.bzl` files."""

    def under(self, parts: LoaderParts) -> Self:
        """What makes them of parts under another environment: anew only what hangs on that."""
        from bazelscope.loading.shared_packages import NearbyPackages

        other = type(self)(parts)
        other.put_off = self.put_off
        other._base, other._near = self, NearbyPackages(self)
        return other

    def held(self) -> Self:
        """What has made the same so far, and goes on by itself."""
        other = copy.copy(self)
        other.parts, other.packages = self.parts.held(), dict(self.packages)
        return other

    @property
    def takes_from_others(self) -> bool:
        """Whether packages may be those of another environment."""
        return self._near is not None

    def leave(self) -> None:
        """Leaves what was kept here to those that `under` makes next: ask once all is saved."""
        cache = self.parts.cache
        if self._base is not None and cache is not None:
            cache.settle()
            nearby = self._base.parts.kept_nearby
            if cache not in nearby:
                nearby.append(cache)

    def made(self, package: PackageId) -> PackageResult:
        """The package, evaluated; why there is none; or why that cannot be told."""
        result = self.packages.get(package)
        if result is None:
            if package in self.put_off:
                raise PutOffError(Diagnostic(PUT_OFF, f"{package} has yet to be evaluated"))
            result = self.make(package)
        return result

    def make(self, package: PackageId) -> PackageResult:
        """Makes a package that nobody has made yet."""
        loaded = self.evaluated(package)
        result = package_of(loaded) if isinstance(loaded, PackageData) else loaded
        self.packages[package] = result
        return result

    # ---- What packages are made from ----

    def inputs_of(self, package: PackageId) -> tuple[Input, ...] | None:
        """What a package is made from; None for what is none, and where nobody kept it."""
        if not isinstance(self.made(package), Package):
            return None
        own = self._inputs.get(package)
        if own is not None:
            return own
        base = self._given_by(package)
        if base is not None:
            return base.inputs_of(package)
        return self.parts.cache.inputs(package) if self.parts.cache is not None else None

    def seen_of(self, package: PackageId) -> bytes | None:
        """What the BUILD file of a package saw of `.bzl` files, if that can be told."""
        base = self._given_by(package)
        if base is not None:
            return base.seen_of(package)
        return (
            self.parts.cache.seen(package)
            if self.parts.cache is not None
            else self._seen.get(package)
        )

    def digest(self, package: PackageId) -> bytes | None:
        """Returns `package_digest`, but does not count the package as loaded by this loader."""
        result = self.made(package)
        if not isinstance(result, Package):
            return answer_digest(result)
        if package == EXTERNAL:
            return answer_digest(self._parts_of_external())
        base = self._given_by(package)
        if base is not None:
            return base.digest(package)
        return self.parts.cache.digest(package) if self.parts.cache is not None else None

    def inputs_digest(self, package: PackageId) -> bytes | None:
        """A hash of what a package was made from, which is neither decoded where it is kept nor
        counted as loaded; None if that cannot be told."""
        if self.parts.cache is None:
            return self.digest(package)
        if package == EXTERNAL:
            return self.parts.world_digest()
        own = self._inputs.get(package)
        if own is not None:
            return digest_of_inputs(own)
        known = self.parts.cache.inputs_digest(package, self.parts.checker.holds)
        if known is not None:
            return known
        result = self.made(package)
        if not isinstance(result, Package):
            return answer_digest(result)
        base = self._given_by(package)
        if base is not None:
            return base.inputs_digest(package)
        return self.parts.cache.inputs_digest(package, self.parts.checker.holds)

    def is_kept(self, package: PackageId) -> bool:
        if self.parts.cache is not None and self.parts.cache.has(package, self.parts.checker.holds):
            return True
        return self._nearby(package) is not None

    def _given_by(self, package: PackageId) -> PackageMaker | None:
        """The loader that a package was taken from."""
        given = self._near is not None and self._near.has_given(package)
        return self._base if given else None

    def _nearby(self, package: PackageId) -> Package | None:
        near = self._near
        renewed = (
            near.get(package, self.parts.checker.holds, self.parts.renewal.renewed)
            if near is not None
            else None
        )
        if renewed is None:
            return None
        if renewed.inputs is not None:
            self._inputs[package] = renewed.inputs
        return renewed.package

    # ---- Making one ----

    def _parts_of_external(
        self,
    ) -> tuple[
        Mapping[str, Label],
        Mapping[str, Binding],
        Mapping[str, RepositoryDefinition] | None,
        Unknown | None,
    ]:
        """What the package `//external` is made from."""
        table = self.parts.table
        may_define = next(iter(table.may_register), None)
        return table.bindings, table.bound, table.external, may_define

    def evaluated(self, package: PackageId) -> PackageResult | PackageData:
        """Returns a package, and of one that nobody has kept what its evaluation has come to: all
        that a process needs which evaluates it for another one."""
        if package.package == "external" and not package.repository:
            bindings, bound, definitions, may_define = self._parts_of_external()
            if definitions is None:
                return no_such_package(package, "WORKSPACE is not read, and makes what is in it")
            return external_package(bindings, bound, definitions, self.parts.rules, may_define)
        if not is_clean(package.package):
            return no_such_package(package, "invalid package name")
        shared = self._nearby(package)
        if shared is not None:
            self.parts.shown.add_kept(shared)
            return shared
        if self.parts.cache is not None:
            kept = self.parts.cache.get(package, self.parts.checker.holds)
            if kept is not None:
                again = package_of_kept(kept)
                self.parts.shown.add_kept(again)
                return again
        account = budget.current()
        spent = account.spent_on_files()
        if spent is not None:
            return UnknownPackage(package, Unknown(Reason.LIMIT, str(package), spent))
        file_or_why_not = self.parts.build_files.read(package)
        if not isinstance(file_or_why_not, tuple):
            return file_or_why_not
        file, real_path = file_or_why_not
        self.parts.shown.add(file.source)
        cuts = account.cuts
        with phases.phase(f"evaluating {package}"), account.giving_way():
            evaluation = self.parts.evaluator.evaluate(file)
        if evaluation.failure:
            problems = evaluation.data.diagnostics
            return NoSuchPackage(package, evaluation.failure, problems, evaluation.remedy)
        is_whole = account.cuts == cuts and not any(
            problem.code in _NOT_KEPT for problem in evaluation.data.diagnostics
        )
        if not is_whole:
            looks.doubt(f"{package} was not evaluated to its end")
        if is_whole:
            index = self.parts.trees.index(package.repository)
            with suppress(UnsettledInputError):
                inputs = package_inputs(
                    file,
                    real_path,
                    index.tree if index is not None else None,
                    evaluation.modules,
                    self.parts.stamps,
                    self.parts.checker.digest,
                )
                seen = evaluation.seen.packed() if evaluation.seen is not None else None
                if self.parts.cache is not None:
                    self.parts.cache.put(evaluation.data, inputs, seen)
                    edits = self.parts.comment_edits
                    is_sound = not (package.repository or evaluation.data.diagnostics)
                    if edits is not None and real_path and is_sound:
                        edits.note(real_path, file.source.text, inputs)
                else:
                    self._inputs[package] = inputs
                    if seen is not None:
                        self._seen[package] = seen
        return evaluation.data

    def evaluate_again(self, package: PackageId) -> None:
        """Evaluates a BUILD file for what no package keeps: the values that it made."""
        file_or_why_not = self.parts.build_files.read(package)
        if isinstance(file_or_why_not, tuple):
            self.parts.evaluator.evaluate(file_or_why_not[0])
