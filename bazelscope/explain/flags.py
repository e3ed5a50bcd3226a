"""Why a flag has its value: every instance of it in precedence order, winners and losers."""

from __future__ import annotations

from bazelscope.explain.configs import UndefinedConfig
from bazelscope.explain.flag_answers import FlagAnswer, FlagFacts, RankedSetting
from bazelscope.explain.options import setting_of
from bazelscope.explain.setup import Setup
from bazelscope.flags.catalog import Catalog, FlagDefinition
from bazelscope.flags.values import FlagInstance, FlagValue, ResolvedFlags


def why_flag(
    setup: Setup,
    asked: str,
    flags: ResolvedFlags,
    catalog: Catalog,
    undefined_configs: tuple[UndefinedConfig, ...] = (),
) -> FlagAnswer:
    """Who set the flag that `asked` names: `copt`, `--copt`, `-c`, `nokeep_going`,
    `define=NAME`, or a build setting's label."""
    if asked.lstrip("-").startswith(("//", "@")):
        label = asked.lstrip("-").partition("=")[0]
        return _answer(setup, label, None, flags.starlark_flags.get(label), flags, (), None)
    name, _, rest = asked.lstrip("-").partition("=")
    definition = _find(asked, name, flags.command, catalog)
    if definition is None:
        return FlagAnswer(
            setup,
            name,
            None,
            (),
            (),
            is_default=True,
            suggestions=catalog.nearest(name, flags.command),
            known_in=catalog.known_elsewhere(name),
            diagnostics=flags.diagnostics,
        )
    value = flags.values.get(definition.name)
    define = rest.partition("=")[0] if definition.name == "define" and rest else None
    return _answer(setup, name, definition, value, flags, undefined_configs, define)


def _find(asked: str, name: str, command: str, catalog: Catalog) -> FlagDefinition | None:
    if len(name) == 1:
        return catalog.by_abbreviation(name, command)
    found = catalog.find(name, command) or catalog.find(name)
    if found is None and name.startswith("no"):
        positive = catalog.find(name[2:], command) or catalog.find(name[2:])
        found = positive if positive is not None and positive.negatable else None
    return found


def _answer(
    setup: Setup,
    asked: str,
    definition: FlagDefinition | None,
    value: FlagValue | None,
    flags: ResolvedFlags,
    undefined_configs: tuple[UndefinedConfig, ...],
    define: str | None,
) -> FlagAnswer:
    counting: tuple[FlagInstance, ...] = value.instances if value else ()
    beaten: tuple[FlagInstance, ...] = value.overridden if value else ()
    values: tuple[str, ...] = value.values if value else ()
    if define is not None:
        found = flags.defines.get(define)
        counting = (found.instance,) if found else ()
        beaten = found.overridden if found else ()
        values = (found.value,) if found else ()
    is_default = not counting
    if is_default and not values and definition is not None and define is None:
        values = () if definition.default in (None, "") else (definition.default or "",)
    winners = set(map(id, counting))
    everything = sorted((*beaten, *counting), key=lambda instance: instance.precedence)
    return FlagAnswer(
        setup=setup,
        asked=asked,
        facts=_facts(definition) if definition else None,
        values=values,
        settings=tuple(
            RankedSetting(setting_of(instance), id(instance) in winners) for instance in everything
        ),
        is_default=is_default,
        define=define,
        undefined_configs=undefined_configs,
        diagnostics=flags.diagnostics,
    )


def _facts(definition: FlagDefinition) -> FlagFacts:
    return FlagFacts(
        name=definition.name,
        abbreviation=definition.abbreviation,
        type=definition.type_text,
        default=definition.default,
        accumulates=definition.repeats,
        commands=tuple(sorted(definition.commands)),
    )
