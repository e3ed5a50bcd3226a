"""MODULE.bazel.lock: what Bazel found out when it last resolved the modules.

Bazel: `BazelLockFileValue`. The file changes with nearly every release, so each fact is taken
from where one of them keeps it, and a file that holds none of it says nothing:

- the registry files that were asked for, with their hashes (`registryFileHashes`, 7.2 on);
- the versions of the modules: `source.json` is asked for only for a version that was selected,
  or the resolved graph itself (`moduleDepGraph`, before 7.2);
- the repositories that module extensions made (`generatedRepoSpecs`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from bazelscope.base.errors import Diagnostic, LoadingError, Severity
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Span
from bazelscope.bazel.release import Release, lock_version
from bazelscope.loading.modules.module_graph import ModuleKey, Resolution
from bazelscope.loading.tree.workspace_files import Workspace

if TYPE_CHECKING:
    from bazelscope.loading.modules.use_repo_fixups import ExtensionMetadata

LOCK_NAME = "MODULE.bazel.lock"
FROZEN = "frozen-lock-file"
"""The code of what `--lockfile_mode=error` refuses."""
_START = 200
_DEEPEST_FACTS = 8
"""The object of an extension's facts, and the levels inside of it: Bazel writes no deeper ones."""
_MEMBERS = ("registryFileHashes", "moduleDepGraph", "selectedYankedVersions", "moduleExtensions")

_VERSION = lazy_pattern(r'"lockFileVersion":\s*(\d{1,9})')
_CHOSEN = lazy_pattern(r"/modules/([^/]+)/([^/]+)/source\.json\Z")
_MODULE = lazy_pattern(r"/modules/([^/]+)/([^/]+)/MODULE\.bazel\Z")


@dataclass(frozen=True, slots=True)
class LockedRepository:
    """One repository that an extension made: rule and arguments, labels as text."""

    file: str
    rule: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LockedRun:
    """What one run of an extension rested on, as far as a lock file says: the digest of its `.bzl`
    files, the SHA-256 of files by their canonical labels, and what names of repositories stood
    for, by the repository that names them. Bazel: `LockFileModuleExtension`."""

    bzl_files: str
    files: Mapping[str, str]
    mapped: Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class LockedExtension:
    """What an extension made. `file` is its label, with the canonical name of the module's
    repository (`@@rules_go+//go:x.bzl`); `line` is where the lock file says it.
    `metadata` is what it says of the root's imports, unknown where that differs between hosts.
    `runs` are those for each kind of host."""

    file: str
    name: str
    repositories: Mapping[str, LockedRepository]
    line: int
    metadata: ExtensionMetadata
    runs: Mapping[str, LockedRun] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WrittenFor:
    """What a lock file before Bazel 7.2 was written for: the SHA-256 of MODULE.bazel, the `flags`
    that have a part in resolution, and the SHA-256 of the MODULE.bazel of each module that a
    `local_path_override` names. Bazel: `BzlmodFlagsAndEnvVars`."""

    module_file: str = ""
    flags: Mapping[str, object] = field(default_factory=dict)
    overrides: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LockFile:
    """`hashes` are those of the registry files that Bazel asked for (None: not there);
    `selected` are names and versions; `extensions` go by their label, their name, and, if they are
    isolated, the module and its variable."""

    hashes: Mapping[str, str | None] = field(default_factory=dict)
    selected: tuple[tuple[str, str], ...] = ()
    extensions: Mapping[tuple[str, str, str], LockedExtension] = field(default_factory=dict)
    yanked: Mapping[str, str] = field(default_factory=dict)
    """Of the versions that are selected, those that had been taken back, `name@version`; why."""
    start: str = ""
    """How the text begins: `release_of_lock`."""
    problem: Diagnostic | None = None
    """Why the text is no lock file: then it says nothing."""
    written_for: WrittenFor = WrittenFor()
    facts: Mapping[tuple[str, str, str], Mapping[str, object]] = field(default_factory=dict)
    """What extensions said for their next runs. Bazel: `Facts`."""

    @property
    def version(self) -> int | None:
        """Its `lockFileVersion`; None where there is none."""
        match = _VERSION.search(self.start)
        return int(match[1]) if match is not None else None

    @property
    def refreshed(self) -> LockFile:
        """Returns what of it counts with `--lockfile_mode=refresh`: nothing that a registry may
        have changed since, as that a file is not there or a version not yanked."""
        found = {url: digest for url, digest in self.hashes.items() if digest is not None}
        return replace(self, hashes=found, selected=(), yanked={})

    @property
    def asked_for(self) -> frozenset[tuple[str, str]]:
        """The modules whose MODULE.bazel Bazel asked a registry for."""
        matches = map(_MODULE.search, self.hashes)
        return frozenset((match[1], match[2]) for match in matches if match is not None)

    @property
    def asked(self) -> tuple[tuple[str, str], ...]:
        """The modules whose MODULE.bazel Bazel found in a registry."""
        matches = (_MODULE.search(url) for url, digest in self.hashes.items() if digest)
        return tuple((match[1], match[2]) for match in matches if match is not None)


