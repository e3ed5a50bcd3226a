"""A package, as `bazel query` knows it: one evaluated BUILD file. Bazel: `Package`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.encoded_targets import INPUT, is_exported, shape_of, stack_of
from bazelscope.loading.packages.macro_homes import HomeData, MacroHome, decode_home
from bazelscope.loading.packages.package_data import (
    OF_ENVIRONMENTS,
    LazyTargets,
    PackageData,
    labels_of,
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


def package_of(data: PackageData, targets: LazyTargets | None = None) -> Package:
    """The package that `data` encodes; its targets, those of `data` or `targets`, are decoded
    when they are looked at."""
    visibility = data.defaults.get("visibility") or ()
    features = data.defaults.get("features") or ()
    copts = data.defaults.get("copts") or ()
    return Package(
        id=data.id,
        build_file=data.build_file,
        path=data.path,
        targets=LazyTargets(lambda: data, data.targets, data.classes)
        if targets is None
        else targets,
        loads=data.loads,
        diagnostics=data.diagnostics,
        unknowns=data.unknowns,
        provenance=data.provenance,
        default_visibility=labels_of(visibility),
        features=tuple(sorted({text for text in features if type(text) is str})),
        default_copts=tuple(text for text in copts if type(text) is str),
        environments={
            name: labels_of(value) if type(value) is tuple else None
            for name in OF_ENVIRONMENTS
            if (value := data.defaults.get(name))
        },
        subpackages=data.subpackages,
        may_lack=data.may_lack,
        may_declare=data.may_declare,
        homes=data.homes,
    )
