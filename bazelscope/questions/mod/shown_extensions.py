"""What `mod show_extension` says of an extension. Bazel: `ModExecutor.displayExtension`."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.workspace.repository_definitions import plain_value
from bazelscope.loading.modules.module_file import ExtensionUse
from bazelscope.loading.modules.module_graph import ModuleKey
from bazelscope.loading.modules.module_repositories import (
    Extension,
    KnownModule,
    ModuleRepositories,
)
from bazelscope.questions.mod.answer import (
    ExtensionTag,
    ExtensionUsage,
    MadeRepository,
    ShownExtension,
)
from bazelscope.questions.mod.result_graph import order
from bazelscope.questions.mod.starlark_values import starlark_text


def describe_extension(
    extension: Extension,
    repositories: ModuleRepositories,
    release: Release,
    users: Collection[ModuleKey] | None,
) -> ShownExtension:
    """Its repositories, those first that modules import, and no others if it fails; and how
    `users` use it (None: all)."""
    importers: dict[str, list[str]] = {}
    for module, use in sorted(extension.uses, key=lambda pair: order(pair[0].key)):
        for imported in use.imports.values():
            importers.setdefault(imported.original, []).append(str(module.key))
    made = tuple(
        MadeRepository(
            original, repositories.canonical_name(name), tuple(importers.get(original, ()))
        )
        for original, name in sorted(
            extension.made.items(), key=lambda pair: (pair[0] not in importers, pair[0])
        )
        if original in importers or extension.failure is None
    )
    usages = tuple(
        _usage(extension, module, use, release)
        for module, use in extension.uses
        if users is None or module.key in users
    )
    unknown = extension.unknown if extension.failure is None else None
    return ShownExtension(extension.id, made, usages, unknown)


def _usage(
    extension: Extension, module: KnownModule, use: ExtensionUse, release: Release
) -> ExtensionUsage:
    is_rule = extension.is_innate and release.mod_shows_repository_rules
    file, _, rule = extension.name.rpartition(" ")
    tags = tuple(
        ExtensionTag(
            f"{rule if is_rule else f'{extension.name}.{tag.tag_class}'}"
            f"({_arguments(tag.arguments, release)})",
            tag.location,
        )
        for tag in use.tags
    )
    imports = tuple(
        f'"{imported.original}"'
        if apparent == imported.original
        else f'{apparent}="{imported.original}"'
        for apparent, imported in use.imports.items()
    )
    if is_rule:
        called = f'{rule} = use_repo_rule("{file}", "{rule}")'
        return ExtensionUsage(str(module.key), use.location, tags, (), called)
    return ExtensionUsage(str(module.key), use.location, tags, imports)


def _arguments(arguments: Mapping[str, object], release: Release) -> str:
    items = list(arguments.items())
    if release.mod_shows_repository_rules:
        items.sort(key=lambda pair: (pair[0] != "name", pair[0]))
    return ", ".join(f"{key}={starlark_text(plain_value(value))}" for key, value in items)
