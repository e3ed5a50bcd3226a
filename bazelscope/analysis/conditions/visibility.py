"""Who may see a target. Bazel: `VisibleFunction`, `BlazeTargetAccessor.getVisibility`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label, PackageId
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.attribute_types import RuleClass
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.bazel.release import Release
from bazelscope.loading.packages import package_specifications as specifications
from bazelscope.loading.packages.macro_homes import with_package
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import (
    Absent,
    EnvironmentGroup,
    InputFile,
    OutputFile,
    PackageGroup,
    Rule,
    Target,
    TargetResult,
)

PUBLIC = Label("", "visibility", "public")
PRIVATE = Label("", "visibility", "private")
_LEGACY_PUBLIC = Label("", "visibility", "legacy_public")
_WORDS = frozenset({PUBLIC, PRIVATE, _LEGACY_PUBLIC})

FindTarget = Callable[[Label], TargetResult]


def is_seen_anyway(kind: RuleClass, is_explicit: bool, release: Release) -> bool:
    """Whether rules of a class are public, whatever is said of their visibility."""
    # Bazel 2.1.0 has no such rule yet, 4.2.3 does (measured).
    is_setting = kind.name == "config_setting" and release.config_settings_are_public
    # `--incompatible_enforce_config_setting_visibility` was flipped with 6.0.
    return is_setting and not (is_explicit and release.enforces_condition_visibility)


def rule_visibility(rule: Rule, package: Package, release: Release) -> tuple[Label, ...]:
    """What a rule says itself, or its package says for it."""
    own = _own_visibility(rule, package, release)
    return own if own is not None else package.default_visibility or (PRIVATE,)


def visibility_of(target: Target, package: Package, release: Release) -> tuple[Label, ...]:
    """The visibility labels of a target; of what a symbolic macro declares, with the package of
    the macro. Bazel: `Target.getActualVisibility`."""
    own = _own_visibility(target, package, release)
    visibility = own if own is not None else package.default_visibility or (PRIVATE,)
    home = package.home(target.label.name)
    if home is None:
        return visibility
    extended = with_package(tuple(map(str, visibility)), home.packages[0])
    return tuple(decode_label(text) for text in extended if isinstance(text, str))


def is_told(target: Target, package: Package, release: Release) -> bool:
    """Whether it can be told who may see a target: not where something unknown made it or is said
    of it, nor where neither it nor its package says anything, and a function was called that nobody
    knows, which may have said it for the package."""
    maker = _maker(target, package)
    said = _said(maker)
    if isinstance(maker, Rule):
        # What a macro of a model declares besides, another release or a patch may show to more.
        is_beside = maker.is_stand_in and maker.label.name != maker.generator_name
        if not maker.rule_class.is_known or (is_beside and said is None):
            return False
    if said is not None:
        return isinstance(said, tuple) and all(isinstance(one, Label) for one in said)
    if _own_visibility(target, package, release) is not None:
        return True
    if package.may_be_seen_by_others:
        return False
    return bool(package.default_visibility) or package.may_declare is None


def _maker(target: Target, package: Package) -> Target:
    """The rule that makes a generated file, which is seen as that is; else the target itself."""
    if isinstance(target, OutputFile):
        made_by = package.targets.get(target.generating_rule.name)
        return made_by if isinstance(made_by, Rule) else target
    return target


def _said(target: Target) -> object:
    """What a rule's call gives as its `visibility`; None if nothing."""
    attribute = target.attributes.get("visibility") if isinstance(target, Rule) else None
    return attribute.value if attribute is not None and attribute.is_explicit else None


def _own_visibility(target: Target, package: Package, release: Release) -> tuple[Label, ...] | None:
    """Who may see a target, whatever its package says; None where that decides."""
    target = _maker(target, package)
    if isinstance(target, Rule):
        return _own_visibility_of_rule(target, package, release)
    if isinstance(target, PackageGroup):
        return (PUBLIC,)
    if isinstance(target, EnvironmentGroup):
        return (PRIVATE,)
    if isinstance(target, InputFile) and (target.is_exported or target.visibility is not None):
        return (PUBLIC,) if target.visibility is None else target.visibility
    return None


