"""Why a flag has its value: every instance of it in precedence order, winners and losers."""

from __future__ import annotations

from bazelscope.bazel import option_history
from bazelscope.bazel.flag_catalog import Catalog, FlagDefinition
from bazelscope.bazel.option_summaries import summary
from bazelscope.flags.flag_values import FlagInstance, FlagValue, ResolvedFlags
from bazelscope.questions.flag.answer import FlagAnswer, FlagFacts, ranked_settings
from bazelscope.questions.shared.envelope import Envelope

LAST_OF_A_NAME = frozenset({"action_env", "define", "host_action_env", "repo_env", "test_env"})
"""Options of `NAME=VALUE` that add up, but of two with the same name the later one counts."""


def why_flag(envelope: Envelope, asked: str, flags: ResolvedFlags, catalog: Catalog) -> FlagAnswer:
    """Who set the flag that `asked` names: `copt`, `--copt`, `-c`, `nokeep_going`,
    `define=NAME`, or `repo_env=NAME`."""
    name, _, rest = asked.lstrip("-").partition("=")
    definition = _find(name, flags.command, catalog)
    if definition is None:
        return FlagAnswer(
            envelope,
            name,
            None,
            (),
            (),
            is_default=True,
            suggestions=catalog.nearest(name, flags.command),
            known_in=catalog.known_elsewhere(name),
        )
    value = flags.values.get(definition.name)
    member = rest.partition("=")[0] if definition.name in LAST_OF_A_NAME and rest else None
    return _answer(envelope, name, definition, value, flags, member)


def _find(name: str, command: str, catalog: Catalog) -> FlagDefinition | None:
    if len(name) == 1:
        return catalog.by_abbreviation(name, command)
    definition = catalog.find(name, command) or catalog.find(name)
    if definition is None and name.startswith("no"):
        positive = catalog.find(name[2:], command) or catalog.find(name[2:])
        definition = positive if positive is not None and positive.negatable else None
    return definition


def _answer(
    envelope: Envelope,
    asked: str,
    definition: FlagDefinition | None,
    value: FlagValue | None,
    flags: ResolvedFlags,
    member: str | None,
) -> FlagAnswer:
    counting: tuple[FlagInstance, ...] = value.instances if value else ()
    beaten: tuple[FlagInstance, ...] = value.overridden if value else ()
    values: tuple[str, ...] = value.values if value else ()
    if definition is not None and definition.name in LAST_OF_A_NAME:
        given = [i for i in counting if member in (None, _name_in(i))]
        last = {_name_in(instance): instance for instance in given}
        counting = tuple(i for i in given if last[_name_in(i)] is i)
        replaced = [i for i in beaten if member in (None, _name_in(i))]
        beaten = (*replaced, *(i for i in given if last[_name_in(i)] is not i))
        values = tuple(shown for i in counting for shown in _shown_values(i, member))
    is_default = not counting
    if is_default and not values and definition is not None and member is None:
        values = _default_values(definition, flags)
    return FlagAnswer(
        envelope=envelope,
        asked=asked,
        facts=_facts(definition) if definition else None,
        values=values,
        settings=ranked_settings(counting, beaten),
        is_default=is_default,
        define=member,
    )


def _name_in(instance: FlagInstance) -> str:
    return (instance.value or "").partition("=")[0]


def _shown_values(instance: FlagInstance, member: str | None) -> tuple[str, ...]:
    """What stands behind the name that was asked for, all of it if none was; nothing for a
    variable that is taken from the environment."""
    text = instance.value or ""
    if member is None:
        return (text,)
    _, equals, value = text.partition("=")
    return (value,) if equals else ()


def _default_values(definition: FlagDefinition, flags: ResolvedFlags) -> tuple[str, ...]:
    if definition.name in ("cpu", "host_cpu") and not definition.default:
        from bazelscope.bazel.hosts import Host  # Few questions need it.

        return (Host.parse(flags.host).default_cpu(flags.release),)
    return (definition.default,) if definition.default else ()


def _facts(definition: FlagDefinition) -> FlagFacts:
    return FlagFacts(
        name=definition.name,
        abbreviation=definition.abbreviation,
        type=definition.type_text,
        default=definition.default,
        accumulates=definition.repeats,
        last_of_a_name=definition.name in LAST_OF_A_NAME,
        commands=tuple(sorted(definition.commands)),
        lifetime=option_history.lifetime(definition.name),
        is_certain=definition.is_certain,
        former_names=option_history.former_names(definition.name),
        changes=option_history.changes(definition.name),
        summary=summary(definition.name),
    )
