"""MODULE.bazel.lock: what Bazel found out when it last resolved the modules.

Bazel: `BazelLockFileValue`. The file changes with nearly every release, so each fact is taken
from where one of them keeps it, and a file that holds none of it says nothing:

- the versions of the modules: the registry file `source.json` is asked for only for a version
  that was chosen (`registryFileHashes`, 7.2 on), or the resolved graph itself (`moduleDepGraph`,
  before);
- the repositories that module extensions made (`generatedRepoSpecs`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

LOCK_NAME = "MODULE.bazel.lock"
LARGEST = 64 << 20

_CHOSEN = re.compile(r"/modules/([^/]+)/([^/]+)/source\.json\Z")


@dataclass(frozen=True, slots=True)
class LockedRepository:
    """One repository that an extension made: rule and arguments, labels as text."""

    file: str
    rule: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LockFile:
    """`versions` by module name; `extensions` by (package and file, extension name)."""

    versions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    extensions: Mapping[tuple[str, str], Mapping[str, LockedRepository]] = field(
        default_factory=dict
    )


def parse_lock(text: str) -> LockFile:
    """The facts of a lock file; none of a text that is no such file."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return LockFile()
    if not isinstance(content, dict):
        return LockFile()
    return LockFile(_versions(content), _extensions(content))


def extension_key(file: str, name: str) -> tuple[str, str]:
    """How an extension is found, whatever its repository is called in the lock file."""
    return file.partition("//")[2].replace(":", "/").lstrip("/"), name


def _versions(content: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for url in _mapping(content.get("registryFileHashes")):
        match = _CHOSEN.search(url)
        if match is not None:
            found.setdefault(match[1], {})[match[2]] = None
    for module in _mapping(content.get("moduleDepGraph")).values():
        entry = _mapping(module)
        name, version = entry.get("name"), entry.get("version")
        if isinstance(name, str) and isinstance(version, str) and version:
            found.setdefault(name, {})[version] = None
    return {name: tuple(versions) for name, versions in found.items()}


def _extensions(
    content: Mapping[str, object],
) -> dict[tuple[str, str], dict[str, LockedRepository]]:
    found: dict[tuple[str, str], dict[str, LockedRepository]] = {}
    for identifier, by_platform in _mapping(content.get("moduleExtensions")).items():
        file, _, name = identifier.partition("%")
        repositories = found.setdefault(extension_key(file, name.partition("%")[0]), {})
        for evaluated in _mapping(by_platform).values():
            made = _mapping(_mapping(evaluated).get("generatedRepoSpecs"))
            for repository, specification in made.items():
                locked = _repository(_mapping(specification))
                if locked is not None:
                    repositories.setdefault(repository, locked)
    return found


def _repository(specification: Mapping[str, object]) -> LockedRepository | None:
    identifier = specification.get("repoRuleId")
    if isinstance(identifier, str):
        file, _, rule = identifier.partition("%")
    else:
        file, rule = str(specification.get("bzlFile")), str(specification.get("ruleClassName"))
    arguments = specification.get("attributes")
    if not rule or not isinstance(arguments, dict):
        return None
    return LockedRepository(file, rule, arguments)


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
