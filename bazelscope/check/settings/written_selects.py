"""The select()s of a workspace by their keys: macros write the same one a thousand times."""

from __future__ import annotations

from functools import cached_property

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.attribute_types import Branch, Selector, SelectorList
from bazelscope.bazel.encoded_values import decode_label
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.loading.packages.targets import Rule

Keys = tuple[str, ...]


@dataclass(frozen=True)
class WrittenSelect:
    """All select()s with the same keys in one order: `targets` have them."""

    keys: Keys
    targets: tuple[Label, ...]

    @cached_property
    def selector(self) -> Selector:
        """A select() with these keys whose branches all differ."""
        return Selector(tuple(Branch(decode_label(key), n) for n, key in enumerate(self.keys)))

    @property
    def has_default(self) -> bool:
        return any(branch.is_default for branch in self.selector.branches)


def written_selects(facts: WorkspaceFacts) -> tuple[WrittenSelect, ...]:
    """Every select() of the workspace's own packages, by its keys."""
    graph = facts.world.graph
    users_of: dict[Keys, dict[Label, None]] = {}
    for package in facts.packages:
        for name in package.targets:
            label = Label(package.id.repository, package.id.package, name)
            for keys in graph.select_keys(label):
                users_of.setdefault(keys, {})[label] = None
    return tuple(WrittenSelect(keys, tuple(users)) for keys, users in users_of.items())


def real_selector(facts: WorkspaceFacts, keys: Keys, user: Label) -> tuple[str, Selector] | None:
    """The attribute of `user` that has the select(), and the select() itself."""
    rule = facts.world.graph.node(user)
    for attribute in rule.attributes.values() if isinstance(rule, Rule) else ():
        if isinstance(attribute.value, SelectorList):
            for selector in attribute.value.selectors():
                written = tuple(branch.condition for branch in selector.branches)
                if written == tuple(map(decode_label, keys)):
                    return attribute.name, selector
    return None
