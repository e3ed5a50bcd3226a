"""Why Bazel surely makes nothing of what an extension would make.

Bazel: `RegularRunnableExtension`, `InnateRunnableExtension`, `SingleExtensionFunction`.
"""

from __future__ import annotations

from collections.abc import Collection

from bazelscope.base.errors import Diagnostic
from bazelscope.base.nearest import nearest
from bazelscope.base.source import Location, Span
from bazelscope.bazel.builtin_modules import BUILTIN_MODULES
from bazelscope.loading.modules.extension_making import Extension
from bazelscope.loading.modules.module_repositories import ModuleRepositories
from bazelscope.loading.modules.registry_index import central_registry
from bazelscope.loading.packages.repository_access import NO_REPOSITORY


def knows_all_uses(
    repositories: ModuleRepositories, extension: Extension, central_alone: bool
) -> bool:
    """Whether no module may say more to an extension than is known. One that is not read, or in
    another version than Bazel may choose, can do so if it can name the extension's module: one of
    the central registry (if that is asked `central_alone`) names none that is not in there."""
    resolution, host = repositories.resolution, extension.host
    if host.file is None or resolution.may_be_newer(host.key):
        return False
    if extension.is_innate:
        return not (host.file.unknowns or host.file.diagnostics)
    is_hidden = central_alone and not central_registry().versions(host.file.name)
    for module in repositories.modules.values():
        if module.file is not None and (module.file.unknowns or module.file.diagnostics):
            return False
        if module.key.name in BUILTIN_MODULES:
            continue
        is_settled = module.file is not None and not resolution.may_be_newer(module.key)
        if not is_settled and not (is_hidden and module.key.version):
            return False
    return True


def wrong_import(extension: Extension, made: Collection[str]) -> Diagnostic | None:
    """What Bazel says of the first repository that a module imports and the extension, which has
    `made` these, does not make; or of what the root gives it in the place of others. It makes none
    of them then. Bazel: `SingleExtensionFunction`."""
    replaced = extension.replaced
    there = {*made, *replaced}
    title = f'module extension "{extension.name}" from "{extension.file}"'
    for _, use in extension.uses:
        for apparent, imported in use.imports.items():
            if imported.original in there:
                continue
            near = nearest(imported.original, made, 1)
            return _told(
                f'{title} does not generate repository "{imported.original}", yet it is imported as'
                f' "{apparent}" in the usage at {use.location}',
                imported.location,
                f"did you mean `{near[0]}`?" if near else "correct the use_repo(), or drop it",
            )
    for name, one in replaced.items():
        if name in made and not one.must_exist:
            return _told(
                f'{title} generates repository "{name}", yet it is injected via inject_repo() at'
                f" {one.location}. Use override_repo() instead to override an existing repository.",
                one.location,
                "use override_repo() instead",
            )
        if name not in made and one.must_exist:
            return _told(
                f'{title} does not generate repository "{name}", yet it is overridden via'
                f" override_repo() at {one.location}. Use inject_repo() instead to inject a new"
                " repository.",
                one.location,
                "use inject_repo() instead",
            )
    return None


def _told(message: str, place: Location, hint: str) -> Diagnostic:
    span = Span(*place, place.line, place.column + 1)
    return Diagnostic(NO_REPOSITORY, message, span, hint=hint)
