"""What conditions ask of the flags, and which named configs give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from bazelscope.analysis.conditions.atoms import FlagRequirement, in_force
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.paths.satisfying_configs import configs_meeting
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.flags.config_effects import ConfigEffects, Setter
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.questions.shared.nodes import ConfigSource, OptionNeed


@dataclass(slots=True)
class ConfigIndex:
    """Finds the named configs that meet a requirement."""

    effects: ConfigEffects
    _found: dict[FlagRequirement, tuple[ConfigSource, ...]] = field(default_factory=dict)

    def which_meet(self, need: FlagRequirement) -> tuple[ConfigSource, ...]:
        """Returns the configs under which the flag ends up as needed, those that say so
        themselves first."""
        known = self._found.get(need)
        if known is None:
            setters = configs_meeting(need, self.effects)
            sources = {_source_of(setter) for setter in setters if setter.instance.location}
            known = self._found[need] = tuple(sorted(sources, key=_directness))
        return known

    def which_meet_all(self, needs: Sequence[FlagRequirement]) -> tuple[ConfigSource, ...]:
        """Returns the configs each of which meets all of `needs`, by its most direct way."""
        if not needs:
            return ()
        sources = self.which_meet(needs[0])
        for need in needs[1:]:
            names = {source.config for source in self.which_meet(need)}
            sources = tuple(source for source in sources if source.config in names)
        first: dict[str, ConfigSource] = {}
        for source in sources:
            first.setdefault(source.config, source)
        return tuple(first.values())


def _source_of(setter: Setter) -> ConfigSource:
    location = setter.instance.location
    assert location is not None
    through = tuple(
        link.value or "" for link in setter.instance.chain[1:-1] if link.name == "config"
    )
    return ConfigSource(setter.config, location, through)


def _directness(source: ConfigSource) -> tuple[int, str, int, str]:
    return (len(source.through), source.location.path, source.location.line, source.config)


def describe_need(
    need: FlagRequirement, conditions: Conditions, configs: ConfigIndex
) -> OptionNeed:
    """Compares a requirement with what is in force, and adds the configs that meet it."""
    entry = in_force(need, conditions)
    return OptionNeed(
        text=need.text,
        what=need.what,
        wanted=need.wanted,
        setting=need.setting,
        location=need.location,
        configs=configs.which_meet(need),
        holds=entry.holds,
        got=entry.got,
        set_by=entry.set_by,
        provided_by=entry.provided_by,
    )


_NO_BUILD_FLAGS = frozenset(
    {
        "color",
        "curses",
        "deleted_packages",
        "distdir",
        "override_repository",
        "package_path",
        "repo_env",
        "repository_cache",
        "show_progress",
        "tool_tag",
    }
)
"""Options of the command line that do not change what a target's branches are."""


def is_set_by_user(flags: ResolvedFlags) -> bool:
    """Tells whether the command line has a flag that targets are built under, as opposed to one
    that says where files are, or how Bazel talks."""
    instances = [
        instance
        for name, value in (*flags.values.items(), *flags.starlark_flags.items())
        if name not in _NO_BUILD_FLAGS
        for instance in (*value.instances, *value.overridden)
    ]
    return any(i.typed_word is not None for i in (*instances, *flags.undefined_configs))
