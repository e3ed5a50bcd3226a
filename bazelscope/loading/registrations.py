"""The toolchains and execution platforms that are registered, as labels in their order.

Bazel: `RegisteredToolchainsFunction`, `RegisteredExecutionPlatformsFunction`,
`TargetPatternUtil`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, PackageId, PatternKind, parse_pattern
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import Rule, unread
from bazelscope.loading.target_patterns import PackageFinder, expand

# What a pattern of many targets takes out of a package; other targets there are no mistake.
_PLATFORMS = "register_execution_platforms"
_UNREAD = "unread modules"
_RULES = {"register_toolchains": "toolchain", _PLATFORMS: "platform"}


def rule_set_of(text: str) -> str:
    """The repository of the file that a text like `@rules_rust//rust:defs.bzl%x` begins with."""
    repository, slashes, _ = text.partition("//")
    return repository.lstrip("@") if slashes else ""


def registered(
    loader: PackageFinder, what: str, extra: tuple[str, ...]
) -> tuple[Label | Unknown, ...]:
    """The labels of the patterns `extra` and then of all calls of the function `what`.

    A pattern that cannot be expanded, and calls of functions that are unknown and may
    register something, are `UnreadRegistration`s in their place. Of "unread modules", what
    stands for each module that nobody can tell the calls of.
    """
    labels: list[Label | Unknown] = []
    table = loader.table
    if what == _UNREAD:
        return table.unread_modules
    main = table.repo_mapping("")
    for text in extra:
        labels.extend(_labels(loader, what, text, "", main))
    for registration in table.registrations:
        if isinstance(registration, Unknown):
            subject, told = registration.subject, registration.detail
            functions = table.unread_names(subject) or (subject,)
            rule_set = rule_set_of(subject) or rule_set_of(told)
            labels.append(unread(registration, rule_set, functions))
        elif registration.what == what:
            mapping = table.repo_mapping(registration.repository)
            for text in registration.patterns:
                labels.extend(_labels(loader, what, text, registration.repository, mapping))
    return tuple(dict.fromkeys(labels))


def _labels(
    loader: PackageFinder, what: str, text: str, repository: str, mapping: Mapping[str, str]
) -> Iterator[Label | Unknown]:
    try:
        pattern = parse_pattern(text, PackageId(repository, ""), mapping)
    except LabelError as error:
        yield Unknown(Reason.FAILED, text, str(error))
        return
    if pattern.kind is PatternKind.TARGET:
        yield pattern.label
        return
    if what == _PLATFORMS and not loader.context.release.patterns_register_platforms:
        return
    expansion = expand(loader, pattern)
    for diagnostic in expansion.diagnostics:
        unknown = Unknown(Reason.DEPENDS_ON_UNKNOWN, text, diagnostic.message)
        yield unread(unknown, maker_of(loader, pattern.label.repository) or repository)
    for label in sorted(expansion.labels):
        target = loader.target(label)
        if isinstance(target, Rule) and (
            target.rule_class.name == _RULES[what] or not target.rule_class.is_known
        ):
            yield label


def maker_of(loader: PackageFinder, repository: str) -> str:
    """The repository of the module extension that makes a repository; empty if none does."""
    known = loader.table.get(repository) if repository else None
    definition = known.definition if known is not None else None
    return rule_set_of(str(definition.attributes.get("extension", ""))) if definition else ""
