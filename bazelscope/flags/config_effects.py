"""Every named config of the rc files: what it sets, where, and which configs it pulls in.

And the reverse: which configs set a define or a flag, directly or through others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Span
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.flags import outcome
from bazelscope.flags.expansion import ConfigExpander
from bazelscope.flags.flag_values import (
    ConfigSection,
    Define,
    FlagInstance,
    FlagValue,
    FromCommandLine,
)
from bazelscope.flags.option_parsing import COMMAND_LINE, OptionParser
from bazelscope.flags.rc_chunks import Chunk
from bazelscope.flags.rc_search import RcFiles
from bazelscope.flags.words import ConfigNode, Word


@dataclass(frozen=True, slots=True)
class ConfigReference:
    """One `--config=NAME` inside a definition."""

    name: str
    span: Span
    section: str


@dataclass(frozen=True, slots=True)
class NamedConfig:
    """One config: `sections` define it, in the order of reading, for one command each.

    `sets` are the options that the definitions themselves contain, Starlark flags after the
    others of a section (a config named there is in `pulls_in` instead), each with the section
    it stands in as its origin.
    """

    name: str
    sections: tuple[ConfigSection, ...]
    sets: tuple[FlagInstance, ...]
    pulls_in: tuple[ConfigReference, ...]

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that it is defined for, in order of definition."""
        return tuple(dict.fromkeys(section.command for section in self.sections))


@dataclass(frozen=True, slots=True)
class Setter:
    """A config that gives a flag or a define a value.

    `instance` is what does it in the end; its `chain` begins with `--config=NAME` and goes
    through every config on the way.
    """

    config: str
    instance: FlagInstance


def all_configs(rc_files: RcFiles, catalog: Catalog) -> tuple[NamedConfig, ...]:
    """Every named config of the rc files, by name."""
    chunks: dict[str, list[Chunk]] = {}
    for section, group in rc_files.sections.items():
        command, colon, name = section.partition(":")
        if colon and command:
            chunks.setdefault(name, []).extend(group)
    return tuple(_named_config(name, chunks[name], catalog) for name in sorted(chunks))


def _named_config(name: str, chunks: Sequence[Chunk], catalog: Catalog) -> NamedConfig:
    sections: list[ConfigSection] = []
    sets: list[FlagInstance] = []
    pulls_in: list[ConfigReference] = []
    for chunk in chunks:
        words = tuple((word.text, word.origin.span) for word in chunk.words)
        sections.append(ConfigSection(chunk.command, name, words))
        for word in chunk.words:
            if word.text.startswith("--config="):
                target = word.text.partition("=")[2]
                pulls_in.append(ConfigReference(target, word.origin.span, chunk.section))
        command = chunk.command if chunk.command in catalog.commands else "build"
        parser = OptionParser(catalog, command, checks=False)
        parser.parse(COMMAND_LINE, [Word(w.text, w.origin) for w in chunk.words])
        sets += [
            option.instance
            for option in parser.options
            if option.definition.name != "config"
            and option.instance.expanded_from is None
            and not option.implied
        ]
        sets += [
            outcome.starlark_instance(option)
            for option in parser.starlark
            if option.expanded_from is None
        ]
    return NamedConfig(name, tuple(sections), tuple(sets), tuple(pulls_in))


class ConfigEffects:
    """What each named config of one command amounts to by itself. The configs are expanded
    once, at the first question."""

    def __init__(self, rc_files: RcFiles, catalog: Catalog, command: str = "build") -> None:
        self.catalog = catalog
        self.command = command
        self._rc_files = rc_files

    def setters(self, flag: str, value: str | None = None) -> tuple[Setter, ...]:
        """The configs under which the flag of that canonical name ends up with `value`.

        With None any value will do. For a flag that accumulates, each of its values counts;
        for one that takes a single value, the last in the config.
        """
        setters: list[Setter] = []
        for config, amount in self._amounts.items():
            final = amount.values.get(flag)
            for instance in final.instances if final is not None else ():
                if value in (None, instance.value):
                    setters.append(Setter(config, instance))
        return tuple(setters)

    def define_setters(self, name: str, value: str | None = None) -> tuple[Setter, ...]:
        """The configs under which `--define=NAME` ends up with `value`, or with any."""
        setters: list[Setter] = []
        for config, defines in self._defines.items():
            define = defines.get(name)
            if define is not None and value in (None, define.value):
                setters.append(Setter(config, define.instance))
        return tuple(setters)

    def build_setting_setters(self, flag: Label) -> tuple[Setter, ...]:
        """The configs that set the build setting of that label, each with what it ends up as."""
        return tuple(
            Setter(config, value.instances[-1])
            for config, amount in self._amounts.items()
            for text, value in amount.starlark.items()
            if _names(text, flag)
        )

    def names(self) -> tuple[str, ...]:
        """The configs that are defined for the command."""
        return tuple(self._amounts)

    def sets(self, config: str) -> tuple[FlagInstance, ...]:
        """What `--config=NAME` by itself leads to: of an option that has one value the last."""
        amount = self._amounts.get(config)
        if amount is None:
            return ()
        values = (*amount.values.values(), *amount.starlark.values())
        return tuple(i for value in values for i in value.instances if i.name != "config")

    @cached_property
    def _amounts(self) -> Mapping[str, _Amount]:
        """By config, what `--config=NAME` by itself leads to."""
        catalog, sections = self.catalog, self._rc_files.sections
        in_order = catalog.release.starlark_in_order
        commands = ("always", "common", *catalog.command_chain(self.command))
        result: dict[str, _Amount] = {}
        for name in self._rc_files.config_names(commands):
            parser = OptionParser(catalog, self.command, checks=False)
            parser.parse(COMMAND_LINE, [Word(f"--config={name}", FromCommandLine(0))])
            instance = parser.options[0].instance
            expander = ConfigExpander(sections, commands, lenient=True)
            node = ConfigNode(name, None, instance)
            parser.parse_expansion(instance, expander.expand(node))
            result[name] = _Amount(
                outcome.flag_values(outcome.in_order(parser.options)),
                outcome.starlark_values(parser.starlark, in_order, parser.after_dashes),
            )
        return result

    @cached_property
    def _defines(self) -> Mapping[str, Mapping[str, Define]]:
        return {config: outcome.defines(one.values) for config, one in self._amounts.items()}


@dataclass(frozen=True, slots=True)
class _Amount:
    """The options and, by label as written, the Starlark flags that a config leads to."""

    values: Mapping[str, FlagValue]
    starlark: Mapping[str, FlagValue]


def _names(written: str, flag: Label) -> bool:
    try:
        return parse_label(written, MAIN_ROOT) == flag
    except LabelError:
        return False
