"""Options that a command adds by itself, below or above everything that users write.

Bazel: `editOptions` of its command classes. They are its last step, so they see the final
values of all other options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import FlagInstance, FlagValue
from bazelscope.flags.option_parsing import COMPUTED_DEFAULT, SOFTWARE_REQUIREMENT

_COVERAGE_TIMEOUTS = "300,600,1200,3600"


class Requirement(NamedTuple):
    """One option, its category of priority, and the option that causes it, if any."""

    category: int
    text: str
    cause: FlagInstance | None = None


def requirements(
    command: str, values: Mapping[str, FlagValue], catalog: Catalog
) -> Iterator[Requirement]:
    """What the command adds to options of these final values, in Bazel's order."""
    for requirement in _of_command(command, values, catalog.release):
        name = requirement.text.removeprefix("--").partition("=")[0]
        if catalog.find(name, command) or catalog.find(name.removeprefix("no"), command):
            yield requirement


def _of_command(
    command: str, values: Mapping[str, FlagValue], release: Release
) -> Iterator[Requirement]:
    if command in ("test", "coverage"):
        output = values.get("test_output")
        if output is not None and (output.value or "").lower() == "streamed":
            cause = output.instances[-1]
            for text in ("--test_sharding_strategy=disabled", "--test_strategy=exclusive"):
                yield Requirement(SOFTWARE_REQUIREMENT, text, cause)
    if command == "coverage":
        yield Requirement(SOFTWARE_REQUIREMENT, "--collect_code_coverage")
        yield Requirement(COMPUTED_DEFAULT, f"--test_timeout={_COVERAGE_TIMEOUTS}")
    if command == "aquery":
        yield Requirement(COMPUTED_DEFAULT, "--nobuild")
    if command == "cquery":
        yield from _of_cquery(values, release)


def _of_cquery(values: Mapping[str, FlagValue], release: Release) -> Iterator[Requirement]:
    transitions = values.get("transitions")
    if transitions is not None and (transitions.value or "").lower() != "none":
        cause = transitions.instances[-1]
        yield Requirement(COMPUTED_DEFAULT, "--output=transitions", cause)
    yield Requirement(COMPUTED_DEFAULT, "--nobuild")
    if not release.cquery_takes_every_target:
        return
    yield Requirement(COMPUTED_DEFAULT, "--build_manual_tests")
    yield Requirement(SOFTWARE_REQUIREMENT, "--noexpand_test_suites")
    fragments = values.get("show_config_fragments")
    if fragments is not None and (fragments.value or "").lower() != "off":
        text = f"--include_config_fragments_provider={fragments.value}"
        yield Requirement(COMPUTED_DEFAULT, text, fragments.instances[-1])
    yield Requirement(SOFTWARE_REQUIREMENT, "--nobuild_tests_only")
