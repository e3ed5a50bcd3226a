"""What the workspace's own files say of a name that is no flag, target or repository: where it is
defined, what the build has of it, and the lines that have it.

Looked at are BUILD and `.bzl` files, templates, rc files, and the scripts beside WORKSPACE
(`configure.py`); no file is run.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from bazelscope.base import budget
from bazelscope.base.errors import LoadingError
from bazelscope.base.label import Label, PackageId
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Location, SourceFile
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import RepositoryDefinition, Rule
from bazelscope.loading.tree.contents import BUILD_FILE_NAMES
from bazelscope.loading.tree.disk import EntryKind
from bazelscope.questions.shared.world import World
from bazelscope.questions.why.answer import Fact, FactKind, Link, Relation

_SHORTEST = 4
_MOST_LINES = 12
_MOST_FILES = 20_000
_LONGEST_LINE = 120
_OF_BAZEL = (".bzl", ".tpl", ".bazelrc", ".bazel", ".BUILD")
_AT_ROOT = (*_OF_BAZEL, ".py", ".sh", ".cmd", ".bat", ".rc")
_DEFINED = lazy_pattern(r"^(?P<name>\w+)\s*=\s*(?P<what>repository_rule|rule|provider|aspect)\s*\(")
_FUNCTION = lazy_pattern(r"^def\s+(?P<name>\w+)\s*\(")
_WHAT = {"repository_rule": "repository rule"}
_CALLED = ("function", "rule")


@dataclass(frozen=True, slots=True)
class _Mention:
    source: SourceFile
    location: Location
    line: str


def mentions_of(
    world: World,
    asked: str,
    is_used: bool,
    labels: Sequence[Label] = (),
    reached: Collection[Label] = (),
) -> Iterator[Fact]:
    """The facts about a name that stand in files alone: its definition first, then its lines.
    `is_used` says that the build of `labels` has facts about it, too, and `reached` what it
    comes to."""
    word = asked.strip()
    if not word.startswith(("//", "@", "-")):
        word = word.rpartition("/")[2]  # A path is often put together from its parts.
    if len(word) < _SHORTEST or any(char.isspace() for char in word):
        return
    mentions = list(_lines_with(world, word))
    definitions = world.loader.table.definitions
    rest = []
    uses = tuple(_users(world, mentions, word, labels, reached))
    for one in mentions:
        fact = _definition(one, word, definitions) or _target(world, one, word)
        if fact is not None:
            is_used = True
            if fact.value in _CALLED:
                uses, fact = (), replace(fact, causes=(*fact.causes, *uses))
            yield fact
        else:
            rest.append(one)
    if rest:
        links = tuple(_link(one) for one in rest[:_MOST_LINES])
        notes = tuple(_unused_rules({one.source for one in rest}, definitions))
        value = "in these lines"
        is_followed = bool(labels) or not any(_is_read(one, word) for one in rest)
        if is_followed and not (is_used or uses):
            value = "nothing known in this build uses it"
        yield Fact(FactKind.MENTION, word, value, rest[0].location, (*uses, *links, *notes))


def _is_read(mention: _Mention, word: str) -> bool:
    """Whether a line of a BUILD or `.bzl` file has the name as a value, and not in a text, a
    comment or its own definition."""
    before = mention.line[: mention.location.column - 1]
    after = mention.line[mention.location.column - 1 + len(word) :].lstrip()
    is_text = "#" in before or before.count('"') % 2 == 1 or before.count("'") % 2 == 1
    is_made = not before.strip() and after.startswith("=") and not after.startswith("==")
    return not (is_text or is_made or before.endswith("def "))


def _users(
    world: World,
    mentions: Sequence[_Mention],
    word: str,
    labels: Sequence[Label],
    reached: Collection[Label],
) -> Iterator[Link]:
    """What the build has of a Starlark name: repositories that a function of that name defines,
    and the targets of BUILD files whose calls have it, those of the packages of `labels` first."""
    for name, definition in sorted(world.loader.table.definitions.items()):
        if any(frame.function == word for frame in definition.call_stack):
            yield Link(Relation.MAKES, f"@{name}", definition.location)
    packages = {label.package for label in reached if not label.repository}
    own = {label.package for label in labels}

    @cache
    def rules_of(folder: str) -> list[Rule]:
        package = world.loader.package(PackageId("", folder))
        targets = package.targets.values() if isinstance(package, Package) else ()
        return [one for one in targets if isinstance(one, Rule) and one.label in reached]

    def folder_of(mention: _Mention) -> str:
        return mention.source.path.rpartition("/")[0]

    for mention in sorted(mentions, key=lambda one: folder_of(one) not in own):
        is_build_file = mention.source.path.rpartition("/")[2] in BUILD_FILE_NAMES
        if not is_build_file or folder_of(mention) not in packages or not _is_read(mention, word):
            continue
        lines = range(_first_line(mention), mention.location.line + 1)
        for rule in rules_of(folder_of(mention)):
            if rule.location.path == mention.source.path and rule.location.line in lines:
                yield Link(Relation.USED_BY, str(rule.label), mention.location)


def _first_line(mention: _Mention) -> int:
    """The line that the statement of a line begins at: what goes on is indented, or closes it."""
    lines = mention.source.text.split("\n")
    number = mention.location.line
    while number > 1 and (lines[number - 1][:1] or " ") in " \t)]}#":
        number -= 1
    return number


def _definition(
    mention: _Mention, word: str, definitions: Mapping[str, RepositoryDefinition]
) -> Fact | None:
    """What a line defines, if it defines the name."""
    function = _FUNCTION.match(mention.line)
    if function is not None and function["name"] == word:
        return Fact(FactKind.DEFINITION, word, "function", mention.location)
    defined = _DEFINED.match(mention.line)
    if defined is None or defined["name"] != word:
        return None
    what = _WHAT.get(defined["what"], defined["what"])
    made: Sequence[str] = ()
    if what == "repository rule":
        made = sorted(name for name, one in definitions.items() if one.rule_class == word)
        if not made:
            what += " that makes no repository here"
    links = tuple(Link(Relation.MAKES, f"@{name}", definitions[name].location) for name in made)
    return Fact(FactKind.DEFINITION, word, what, mention.location, links)


def _target(world: World, mention: _Mention, word: str) -> Fact | None:
    """The target that a line of a BUILD file names, if it does."""
    folder, _, file = mention.source.path.rpartition("/")
    if file not in BUILD_FILE_NAMES or f'name = "{word}"' not in mention.line:
        return None
    package = world.loader.package(PackageId("", folder))
    target = package.targets.get(word) if isinstance(package, Package) else None
    if not isinstance(target, Rule):
        return None
    name = target.rule_class.name
    return Fact(FactKind.DEFINITION, str(target.label), name, target.location)


def _unused_rules(
    sources: set[SourceFile], definitions: Mapping[str, RepositoryDefinition]
) -> Iterator[Link]:
    """Repository rules of the files that have the name, which make no repository: what they would
    read is read by nobody."""
    used = {one.rule_class for one in definitions.values()}
    for source in sorted(sources, key=lambda one: one.path):
        for number, line in enumerate(source.text.split("\n"), 1):
            defined = _DEFINED.match(line)
            if defined is None or defined["what"] != "repository_rule":
                continue
            if defined["name"] not in used:
                place = Location(source.path, number, 1)
                detail = "a repository rule of that file, makes no repository here"
                yield Link(Relation.MENTIONED, defined["name"], place, detail)


def _link(mention: _Mention) -> Link:
    text = mention.line.strip()
    if len(text) > _LONGEST_LINE:
        text = f"{text[: _LONGEST_LINE - 3]}..."
    detail = "a comment" if text.startswith("#") else _condition_of(mention)
    return Link(Relation.MENTIONED, text, mention.location, detail)


def _condition_of(mention: _Mention) -> str:
    """The `if` that a line of a script stands in."""
    if not mention.source.path.endswith(".py"):
        return ""
    lines = mention.source.text.split("\n")
    indent = len(mention.line) - len(mention.line.lstrip())
    for text in reversed(lines[: mention.location.line - 1]):
        own = len(text) - len(text.lstrip())
        if text.strip() and own < indent:
            stripped = text.strip()
            return f"in `{stripped.rstrip(':')}`" if stripped.startswith(("if ", "elif ")) else ""
    return ""


def _lines_with(world: World, word: str) -> Iterator[_Mention]:
    pattern = re.compile(rf"(?<![\w.-]){re.escape(word)}(?![\w-])")
    tree = world.loader.workspace
    for path in _files(world):
        budget.current().check()
        try:
            source = tree.read(path)
        except LoadingError:
            continue
        if word not in source.text:
            continue
        for number, line in enumerate(source.text.split("\n"), 1):
            match = pattern.search(line)
            if match is not None:
                place = Location(source.path, number, match.start() + 1)
                yield _Mention(source, place, line)


def _files(world: World) -> Iterator[str]:
    """The files that are looked at, those of the workspace's root first."""
    tree = world.loader.workspace
    count = 0
    for package in ("", *(one.package for one in world.loader.trees.packages() if one.package)):
        listing = tree.listing(package)
        endings = _OF_BAZEL if package else _AT_ROOT
        for name, kind in listing.entries.items():
            if kind is EntryKind.DIRECTORY:
                continue
            is_script = not package and (name.startswith(("configure", ".bazelrc")))
            if name == listing.build_file or name.endswith(endings) or is_script:
                count += 1
                if count > _MOST_FILES:
                    return
                yield f"{package}/{name}" if package else name
