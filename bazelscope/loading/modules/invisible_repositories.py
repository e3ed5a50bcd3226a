"""What would bring a repository whose name leads nowhere in files of the root module."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bazelscope.base.errors import LoadingError
from bazelscope.base.nearest import nearest
from bazelscope.bazel.builtin_modules import BUILTIN_MODULES
from bazelscope.loading.modules.extension_repositories import ExtensionRepositories
from bazelscope.loading.modules.module_graph import ROOT, ModuleKey
from bazelscope.loading.modules.module_repositories import ModuleRepositories
from bazelscope.loading.modules.module_versions import version_order
from bazelscope.loading.modules.registry_index import RegistryIndex, central_registry
from bazelscope.loading.tree.uncalled_definitions import UncalledDefinitions
from bazelscope.loading.tree.workspace_files import Workspace

_WORKSPACE_FILES = ("WORKSPACE.bzlmod", "WORKSPACE.bazel", "WORKSPACE")


def remedy_of_invisible(
    name: str,
    modules: ModuleRepositories,
    extensions: ExtensionRepositories,
    workspace: Workspace,
    uncalled: UncalledDefinitions,
    reads_workspace: bool,
) -> str:
    """Returns what to write so that files of the root module may say `@name`: the name by which
    they see that repository already, a repository or a module of the build that MODULE.bazel does
    not name, a name that is nearly the same, a module of the central registry, a definition that
    no file calls."""
    known = next(_known(name, modules, extensions), None)
    if known is not None:
        return known
    written = [one for one in modules.root.mapping if one and one not in BUILTIN_MODULES]
    alike = nearest(name, written, 1)
    if alike:
        return f"did you mean `@{alike[0]}`, which MODULE.bazel names?"
    unread = "" if reads_workspace else _place_in_workspace(name, workspace)
    module = _of_registry(name, central_registry())
    if unread:
        told = f"this Bazel does not read {unread}, which has `{name}`"
        return f"{told}: {module}" if module else f"{told}: define it in MODULE.bazel"
    return module or uncalled.remedy(name, reads_workspace)


def _known(
    name: str, modules: ModuleRepositories, extensions: ExtensionRepositories
) -> Iterator[str]:
    """What the build has under another name, or without one in the root module."""
    seen = {repository: own for own, repository in modules.root.mapping.items() if own}
    of_module = modules.repository_of(name)
    if of_module in seen:
        yield f"MODULE.bazel calls the module {name} `@{seen[of_module]}`"
    for extension in extensions.every:
        use = next((use for user, use in extension.uses if user.key == ROOT), None)
        if use is None or name not in extension.made:
            continue
        own = next((own for own, one in use.imports.items() if one.original == name), None)
        if own is not None:
            yield f"MODULE.bazel calls that repository of {use.name} `@{own}`"
        place = f"{use.location.path}:{use.location.line}"
        yield f'add "{name}" to the use_repo() of {use.name} ({place})'
    called = next(iter(modules.resolution.versions_of(name)), None)
    if called is not None and called != ROOT:
        yield f"add {_dependency(called.name, called.version, name)} to MODULE.bazel"
    for module in modules.resolution.selected.values():
        for edge in module.edges:
            if edge.written.repository == name and edge.selected is not None:
                to = edge.selected
                yield f"add {_dependency(to.name, to.version, name)} to MODULE.bazel"


def _dependency(module: str, version: str, name: str) -> str:
    called = "" if module == name else f', repo_name = "{name}"'
    stated = f', version = "{version}"' if version else ""
    return f'`bazel_dep(name = "{module}"{stated}{called})`'


def _of_registry(name: str, registry: RegistryIndex) -> str:
    """The dependency on the newest sound version of the module of that name, or of the one that
    other modules call so."""
    module = name if registry.versions(name) else registry.called(name)
    if module is None:
        return ""
    sound = [
        version
        for version in registry.versions(module)
        if "-" not in version and not registry.yanked(ModuleKey(module, version))
    ]
    if not sound:
        return ""
    return f"add {_dependency(module, max(sound, key=version_order), name)} to MODULE.bazel"


def _place_in_workspace(name: str, workspace: Workspace) -> str:
    """Where a WORKSPACE file gives something that name; no text where none does."""
    given = re.compile(rf"""\bname\s*=\s*["']{re.escape(name)}["']""")
    for path in _WORKSPACE_FILES:
        if not workspace.is_file(path):
            continue
        try:
            text = workspace.read(path).text
        except LoadingError:
            continue
        match = given.search(text)
        if match is not None:
            return f"{path}:{text.count(chr(10), 0, match.start()) + 1}"
    return ""
