"""A question in the query language, answered and written as Bazel would."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bazelscope.analysis.query.parsing import parse
from bazelscope.analysis.query.signatures import Command
from bazelscope.explain import queries
from bazelscope.explain.query_options import QueryOptions
from bazelscope.label import PackageId
from bazelscope.render.query.formats import (
    ANALYSED,
    check_format,
    find_format,
    needs_graph,
    output_options,
)
from bazelscope.render.query.results import ConfiguredResults, TargetResults

if TYPE_CHECKING:
    from bazelscope.analysis.query.environment import QuerySettings
    from bazelscope.explain.explanation import Setup
    from bazelscope.explain.queries import QueryAnswer
    from bazelscope.explain.world import World


def answer_query(
    world: World, setup: Setup, text: str, root: str, directory: PackageId
) -> tuple[QueryAnswer, str | bytes]:
    """The answer to `text`, and it as written in the format that `--output` names.

    The command and its options are those of the command line of `world`. Raises `QueryError`
    for what Bazel would refuse.
    """
    command = Command(setup.command)
    options = QueryOptions(world.flags.values)
    settings = options.settings(setup.bazel_version, directory)
    name = options.text("output", "label")
    if command is Command.CQUERY and options.text("transitions", "none") != "none":
        name = "transitions"
    if command is Command.CQUERY and name in ANALYSED:
        return _analysed(name, world, setup, text, settings, options, root)
    form = find_format(name, command)
    output = output_options(options, root, settings, world.loader.options.output_base)
    if command is Command.CQUERY:
        answer, configured = queries.cquery(world, setup, text, settings)
        return answer, form(ConfiguredResults(configured), output)
    if name == "location":
        check_format(name, parse(text, command, setup.bazel_version, universe=True))
    order = options.order()
    answer, found = queries.query(world, setup, text, settings, order, needs_graph(name))
    return answer, form(TargetResults(found, output), output)


def _analysed(
    name: str,
    world: World,
    setup: Setup,
    text: str,
    settings: QuerySettings,
    options: QueryOptions,
    root: str,
) -> tuple[QueryAnswer, str]:
    """Likewise, for the formats that may leave something out and say so."""
    from bazelscope.render.query.analysed import FORMATS, Asked

    answer, found = queries.cquery(world, setup, text, settings)
    written = FORMATS[name](Asked(found, options, root, world.loader))
    return replace(answer, diagnostics=(*answer.diagnostics, *written.diagnostics)), written.text
