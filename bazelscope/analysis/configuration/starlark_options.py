"""What a configuration holds of build settings, and what Bazel hashes after a transition.

Until Bazel 5 a configuration's identity hangs on more than on the values in force. Settings
that a transition reads are added with their defaults, and only those that it sets are
cleaned of them again; and whenever a transition changes something, a hash of all of that
becomes part of the output directory's name, which is itself an option. So two targets may
be analysed twice under equal options, as cquery shows. Bazel: `FunctionTransitionUtil`,
`StarlarkTransition.validate`, `ConfigurationResolver.addDefaultStarlarkOptions`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace

from bazelscope.analysis.configuration.build_settings import current_value, default_value
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.loading.packages.targets import Rule

Elements = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class NamedSetting:
    """A build setting as a transition names it: `label` may be an alias of `rule`."""

    label: Label
    rule: Rule
    default: Elements
    is_output: bool


@dataclass(frozen=True, slots=True)
class StarlarkOptions:
    """The settings that are held explicitly while transitions run, by label."""

    held: Mapping[Label, Elements]
    defaults: Mapping[Label, Elements]
    named: tuple[NamedSetting, ...]

    @classmethod
    def before(
        cls,
        configuration: Configuration,
        settings: Mapping[Label, Rule],
        named: Iterable[NamedSetting],
    ) -> StarlarkOptions:
        """What is held when transitions that name `named` begin; `settings` are the rules of
        the settings that `configuration` has. Raises `ValueTypeError`."""
        held: dict[Label, Elements] = {}
        defaults: dict[Label, Elements] = {}
        for label, rule in settings.items():
            defaults[label] = default_value(rule, configuration.release).elements
            value = current_value(rule, configuration, label).elements
            if value != defaults[label] or label in configuration.explicit_defaults:
                held[label] = value
        names = tuple(named)
        for setting in names:
            defaults[setting.label] = setting.default
            held.setdefault(setting.label, setting.default)
        return cls(held, defaults, names)

    def after(
        self,
        configuration: Configuration,
        native: frozenset[str],
        written: Mapping[Label, Elements],
    ) -> tuple[StarlarkOptions, Configuration]:
        """After one transition that wrote these settings, and these native options of
        `configuration` that count as changed."""
        changed = any(self.held.get(label) != value for label, value in written.items())
        changed = changed or (bool(written) and configuration.release.unchanged_options_count)
        held = {**self.held, **written}
        if changed or native:
            affected = configuration.affected | native
            configuration = replace(configuration, affected=affected)
            configuration = replace(configuration, fragment=_fragment(configuration, held))
        return replace(self, held=held), configuration

    def settle(self, configuration: Configuration) -> Configuration:
        """The configuration when all transitions are done."""
        held = dict(self.held)
        outputs = [setting for setting in self.named if setting.is_output]
        for setting in outputs:
            if setting.label != setting.rule.label and setting.label in held:
                held[setting.rule.label] = held.pop(setting.label)
        for setting in outputs:
            if held.get(setting.rule.label) == setting.default:
                del held[setting.rule.label]
        kept = frozenset(
            label for label, value in held.items() if value == self.defaults.get(label)
        )
        return replace(configuration, explicit_defaults=kept)


def _fragment(
    configuration: Configuration, held: Mapping[Label, Elements]
) -> tuple[tuple[str, object], ...]:
    """What the hash is made of: native options that any transition changed, with their
    values, and all settings that are held."""
    native = [(name, configuration.value(name).values) for name in sorted(configuration.affected)]
    return (*native, *sorted((str(label), value) for label, value in held.items()))
