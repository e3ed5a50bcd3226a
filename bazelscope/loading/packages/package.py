"""A package, as `bazel query` knows it: one evaluated BUILD file. Bazel: `Package`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.encoded_targets import INPUT, is_exported, shape_of, stack_of
from bazelscope.loading.packages.macro_homes import HomeData, MacroHome, decode_home
from bazelscope.loading.packages.package_data import (
    OF_ENVIRONMENTS,
    KeptPackage,
    LazyTargets,
    LoadRow,
    PackageData,
    is_wholly_known,
    labels_of,
    load_row,
)
from bazelscope.loading.packages.targets import (
    LoadedFile,
    NoSuchPackage,
    Provenance,
    UnknownPackage,
)


@dataclass(frozen=True, slots=True)
class Package:
    """One evaluated BUILD file.

    `diagnostics` are Bazel's own errors (Bazel would refuse to load the package or mark
    it in error); `unknowns` is what evaluation needed and the files could not tell: with
    either, `targets` may lack something.
    """

    id: PackageId
    build_file: Label
    path: str
    """The BUILD file as users know it (an overlay keeps the path of its own file)."""
    targets: LazyTargets
    loads: tuple[LoadedFile, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    provenance: Provenance = Provenance.WORKSPACE
    default_visibility: tuple[Label, ...] = ()
    may_be_seen_by_others: bool = False
    """Whether `package()` gives a visibility of which not all can be told."""
    features: tuple[str, ...] = ()
    default_copts: tuple[str, ...] = ()
    """What `package()` switches on or off for all rules, sorted as Bazel keeps it."""
    environments: Mapping[str, tuple[Label, ...] | None] = field(default_factory=dict)
    """What `package()` says for rules that do not, of attributes that name environments; None of
    what cannot be told."""
    subpackages: tuple[PackageId, ...] = field(default=())
    may_lack: Unknown | None = None
    """Why there may be more targets than these: the package is a model, or a glob of it has no
    answer. What stands here is not in doubt."""
    may_declare: Unknown | None = None
    """What nobody can tell and may have declared targets of any name: a branch that was taken for
    granted, a call without a `name`. A call with one declares names of that name only."""

    homes: Mapping[int, HomeData] = field(default_factory=dict)
    """Of what symbolic macros declare, by the number of its stack."""

    kept: KeptPackage | None = field(default=None, compare=False, repr=False)
    """What the rest is read from, of a package that an earlier run has kept."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Reads what was kept when the first is asked for of what a walk does without."""
            if name not in _LATER:
                raise AttributeError(name)
            for one, value in _told(self.kept.head()).items():
                object.__setattr__(self, one, value)
            return object.__getattribute__(self, name)

    @property
    def load_rows(self) -> Iterable[LoadRow]:
        """The loaded files as they are kept."""
        return map(load_row, self.loads) if self.kept is None else self.kept.load_rows

    def home(self, name: str) -> MacroHome | None:
        """The symbolic macro that declares a target; None for what none does."""
        target = self.targets.encoded(name) if self.homes else None
        kept = None if target is None else self.homes.get(stack_of(target))
        # A file that no call declares has the stack of the first rule that names it.
        if (
            target is None
            or kept is None
            or (shape_of(target) == INPUT and not is_exported(target))
        ):
            return None
        return decode_home(kept)

    @property
    def is_complete(self) -> bool:
        return not self.diagnostics and not self.unknowns


PackageResult = Package | NoSuchPackage | UnknownPackage
Following = Callable[[PackageId, PackageResult], Iterable[PackageId]]
"""Is given a package that is there now and returns those that it leads to."""


@dataclass(eq=False)
class LoadedPackages(Mapping[PackageId, PackageResult]):
    """Packages by their ids, of which those are only loaded when they are asked for that are
    None."""

    _packages: Mapping[PackageId, PackageResult | None]
    _load: Callable[[PackageId], PackageResult]

    def __getitem__(self, id: PackageId) -> PackageResult:
        return self._packages[id] or self._load(id)

    def __iter__(self) -> Iterator[PackageId]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)

    def __contains__(self, id: object) -> bool:
        return id in self._packages


def package_of(data: PackageData) -> Package:
    """The package that `data` encodes; its targets are decoded when they are looked at."""
    return Package(
        id=data.id,
        targets=LazyTargets(
            lambda: data, lambda: data.targets, lambda: data.classes, len(data.targets)
        ),
        diagnostics=data.diagnostics,
        unknowns=data.unknowns,
        provenance=data.provenance,
        **_told(data),
    )


def package_of_kept(kept: KeptPackage) -> Package:
    """The package that an earlier run has kept, of which all else is read when it is looked at."""
    package = object.__new__(Package)
    put = object.__setattr__
    put(package, "id", kept.id)
    put(package, "targets", LazyTargets(kept.whole, kept.names, kept.classes, kept.size))
    put(package, "diagnostics", kept.diagnostics)
    put(package, "unknowns", kept.unknowns)
    put(package, "provenance", kept.provenance)
    put(package, "kept", kept)
    return package


_LATER = frozenset(
    {
        *("build_file", "path", "loads", "default_visibility", "features", "default_copts"),
        *("may_be_seen_by_others",),
        *("environments", "subpackages", "may_lack", "may_declare", "homes"),
    }
)
"""What `_told` tells."""


def _told(data: PackageData) -> dict[str, Any]:
    """What a package says but for its targets and what is wrong with it."""
    visibility = data.defaults.get("visibility") or ()
    features = data.defaults.get("features") or ()
    copts = data.defaults.get("copts") or ()
    return {
        "build_file": data.build_file,
        "path": data.path,
        "loads": data.loads,
        "default_visibility": labels_of(visibility),
        "may_be_seen_by_others": not is_wholly_known(visibility),
        "features": tuple(sorted({text for text in features if type(text) is str})),
        "default_copts": tuple(text for text in copts if type(text) is str),
        "environments": {
            name: labels_of(value) if type(value) is tuple else None
            for name in OF_ENVIRONMENTS
            if (value := data.defaults.get(name))
        },
        "subpackages": data.subpackages,
        "may_lack": data.may_lack,
        "may_declare": data.may_declare,
        "homes": data.homes,
    }
