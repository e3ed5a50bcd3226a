"""Which of the targets that a command line names Bazel builds: those that its filters leave.

Bazel: `TargetPatternPhaseFunction`, `TargetUtils.tagFilter`, `TestFilter`; 4.2.3 measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from bazelscope.base.label import Label, PackageId, TargetPattern
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.flags.flag_values import FlagValue
from bazelscope.loading.packages.tags import tag_filter
from bazelscope.loading.packages.targets import NoSuchPackage, Rule
from bazelscope.loading.target_patterns import Expansion, built
from bazelscope.questions.shared.target_answers import LeftOut
from bazelscope.questions.shared.world import World

if TYPE_CHECKING:
    from bazelscope.analysis.graph.one_dependency import Compiled

_TESTS_ONLY = "build_tests_only"
TESTING = frozenset({"test", "coverage"})
TEST_FILTERS = tuple(f"test_{one}_filters" for one in ("tag", "size", "timeout", "lang"))
_QUERYING = frozenset({"query", "cquery", "aquery"})
"""Commands that look at every target that is asked for; of older releases, cquery does not."""
_TIMEOUTS = {"small": "short", "medium": "moderate", "large": "long", "enormous": "eternal"}
"""The time limit of a test, by its size."""
_SWITCHES = ("flaky", "local")
"""Attributes of a test that are tags, too: `flaky` or `noflaky`."""


class Named(NamedTuple):
    """What one pattern of a command line names, and the `packages` that it looks into; `is_short`
    where it is no pattern of Bazel's, but the short name of a target."""

    pattern: TargetPattern
    labels: Sequence[Label]
    is_short: bool = False
    packages: Sequence[PackageId] = ()

    @property
    def is_by_label(self) -> bool:
        """Whether its target is asked for by name, so that Bazel does not leave it out."""
        return self.is_short or self.pattern.is_label

    @property
    def passed(self) -> Sequence[PackageId]:
        """The packages that have what it names, where it excludes that."""
        if not self.pattern.excluded:
            return ()
        return self.packages or [label.package_id for label in self.labels]


def named_by(world: World, pattern: TargetPattern, expansion: Expansion) -> Named:
    """What a build takes of what a pattern stands for: what is `manual` only if asked."""
    labels: Sequence[Label] = expansion.labels
    if not world.configuration.is_on("build_manual_tests"):
        labels = built(world.loader, pattern, labels)
    return Named(pattern, labels, packages=expansion.packages)


def packages_looked_into(world: World, one: Named) -> Sequence[PackageId]:
    """The packages whose errors stop a build for a pattern: for one that excludes, too, but where
    Bazel is told to go on. Measured: 2.1.0, 4.2.3."""
    if not one.pattern.excluded:
        return one.packages
    if not world.configuration.is_on("keep_going"):
        return one.passed
    return [id for id in one.passed if isinstance(world.loader.package(id), NoSuchPackage)]


