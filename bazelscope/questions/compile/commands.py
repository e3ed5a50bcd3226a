"""The compilations of a target and of all below it as a `compile_commands.json`, for clangd."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from bazelscope.analysis.compile.action_lines import CcActions
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label
from bazelscope.questions.shared.world import World


def compile_commands(
    world: World, label: Label, environment: Mapping[str, str], directory: str
) -> str:
    """The text of a compilation database, as Clang's tools read it: each source of the target and
    of the C++ rules that it depends on, once. `directory` is what paths are relative to; words
    that cannot be told are left out."""
    seen = {**environment, **world.loader.options.repo_env}
    actions = CcActions(world.configured, world.loader, seen)
    top = behind_aliases(world.configured, world.configured.top(label))
    entries: dict[str, dict[str, object]] = {}
    for node in _below(actions, top):
        for one in actions.compilations(node):
            arguments = [word.text for word in one.words if word.unknown is None]
            entry: dict[str, object] = {"directory": directory, "file": one.source.path}
            entries.setdefault(
                one.source.path, {**entry, "arguments": arguments, "output": one.output}
            )
    return json.dumps(list(entries.values()), indent=2) + "\n"


def _below(actions: CcActions, top: ConfiguredNode) -> Iterator[ConfiguredNode]:
    """The rules of C++ that a target comes to, itself first."""
    return filter(actions.compiles, distances([top], actions.contexts.every_dependency))
