"""How an external repository is made, as far as its targets hang on it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from os.path import normpath
from typing import Any

from bazelscope.base.errors import LabelError, LoadingError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.values.repository_rule import RepositoryRule
from bazelscope.loading.loader import Loader
from bazelscope.loading.modules.module_sources import UnmadeRepository
from bazelscope.loading.tree.workspace_files import is_clean

Facts = dict[str, Any]
"""By name, in a form whose `repr` is the same in every run for what is the same."""
ATTRIBUTE = "attribute "
"""How the names of facts about attributes begin."""
OVERRIDE = "override_repository"
"""The name of the fact where the command line puts a repository."""
NAMED = "named file "
"""A file of the main repository that the definition of another one names."""


def repository_facts(loader: Loader, name: str, code_of: Callable[[str], bytes | None]) -> Facts:
    """How a repository is made: its definition, the code of its rule, the texts that a dry run
    of that writes; of one that the command line puts elsewhere, where."""
    elsewhere = loader.options.override_repositories.get(name)
    if elsewhere is not None:
        return {OVERRIDE: elsewhere}
    definition = loader.table.definitions.get(name)
    facts: Facts = {"module": loader.table.module_of(name)}
    said: tuple[object, ...] = ()
    if definition is not None:
        facts["rule"] = definition.rule_class
        for key, value in sorted(definition.attributes.items()):
            facts[ATTRIBUTE + key] = stable(value)
        stack = definition.call_stack
        rule = loader.table.rule_of(name)
        does = b"" if rule is None else None  # A rule of Bazel's own does nothing else.
        if isinstance(rule, RepositoryRule):
            does = loader.parts.rule_code.of_rule(rule)
        host = rule.host if isinstance(rule, UnmadeRepository) else ""
        if isinstance(rule, UnmadeRepository) and host:
            # Its code is not here: it is what it was if that repository is. An extension that
            # nobody ran may look at all that modules say to it.
            said = rule.said
            facts["code"] = [repository_facts(loader, host, code_of), str(rule.file), stable(said)]
        elif does is None:
            facts["code"] = [code_of(frame.location.path) for frame in stack[-1:]]
        else:
            facts["code"] = does
    placement = loader.table.placement(name)
    if definition is not None:
        # What its BUILD file says is told by its targets.
        laid = placement.build_file.path if placement is not None and placement.build_file else ""
        given = [*definition.attributes.values(), *said]
        named = sorted(set(files_named_in(loader, given)) - {laid})
        facts |= {f"{NAMED}{path}": _content(loader, path) for path in named}
    run = placement.dry_run if placement is not None else None
    if run is not None:
        written = run.files.items()
        facts["files"] = sorted((path, file.text, file.real_path) for path, file in written)
    facts["provenance"] = placement.provenance.value if placement is not None else ""
    return facts


def _content(loader: Loader, path: str) -> bytes:
    try:
        return hashlib.blake2b(loader.workspace.read_bytes(path), digest_size=8).digest()
    except LoadingError:
        return b""


def stable(value: object) -> object:
    """A value of a definition in a form whose `repr` is the same in every run."""
    if isinstance(value, Mapping):
        return sorted(((repr(stable(k)), stable(v)) for k, v in value.items()), key=repr)
    if isinstance(value, tuple | list):
        return [stable(one) for one in value]
    if isinstance(value, Unknown):
        return told_of(value)
    return value if isinstance(value, str | int | None) else str(value)


def told_of(unknown: Unknown) -> tuple[str, str, str]:
    """What an unknown says, without its place."""
    return (unknown.reason.value, unknown.subject, unknown.detail)


def read_for_repositories(loader: Loader) -> frozenset[str] | None:
    """The files of the workspace that decide which external repositories there are and what
    is in those that were looked at; None if that cannot be told."""
    paths = set(loader.parts.world.paths())
    root = loader.parts.workspace.root
    for definition in loader.table.definitions.values():
        named = files_named_in(loader, definition.attributes.values())
        paths.update(f"{root}/{path}" for path in named)
        placement = loader.table.known_placement(definition.name)
        laid = placement.build_file if placement is not None else None
        if laid is not None and not laid.repository:
            paths.add(f"{root}/{laid.path}")
        if placement is not None and placement.dry_run is not None:
            read = (
                loader.parts.dry_runs.files_of(definition.name) if loader.parts.dry_runs else None
            )
            if read is None:
                return None
            paths |= read
    return frozenset(paths)


def files_named_in(loader: Loader, values: Iterable[object]) -> Iterator[str]:
    """The files of the workspace that the attributes of a repository name (its patches,
    templates, locks), as paths below the root."""
    names = loader.table.repo_mapping("")
    places = {**dict(loader.table.local_directories()), loader.table.workspace_name: "", "": ""}
    pending = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, Mapping):
            pending += [*value, *value.values()]
        elif isinstance(value, str) and value.startswith(("//", "@", ":")):
            with suppress(LabelError):
                pending.append(parse_label(value, PackageId("", ""), names))
        elif isinstance(value, Label):
            place = places.get(value.repository)
            path = normpath(f"{place or '.'}/{value.path}")
            if place is not None and is_clean(path) and loader.parts.workspace.is_file(path):
                yield path
        elif isinstance(value, list | tuple):
            pending += value
