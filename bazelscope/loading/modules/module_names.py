"""The canonical names of repositories that modules define, as each release of Bazel makes them.

`@@rules_cc+` (8.0 on), `@@rules_cc~` (7.1 on), `@@rules_cc~0.0.9` (before); `@@rules_cc+0.0.9` or
`@@rules_cc~v0.0.9` where several versions are used; what an extension of it makes is
`@@rules_cc++ext+repo`. Bazel: `ModuleKey.getCanonicalRepoNameWithVersion`,
`BazelDepGraphFunction.calculateUniqueName...`.
"""

from __future__ import annotations

from itertools import chain, count

from bazelscope.bazel.release import Release
from bazelscope.loading.modules.module_graph import ModuleKey

_ALWAYS_SO_CALLED = frozenset({"platforms"})
"""Modules whose repository has the module's own name. Bazel: `ModuleKey.WELL_KNOWN_MODULES`."""
_INNATE = "_repo_rules"
"""What the extension is called that what `use_repo_rule` makes belongs to."""


class CanonicalNames:
    """The names under one release. `uses_plus` is `--incompatible_use_plus_in_repo_names`."""

    def __init__(self, release: Release, uses_plus: bool | None = None) -> None:
        is_plus = release.plus_in_names
        if uses_plus is not None and release.plus_in_names_flag:
            is_plus = uses_plus
        self.separator = "+" if is_plus else "~"
        self._has_version = release.versions_in_names
        has_mark = release.versions_begin_with_v and not is_plus
        self._before_version = f"{self.separator}v" if has_mark else self.separator
        self._names_rules = release.rules_in_names
        self._rules_are_apart = release.repository_rules_have_extensions
        self._root = "" if self.separator == "+" else "_main"
        self._extensions: set[str] = set()

    def module(self, key: ModuleKey, is_only_version: bool = True) -> str:
        """The name of a module's repository; empty for the root."""
        if not key.name or key.name in _ALWAYS_SO_CALLED:
            return key.name
        if self._has_version:
            return f"{key.name}~{key.version or 'override'}"
        if is_only_version:
            return f"{key.name}{self.separator}"
        return f"{key.name}{self._before_version}{key.version}"

    def isolated_extension(self, repository: str, name: str, user: ModuleKey, exported: str) -> str:
        """Returns the prefix of the repositories of an isolated extension: one that `user` has for
        itself, by the name of its variable."""
        mark = self.separator
        return mark.join(
            (repository or self._root, f"_{name}", user.name, user.version, exported, "")
        )

    def extension(self, repository: str, name: str) -> str:
        """What the names of an extension's repositories begin with. Two extensions of one name
        in one module get numbers, in the order in which they are asked for."""
        first = f"{repository or self._root}{self.separator}{name}"
        candidates = chain((first,), (f"{first}{number}" for number in count(2)))
        chosen = next(one for one in candidates if one not in self._extensions)
        self._extensions.add(chosen)
        return f"{chosen}{self.separator}"

    def innate_extension(self, file: str, rule: str) -> tuple[str, str]:
        """The extension that `use_repo_rule(file, rule)` is, and the class of its tags. Bazel:
        `ModuleFileGlobals.useRepoRule`."""
        if not self._rules_are_apart:
            return _INNATE, f"{file}%{rule}"
        return f"{file}{' ' if self._names_rules else '%'}{rule}", "repo"

    def innate_prefixes(self, repository: str, rule: str) -> tuple[str, ...]:
        """What the names of such an extension's repositories begin with: how this release writes
        it, and how others with this separator do."""
        names = [rule, _INNATE] if self._names_rules else [_INNATE, rule]
        return tuple(self.extension(repository, name) for name in names)

    def directories(self, key: ModuleKey) -> tuple[str, ...]:
        """What any Bazel may call the directory of a module: this one first."""
        names = (
            self.module(key),
            f"{key.name}+",
            f"{key.name}~",
            f"{key.name}+{key.version}",
            f"{key.name}~{key.version}",
            f"{key.name}~v{key.version}",
            f"{key.name}~override",
        )
        return tuple(dict.fromkeys(names))
