"""What a name that means no target was perhaps meant to be: looked for when it is asked in vain."""

from __future__ import annotations

import re

from bazelscope.analysis.names.short_names import exists, is_full_label, of_name, of_path
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, PackageId, at_sign, parse_label
from bazelscope.base.nearest import meant_by, with_part, with_short_part
from bazelscope.loading.packages.package import Package
from bazelscope.loading.repositories.repository_table import RepositoryTable
from bazelscope.questions.shared.named_configs import defined_configs
from bazelscope.questions.shared.world import World


def likely_repositories(table: RepositoryTable, name: str) -> tuple[str, ...]:
    """Returns the repositories that a name which none has may mean: the one that is the module of
    that name ("" is the workspace itself), or those that are called nearly so."""
    module = table.repository_of_module(name)
    if module is not None:
        return (module,)
    known = sorted(table.definitions)
    return meant_by(name, known) or with_short_part(re.split("[_-]", name)[-1], known)


def in_repository(repository: str, rest: str) -> str:
    """Returns what `@name` and `rest` behind it are spelt like in a repository."""
    return f"{at_sign(repository) if repository else ''}{rest}"


def meant_instead(world: World, text: str, near: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Returns what to say of a name that means no target (it is a package, perhaps), and what else
    it may mean, `near` among it: a flag without its dashes, a label without its slips (`//a:b/`,
    `/a:b`), one of that name in another package, a file whose path is misspelt, or a repository
    that has the name in part."""
    more, names = _meant_name(world, text, near)
    return more, (*_flag_meant(world, text), *names)


def _flag_meant(world: World, text: str) -> tuple[str, ...]:
    """Returns the flag that a word is without its dashes (`define=a=1`), or that names the config
    that the word is."""
    option, equals, _ = text.partition("=")
    if equals and world.catalog.find(option) is not None:
        return (f"--{text}",)
    return (f"--config={text}",) if text in defined_configs(world.rc_files) else ()


def _meant_name(world: World, text: str, near: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    package = _package_meant(world, text) if not (near and is_full_label(text)) else None
    if package is not None:
        return f"; {package} is a package: `bazelscope query {package}:all` lists its targets", ()
    plain = _without_slips(world, text)
    if is_full_label(text):
        return "", plain or near or _elsewhere(world, text)
    path = text.strip("/")
    files = of_path(world.loader, path) if "/" in path and ":" not in path else ()
    known = world.loader.table.definitions
    named = with_part(text, known) or (
        likely_repositories(world.loader.table, text) if not near else ()
    )
    named = tuple(map(at_sign, filter(None, named)))
    return "", files or tuple(dict.fromkeys((*plain, *named, *near)))


def _without_slips(world: World, text: str) -> tuple[str, ...]:
    plain = text.rstrip("/")
    if plain.startswith("/") and not plain.startswith("//"):
        plain = f"/{plain}"
    label = _label(world, plain) if is_full_label(plain) else None
    if label is None:
        return ()
    if "/" in label.name:
        return of_path(world.loader, label.path, label.repository)  # Perhaps of a package below.
    return (str(label),) if plain != text and exists(world.loader.target(label)) else ()


def _elsewhere(world: World, text: str) -> tuple[str, ...]:
    """The targets of the name of a label whose package is there and has none that is like it."""
    label = _label(world, text)
    if label is None or not isinstance(world.loader.package(label.package_id), Package):
        return ()
    return of_name(world.loader, label.name)


def _package_meant(world: World, text: str) -> PackageId | None:
    """Returns the package that a text names, which names no target: `a/b`, `a/b/`, `//a/b`."""
    plain = text.strip("/") if not is_full_label(text) else text.rstrip("/")
    if ":" in plain or not plain:
        return None
    label = _label(world, plain if is_full_label(plain) else f"//{plain}")
    if label is None or not isinstance(world.loader.package(label.package_id), Package):
        return None
    return label.package_id


def _label(world: World, text: str) -> Label | None:
    try:
        return parse_label(text, MAIN_ROOT, world.loader.table.pattern_names)
    except LabelError:
        return None
