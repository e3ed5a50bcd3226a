"""What conditions ask of the flags, and which named configs give it."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from bazelscope.analysis.conditions.atoms import ENVIRONMENT, FlagRequirement, in_force
from bazelscope.analysis.conditions.matcher import Conditions
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_boolean, parse_value
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.flags.config_effects import ConfigEffects, Setter
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.kept.pack import Key, Pack
from bazelscope.questions.shared.nodes import ConfigSource, OptionNeed

_DEFINE = "--define="
_BOOLEANS = frozenset({"false", "true"})


@dataclass(slots=True)
class ConfigIndex:
    """Tells what the named configs set. To know it takes parsing every one of them, so what was
    asked is kept in `pack`, under a key that has the rc files."""

    effects: ConfigEffects
    pack: Pack | None = None
    key: Key = ()
    _known: dict[tuple[str, ...], Any] | None = None

    def _kept(self, find: Callable[[], Any], *asked: str) -> Any:
        """What was found when the same was asked before; else what is found now."""
        if self._known is None:
            self._known = {}
            content = self.pack.get(self.key) if self.pack is not None else None
            if content is not None:
                with suppress(ValueError, EOFError, TypeError):  # Written by another Python.
                    self._known = marshal.loads(content)
        if asked not in self._known:
            self._known[asked] = find()
            if self.pack is not None:
                with suppress(ValueError):
                    self.pack.put(self.key, marshal.dumps(self._known))
        return self._known[asked]

    def setters(self, name: str) -> tuple[tuple[str, str], ...]:
        """The configs that set an option, each with the value."""
        return self._kept(lambda: self._setters(name), "option", name)  # type: ignore[no-any-return]

    def _setters(self, name: str) -> tuple[tuple[str, str], ...]:
        setters = self.effects.setters(name)
        return tuple([(one.config, one.instance.value or "") for one in setters])

    def values_of_setting(self, flag: Label) -> tuple[str, ...]:
        """What configs set a build setting to."""
        return self._kept(lambda: self._values(flag), "setting", str(flag))  # type: ignore[no-any-return]

    def _values(self, flag: Label) -> tuple[str, ...]:
        setters = self.effects.build_setting_setters(flag)
        return tuple(dict.fromkeys(one.instance.value or "" for one in setters))

    def settings(self) -> tuple[tuple[str, str], ...]:
        """Every build setting as configs write it, with each value."""
        return self._kept(self._settings, "settings")  # type: ignore[no-any-return]

    def _settings(self) -> tuple[tuple[str, str], ...]:
        settings = {
            (one.name, one.value or "")
            for config in self.effects.names()
            for one in self.effects.sets(config)
            if one.name.startswith(("/", "@"))
        }
        return tuple(sorted(settings))

    def which_meet(self, need: FlagRequirement) -> tuple[ConfigSource, ...]:
        """Returns the configs under which the flag ends up as needed, those that say so
        themselves first."""
        asked = need.what, need.wanted, repr((need.domain, need.accumulates, need.is_constraint))
        rows = self._kept(lambda: self._meeting(need), "need", *asked)
        return tuple(
            ConfigSource(config, Location(*place), through) for config, place, through in rows
        )

    def _meeting(self, need: FlagRequirement) -> tuple[tuple[str, tuple[Any, ...], Any], ...]:
        setters = configs_meeting(need, self.effects)
        sources = {_source_of(setter) for setter in setters if setter.instance.location}
        return tuple(
            [
                (one.config, tuple(one.location), one.through)
                for one in sorted(sources, key=_directness)
            ]
        )

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
        *("color", "curses", "deleted_packages", "distdir", "override_repository"),
        *("package_path", "repo_env", "repository_cache", "show_progress", "tool_tag"),
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


def configs_meeting(requirement: FlagRequirement, effects: ConfigEffects) -> tuple[Setter, ...]:
    """The configs under which the requirement's flag ends up with the value it needs.

    A constraint of the platform is met by a platform, so no config is listed for it.
    """
    if requirement.is_constraint:
        return ()
    what, wanted = requirement.what, requirement.wanted
    if what.startswith(_DEFINE):
        name = what.removeprefix(_DEFINE)
        return effects.define_setters(name, wanted)
    if what.startswith(ENVIRONMENT):
        text = f"{what.partition('=')[2]}={wanted}"
        return tuple(s for option in ENVIRONMENT for s in effects.setters(option[2:-1], text))
    if not what.startswith("--"):
        flag = parse_label(what, MAIN_ROOT)
        return tuple(s for s in effects.build_setting_setters(flag) if _gives(s, requirement))
    name = what.removeprefix("--")
    setters = effects.setters(name)
    definition = effects.catalog.find(name, effects.command)
    if definition is None or requirement.accumulates:
        return tuple(s for s in setters if s.instance.value == wanted)
    meeting: list[Setter] = []
    for setter in setters:
        try:
            text = parse_value(definition, setter.instance.value or "").text
        except ValueTypeError:
            continue
        if text == wanted:
            meeting.append(setter)
    return tuple(meeting)


def _gives(setter: Setter, requirement: FlagRequirement) -> bool:
    """Whether a build setting gets the value that is wanted, however it is spelt."""
    value = setter.instance.value or ""
    if requirement.accumulates:
        return requirement.wanted in value.split(",")
    if requirement.wanted in _BOOLEANS and requirement.domain:
        try:
            return str(parse_boolean(value)).lower() == requirement.wanted
        except ValueTypeError:
            return False
    return value == requirement.wanted
