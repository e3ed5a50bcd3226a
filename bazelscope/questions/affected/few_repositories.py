"""Which packages are others where files differ that decide which repositories there are, and
what is in them: WORKSPACE, the `.bzl` files that it loads, BUILD files that are laid over
archives, patches, templates.

Such an edit makes most packages no others: of each it is known what it asked of which
repository, and of each repository that the graph comes to, how it is made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from typing import Any

from bazelscope.base.label import PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.cache.file_stamps import EXTERNAL as OF_REPOSITORIES
from bazelscope.loading.cache.file_stamps import answer_digest, external_answer
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import NoSuchPackage, UnknownPackage
from bazelscope.loading.repositories.external_package import EXTERNAL
from bazelscope.questions.affected.own_facts import OwnFacts
from bazelscope.questions.affected.repository_facts import stable

Question = tuple[str, str, str, bytes, list[int]]
"""What was asked of a repository (see `external_answer`), a hash of the answer, and by which
packages, as numbers."""


@dataclass(slots=True)
class RepositoryGrounds:
    """What a state has of repositories, wherever in files that is said.

    `says` is a hash of what every package sees of them, empty where that is not told; `read` are
    the files that decide about them, `made` hashes of how each is made, `asked` what `packages`
    asked of them; `others` are hashes of what is no package, or of `//external`, by number, empty
    where it cannot be told what a package is made from.
    """

    says: bytes = b""
    read: list[str] = field(default_factory=list)
    made: dict[str, str] = field(default_factory=dict)
    packages: list[tuple[str, str]] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    others: dict[int, bytes] = field(default_factory=dict)

    def fields(self) -> tuple[Any, ...]:
        """Returns its fields as plain data, which the class is made of again."""
        return self.says, self.read, self.made, self.packages, self.asked, self.others


def repository_grounds(loader: Loader, facts: OwnFacts, read: Iterable[str]) -> RepositoryGrounds:
    """What a state that was just looked at has of repositories; `read` are the files that decide
    about them."""
    said = _said(loader)
    if said is None:
        return RepositoryGrounds()
    files = set(read).difference(_everywhere(loader))
    grounds = RepositoryGrounds(said, sorted(files), facts.repositories())
    asked: dict[tuple[str, str, str], list[int]] = {}
    for number, (id, result) in enumerate(sorted(loader.packages_rested_on().items())):
        grounds.packages.append((id.repository, id.package))
        is_plain = isinstance(result, Package) and id != EXTERNAL
        inputs = loader.maker.inputs_of(id) if is_plain else None
        if inputs is None:
            grounds.others[number] = b"" if is_plain else _digest_of(loader, id)
        for what, repository, path in dict.fromkeys(_questions(inputs or ())):
            asked.setdefault((what, repository, path), []).append(number)
    grounds.asked = [(*one, _answer(loader, *one), numbers) for one, numbers in asked.items()]
    return grounds


def made_otherwise(
    grounds: RepositoryGrounds, loader: Loader, facts: OwnFacts
) -> tuple[set[PackageId], set[str]] | None:
    """The packages that see something else of repositories in another state, and the repositories
    that are made otherwise there; None where every package may see something else."""
    if not grounds.says or _said(loader) != grounds.says:
        return None
    repositories = {name for name, known in grounds.made.items() if facts.repository(name) != known}
    numbers: set[int] = set()
    for what, repository, path, digest, askers in grounds.asked:
        if repository in repositories or _answer(loader, what, repository, path) != digest:
            numbers.update(askers)
    for number, digest in grounds.others.items():
        if not digest or _digest_of(loader, PackageId(*grounds.packages[number])) != digest:
            numbers.add(number)
    return {PackageId(*grounds.packages[number]) for number in numbers}, repositories


def _said(loader: Loader) -> bytes | None:
    """A hash of what every package sees of the repositories; None where modules define them."""
    if loader.options.reads_modules:
        return None
    table = loader.table
    names = sorted(table.repo_mapping("").items())
    foreign = sorted(set(loader.trees.foreign_directories()))
    return answer_digest((table.workspace_name, names, foreign))


def _everywhere(loader: Loader) -> Iterator[str]:
    """The files that say more to packages than which repositories there are."""
    for name in (".bazelignore", "REPO.bazel"):
        yield f"{loader.workspace.root}/{name}"


def _questions(inputs: Iterable[tuple[object, ...]]) -> Iterator[tuple[str, str, str]]:
    for input in inputs:
        if input[0] == OF_REPOSITORIES:
            yield str(input[1]), str(input[2]), str(input[3])


def _answer(loader: Loader, what: str, repository: str, path: str) -> bytes:
    answer = external_answer(loader.table, what, repository, path)
    # Where it is defined makes no package another.
    return answer_digest(replace(answer, location=None) if isinstance(answer, Unknown) else answer)


def _digest_of(loader: Loader, id: PackageId) -> bytes:
    """A hash of why a package is none, or of `//external`."""
    told: object
    if id == EXTERNAL:
        table = loader.table
        definitions = (
            None
            if table.external is None
            else [
                (name, one.rule_class, stable(dict(one.attributes)))
                for name, one in table.external.items()
            ]
        )
        bound = sorted((name, str(actual)) for name, actual in table.bindings.items())
        told = bound, sorted(table.bound), definitions, len(table.may_register)
    else:
        result = loader.package(id)
        told = type(result).__name__
        if isinstance(result, UnknownPackage):
            told = told, replace(result.unknown, location=None)
        elif isinstance(result, NoSuchPackage):
            told = told, result.message
    return hashlib.blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=12).digest()
