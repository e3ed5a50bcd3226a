"""What `mod show_repo` says of a repository. Bazel: `RepoOutputFormatter`."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.bazel.builtin_modules import BUILTIN_MODULES
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.loader import Loader
from bazelscope.loading.modules.extension_repositories import ExtensionRepositories
from bazelscope.loading.modules.module_repositories import ModuleRepositories
from bazelscope.loading.packages.targets import RepositoryDefinition
from bazelscope.questions.mod.answer import RepositoryAttribute, ShownRepository
from bazelscope.questions.mod.starlark_values import starlark_text

_RULES = {
    "archive_override": ("http_archive", "http"),
    "bazel_dep": ("http_archive", "http"),
    "git_override": ("git_repository", "git"),
    "local_path_override": ("local_repository", "local"),
}
"""What Bazel makes of what is written of a module: a rule, and the file of `bazel_tools` that has
it. Bazel: `ArchiveRepoSpecBuilder`, `GitRepoSpecBuilder`, `LocalPathRepoSpecs`."""

_KEPT = {"path": "local_path_override", "remote": "git_override"}
"""Attributes of modules whose registry names no archive, and the override that they are like."""

_OF_MODULES = ("module", "module_name", "version")
"""Arguments that are no attributes of these rules."""


@dataclass(frozen=True)
class RepositoryFacts:
    """What is known of the repositories of a world with modules."""

    loader: Loader
    repositories: ModuleRepositories
    extensions: ExtensionRepositories

    def shown(self, title: str, repository: str) -> ShownRepository:
        """How the repository, which is asked for as `title`, is made."""
        canonical = self.repositories.canonical_name(repository)
        given = self.loader.options.override_repositories.get(repository)
        definition = self.loader.table.definitions.get(repository)
        if given is not None or definition is None or repository in BUILTIN_MODULES:
            rule = "local_repository" if not repository else "brought along by Bazel"
            if repository and self.loader.options.release.mod_shows_loads:
                place = given or f"external/{canonical} of the output base"
                rule = f"Builtin or overridden repo located at: {place}"
            return ShownRepository(title, canonical, rule, (), None)
        return self._made(title, canonical, definition)

    def _made(
        self, title: str, canonical: str, definition: RepositoryDefinition
    ) -> ShownRepository:
        rule, attributes, file, note = definition.rule_class, definition.attributes, "", ""
        defined_at: Location | None = None
        if rule in _RULES:
            if rule == "bazel_dep":
                kept = next((kind for name, kind in _KEPT.items() if name in attributes), rule)
                if kept == rule:
                    note = "patches and overlays of the registry are not told here"
                rule = kept
            rule, name = _RULES[rule]
            file = f"@@bazel_tools//tools/build_defs/repo:{name}.bzl"
            attributes = {key: value for key, value in attributes.items() if key not in _OF_MODULES}
        else:
            known = self.loader.table.rule_of(definition.name)
            if known is not None and known.file is not None:
                label = known.file
                host = self.repositories.canonical_name(label.repository)
                file = f"@@{host}//{label.package}:{label.name}"
            if isinstance(known, RepositoryRule) and known.defined_at:
                defined_at = known.defined_at[0].location
        shown = [RepositoryAttribute("name", f'"{canonical}"')]
        release = self.loader.options.release
        original = self.extensions.original_name(definition.name)
        if original is not None and release.repositories_have_original_names:
            shown.append(RepositoryAttribute("_original_name", f'"{original}"'))
        shown += [
            RepositoryAttribute(key, starlark_text(value)) for key, value in attributes.items()
        ]
        return ShownRepository(
            title,
            canonical,
            rule,
            tuple(shown),
            definition.location,
            file,
            defined_at,
            note,
            is_loaded=release.mod_shows_loads,
        )
