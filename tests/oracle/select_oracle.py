"""What Bazel's cquery and bazelscope say about generated selects, in comparable form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.match_result import UnknownMatch
from bazelscope.analysis.conditions.select_choice import Chosen, resolve_value
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.given_settings import with_settings
from bazelscope.analysis.graph.aliases import cquery_label
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.target_graph import TargetGraph
from bazelscope.base.unknown import Reason
from bazelscope.bazel import flag_catalog
from bazelscope.flags.rc_file_reading import DiskFiles
from bazelscope.flags.request import FlagRequest
from bazelscope.flags.resolve import resolve
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.targets import Rule
from bazelscope.loading.tree.workspace_files import Workspace
from bazelscope.questions.shared.loading_flags import loading_options
from tests.support import ours

# Chosen `srcs` of every target that Bazel could analyse.
Values = Mapping[str, tuple[str, ...]]
# (label, `target` | `host` | `source`) of every configured target reached.
Nodes = frozenset[tuple[str, str]]

_PLACE = re.compile(r"^# (?P<path>\S+)/BUILD:\d+:\d+$")
_NAME = re.compile(r'^  name = "(?P<name>[^"]+)",$')
_SRCS = re.compile(r"^  srcs = \[(?P<items>[^\]]*)\],$")
_CONFIGURED = re.compile(r"^(?P<label>\S+) \((?P<configuration>[^)]*)\)$")


_RULE = re.compile(r'^      name: "(?P<name>[^"]+)"$')
_ATTRIBUTE = re.compile(r'^        name: "(?P<name>[^"]+)"$')
_ITEM = re.compile(r'^        string_list_value: "(?P<item>[^"]+)"$')


def values_of_textproto(lines: Iterable[str]) -> Values:
    """`cquery --output=textproto` as label -> `srcs`, for Bazels without `build`."""
    found: dict[str, tuple[str, ...]] = {}
    rule = attribute = ""
    for line in lines:
        if match := _RULE.match(line):
            rule = match["name"]
            found[rule] = ()
        elif match := _ATTRIBUTE.match(line):
            attribute = match["name"]
        elif attribute == "srcs" and (match := _ITEM.match(line)):
            found[rule] += (match["item"],)
    return found


def chosen_values(lines: Iterable[str], root: Path) -> Values:
    """`cquery --output=build` as label -> `srcs`."""
    found: dict[str, tuple[str, ...]] = {}
    package, name = "", ""
    for line in lines:
        place = _PLACE.match(line)
        if place:
            package = place["path"].removeprefix(f"{root}/")
        elif match := _NAME.match(line):
            name = f"//{package}:{match['name']}"
            found[name] = ()
        elif match := _SRCS.match(line):
            found[name] = tuple(re.findall(r'"([^"]+)"', match["items"]))
    return found


def configured_nodes(lines: Iterable[str]) -> Nodes:
    """`cquery` label output; older Bazels say `host`, newer `HOST`, nothing for files."""
    nodes = set()
    for line in lines:
        match = _CONFIGURED.match(line)
        if match:
            text = match["configuration"].lower()
            kind = {"null": "source", "host": "host"}.get(text, "target")
            nodes.add((match["label"], kind))
    return frozenset(nodes)


class OurAnswers:
    """bazelscope on one workspace and one command line."""

    def __init__(
        self, root: Path, bazel_version: str, flags: Sequence[str], loader: Loader | None = None
    ) -> None:
        request = FlagRequest(str(root), tuple(flags), bazel_version=bazel_version)
        resolved = resolve(request, DiskFiles())
        self.loader = loader or Loader(
            Workspace.open(root), loading_options(resolved, request.host, {}, root, root, None)
        )
        resolved, _ = with_settings(self.loader, resolved)
        configuration = Configuration.of(resolved, flag_catalog.load(bazel_version))
        self.graph = ConfiguredGraph(TargetGraph(self.loader, bazel_version), configuration)
        self._problems: dict[ConfiguredNode, str | None] = {}

    def problem(self, label: str) -> str | None:
        """Why Bazel cannot analyse the target, if it cannot."""
        for node in self.graph.deps([ours.label(label)]):
            if node not in self._problems:
                self._problems[node] = self._own_problem(node)
            if self._problems[node] is not None:
                return f"{node.label}: {self._problems[node]}"
        return None

    def _own_problem(self, node: ConfiguredNode) -> str | None:
        target = self.graph.target(node)
        if not isinstance(target, Rule) or node.configuration is None:
            return None
        for select in self.graph.selects(node.label, node.configuration):
            for outcome in select.result.outcomes:
                match = outcome.match
                if isinstance(match, UnknownMatch) and match.unknown.reason is Reason.FAILED:
                    return match.unknown.detail
            if not isinstance(select.result, Chosen):
                return f"{type(select.result).__name__} in {select.attribute}"
        return None

    def srcs(self, labels: Iterable[str]) -> Values:
        """The chosen `srcs` of these top-level targets."""
        found: dict[str, tuple[str, ...]] = {}
        for label in labels:
            target = self.loader.target(ours.label(label))
            assert isinstance(target, Rule)
            attribute = target.attribute("srcs")
            assert attribute is not None
            resolved = resolve_value(attribute.value, self.graph.conditions(), ())
            items = () if resolved.value is None else resolved.value
            assert isinstance(items, tuple), items
            found[label] = tuple(str(item) for item in items)
        return found

    def nodes(self, labels: Iterable[str]) -> Nodes:
        """The configured closure of `labels`."""
        closure = self.graph.deps([ours.label(label) for label in labels])
        shown = ((cquery_label(self.graph, node), node.description) for node in closure)
        return frozenset((str(label), kind) for label, kind in shown)