def _own_visibility_of_rule(
    rule: Rule, package: Package, release: Release
) -> tuple[Label, ...] | None:
    said = _said(rule)
    if is_seen_anyway(rule.rule_class, said is not None, release):
        return (PUBLIC,)
    if isinstance(said, tuple):
        return tuple(group for group in said if isinstance(group, Label))
    return (PRIVATE,) if package.home(rule.label.name) is not None else None


def groups_of(visibility: tuple[Label, ...]) -> list[Label]:
    """The package groups among visibility labels."""
    return [
        label
        for label in visibility
        if label not in _WORDS and label.name not in ("__pkg__", "__subpackages__")
    ]


def is_visible(
    target: Target, package: Package, reader: PackageId, release: Release, find: FindTarget
) -> bool:
    """Whether targets of the package `reader` may depend on `target`."""
    own = target.label.package
    of_tests = own.replace("java/", "javatests/", 1) if own.startswith("java/") else own
    if reader.package in (own, of_tests) and package.home(target.label.name) is None:
        # Whatever the repository. Bazel: `QueryVisibility.samePackage`.
        return True
    return admits(visibility_of(target, package, release), reader, release, find)


def admits(
    visibility: Iterable[Label],
    reader: PackageId,
    release: Release,
    find: FindTarget,
    in_doubt: bool = False,
) -> bool:
    """Whether one of the labels of a `visibility` lets the package `reader` in; `in_doubt` is
    what a group says that is not there, or that nobody can tell."""
    asked = _Asked(reader, find, release.groups_cross_repositories, in_doubt)
    return any(_admits(label, asked) for label in visibility)


def absent_groups(visibility: Iterable[Label], find: FindTarget) -> Iterator[Absent]:
    """The package groups of a `visibility`, and of what these include, that are not there."""

    def included(label: Label) -> tuple[Label, ...]:
        group = find(label)
        return group.includes if isinstance(group, PackageGroup) else ()

    for label in distances(groups_of(tuple(visibility)), included):
        group = find(label)
        if isinstance(group, Absent):
            yield group


class _Asked(NamedTuple):
    """`everywhere`: `//...` is every package of every repository, as it was until
    `--incompatible_fix_package_group_reporoot_syntax` was flipped with 7.0."""

    reader: PackageId
    find: FindTarget
    everywhere: bool
    in_doubt: bool


def _admits(label: Label, asked: _Asked) -> bool:
    reader = asked.reader
    if label in _WORDS:
        return label != PRIVATE
    if label.name == "__pkg__":
        return reader == label.package_id
    if label.name == "__subpackages__":
        return specifications.is_below(reader, label.repository, label.package)
    groups = [label]
    seen = {label}
    for group in groups:
        members = asked.find(group)
        if isinstance(members, PackageGroup):
            if _own_packages_admit(group, members, asked):
                return True
            groups += [
                include for include in dict.fromkeys(members.includes) if include not in seen
            ]
            seen.update(members.includes)
        elif asked.in_doubt:
            return True
    return False


def _own_packages_admit(label: Label, group: PackageGroup, asked: _Asked) -> bool:
    """Whether a group lets the reader in by its own list, not by what it includes."""
    own = [text.removeprefix("-") for text in group.packages if text.startswith("-")]
    reader, everywhere = asked.reader, asked.everywhere
    if any(specifications.admits(text, label.repository, reader, everywhere) for text in own):
        # What a group takes away it takes from its own packages, not from included groups'.
        return False
    return any(
        specifications.admits(text, label.repository, reader, everywhere)
        for text in group.packages
        if not text.startswith("-")
    )
