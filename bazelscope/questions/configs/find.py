"""The named configs of a workspace: what each sets, where, and which names which."""

from __future__ import annotations

from bazelscope.base.graph_walk import distances
from bazelscope.base.nearest import nearest
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.bazel.option_summaries import summary
from bazelscope.flags.config_effects import NamedConfig as DefinedConfig
from bazelscope.flags.config_effects import all_configs
from bazelscope.flags.flag_values import FlagInstance, ResolvedFlags
from bazelscope.flags.rc_search import RcFiles
from bazelscope.questions.configs.answer import (
    ConfigLine,
    ConfigsAnswer,
    ConfigSectionAnswer,
    NamedConfig,
)
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.named_configs import RootFiles, UndefinedConfig, who_defines


def describe_configs(
    envelope: Envelope,
    asked: str | None,
    rc_files: RcFiles,
    catalog: Catalog,
    flags: ResolvedFlags,
    root_files: RootFiles,
) -> ConfigsAnswer:
    """Every named config by name, or the one `asked` for followed by those it leads to."""
    defined = {config.name: config for config in all_configs(rc_files, catalog)}
    naming: dict[str, list[str]] = {}
    for config in defined.values():
        for inner in dict.fromkeys(reference.name for reference in config.pulls_in):
            naming.setdefault(inner, []).append(config.name)
    if asked is not None and asked not in defined:
        definers = who_defines(asked, flags, root_files)
        return ConfigsAnswer(
            envelope,
            asked,
            (),
            nearest(asked, sorted(defined)),
            UndefinedConfig(asked, f"--config={asked}", None, definers),
        )
    names = sorted(defined) if asked is None else _reached(asked, defined)
    configs = tuple(_named(defined[name], defined, naming) for name in names)
    return ConfigsAnswer(envelope, asked, configs)


def _reached(asked: str, defined: dict[str, DefinedConfig]) -> list[str]:
    def named(config: str) -> list[str]:
        return [one.name for one in defined[config].pulls_in if one.name in defined]

    return list(distances([asked] if asked in defined else [], named))


def _named(
    config: DefinedConfig, defined: dict[str, DefinedConfig], naming: dict[str, list[str]]
) -> NamedConfig:
    inner = tuple(dict.fromkeys(reference.name for reference in config.pulls_in))
    return NamedConfig(
        name=config.name,
        sections=tuple(
            ConfigSectionAnswer(command, _lines(config, command)) for command in config.commands
        ),
        pulls_in=tuple(name for name in inner if name in defined),
        pulled_in_by=tuple(naming.get(config.name, ())),
        missing=tuple(name for name in inner if name not in defined),
    )


def _lines(config: DefinedConfig, command: str) -> tuple[ConfigLine, ...]:
    lines = [
        ConfigLine(instance.text, instance.location, summary(instance.name))
        for instance in config.sets
        if instance.location is not None and _command(instance) == command
    ]
    lines += [
        ConfigLine(f"--config={reference.name}", reference.span.start)
        for reference in config.pulls_in
        if reference.section.partition(":")[0] == command
    ]
    return tuple(sorted(lines, key=lambda line: line.location))


def _command(instance: FlagInstance) -> str:
    return getattr(instance.origin, "command", "")