def read_lock(workspace: Workspace, release: Release) -> LockFile:
    """The lock file of a workspace; an empty one where there is none, or none that can be read."""
    if workspace.disk.kind(str(workspace.root / LOCK_NAME)) is None:
        return LockFile()
    try:
        content = workspace.read_bytes(LOCK_NAME)
    except LoadingError as error:
        return LockFile(problem=_left_aside(error.diagnostic.message))
    return parse_lock(content.decode("utf-8", "replace"), release)


def parse_lock(text: str, release: Release) -> LockFile:
    """The facts of a lock file; none of a text that is no such file. Of another version than its
    own Bazel takes no notice, one of its own has to be right: `BazelLockFileFunction`."""
    place = (1, 1)
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        content, place = None, (error.lineno, error.colno)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or not _is_sound(content):
        return LockFile(problem=_problem(text, release, *place))
    return LockFile(
        {
            url: digest if isinstance(digest, str) and digest != "not found" else None
            for url, digest in _mapping(content.get("registryFileHashes")).items()
        },
        _selected(content),
        _extensions(content, text),
        {key: str(why) for key, why in _mapping(content.get("selectedYankedVersions")).items()},
        text[:_START],
        written_for=WrittenFor(
            str(content.get("moduleFileHash", "")),
            _mapping(content.get("flags")),
            _mapping(content.get("localOverrideHashes")),
        ),
        facts={
            _extension_id(identifier): _mapping(said)
            for identifier, said in _mapping(content.get("facts")).items()
            if _is_nested_at_most(_DEEPEST_FACTS, said)
        },
    )


def _is_sound(content: Mapping[str, object]) -> bool:
    """Whether the members that are read have the types that Bazel writes."""
    members = [content.get(member, {}) for member in _MEMBERS]
    hashes, _, yanked, extensions = map(_mapping, members)
    by_platform = extensions.values()
    evaluated = [one for entry in by_platform for one in _mapping(entry).values()]
    made = [_mapping(one).get("generatedRepoSpecs", {}) for one in evaluated]
    specifications = [one for entry in made for one in _mapping(entry).values()]
    texts = [text for text in (*hashes.values(), *yanked.values()) if text is not None]
    return (
        all(isinstance(one, dict) for one in (*members, *by_platform, *evaluated, *made))
        and all(isinstance(one, dict) for one in specifications)
        and all(isinstance(text, str) for text in texts)
        and type(content.get("lockFileVersion", 0)) is int
    )


def _left_aside(why: str) -> Diagnostic:
    """What is told of a lock file that cannot be read, which is left aside."""
    message = f"{LOCK_NAME} is left aside: {why}"
    return Diagnostic("broken-lock-file", message, _span(1, 1), severity=Severity.WARNING)


def _problem(text: str, release: Release, line: int, column: int) -> Diagnostic:
    match = _VERSION.search(text)
    span = _span(line, column)
    hint = "`bazel mod deps` writes it anew"
    if match is None or int(match[1]) != lock_version(release):
        message = f"{LOCK_NAME} is no lock file, so it is left aside"
        return Diagnostic("broken-lock-file", message, span, hint=hint, severity=Severity.WARNING)
    message = f"Failed to read and parse the {LOCK_NAME} file. Try deleting it and rerun the build."
    return Diagnostic("broken-lock-file", message, span, hint=hint)


def _span(line: int, column: int) -> Span:
    return Span(LOCK_NAME, line, column, line, column + 1)


def out_of_date(
    lock: LockFile, resolution: Resolution, release: Release | None
) -> Iterator[Diagnostic]:
    """What is told of a lock file that Bazel would write anew: one that lacks a module file which
    resolution asks for, or holds modules that are not there any more, since MODULE.bazel was edited
    after it was written; one of another version than that of the `release`, if that is known."""
    # A lock of 7.0 and 7.1 has the graph instead of what was asked for.
    wanted = (
        resolution.asked if lock.hashes else [one for one in resolution.selected if one.version]
    )
    known = set(lock.asked_for if lock.hashes else lock.selected)
    missing = [key for key in wanted if (lock.hashes or known) and key not in known]
    names = {key.name for key in resolution.selected}
    unneeded = [ModuleKey(*one) for one in lock.selected if one[0] not in names]
    if missing:
        yield _stale(f"it lacks {_some(missing)}")
    elif unneeded:
        yield _stale(f"nothing needs {_some(unneeded)} any more")
    elif release is not None and lock.version not in (None, lock_version(release)):
        wrong, right = lock.version, lock_version(release)
        yield _stale(f"it has version {wrong}, and Bazel {release} writes version {right}")


