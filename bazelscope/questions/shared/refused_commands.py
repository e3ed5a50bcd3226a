"""What `run` and `test` refuse of the targets of a line, though each of them can be built: `run`
wants one target, and that a program, and `test` wants a test.

Bazel: `RunCommand`, `TestCommand`; 0.24.1, 2.1.0 and 4.2.3 measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from bazelscope.analysis.configuration.late_bound import program_named
from bazelscope.analysis.graph.aliases import behind_aliases, stands_for_others
from bazelscope.analysis.refusals.refusal import Refusal, RefusalKind
from bazelscope.analysis.refusals.test_suites import expanded, stands_for_tests
from bazelscope.base.label import Label
from bazelscope.bazel.value_forms import is_included
from bazelscope.loading.packages.package import Package
from bazelscope.loading.packages.targets import InputFile, OutputFile, Rule, unknown_of
from bazelscope.questions.shared.built_targets import (
    TEST_FILTERS,
    TESTING,
    LineTargets,
    compiles_one,
)
from bazelscope.questions.shared.world import World

_SHOWN = 5
"""So many targets of several are named."""


def refused_by_command(line: LineTargets) -> Iterator[Refusal]:
    """What the command of a line refuses of the targets that it builds, given that nothing else of
    them is refused. Nothing, where it cannot be told which targets there are, or what they are."""
    refused_by = _REFUSED_BY.get(line.world.flags.command)
    is_asked = bool(line.whole or line.packages) and not compiles_one(line.world)
    if refused_by is not None and is_asked and _are_known(line):
        yield from refused_by(line.world, line)


def refused_without_targets(world: World) -> Iterator[Refusal]:
    """What the command of a line that names no target refuses. `build` takes it."""
    if world.flags.command == "run":
        yield _refusal("Must specify a target to run", "name a target")
    elif world.flags.command in TESTING:
        yield from _of_test(world, LineTargets(world, ()))


def _are_known(line: LineTargets) -> bool:
    for id in line.packages:
        package = line.world.loader.package(id)
        if not isinstance(package, Package) or package.unknowns:
            return False
    return all(_is_known(line.world, label) for label in line.whole)


def _is_known(world: World, label: Label) -> bool:
    target = world.loader.target(label)
    if isinstance(target, Rule):
        return target.rule_class.is_known and not target.is_stand_in
    return unknown_of(target) is None


# ---- `test`


def _of_test(world: World, line: LineTargets) -> Iterator[Refusal]:
    stops = [f"--no{one}" for one in ("analyze", "build") if _is_off(world, one)]
    if stops:
        remedy = f"leave out {stops[0]}"
        yield _refusal("Couldn't start the build. Unable to run tests", remedy)
    elif not line.tests:
        filters = [f"--{one}" for one in TEST_FILTERS if any(world.configuration.value(one).values)]
        remedy = f"change {' or '.join(filters)}" if filters else "name a test, or use `build`"
        yield _refusal("No test targets were found, yet testing was requested", remedy)


# ---- `run`


def _of_run(world: World, line: LineTargets) -> Iterator[Refusal]:
    targets = tuple(dict.fromkeys(chain.from_iterable(_each(world, one) for one in line.labels)))
    under = program_named(world.configuration)
    for label in targets:
        node = behind_aliases(world.configured, world.configured.top(label))
        actual, is_told = node.label, not stands_for_others(world.configured, node)
        if is_told and _is_known(world, actual) and not _is_program(world, actual):
            yield _refusal(f"Cannot run target {actual}: Not executable", "use `build`", label)
    others = [label for label in targets if label != under]
    if len(others) > 1:
        named = ", ".join(map(str, others[:_SHOWN]))
        more = len(others) - _SHOWN
        named += f" and {more:,} more" if more > 0 else ""
        message = f"Only a single target can be run. The line stands for {named}"
        yield _refusal(message, "name one of them")
    elif not targets or _is_off(world, "analyze"):
        yield _refusal("No targets found to run", "name a target that the line's options leave")
    else:
        yield from _of_runs(world, _behind(world, (others or targets)[0]))


def _each(world: World, label: Label) -> Sequence[Label]:
    """The target, or the tests of a suite."""
    if not stands_for_tests(world.configured, world.configured.top(label)):
        return (label,)
    return [one.label for one in expanded(world.configured, label) if one.is_test]


def _behind(world: World, label: Label) -> Label:
    return behind_aliases(world.configured, world.configured.top(label)).label


def _is_program(world: World, label: Label) -> bool:
    """Whether a target can be run: a file, a test, or a rule that makes a program."""
    target = world.graph.node(label)
    if not isinstance(target, Rule):
        return isinstance(target, InputFile | OutputFile)
    own = target.value("$is_executable")
    made = target.rule_class.is_executable if own is None else own
    return target.rule_class.is_test or made is not False


def _of_runs(world: World, label: Label) -> Iterator[Refusal]:
    """What is refused of a test that would be run several times, or in several parts."""
    test = world.graph.node(label)
    if not (isinstance(test, Rule) and test.rule_class.is_test):
        return
    given = world.configuration.value("runs_per_test").values
    runs = next(filter(None, (_runs(text, str(label)) for text in reversed(given))), "1")
    shards = test.given("shard_count")
    is_cut = world.configuration.value("test_sharding_strategy").value != "disabled"
    if runs != "1" or (is_cut and isinstance(shards, int) and shards > 1):
        yield _refusal(
            "'run' only works with tests with one shard ('--test_sharding_strategy=disabled' is"
            " okay) and without --runs_per_test",
            "use `test`",
            label,
        )


def _runs(text: str, label: str) -> str:
    """How often a value of `--runs_per_test` has a test run; empty where it is of other tests."""
    expressions, at, number = text.rpartition("@")
    return number if not at or is_included(expressions, label) else ""


def _refusal(message: str, remedy: str, target: Label | None = None) -> Refusal:
    return Refusal(RefusalKind.COMMAND_LINE, message, target, remedy=remedy)


def _is_off(world: World, name: str) -> bool:
    """Whether an option that is on by default is set to be off."""
    is_set = world.configuration.value(name).set_by is not None
    return is_set and not world.configuration.is_on(name)


_REFUSED_BY = {"run": _of_run, **dict.fromkeys(TESTING, _of_test)}
