"""Which output formats there are, for which command."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope.base.errors import Diagnostic, Note
from bazelscope.base.nearest import did_you_mean
from bazelscope.bazel.facts.fact import Fact, between, since
from bazelscope.bazel.release import Release
from bazelscope.query.formats.build_output import to_build
from bazelscope.query.formats.graph_output import to_graph
from bazelscope.query.formats.json_proto import to_json_proto, to_streamed_json_proto
from bazelscope.query.formats.lines import (
    to_label,
    to_label_kind,
    to_location,
    to_maxrank,
    to_minrank,
    to_package,
)
from bazelscope.query.formats.proto import to_proto, to_streamed_proto, to_text_proto
from bazelscope.query.formats.results import OutputOptions, Result
from bazelscope.query.formats.xml import to_xml
from bazelscope.query.language.environment import QuerySettings
from bazelscope.query.language.query_parser import QueryError
from bazelscope.query.language.query_syntax import Expression, functions_of
from bazelscope.query.language.signatures import Command
from bazelscope.query.query_options import QueryOptions

Format = Callable[[Result, OutputOptions], str | bytes]

_FORMATS: Mapping[str, Format] = {
    "label": to_label,
    "label_kind": to_label_kind,
    "build": to_build,
    "graph": to_graph,
    "jsonproto": to_json_proto,
    "location": to_location,
    "maxrank": to_maxrank,
    "minrank": to_minrank,
    "package": to_package,
    "proto": to_proto,
    "streamed_jsonproto": to_streamed_json_proto,
    "streamed_proto": to_streamed_proto,
    "textproto": to_text_proto,
    "xml": to_xml,
}
_QUERY: Mapping[str, Fact] = {
    # Measured: not in 0.26.1, in 2.1.0.
    "streamed_proto": since(1),
    # It wrote objects one behind the other, and was replaced (bazel#18701).
    "jsonproto": between((6, 3), (6, 4)),
    "streamed_jsonproto": since(6, 4),
}
"""What `query` has not always had. Bazel: `OutputFormatters`."""
OURS = "files"
"""A format of cquery that releases of Bazel before 5.3 lack, and have here all the same."""
_CQUERY: Mapping[str, Fact] = {
    "build": since(0, 26),
    "jsonproto": since(1),
    "label_kind": since(3),
    "graph": since(3),
    "starlark": since(3),
    OURS: since(0),
    "streamed_proto": since(7),
}
"""What `cquery` has not always had. Measured in 0.24.1, 0.26.1, 2.1.0 and 4.2.3; later ones, and
where between these, by the source. Bazel: `ConfiguredTargetQueryEnvironment`."""
_LATER = {Command.QUERY: _QUERY, Command.CQUERY: _CQUERY}
_EVER = {
    Command.QUERY: (
        *("label", "label_kind", "build", "maxrank", "minrank", "package", "location", "graph"),
        *("xml", "proto"),
    ),
    Command.CQUERY: ("label", "transitions", "proto", "textproto"),
}
_NEEDS_GRAPH = frozenset({"graph", "maxrank", "minrank"})


def needs_graph(name: str) -> bool:
    """Whether the format rests on the edges between the results."""
    return name in _NEEDS_GRAPH


def format_names(command: Command, release: Release | None = None) -> tuple[str, ...]:
    """The names of the formats that a command has in a release, or in any."""
    later = _LATER[command]
    held = [name for name in later if release is None or later[name].holds(release)]
    return (*_EVER[command], *held)


def find_format(name: str, command: Command, release: Release) -> Format | None:
    """The format of that name; None for one that takes more than the targets. Raises `QueryError`
    for one that the release has not."""
    names = format_names(command, release)
    if name in names:
        return _FORMATS.get(name)
    message = f"`{command.value}` of Bazel {release} has no output format `{name}`"
    fact = _LATER[command].get(name)
    hint = did_you_mean(name, names, most=3)
    if fact is not None:
        hint = f"it came with Bazel {fact.series}"
        hint += f" and went with {fact.first_without}" if fact.has_ended else ""
    notes = (Note(f"the formats are {', '.join(names)}"),)
    raise QueryError(Diagnostic("unknown-output-format", message, None, notes, hint))


_WITHOUT_LOCATIONS = ("buildfiles", "loadfiles")


def check_format(name: str, expression: Expression) -> None:
    """Raises `QueryError` for what Bazel would not write in that format.

    Bazel: `LocationOutputFormatter.verifyCompatible`.
    """
    called = functions_of(expression)
    if name == "location" and called.intersection(_WITHOUT_LOCATIONS):
        message = (
            "query expressions involving `buildfiles` or `loadfiles` cannot be used with"
            " `--output=location`"
        )
        raise QueryError(Diagnostic("query-output", message))


_HASH_OPTION = "proto:include_synthetic_attribute_hash"


def output_options(
    options: QueryOptions,
    root: str,
    settings: QuerySettings,
    name: str,
    command: Command,
    output_base: str | None,
) -> OutputOptions:
    """The options about how a result is written in the format `name`. Raises `QueryError` for
    what cannot be written."""
    if name.endswith("proto") and options.is_on(_HASH_OPTION):
        # It is made of the values as Bazel holds them, computed defaults among them.
        message = f"the hash that `--{_HASH_OPTION}` asks for is not known here"
        hint = "leave it out: all that it is a hash of stands in the message"
        raise QueryError(Diagnostic("query-output", message, hint=hint))
    later = settings.release.source_files_at_themselves
    apart = options.is_on("incompatible_display_source_file_location", later)
    attributes = options.text("proto:output_rule_attrs", "all").split(",")
    may_be_relative = name != "location" or settings.release.location_output_may_be_relative
    return OutputOptions(
        root=root,
        output_base=output_base,
        release=settings.release,
        relative_locations=options.is_on("relative_locations") and may_be_relative,
        # 4.2.3 has an ear for it in `location` alone.
        source_file_locations=apart and (later or name == "location"),
        null_terminated=options.line_end(command, settings.release) == "\0",
        factored=options.is_on("graph:factored", True),
        node_limit=options.number("graph:node_limit", 512),
        conditions_limit=options.number("graph:conditional_edges_limit", 4),
        tool_deps=settings.tool_deps,
        aspect_deps=options.text("aspect_deps", "conservative").lower(),
        double_slash=options.is_on(
            "incompatible_package_group_includes_double_slash",
            settings.release.package_groups_show_slashes,
        ),
        xml_default_values=options.is_on("xml:default_values"),
        xml_line_numbers=options.is_on("xml:line_numbers", True),
        proto_default_values=options.is_on("proto:default_values", True),
        proto_flatten_selects=options.is_on("proto:flatten_selects", True),
        proto_locations=options.is_on("proto:locations", True),
        proto_inputs_and_outputs=options.is_on("proto:rule_inputs_and_outputs", True),
        proto_attributes=tuple(attributes),
        proto_configurations=options.is_on("proto:include_configurations", True),
        proto_instantiation_stack=options.is_on("proto:instantiation_stack"),
        proto_definition_stack=options.is_on("proto:definition_stack"),
    )