def _some(modules: Sequence[ModuleKey]) -> str:
    more = f" and {len(modules) - 3} more" if len(modules) > 3 else ""
    return ", ".join(str(key) for key in modules[:3]) + more


def _stale(why: str) -> Diagnostic:
    return Diagnostic(
        "stale-lock-file",
        f"{LOCK_NAME} is out of date: {why}",
        hint="`bazel mod deps` brings it up to date",
        severity=Severity.WARNING,
    )


def _selected(content: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    selected: dict[tuple[str, str], None] = {}
    for url in _mapping(content.get("registryFileHashes")):
        match = _CHOSEN.search(url)
        if match is not None:
            selected[match[1], match[2]] = None
    for key, module in _mapping(content.get("moduleDepGraph")).items():
        entry = _mapping(module)
        name, version = entry.get("name"), entry.get("version")
        if (
            key != "<root>"
            and not key.endswith("@_")
            and isinstance(name, str)
            and isinstance(version, str)
            and version
        ):
            selected[name, version] = None
    return tuple(selected)


def _extensions(
    content: Mapping[str, object], text: str
) -> dict[tuple[str, str, str], LockedExtension]:
    extensions: dict[tuple[str, str, str], LockedExtension] = {}
    line, before = 1, 0
    for identifier, by_platform in _mapping(content.get("moduleExtensions")).items():
        # JSON tells no places; extensions come in the order of the text.
        begin = text.find(f'"{identifier}": {{', before)
        if begin >= 0:
            line, before = line + text.count("\n", before, begin), begin
        file, name, isolated = _extension_id(identifier)
        repositories: dict[str, LockedRepository] = {}
        runs = {host: _mapping(run) for host, run in _mapping(by_platform).items()}
        for evaluated in runs.values():
            made = _mapping(evaluated.get("generatedRepoSpecs"))
            for repository, specification in made.items():
                locked = _repository(_mapping(specification))
                if locked is not None:
                    repositories.setdefault(repository, locked)
        extensions[file, name, isolated] = LockedExtension(
            file,
            name,
            repositories,
            line,
            _metadata(runs.values()),
            {host: _run(run) for host, run in runs.items()},
        )
    return extensions


def _is_nested_at_most(depth: int, value: object) -> bool:
    """Whether a JSON value has no more than so many lists and objects inside one another."""
    if not isinstance(value, dict | list):
        return True
    inside = value.values() if isinstance(value, dict) else value
    return depth > 0 and all(_is_nested_at_most(depth - 1, one) for one in inside)


def _extension_id(identifier: str) -> tuple[str, str, str]:
    """Returns the label of an extension's file, its name, and what an isolated use is told by."""
    file, _, name = identifier.partition("%")
    name, _, isolated = name.partition("%")
    if file.startswith("//"):
        file = f"@@{file}"
    return file, name, isolated.replace("~", "+")


def _run(run: Mapping[str, object]) -> LockedRun:
    files = {**_mapping(run.get("recordedFileInputs"))}
    mapped: dict[tuple[str, str], str] = {}
    entries = run.get("recordedRepoMappingEntries")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, list) and len(entry) == 3:
            mapped[str(entry[0]), str(entry[1])] = str(entry[2])
    inputs = run.get("recordedInputs")  # Since 9 they are all in one list.
    for text in inputs if isinstance(inputs, list) else ():
        kind, _, rest = str(text).partition(":")
        what, _, value = rest.partition(" ")
        if kind == "FILE":
            files[what] = value
        elif kind == "REPO_MAPPING":
            source, _, apparent = what.partition(",")
            mapped[source, apparent] = value
    digests = {label: str(digest) for label, digest in files.items()}
    return LockedRun(str(run.get("bzlTransitiveDigest", "")), digests, mapped)


def _metadata(runs: Iterable[Mapping[str, object]]) -> ExtensionMetadata:
    """Returns what an extension said of the root's imports in its runs; unknown where that differs
    between them."""
    from bazelscope.loading.modules.use_repo_fixups import ExtensionMetadata

    said: set[ExtensionMetadata] = set()
    for run in runs:
        metadata = _mapping(run.get("moduleExtensionMetadata"))
        if (all_of := metadata.get("useAllRepos", "NO")) != "NO":
            every = ("all", frozenset[str]())
            said.add(ExtensionMetadata(*(every if all_of == "REGULAR" else reversed(every))))
            continue
        lists = (metadata.get(f"explicitRootModuleDirect{kind}") for kind in ("Deps", "DevDeps"))
        direct, dev = (
            frozenset(map(str, names)) if isinstance(names, list) else None for names in lists
        )
        said.add(ExtensionMetadata(direct, dev))
    return said.pop() if len(said) == 1 else ExtensionMetadata(is_known=not said)


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
