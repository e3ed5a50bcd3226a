"""Findings about config_settings that nobody selects on, and defines that nobody looks at."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bazelscope.base.label import Label
from bazelscope.base.source import Location, Span
from bazelscope.bazel.attribute_types import DictValue
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.workspace_facts import WorkspaceFacts
from bazelscope.loading.packages.targets import Rule

_SETTING = frozenset({"config_setting"})
_EVERYBODY = "//visibility:public"
_OF_CPU = ("cpu", "crosstool_top", "compiler")


def unused_settings(facts: WorkspaceFacts) -> Iterator[Finding]:
    """config_settings that no select() of the workspace turns on, and that nothing else of it
    names. Of those that one loop or macro makes none is told where some are used, and those that a
    module has for all to see are for other modules."""
    modules = facts.world.loader.table.resolved_modules
    is_module = (
        modules is not None and modules.root.file is not None and bool(modules.root.file.name)
    )
    made: dict[Location, list[Rule]] = {}
    for setting in _settings(facts):
        made.setdefault(_place(setting), []).append(setting)
    for place, settings in made.items():
        if any(one.label in facts.used_conditions or _is_named(facts, one) for one in settings):
            continue
        if is_module and any(_EVERYBODY in _visibility(one) for one in settings):
            continue
        more = f" and {len(settings) - 1} more that are made here" if settings[1:] else ""
        message = f"no select() of this workspace turns on {settings[0].label}{more}"
        remedy = "delete it, unless other workspaces use it"
        yield CODES["BZS201"].at(facts.span(place), str(settings[0].label), message, remedy)


def _visibility(setting: Rule) -> tuple[str, ...]:
    value = setting.given("visibility")
    return tuple(map(str, value)) if isinstance(value, tuple | list) else ()


def _settings(facts: WorkspaceFacts) -> Iterator[Rule]:
    for package in facts.packages:
        yield from package.targets.rules_of(_SETTING)


def _place(rule: Rule) -> Location:
    return rule.call_stack[0].location if rule.call_stack else rule.location


def _is_named(facts: WorkspaceFacts, setting: Rule) -> bool:
    """Whether a BUILD or `.bzl` file has the setting's label in a string, besides its own."""
    name = re.escape(setting.label.name)
    # A plain name as the key of a dictionary is a define's, or an option's.
    pattern = re.compile(rf"""[/:]{name}["']|["']{name}(?:["'](?!\s*:)|[%{{])""")
    declared = 1
    for source in facts.texts.starlark:
        if setting.label.name in source.text:
            for match in pattern.finditer(source.text):
                before = source.text[max(0, match.start() - 16) : match.start()]
                if re.search(r"name\s*=\s*$", before) is None:
                    return True
                declared -= 1
    return declared < 0 or setting.generator_function not in (None, "config_setting")


def unused_defines(facts: WorkspaceFacts) -> Iterator[Finding]:
    """Defines of rc files that only settings ask about which no select() turns on; and, where
    nothing is there that cannot be read, those that nothing asks about."""
    asked: dict[str, list[Label]] = {}
    used: set[str] = set()
    places: dict[Label, Span | None] = {}
    for setting in _settings(facts):
        is_used = setting.label in facts.used_conditions or _is_named(facts, setting)
        places[setting.label] = facts.span(_place(setting))
        for name in _defines_of(setting):
            asked.setdefault(name, []).append(setting.label)
            if is_used:
                used.add(name)
    told: set[str] = set()
    for section in facts.rc.sections:
        for option in section.options:
            name = (option.instance.value or "").partition("=")[0]
            if option.definition.name != "define" or not name or name in told | used:
                continue
            askers = asked.get(name, [])
            besides = frozenset(_files_of(places, askers))
            if facts.texts.says_in_starlark(name, besides):
                continue
            is_all_read = not facts.has_unread_repositories
            if not askers and not is_all_read:
                continue  # One that cannot be read may look at it.
            told.add(name)
            span = option.instance.span
            why = "no select() turns on what asks about it" if askers else "nothing asks about it"
            where = "" if is_all_read else " of what can be read"
            message = f"`--define={name}` decides nothing{where}: {why}"
            causes = tuple(
                FindingCause(f"{label} asks about it", places[label]) for label in askers
            )
            remedy = f"delete `--define={name}`{', and the setting' if askers else ''}"
            if not is_all_read:
                remedy += ", unless a repository that is not downloaded asks about it"
            yield CODES["BZS202"].at(span, f"--define={name}", message, remedy, causes)


def _files_of(places: dict[Label, Span | None], labels: list[Label]) -> Iterator[str]:
    for label in labels:
        span = places[label]
        if span is not None:
            yield span.path


def _defines_of(setting: Rule) -> Iterator[str]:
    for name, _ in _entries(setting, "define_values"):
        yield name
    for name, value in _entries(setting, "values"):
        if name == "define":
            yield value.partition("=")[0]


def _entries(setting: Rule, attribute: str) -> Iterator[tuple[str, str]]:
    written = setting.attributes.get(attribute)
    if written is not None and isinstance(written.value, DictValue):
        for name, value in written.value.items:
            yield str(name), str(value)


def cpu_beside_platforms(facts: WorkspaceFacts) -> Iterator[Finding]:
    """Settings that look at `--cpu` in a tree whose rc lines set `--platforms` instead."""
    if facts.world.loader.workspace.is_file("platform_mappings"):
        return
    given = [
        option.instance
        for section in facts.rc.sections
        for option in section.options
        if option.definition.name == "platforms"
        and not any(
            other.definition.name in (*_OF_CPU, "platform_mappings") for other in section.options
        )
    ]
    if not given:
        return
    cause = FindingCause(f"`{given[0].text}`", given[0].span)
    for setting in _settings(facts):
        if setting.label not in facts.used_conditions:
            continue
        names = [name for name, _ in _entries(setting, "values") if name in _OF_CPU]
        if names:
            message = (
                f"{setting.label} looks at `--{names[0]}`, which `--platforms` does not change"
            )
            remedy = "ask for `constraint_values` instead, or add a platform_mappings file"
            yield CODES["BZS206"].at(
                facts.span(_place(setting)),
                str(setting.label),
                message,
                remedy,
                (cause,),
                len(facts.uses.get(setting.label, ())),
            )


def settings_of_toolchains(facts: WorkspaceFacts) -> list[tuple[Label, Span | None]]:
    """The settings that look at `--cpu`, `--crosstool_top` or `--compiler`, and their places."""
    return [
        (setting.label, facts.span(_place(setting)))
        for setting in _settings(facts)
        if any(name in _OF_CPU for name, _ in _entries(setting, "values"))
    ]
