"""What stands above lines: how many select()s turn on a config_setting, and on a config."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.conditions.match_result import Outcome
from bazelscope.base.graph_walk import distances
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, SourceFile
from bazelscope.editor.file_kinds import TextKind, kind_of
from bazelscope.editor.find_flags import in_force
from bazelscope.editor.state import EditorState
from bazelscope.editor.targets import loaded_package
from bazelscope.flags.config_effects import NamedConfig, all_configs
from bazelscope.flags.rcfile import parse as parse_rc
from bazelscope.render.counting import plural


@dataclass(frozen=True, slots=True)
class Lens:
    """A sentence above a line."""

    place: Location
    text: str


def lenses(state: EditorState, source: SourceFile) -> tuple[Lens, ...]:
    """The sentences above the lines of a text, in order."""
    kind = kind_of(source.path)
    if kind is TextKind.BUILD:
        return tuple(_of_settings(state, source))
    if kind is TextKind.RC:
        return tuple(_of_configs(state, source))
    return ()


def _of_settings(state: EditorState, source: SourceFile) -> Iterator[Lens]:
    loaded = loaded_package(state, source.path)
    if loaded is None or loaded.path != source.path:
        return
    world = state.build.world
    for rule in loaded.targets.rules_of({"config_setting"}):
        place = state.now(rule.location)
        outcome = world.conditions.match(rule.label).outcome
        now = {Outcome.HOLDS: "holds", Outcome.DOES_NOT_HOLD: "does not hold"}.get(
            outcome, "cannot be told"
        )
        if not state.select_uses.is_whole:
            yield Lens(place, now)
            continue
        selects = state.select_uses.of(world.loader, rule.label)
        yield Lens(place, f"{_turn(selects)}; {now}")


def _turn(selects: int, what: str = "this") -> str:
    if not selects:
        return f"no select turns on {what}"
    return f"{plural(selects, 'select')} turn{'s' if selects == 1 else ''} on {what}"


def _of_configs(state: EditorState, source: SourceFile) -> Iterator[Lens]:
    """Above the first line of each config: whether it is in force, and how many select()s turn on
    what it sets."""
    named = in_force(state.build)
    build = state.build
    configs = {one.name: one for one in all_configs(build.rc_files, build.workspace.catalog)}
    asked = _asked_by_conditions(state)
    seen: set[str] = set()
    for line in parse_rc(source):
        name = line.head.text.partition(":")[2]
        config = configs.get(name)
        if config is None or name in seen:
            continue
        seen.add(name)
        state_now = "in force" if name in named else "not in force"
        if not state.select_uses.is_whole:
            yield Lens(line.span.start, state_now)
            continue
        settings = _settings_of(config, configs, asked)
        selects = state.select_uses.of_any(state.build.loader, settings)
        yield Lens(line.span.start, f"{_turn(selects, 'what it sets')}; {state_now}")


def _asked_by_conditions(state: EditorState) -> dict[str, set[Label]]:
    """The conditions of the workspace's select()s by what they ask for: `--define=speed`."""
    conditions = state.build.world.conditions
    asked: dict[str, set[Label]] = {}
    for key in state.select_uses.conditions():
        match = conditions.match(key)
        for entry in match.entries:
            asked.setdefault(f"{entry.what}={entry.wanted}", set()).add(match.setting)
    return asked


def _settings_of(
    config: NamedConfig, configs: dict[str, NamedConfig], asked: dict[str, set[Label]]
) -> set[Label]:
    """The conditions that ask for a value which a config sets, itself or through others."""

    def pulled_in(name: str) -> list[str]:
        return [one.name for one in configs[name].pulls_in if one.name in configs]

    names = distances([config.name], pulled_in)
    instances = (instance for name in names for instance in configs[name].sets)
    return set().union(*(asked.get(one.canonical, set()) for one in instances))
