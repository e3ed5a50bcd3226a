"""Where targets are at home that symbolic macros declare: from where they see others, and who sees
them. Bazel: `CommonPrerequisiteValidator`, `Target.getActualVisibility`."""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.base.label import PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.encoded_values import Encoded

_PUBLIC = "//visibility:public"
_PRIVATE = "//visibility:private"

NAMING_RULES = (
    "Name must be the same as the macro's name, or the macro's name followed by '_'"
    " (recommended), '-', or '.', and a non-empty string."
)

Packages = tuple[tuple[str, str], ...]
HomeData = tuple[str, int, Packages, dict[str, Packages]]
"""A `MacroHome`, as it is kept."""


@dataclass(frozen=True, slots=True)
class MacroHome:
    """The symbolic macro that declares a target.

    `name` is that of its call; `depth` frames of the target's stack stand outside of its
    implementation. One of `packages`, the first of which is the macro's own, has to see what the
    target depends on; for the labels of `given`, which callers passed on, one of theirs.
    """

    name: str
    depth: int
    packages: tuple[PackageId, ...]
    given: Mapping[str, Packages]

    def readers(self, label: str) -> tuple[PackageId, ...]:
        """Returns the packages one of which has to see what has this label."""
        given = self.given.get(label)
        return self.packages if given is None else tuple([PackageId(*one) for one in given])

    def admits(self, name: str) -> bool:
        """Returns whether a target of the macro may have that name and be built."""
        return is_within(name, self.name)


def decode_home(data: HomeData) -> MacroHome:
    """Returns the home that was kept."""
    name, depth, packages, given = data
    return MacroHome(name, depth, tuple([PackageId(*one) for one in packages]), given)


def encode_home(data: HomeData) -> HomeData:
    """Returns a home as `marshal` can write it: of plain tuples."""
    name, depth, packages, given = data
    plain = {label: _plain(ones) for label, ones in given.items()}
    return name, depth, _plain(packages), plain


def _plain(packages: Packages) -> Packages:
    return tuple([(one[0], one[1]) for one in packages])


def is_within(name: str, macro: str) -> bool:
    """Returns whether a name is that of a macro's call, or begins with it.

    Bazel: `TargetRecorder.nameIsWithinMacroNamespace`.
    """
    rest = name.removeprefix(macro) if name.startswith(macro) else None
    return rest == "" or (rest is not None and len(rest) > 1 and rest[0] in "_-.")


def with_package(visibility: tuple[Encoded, ...], package: PackageId) -> tuple[Encoded, ...]:
    """Visibility extended by one package. Bazel: `RuleVisibility.concatWithPackage`."""
    if _PUBLIC in visibility:
        return (_PUBLIC,)
    own = f"{package}:__pkg__"
    named = tuple(label for label in visibility if label != _PRIVATE)
    return named if own in named else (*named, own)
