"""`--output=graph`: the result as DOT text, as Bazel writes it.

Bazel: `GraphOutputWriter`. Factored, targets with the same neighbours are one node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bazelscope.base.label import Label
from bazelscope.bazel.attribute_types import DictValue, labels_in, selectors_of
from bazelscope.loading.packages.targets import Rule
from bazelscope.query.formats.results import OutputOptions, Result
from bazelscope.query.language.graph_orders import full_order

_RESERVED = len("\\n...and 9999999 more items")
_BREAK = "\\n"

Group = tuple[int, ...]
Conditions = Mapping[tuple[Label, Label], Sequence[Label]]


def to_graph(result: Result, options: OutputOptions) -> str:
    """The targets and the edges between them; edges carry the conditions of their branches."""
    groups = _groups(result, options)
    group_of = {index: group for group in groups for index in group}
    successors = {
        group: list(dict.fromkeys(group_of[t] for i in group for t in result.successors[i]))
        for group in groups
    }
    conditions = _conditions(result) if options.conditions_limit else {}
    key = {group: [result.rows[index].sort_key for index in group] for group in groups}
    lines = []
    indent = "  " if options.release.graph_lines_are_indented else ""
    for group in full_order(successors, key=lambda group: key[group]):
        own = _text(group, result, options)
        lines.append(f'{indent}"{own}"')
        for target in sorted(successors[group], key=lambda group: key[group]):
            if target == group:
                continue
            lines.append(f'{indent}"{own}" -> "{_text(target, result, options)}"')
            label = _edge_label(group, target, result, conditions, options)
            if label:
                lines.append(f'{indent or " "}[label="{label}"];')
    # Bazel ends this one line as it ends those of lists, where it does not factor.
    end = "\0" if options.null_terminated and not options.factored else "\n"
    head = f"digraph mygraph {{\n  node [shape=box];{end}"
    return head + "".join(f"{line}\n" for line in [*lines, "}"])


def _groups(result: Result, options: OutputOptions) -> list[Group]:
    if not options.factored:
        return [(index,) for index in result.successors]
    before: dict[int, set[int]] = {}
    for index, targets in result.successors.items():
        for target in targets:
            before.setdefault(target, set()).add(index)
    alike: dict[tuple[frozenset[int], frozenset[int]], list[int]] = {}
    for index, targets in result.successors.items():
        neighbours = (frozenset(before.get(index, ())), frozenset(targets))
        alike.setdefault(neighbours, []).append(index)
    rows = result.rows
    return [
        tuple(sorted(members, key=lambda index: rows[index].sort_key)) for members in alike.values()
    ]


def _text(group: Group, result: Result, options: OutputOptions) -> str:
    limit = options.node_limit
    text = ""
    for count, index in enumerate(group):
        label = result.rows[index].text(options)
        if count:
            text += _BREAK
            if limit != -1 and len(text) + len(label) > limit - _RESERVED:
                return f"{text}...and {len(group) - count} more items"
        text += label
    return text


def _conditions(result: Result) -> Conditions:
    """For each edge, the conditions of the branches that it stands in: of labels and lists of
    them, not of dictionaries. Bazel: `ConditionalEdges`."""
    by_edge: dict[tuple[Label, Label], dict[Label, None]] = {}
    for row in result.rows:
        rule = row.target
        if not isinstance(rule, Rule) or row.configuration is not None:
            continue
        for attribute in rule.attributes.values():
            for selector in selectors_of(attribute.value):
                if all(branch.is_default for branch in selector.branches):
                    continue
                for branch in selector.branches:
                    if isinstance(branch.value, DictValue):
                        continue
                    for target in labels_in(branch.value):
                        by_edge.setdefault((row.label, target), {})[branch.condition] = None
    return {edge: list(conditions) for edge, conditions in by_edge.items()}


def _edge_label(
    source: Group, target: Group, result: Result, conditions: Conditions, options: OutputOptions
) -> str:
    limit = None if options.conditions_limit == -1 else options.conditions_limit - 1
    text = ""
    told: set[Label] = set()
    for start in source:
        for end in target:
            named = conditions.get((result.rows[start].label, result.rows[end].label))
            if named is None:
                continue
            fresh = [label for label in named[:limit] if label not in told]
            told.update(fresh)
            text += _BREAK.join(map(str, fresh))
            if limit is not None and len(named) > limit:
                text += "..."
    return text
