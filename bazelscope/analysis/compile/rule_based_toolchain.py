"""A C++ toolchain of rules_cc's own rules: `cc_args`, `cc_feature`, `cc_tool_map` and their like.

The targets are read, not their implementations run: each word so has the place of its `cc_args`,
and what of one target cannot be told leaves the others known. It works alike on the files of
rules_cc and on bazelscope's model of them. rules_cc: `legacy_converter.bzl`,
`toolchain_config_info.bzl`, `nested_args.bzl`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from bazelscope.analysis.compile.bazels_features import (
    NO_LEGACY,
    bazels_actions,
    with_bazels_features,
)
from bazelscope.analysis.compile.toolchain import (
    ALL_COMPILE,
    ALL_LINK,
    LINK_STATIC,
    ActionConfig,
    Feature,
    FileNames,
    FlagGroup,
    FlagSet,
    Guard,
    Test,
    Tool,
    Toolchain,
    VariableSet,
    WithFeatures,
    when_of,
)
from bazelscope.analysis.compile.words import FromToolchain
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.conditions.select_choice import resolve_value
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.analysis.graph.configured_graph import ConfiguredGraph
from bazelscope.analysis.graph.output_directories import source_path
from bazelscope.analysis.rules.implementations import Implementations
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.loading.packages.targets import Rule

CONFIG = "cc_toolchain_config"
_EVERY = ALL_COMPILE | ALL_LINK | {LINK_STATIC}
_KEY = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_GUARDS: tuple[tuple[str, Test], ...] = (
    ("requires_not_none", "available"),
    ("requires_none", "not available"),
    ("requires_true", "true"),
    ("requires_false", "false"),
)
_FEATURES = ("cc_feature", "cc_external_feature", "bazels_feature")


@dataclass(frozen=True, slots=True)
class _Target:
    """A target that describes a part of a toolchain."""

    node: ConfiguredNode
    rule: Rule | None
    unknown: Unknown | None
    is_told: bool = True
    """False where nobody can tell which target it is."""

    @property
    def kind(self) -> str:
        """The class of its rule, without the underscore of one behind a macro."""
        return self.rule.rule_class.name.lstrip("_") if self.rule is not None else ""

    @property
    def label(self) -> Label:
        return self.node.label


def is_rule_based(rule: Rule) -> bool:
    """Whether the rule that configures a `cc_toolchain` is that of rules_cc."""
    return rule.rule_class.name == CONFIG and "tool_map" in rule.rule_class.attributes


class RuleBasedToolchains:
    """Reads toolchains off the targets of one graph."""

    def __init__(self, graph: ConfiguredGraph, implementations: Implementations) -> None:
        self._graph = graph
        self._implementations = implementations

    def toolchain(self, node: ConfiguredNode, label: Label) -> Toolchain:
        """The toolchain that the `cc_toolchain_config` at `node` describes; `label` is the
        `cc_toolchain`."""
        config = self._target(node)
        enabled = self._features_below(self._labels(config, "enabled_features"))
        known = self._features_below(self._labels(config, "known_features"))
        tools, capabilities = self._tools(config)
        actions, always = self._actions(config, tools, capabilities)
        features = [
            replace(made, enabled=made.enabled or one.node.label in enabled)
            for one in (enabled | known).values()
            if (made := self._feature(one)) is not None
        ]
        features += [Feature(name) for name in dict.fromkeys(_joined(capabilities.values()))]
        features.append(always)
        is_legacy = all(one.name != NO_LEGACY for one in features)
        missing = Unknown(Reason.FAILED, "the tools of the toolchain", "its tool_map has no such")
        none = Tool("...", unknown=missing)
        names = {one.feature.name for one in actions}
        added = bazels_actions(names, none, none) if is_legacy else ()
        compiler = self._plain(config, "compiler")
        return Toolchain(
            str(label),
            compiler if isinstance(compiler, str) else "",
            with_bazels_features(tuple(features), is_mac=False),
            *("...", "...", "..."),
            actions=(*added, *actions),
            location=config.rule.location if config.rule is not None else None,
            names=self._names(config),
            make_variables=self._make_variables(config),
        )

    # ---- Reading targets

    def _target(self, node: ConfiguredNode) -> _Target:
        behind = behind_aliases(self._graph, node)
        found = self._graph.target(behind)
        unknown = getattr(found, "unknown", None)
        return _Target(
            behind,
            found if isinstance(found, Rule) else None,
            unknown if isinstance(unknown, Unknown) else None,
        )

    def _plain(self, target: _Target, name: str) -> object:
        """The value of an attribute; the attribute's default where it is not given."""
        if target.rule is None:
            return None
        definition = target.rule.rule_class.attributes.get(name)
        default = definition.default if definition is not None else None
        given = target.rule.attributes.get(name)
        if given is None or given.value is None:
            return default
        configuration = target.node.configuration or self._graph.configuration
        conditions = self._graph.conditions(configuration)
        return resolve_value(given.value, conditions, default).value

    def _text(self, target: _Target, name: str) -> str:
        value = self._plain(target, name)
        return value if isinstance(value, str) else ""

    def _labels(self, target: _Target, name: str) -> tuple[_Target, ...]:
        """The targets of an attribute that holds a label, or several; one that is unknown for
        those that cannot be told."""
        value = self._plain(target, name)
        if isinstance(value, Unknown):
            return (_Target(target.node, None, value, is_told=False),)
        labels = (value,) if isinstance(value, Label) else value if isinstance(value, tuple) else ()
        return tuple(self._behind(target, name, one) for one in labels if isinstance(one, Label))

    def _behind(self, target: _Target, name: str, label: Label) -> _Target:
        assert target.rule is not None
        definition = target.rule.rule_class.attributes[name]
        found = self._graph.prerequisites(target.node, definition, label)
        node, doubt = found[0]
        return replace(self._target(node), unknown=doubt) if doubt else self._target(node)

    # ---- Actions and tools

    def _names_of_actions(self, targets: Iterable[_Target]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for target in targets:
            if target.kind == "cc_action_type":
                found[self._text(target, "action_name")] = None
            elif target.kind == "cc_action_type_set":
                found |= dict.fromkeys(self._names_of_actions(self._labels(target, "actions")))
            else:  # It may be for any.
                found |= dict.fromkeys(sorted(_EVERY))
        return tuple(found)

    def _tools(self, config: _Target) -> tuple[dict[str, Tool], dict[str, tuple[str, ...]]]:
        """The tool of each action, and the features that it is capable of."""
        tools: dict[str, Tool] = {}
        capable: dict[str, tuple[str, ...]] = {}
        for tool_map in self._labels(config, "tool_map"):
            if tool_map.kind != "cc_tool_map":
                unknown = tool_map.unknown or self._not_known(tool_map)
                return dict.fromkeys(_EVERY, Tool("...", unknown=unknown)), {}
            listed = self._labels(tool_map, "tools")
            indexes = self._plain(tool_map, "tool_index_for_action")
            pairs = zip(
                self._labels(tool_map, "actions"),
                indexes if isinstance(indexes, tuple) else (),
                strict=False,
            )
            for actions, index in pairs:
                for name in self._names_of_actions((actions,)):
                    tools[name] = self._tool(listed[index])
                    capable[name] = self._capabilities(listed[index])
        return tools, capable

    def _tool(self, target: _Target) -> Tool:
        path: object = None
        if target.kind == "cc_tool":
            path = next((self._path(one) for one in self._labels(target, "src")), None)
        else:
            path = self._path(target)
        if isinstance(path, str):
            return Tool(path)
        return Tool("...", unknown=path if isinstance(path, Unknown) else self._not_known(target))

    def _capabilities(self, target: _Target) -> tuple[str, ...]:
        listed = self._labels(target, "capabilities") if target.kind == "cc_tool" else ()
        return tuple(self._text(one, "feature_name") or one.label.name for one in listed)

    def _actions(
        self,
        config: _Target,
        tools: Mapping[str, Tool],
        capabilities: Mapping[str, tuple[str, ...]],
    ) -> tuple[tuple[ActionConfig, ...], Feature]:
        """What the toolchain says of each action, and the feature with its environment."""
        sets: list[FlagSet] = []
        variables: list[VariableSet] = []
        for one in self._args_below(self._labels(config, "args")):
            sets += self._flag_sets(one, one.label.name)
            variables += self._variables(one)
        made = [
            ActionConfig(
                Feature(
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
        always = Feature(
            "implied_by_always_enabled_env_sets",
            enabled=True,
            variables=tuple(variables),
            is_own=True,
        )
        return tuple(made), always

    # ---- Features

    def _features_below(self, targets: Iterable[_Target]) -> dict[Label, _Target]:
        """The features that targets come to, in the order of their depset."""
        found: dict[Label, _Target] = {}
        for target in targets:
            if target.kind == "cc_feature_set":
                for label, one in self._features_below(self._labels(target, "all_of")).items():
                    found.setdefault(label, one)
            else:
                found.setdefault(target.label, target)
        return found

    def _name(self, target: _Target) -> str:
        """What `--features` calls a feature."""
        if target.kind == "cc_tool_capability":
            return self._text(target, "feature_name") or target.label.name
        overridden = self._labels(target, "overrides")
        return self._name(overridden[0]) if overridden else self._text(target, "feature_name")

    def _names_below(self, targets: Iterable[_Target]) -> tuple[str, ...]:
        below = self._features_below(targets).values()
        return tuple(name for one in below if (name := self._name(one)))

    def _feature(self, target: _Target) -> Feature | None:
        """A feature as Bazel sees it; None for one that Bazel has itself."""
        if target.kind == "cc_external_feature":
            return None
        if target.kind == "bazels_feature":
            every = with_bazels_features((), is_mac=False)
            return next((one for one in every if one.name == self._name(target)), None)
        if target.kind != "cc_feature":
            unknown = target.unknown or self._not_known(target)
            hole = FlagSet(_EVERY, (FlagGroup(("...",), unknown=unknown),))
            return Feature("", (hole,), enabled=True, is_own=True)
        name = self._name(target)
        args = tuple(self._args_below(self._labels(target, "args")))
        return Feature(
            name,
            tuple(one for arg in args for one in self._flag_sets(arg, name)),
            implies=self._names_below(self._labels(target, "implies")),
            requires=tuple(
                frozenset(self._names_below((one,)))
                for one in self._labels(target, "requires_any_of")
            ),
            provides=tuple(
                self._name(one) if one.kind in _FEATURES else one.label.name
                for one in self._labels(target, "mutually_exclusive")
            ),
            variables=tuple(one for arg in args for one in self._variables(arg)),
            is_own=True,
        )

    def _constraints(self, target: _Target) -> tuple[WithFeatures, ...]:
        return tuple(
            WithFeatures(*map(frozenset, self._constraint(one)))
            for one in self._labels(target, "requires_any_of")
        )

    def _constraint(self, target: _Target) -> tuple[set[str], set[str]]:
        """The features that a constraint wants, and those that it does not."""
        if target.kind != "cc_feature_constraint":
            return set(self._names_below((target,))), set()
        wanted: set[str] = set()
        unwanted = set(self._names_below(self._labels(target, "none_of")))
        for one in self._labels(target, "all_of"):
            more, less = self._constraint(one)
            wanted, unwanted = wanted | more, unwanted | less
        return wanted, unwanted

    # ---- Arguments

    def _args_below(self, targets: Iterable[_Target]) -> Iterator[_Target]:
        for target in targets:
            if target.kind == "cc_args_list":
                yield from self._args_below(self._labels(target, "args"))
            else:
                yield target

    def _flag_sets(self, target: _Target, feature: str) -> Iterator[FlagSet]:
        if target.kind != "cc_args":
            unknown = target.unknown or self._not_known(target)
            yield FlagSet(_EVERY, (FlagGroup(("...",), unknown=unknown),))
            return
        wanted = self._constraints(target)
        shown = when_of(wanted)
        assert target.rule is not None
        origin = FromToolchain(feature, shown, target.rule.location)
        actions = frozenset(self._names_of_actions(self._labels(target, "actions")))
        yield FlagSet(actions, (self._group(target, origin),), wanted, shown)

    def _variables(self, target: _Target) -> Iterator[VariableSet]:
        entries = _items(self._plain(target, "env"))
        if entries:
            actions = frozenset(self._names_of_actions(self._labels(target, "actions")))
            texts = tuple((str(name), str(value)) for name, value in entries)
            yield VariableSet(actions, texts, self._constraints(target))

    def _group(self, target: _Target, origin: FromToolchain) -> FlagGroup:
        """The group of flags of `cc_args` or `cc_nested_args`. rules_cc: `nested_args_provider`."""
        iterated = "".join(one.label.name for one in self._labels(target, "iterate_over"))
        guards = [
            Guard(test, one.label.name)
            for name, test in _GUARDS
            for one in self._labels(target, name)
        ]
        guards += [
            Guard("equal", one.label.name, self._text(target, "requires_equal_value"))
            for one in self._labels(target, "requires_equal")
        ]
        nested = tuple(self._group(one, origin) for one in self._labels(target, "nested"))
        flags = self._plain(target, "args")
        if isinstance(flags, Unknown):
            hole = FlagGroup(("...",), origin=origin, unknown=flags)
            return FlagGroup((), (hole,), iterated, tuple(guards))
        names: dict[str, str | Unknown] = {"": f"%{{{iterated}}}"} if iterated else {}
        for label, key in _items(self._plain(target, "format")):
            if isinstance(label, Label):
                names[str(key)] = self._formatted(self._behind(target, "format", label))
        texts = [_filled(str(one), names.get) for one in flags] if isinstance(flags, tuple) else []
        if all(unknown is None for _, unknown in texts):
            every = tuple(text for text, _ in texts)
            return FlagGroup(every, nested, iterated, tuple(guards), origin)
        parts = tuple(FlagGroup((text,), origin=origin, unknown=unknown) for text, unknown in texts)
        return FlagGroup((), (*parts, *nested), iterated, tuple(guards), origin)

    def _formatted(self, target: _Target) -> str | Unknown:
        """What stands for a target in a flag: a variable, a directory, or a file."""
        if target.kind == "cc_variable":
            return f"%{{{target.label.name}}}"
        path = self._path(target)
        return path if isinstance(path, Unknown) else path.replace("%", "%%")

    def _path(self, target: _Target) -> str | Unknown:
        """The path of a file, of a rule's only file, or of a `directory` of bazel_skylib's."""
        if target.kind == "directory":
            return source_path(target.label.sibling("x")).rpartition("/")[0] or "."
        if target.kind == "subdirectory":
            for parent in self._labels(target, "parent"):
                above = self._path(parent)
                if isinstance(above, Unknown):
                    return above
                return posixpath.normpath(posixpath.join(above, self._text(target, "path")))
        if target.unknown is not None and not target.is_told:
            return target.unknown
        if target.rule is None:
            # No rule of its package makes it: in a repository that is not here, a file.
            return source_path(target.label)
        if target.kind == "cc_tool":
            return next((self._path(one) for one in self._labels(target, "src")), "...")
        files = self._implementations.files(target.node)
        if isinstance(files, Unknown):
            return files
        paths = [one.path for one in files]
        return paths[0] if len(paths) == 1 else self._not_known(target)

    # ---- The rest

    def _not_known(self, target: _Target) -> Unknown:
        detail = f"what a {target.kind or 'file'} says of flags is not modelled"
        place = target.rule.location if target.rule is not None else None
        return target.unknown or Unknown(Reason.NOT_MODELLED, str(target.label), detail, place)

    def _names(self, config: _Target) -> FileNames:
        given = {
            one.label.name: (self._text(pattern, "prefix"), self._text(pattern, "extension"))
            for pattern in self._labels(config, "artifact_name_patterns")
            for one in self._labels(pattern, "category")
        }
        return FileNames.of(given)

    def _make_variables(self, config: _Target) -> dict[str, str]:
        return {
            self._text(one, "variable_name"): self._text(one, "value")
            for one in self._labels(config, "make_variables")
        }


def _items(value: object) -> tuple[tuple[object, object], ...]:
    return tuple(getattr(value, "items", ()))


def _joined(parts: Iterable[Iterable[str]]) -> Iterator[str]:
    for part in parts:
        yield from part


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
