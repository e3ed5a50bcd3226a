"""A C++ toolchain of rules_cc's own rules: `cc_args`, `cc_feature`, `cc_tool_map` and their like.

The targets are read, not their implementations run: each word so has the place of its `cc_args`,
and what of one target cannot be told leaves the others known. It works alike on the files of
rules_cc and on bazelscope's model of them. rules_cc: `legacy_converter.bzl`,
`toolchain_config_info.bzl`, `nested_args.bzl`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from bazelscope.analysis.compile import toolchain as cc
from bazelscope.analysis.compile.bazels_features import (
    NO_LEGACY,
    bazels_actions,
    with_bazels_features,
)
from bazelscope.analysis.compile.toolchain_targets import ToolchainTarget, ToolchainTargets
from bazelscope.analysis.compile.words import FromToolchain
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.base.label import Label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import Rule

CONFIG = "cc_toolchain_config"
_KEY = lazy_pattern(r"\{\{|\}\}|\{([^{}]*)\}")
_GUARDS: tuple[tuple[str, cc.Test], ...] = (
    ("requires_not_none", "available"),
    ("requires_none", "not available"),
    ("requires_true", "true"),
    ("requires_false", "false"),
)
_FEATURES = ("cc_feature", "cc_external_feature", "bazels_feature")


def is_rule_based(rule: Rule) -> bool:
    """Whether the rule that configures a `cc_toolchain` is that of rules_cc."""
    return rule.rule_class.name == CONFIG and "tool_map" in rule.rule_class.attributes


class RuleBasedToolchains:
    """Reads toolchains off the targets of one graph."""

    def __init__(self, graph: ConfiguredGraph, implementations: Implementations) -> None:
        self._read = ToolchainTargets(graph, implementations)

    def toolchain(self, node: ConfiguredNode, label: Label) -> cc.Toolchain:
        """The toolchain that the `cc_toolchain_config` at `node` describes; `label` is the
        `cc_toolchain`."""
        config = self._read.target(node)
        enabled = self._features_below(self._read.labels(config, "enabled_features"))
        known = self._features_below(self._read.labels(config, "known_features"))
        tools, capabilities = self._tools(config)
        actions, always = self._actions(config, tools, capabilities)
        features = [
            replace(made, enabled=made.enabled or one.node.label in enabled)
            for one in (enabled | known).values()
            if (made := self._feature(one)) is not None
        ]
        features += [
            cc.Feature(name) for name in dict.fromkeys(chain.from_iterable(capabilities.values()))
        ]
        features.append(always)
        is_legacy = all(one.name != NO_LEGACY for one in features)
        missing = Unknown(Reason.FAILED, "the tools of the toolchain", "its tool_map has no such")
        none = cc.Tool("...", unknown=missing)
        names = {one.feature.name for one in actions}
        added = bazels_actions(names, none, none) if is_legacy else ()
        compiler = self._read.plain(config, "compiler")
        return cc.Toolchain(
            str(label),
            compiler if isinstance(compiler, str) else "",
            with_bazels_features(tuple(features), is_mac=False),
            *("...", "...", "..."),
            actions=(*added, *actions),
            location=config.rule.location if config.rule is not None else None,
            names=self._names(config),
            make_variables=self._make_variables(config),
            identifier="",
        )

    # ---- Actions and tools

    def _names_of_actions(self, targets: Iterable[ToolchainTarget]) -> tuple[str, ...]:
        names: dict[str, None] = {}
        for target in targets:
            if target.kind == "cc_action_type":
                names[self._read.text(target, "action_name")] = None
            elif target.kind == "cc_action_type_set":
                excluded = self._names_of_actions(self._read.labels(target, "excludes"))
                actions = self._names_of_actions(self._read.labels(target, "actions"))
                names |= dict.fromkeys(name for name in actions if name not in excluded)
            else:  # It may be for any.
                names |= dict.fromkeys(sorted(cc.ALL_ACTIONS))
        return tuple(names)

    def _tools(
        self, config: ToolchainTarget
    ) -> tuple[dict[str, cc.Tool], dict[str, tuple[str, ...]]]:
        """The tool of each action, and the features that it is capable of."""
        tools: dict[str, cc.Tool] = {}
        capable: dict[str, tuple[str, ...]] = {}
        for tool_map in self._read.labels(config, "tool_map"):
            if tool_map.kind != "cc_tool_map":
                unknown = tool_map.unknown or self._read.not_known(tool_map)
                return dict.fromkeys(cc.ALL_ACTIONS, cc.Tool("...", unknown=unknown)), {}
            listed = self._read.labels(tool_map, "tools")
            indexes = self._read.plain(tool_map, "tool_index_for_action")
            pairs = zip(
                self._read.labels(tool_map, "actions"),
                indexes if isinstance(indexes, tuple) else (),
                strict=False,
            )
            for actions, index in pairs:
                for name in self._names_of_actions((actions,)):
                    tools[name] = self._tool(listed[index])
                    capable[name] = self._capabilities(listed[index])
        return tools, capable

    def _tool(self, target: ToolchainTarget) -> cc.Tool:
        path: object = None
        if target.kind == "cc_tool":
            path = next((self._read.path(one) for one in self._read.labels(target, "src")), None)
        else:
            path = self._read.path(target)
        if isinstance(path, str):
            return cc.Tool(path)
        return cc.Tool(
            "...", unknown=path if isinstance(path, Unknown) else self._read.not_known(target)
        )

    def _capabilities(self, target: ToolchainTarget) -> tuple[str, ...]:
        listed = self._read.labels(target, "capabilities") if target.kind == "cc_tool" else ()
        return tuple(self._read.text(one, "feature_name") or one.label.name for one in listed)

    def _actions(
        self,
        config: ToolchainTarget,
        tools: Mapping[str, cc.Tool],
        capabilities: Mapping[str, tuple[str, ...]],
    ) -> tuple[tuple[cc.ActionConfig, ...], cc.Feature]:
        """What the toolchain says of each action, and the feature with its environment."""
        sets: list[cc.FlagSet] = []
        variables: list[cc.VariableSet] = []
        for one in self._args_below(self._read.labels(config, "args")):
            sets += self._flag_sets(one, one.label.name)
            variables += self._variables(one)
        made = [
            cc.ActionConfig(
                cc.Feature(
                    name,
                    tuple(
                        replace(one, actions=frozenset({name}))
                        for one in sets
                        if name in one.actions
                    ),
                    enabled=True,
                    implies=capabilities.get(name, ()),
                    is_own=True,
                ),
                (tool,),
            )
            for name, tool in sorted(tools.items())
        ]
        always = cc.Feature(
            "implied_by_always_enabled_env_sets",
            enabled=True,
            variables=tuple(variables),
            is_own=True,
        )
        return tuple(made), always

    # ---- Features

    def _features_below(self, targets: Iterable[ToolchainTarget]) -> dict[Label, ToolchainTarget]:
        """The features that targets come to, in the order of their depset."""
        features: dict[Label, ToolchainTarget] = {}
        for target in targets:
            if target.kind == "cc_feature_set":
                for label, one in self._features_below(self._read.labels(target, "all_of")).items():
                    features.setdefault(label, one)
            else:
                features.setdefault(target.label, target)
        return features

    def _name(self, target: ToolchainTarget) -> str:
        """What `--features` calls a feature."""
        if target.kind == "cc_tool_capability":
            return self._read.text(target, "feature_name") or target.label.name
        overridden = self._read.labels(target, "overrides")
        return self._name(overridden[0]) if overridden else self._read.text(target, "feature_name")

    def _names_below(self, targets: Iterable[ToolchainTarget]) -> tuple[str, ...]:
        below = self._features_below(targets).values()
        return tuple(name for one in below if (name := self._name(one)))

    def _feature(self, target: ToolchainTarget) -> cc.Feature | None:
        """A feature as Bazel sees it; None for one that Bazel has itself."""
        if target.kind == "cc_external_feature":
            return None
        if target.kind == "bazels_feature":
            every = with_bazels_features((), is_mac=False)
            return next((one for one in every if one.name == self._name(target)), None)
        if target.kind != "cc_feature":
            unknown = target.unknown or self._read.not_known(target)
            flags = cc.FlagSet(cc.ALL_ACTIONS, (cc.hole(unknown),))
            return cc.Feature("", (flags,), enabled=True, is_own=True)
        name = self._name(target)
        args = tuple(self._args_below(self._read.labels(target, "args")))
        return cc.Feature(
            name,
            tuple(one for arg in args for one in self._flag_sets(arg, name)),
            implies=self._names_below(self._read.labels(target, "implies")),
            requires=tuple(
                frozenset(self._names_below((one,)))
                for one in self._read.labels(target, "requires_any_of")
            ),
            provides=tuple(
                self._name(one) if one.kind in _FEATURES else one.label.name
                for one in self._read.labels(target, "mutually_exclusive")
            ),
            variables=tuple(one for arg in args for one in self._variables(arg)),
            is_own=True,
        )

    def _constraints(self, target: ToolchainTarget) -> tuple[cc.WithFeatures, ...]:
        return tuple(
            cc.WithFeatures(*map(frozenset, self._constraint(one)))
            for one in self._read.labels(target, "requires_any_of")
        )

    def _constraint(self, target: ToolchainTarget) -> tuple[set[str], set[str]]:
        """The features that a constraint wants, and those that it does not."""
        if target.kind != "cc_feature_constraint":
            return set(self._names_below((target,))), set()
        wanted: set[str] = set()
        unwanted = set(self._names_below(self._read.labels(target, "none_of")))
        for one in self._read.labels(target, "all_of"):
            more, less = self._constraint(one)
            wanted, unwanted = wanted | more, unwanted | less
        return wanted, unwanted

    # ---- Arguments

    def _args_below(self, targets: Iterable[ToolchainTarget]) -> Iterator[ToolchainTarget]:
        for target in targets:
            if target.kind == "cc_args_list":
                yield from self._args_below(self._read.labels(target, "args"))
            else:
                yield target

    def _flag_sets(self, target: ToolchainTarget, feature: str) -> Iterator[cc.FlagSet]:
        if target.kind != "cc_args":
            unknown = target.unknown or self._read.not_known(target)
            yield cc.FlagSet(cc.ALL_ACTIONS, (cc.hole(unknown),))
            return
        wanted = self._constraints(target)
        shown = cc.when_of(wanted)
        assert target.rule is not None
        origin = FromToolchain(feature, shown, target.rule.location)
        actions = frozenset(self._names_of_actions(self._read.labels(target, "actions")))
        yield cc.FlagSet(actions, (self._group(target, origin),), wanted, shown)

    def _variables(self, target: ToolchainTarget) -> Iterator[cc.VariableSet]:
        entries = _items(self._read.plain(target, "env"))
        if entries:
            actions = frozenset(self._names_of_actions(self._read.labels(target, "actions")))
            texts = tuple((str(name), str(value)) for name, value in entries)
            yield cc.VariableSet(actions, texts, self._constraints(target))

    def _group(self, target: ToolchainTarget, origin: FromToolchain) -> cc.FlagGroup:
        """The group of flags of `cc_args` or `cc_nested_args`. rules_cc: `nested_args_provider`."""
        iterated = "".join(one.label.name for one in self._read.labels(target, "iterate_over"))
        guards = [
            cc.Guard(test, one.label.name)
            for name, test in _GUARDS
            for one in self._read.labels(target, name)
        ]
        guards += [
            cc.Guard("equal", one.label.name, self._read.text(target, "requires_equal_value"))
            for one in self._read.labels(target, "requires_equal")
        ]
        nested = tuple(self._group(one, origin) for one in self._read.labels(target, "nested"))
        flags = self._read.plain(target, "args")
        if isinstance(flags, Unknown):
            return cc.FlagGroup((), (cc.hole(flags, origin),), iterated, tuple(guards))
        names: dict[str, str | Unknown] = {"": f"%{{{iterated}}}"} if iterated else {}
        for label, key in _items(self._read.plain(target, "format")):
            if isinstance(label, Label):
                names[str(key)] = self._formatted(self._read.behind(target, "format", label))
        texts = [_filled(str(one), names.get) for one in flags] if isinstance(flags, tuple) else []
        if all(unknown is None for _, unknown in texts):
            every = tuple(text for text, _ in texts)
            return cc.FlagGroup(every, nested, iterated, tuple(guards), origin)
        parts = tuple(
            cc.FlagGroup((text,), origin=origin, unknown=unknown) for text, unknown in texts
        )
        return cc.FlagGroup((), (*parts, *nested), iterated, tuple(guards), origin)

    def _formatted(self, target: ToolchainTarget) -> str | Unknown:
        """What stands for a target in a flag: a variable, a directory, or a file."""
        if target.kind == "cc_variable":
            return f"%{{{target.label.name}}}"
        path = self._read.path(target)
        return path if isinstance(path, Unknown) else path.replace("%", "%%")

    # ---- The rest

    def _names(self, config: ToolchainTarget) -> cc.FileNames:
        given = {
            one.label.name: (
                self._read.text(pattern, "prefix"),
                self._read.text(pattern, "extension"),
            )
            for pattern in self._read.labels(config, "artifact_name_patterns")
            for one in self._read.labels(pattern, "category")
        }
        return cc.FileNames.of(given)

    def _make_variables(self, config: ToolchainTarget) -> dict[str, str]:
        return {
            self._read.text(one, "variable_name"): self._read.text(one, "value")
            for one in self._read.labels(config, "make_variables")
        }


def _items(value: object) -> tuple[tuple[object, object], ...]:
    return tuple(getattr(value, "items", ()))


def _filled(flag: str, named: Callable[[str], str | Unknown | None]) -> tuple[str, Unknown | None]:
    """A flag with its `{keys}` filled in; `{{` is a brace."""
    unknown: Unknown | None = None
    text, position = "", 0
    for key in _KEY.finditer(flag):
        text += flag[position : key.start()].replace("%", "%%")
        position = key.end()
        if key[1] is None:
            text += key[0][0]
            continue
        value = named(key[1])
        if isinstance(value, str):
            text += value
        else:
            failed = Unknown(Reason.FAILED, flag, f"`format` has no `{key[1]}`")
            text, unknown = f"{text}...", value or failed
    return text + flag[position:].replace("%", "%%"), unknown