@dataclass(frozen=True)
class LineTargets:
    """What the patterns of a command line come to: `named` by each of them, in their order."""

    world: World
    named: Sequence[Named]

    @property
    def whole(self) -> tuple[Label, ...]:
        """All that is named, whether filters leave it or not."""
        return tuple(_merged(self.named))

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """What is built."""
        return compiled(self.world, self._built.labels)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What is not built though it is named."""
        return self._built.left_out

    @property
    def tests(self) -> tuple[Label, ...]:
        """The tests that are to run, if the line asks for tests."""
        return self._built.tests

    @property
    def by_label(self) -> tuple[Label, ...]:
        """What is built of what the line asks for by name; nothing where that is files."""
        if compiles_one(self.world):
            return ()
        by_label = {label for one in self.named if one.is_by_label for label in one.labels}
        return tuple(label for label in self._built.labels if label in by_label)

    @cached_property
    def packages(self) -> tuple[PackageId, ...]:
        """The packages that the patterns look into, and whose errors stop the build."""
        ids = (id for one in self.named for id in packages_looked_into(self.world, one))
        return tuple(dict.fromkeys(ids))

    @property
    def aside(self) -> tuple[PackageId, ...]:
        """The packages whose errors keep nothing from being built: Bazel goes on, and the line
        excludes what is in them."""
        passed = {id for one in self.named for id in one.passed}
        return tuple(passed.difference(self.packages))

    @cached_property
    def _built(self) -> Built:
        return which_are_built(self.world, self.named)


class Built(NamedTuple):
    """The targets that are built, those that are not though they are named, and the tests among
    those that are built if the line asks for tests."""

    labels: tuple[Label, ...]
    left_out: tuple[LeftOut, ...]
    tests: tuple[Label, ...] = ()


def which_are_built(world: World, named: Sequence[Named]) -> Built:
    """What Bazel builds of what the patterns of a command line name, in their order."""
    whole = tuple(_merged(named))
    command, value = world.flags.command, world.configuration.value
    filters = command == "cquery" and not world.flags.release.cquery_takes_every_target
    if command in _QUERYING and not filters:
        return Built(whole, ())
    kept, flag = whole, value("build_tag_filters")
    if flag.value:
        takes = _by_tags(flag)
        kept = tuple(label for label in whole if takes(world.loader.target(label)))
    tests: tuple[Label, ...] = ()
    if world.configuration.is_on(_TESTS_ONLY):
        kept = tests = tuple(_tests_of(world, named))
        flag = value(_TESTS_ONLY)
    elif command in TESTING:
        # A test that is to run is built, whatever its tags.
        tests = tuple(_tests_of(world, named))
        kept = tuple(dict.fromkeys((*kept, *tests)))
    return Built(kept, tuple(_left_out(flag, whole, frozenset(kept))), tests)


def _merged(named: Iterable[Named]) -> dict[Label, None]:
    labels: dict[Label, None] = {}
    for one in named:
        if one.pattern.excluded:
            for label in one.labels:
                labels.pop(label, None)
        else:
            labels.update(dict.fromkeys(one.labels))
    return labels


def _left_out(flag: FlagValue, whole: Iterable[Label], kept: frozenset[Label]) -> Iterator[LeftOut]:
    targets = tuple(label for label in whole if label not in kept)
    if targets and flag.set_by is not None:
        yield LeftOut(flag.set_by, targets)


# ---- Files to compile


def compiles_one(world: World) -> bool:
    """Whether the words of the line are files of which a rule is built for each."""
    return world.flags.command not in _QUERYING and world.configuration.is_on(
        "compile_one_dependency"
    )


def compiled(world: World, labels: Iterable[Label]) -> tuple[Label, ...]:
    """What is built of what the line names: all of that, or a rule for each file; nothing where
    one of them is no file, or no rule compiles it."""
    if not compiles_one(world):
        return tuple(labels)
    rules = [compiled_rule(world, label) for label in labels]
    if any(one.problem for one in rules):
        return ()
    return tuple(dict.fromkeys(one.rule for one in rules if one.rule is not None))


def compiled_rule(world: World, file: Label) -> Compiled:
    """The rule that is built for a file, or why there is none."""
    from bazelscope.analysis.graph.one_dependency import rule_for

    return rule_for(world.loader, world.flags.release, file)


# ---- Tests


def _tests_of(world: World, named: Sequence[Named]) -> Iterator[Label]:
    """The tests among what patterns name, and in the suites among that, which are to run."""
    from bazelscope.analysis.graph.dependency_edges import TEST_SUITE

    tests = _merged(Named(one.pattern, list(_expanded(world, one))) for one in named)
    filters = tuple(_filters_of_tests(world))
    for label in tests:
        target = world.loader.target(label)
        if not isinstance(target, Rule):
            continue
        if target.rule_class.name == TEST_SUITE or all(takes(target) for takes in filters):
            yield label


def _expanded(world: World, one: Named) -> Iterator[Label]:
    from bazelscope.analysis.refusals.test_suites import is_test_suite

    for label in built(world.loader, one.pattern, one.labels):
        if is_test_suite(world.configured, label):
            yield from _tests_in(world, label)
            continue
        target = world.loader.target(label)
        if isinstance(target, Rule) and target.rule_class.is_test:
            yield label


def _tests_in(world: World, suite: Label) -> Iterator[Label]:
    """The tests of a suite; the suite, too, where it names what is no test: it is refused then,
    whichever tests are to run."""
    from bazelscope.analysis.refusals.test_suites import expanded

    for one in expanded(world.configured, suite):
        if one.is_test or one.no_tests:
            yield one.label


def _filters_of_tests(world: World) -> Iterator[Callable[[Rule], bool]]:
    tags, size, timeout, language = map(world.configuration.value, TEST_FILTERS)
    yield _by_tags(tags)
    yield _by_words(size, _size)
    yield _by_words(timeout, _timeout)
    yield _by_words(language, lambda test: test.rule_class.name.rpartition("_")[0])


def _by_words(flag: FlagValue, kind: Callable[[Rule], str]) -> Callable[[Rule], bool]:
    asked = tag_filter(_words(flag))
    return lambda test: asked.takes_any({kind(test)})


# ---- Tags


def _by_tags(flag: FlagValue) -> Callable[[object], bool]:
    asked = tag_filter(_words(flag))

    def takes(target: object) -> bool:
        # Of what is no rule it is only asked whether something is wanted.
        return asked.takes_any(frozenset(_tags(target) if isinstance(target, Rule) else ()))

    return takes


def _words(flag: FlagValue) -> Iterator[str]:
    return (word for value in flag.values for word in value.split(",") if word)


def _tags(rule: Rule) -> Iterator[str]:
    """What a filter takes for the tags of a rule: of a test, some other attributes, too.
    Bazel: `Rule.getRuleTags`."""
    yield from rule.texts("tags")
    if rule.rule_class.is_test:
        yield _size(rule)
        yield _timeout(rule)
        yield from (name if rule.given(name) else f"no{name}" for name in _SWITCHES)


def _size(test: Rule) -> str:
    return str(test.given("size") or "medium")


def _timeout(test: Rule) -> str:
    return str(test.given("timeout") or _TIMEOUTS.get(_size(test), ""))
