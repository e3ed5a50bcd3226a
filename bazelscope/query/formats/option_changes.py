"""What transitions do to options, as `cquery --transitions=full` lists it.

Under a dependency stands each option that differs, with its value and those behind the
transition. Bazel: `BuildOptions.diff`, `OptionsDiff`.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.analysis.conditions.configured_edges import ConfiguredEdge, ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.shown_transitions import ShownTransitions
from bazelscope.base.errors import Diagnostic, Severity
from bazelscope.base.unknown import Unknown
from bazelscope.query.formats.option_texts import option_texts, setting_text

Texts = Mapping[str, str | Unknown]


class OptionChanges:
    """Compares configurations; what cannot be told is in `diagnostics`."""

    def __init__(self, graph: ConfiguredGraph) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._transitions = ShownTransitions(graph)
        self._texts: dict[tuple[Configuration, bool], Texts] = {}
        self._told: set[str] = set()

    def of(self, node: ConfiguredNode, edge: ConfiguredEdge) -> list[str]:
        """A line for each option that the transitions of an edge out of `node` change."""
        own = node.configuration
        assert own is not None
        made = self._transitions.of(node, edge)
        if isinstance(made, Unknown):
            self._tell(made)
            return []
        before: dict[str, str | Unknown] = {}
        after: dict[str, dict[str, None]] = {}
        plain = self._of(own, is_raw=False)
        for configuration, _ in made:
            if configuration is own:
                continue
            for name, text in self._of(configuration, is_raw=True).items():
                if text != plain[name]:
                    before[name] = plain[name]
                    after.setdefault(name, {})[self._shown(text)] = None
        lines = [
            f"{name}:{self._shown(text)} -> [{', '.join(after[name])}]"
            for name, text in before.items()
        ]
        held = self._transitions.held(own)
        for _, settings in made:
            for label, value in sorted(settings.items()):
                if label in held and held[label] != value:
                    old, new = setting_text(held[label]), setting_text(value)
                    lines.append(f"{label}:{old}{new}")
        return lines

    def _of(self, configuration: Configuration, is_raw: bool) -> Texts:
        key = (configuration, is_raw)
        texts = self._texts.get(key)
        if texts is None:
            texts = self._texts[key] = option_texts(configuration, is_raw)
        return texts

    def _shown(self, text: str | Unknown) -> str:
        if isinstance(text, Unknown):
            self._tell(text)
            return "unknown"
        return text

    def _tell(self, unknown: Unknown) -> None:
        message = str(unknown)
        if message not in self._told:
            self._told.add(message)
            self.diagnostics.append(
                Diagnostic("unknown-option", message, severity=Severity.WARNING)
            )
