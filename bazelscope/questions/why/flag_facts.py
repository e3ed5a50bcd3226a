"""Facts about flags: an option, a `--define`, a config, a variable, an rc line or file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.analysis.conditions.match_result import MatchResult
from bazelscope.base.label import at_sign
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.source import Location
from bazelscope.bazel.builtin_repositories import own_readers_of
from bazelscope.bazel.flag_catalog import Catalog
from bazelscope.bazel.option_summaries import summary
from bazelscope.flags.flag_values import (
    ConfigExpansion,
    FlagInstance,
    RcStatus,
    ResolvedFlags,
    canonical_text,
    every_expansion,
    location_of,
)
from bazelscope.flags.rc_search import RcFiles
from bazelscope.questions.explain.word_effects import ReadersOf
from bazelscope.questions.flag.find import why_flag
from bazelscope.questions.shared.envelope import Envelope
from bazelscope.questions.shared.named_configs import defined_configs, sections_of, which_configs
from bazelscope.questions.why.answer import (
    NOT_IN_FORCE,
    Fact,
    FactKind,
    Link,
    Relation,
    cause_of_requirement,
    cause_of_setting,
    detail_of,
    merged,
)

_IS_NAME = lazy_pattern(r"\w+")
_IS_SWITCH = lazy_pattern(r"(?i)true|false|yes|no|auto|[01]|")
"""Values that may be another way to write the one that is in force."""
_MOST_WITH_VALUE = 8
_OF_VARIABLES = ("action_env", "host_action_env", "repo_env", "test_env")


@dataclass(eq=False)
class FlagFactsFinder:
    """Finds the facts about flags that a name means. `conditions` are those that the
    targets ask about: what turns on a flag."""

    _envelope: Envelope
    _flags: ResolvedFlags
    _rc_files: RcFiles
    _catalog: Catalog
    _conditions: tuple[MatchResult, ...]
    _readers_of: ReadersOf | None = None

    # ---- Names ----

    def names(self) -> Iterator[str]:
        """The name of every such fact."""
        yield from (f"--{name}" for name in self._flags.values)
        yield from (f"--{label}" for label in self._flags.starlark_flags)
        yield from (f"--define={name}" for name in self._flags.defines)
        yield from (f"--config={name}" for name in defined_configs(self._rc_files))
        yield from (f"--config={config.name}" for config in self._envelope.undefined_configs)
        yield from (rc_file.path for rc_file in self._flags.rc_files)
        yield from self._variables()
        for condition in self._conditions:
            yield from (entry.what for entry in condition.entries)

    def find(self, word: str) -> Iterator[Fact]:
        """The facts that one name means; the options that are many by their names, one of each."""
        if word in ("define", "--define"):
            for name in self._flags.defines:
                yield from self._defines(f"--define={name}")
        elif word in ("config", "--config"):
            trees = every_expansion(which_configs(self._flags))
            for name in dict.fromkeys(tree.name for tree in trees):
                yield from self._configs_named(f"--config={name}")
        yield from self._defines(word)
        yield from self._configs_named(word)
        yield from self._options(word)
        yield from self._constraints(word)
        yield from self._variable(word)
        for rc_file in self._flags.rc_files:
            if rc_file.path != word:
                continue
            causes: list[Link] = []
            if rc_file.imported_at is not None:
                causes.append(Link(Relation.IMPORTED, word, rc_file.imported_at.start))
            if rc_file.status is RcStatus.READ:
                causes += [
                    Link(Relation.SETS, setting.canonical, setting.location, self._fate(setting))
                    for setting in self._settings()
                    if setting.location and setting.location.path == word
                ]
            value = rc_file.status.value + (f", {rc_file.why}" if rc_file.why else "")
            yield Fact(FactKind.RC_FILE, word, value, None, tuple(causes))
        yield from self._rc_line(word)

    def find_unset(self, word: str) -> Iterator[Fact]:
        """What a name means that nothing sets, and values that are all somebody remembers."""
        if _IS_NAME.fullmatch(word):
            yield from self._defines(f"--define={word}")
            if self._catalog.find(word, self._flags.command) is not None:
                yield from self._options(f"--{word}")
            readers = self._readers_of(word) if self._readers_of is not None else ()
            own = own_readers_of(word)
            if readers or own:
                links = tuple(Link(Relation.READ_BY, at_sign(reader)) for reader in readers)
                detail = "Bazel makes it itself, for the machine's C++ compiler"
                links += tuple(
                    Link(Relation.READ_BY, at_sign(one), detail=detail)
                    for one in own
                    if one not in readers
                )
                yield Fact(FactKind.VARIABLE, word, "not set", None, links)
        settings = list(self._settings())
        given = [setting.canonical for setting in settings if setting.value == word]
        given = given or [s.canonical for s in settings if word in (s.value or "")]
        texts = list(dict.fromkeys(given))
        if len(texts) <= _MOST_WITH_VALUE:
            for text in texts:
                yield from self.find(text)

    # ---- Options and defines ----

    def _options(self, word: str) -> Iterator[Fact]:
        if " " in word:
            # `-c opt`: only as somebody wrote it, for any line may have spaces; or the sentence
            # that answers say of an option.
            written = [one.canonical for one in self._settings() if one.text == word]
            said_of = [f"--{name}" for name in self._flags.values if summary(name) == word]
            word = next(iter((*written, *said_of)), "")
        name, equals, value = word.lstrip("-").partition("=")
        if not equals and _IS_NAME.fullmatch(name):
            # A flag of the project's own, as people say it.
            labels = [one for one in self._flags.starlark_flags if one.endswith(f":{name}")]
            name = labels[0] if len(labels) == 1 else name
        if name.startswith(("//", "@")):
            setting = self._flags.starlark_flags.get(name)
            if setting is not None:
                causes = self._ranked(setting.instances, setting.overridden)
                value = ", ".join(setting.values)
                yield Fact(FactKind.FLAG, f"--{name}", value, None, (*causes, *self._askers(name)))
            return
        if name in ("config", "define") or not (word.startswith("-") or "=" not in word):
            return
        is_set = word.startswith("-") or name in self._flags.values
        if not is_set and self._catalog.find(name, self._flags.command) is None:
            return
        answer = why_flag(self._envelope, name, self._flags, self._catalog)
        if answer.facts is None:
            return
        own = answer.facts.name
        counting = [ranked.setting for ranked in answer.settings if ranked.counts]
        beaten = [ranked.setting for ranked in answer.settings if not ranked.counts]
        chosen = [s for s in counting if value == s.value]
        if equals and answer.facts.accumulates:
            counting = chosen or _of_name(counting, value)
            beaten = _of_name(beaten, value)
        causes = self._ranked(counting, beaten)
        if answer.is_default:
            default = answer.facts.default or ", ".join(answer.values)
            text = canonical_text(own, default) if default else "none"
            causes = (Link(Relation.DEFAULT, text),)
        shown = [s.value or "" for s in counting] or list(answer.values)
        held = ", ".join(shown) if shown else "not set"
        what = f"--{own}"
        is_other = equals and not chosen and value not in shown and not _IS_SWITCH.fullmatch(value)
        if is_other and word.startswith("-") and not any(s.value == value for s in beaten):
            what, held = f"--{own}={value}", f"{NOT_IN_FORCE}; --{own} is {held}"
        yield Fact(FactKind.FLAG, what, held, None, (*causes, *self._askers(f"--{own}")))

    def _ranked(
        self, counting: Iterable[FlagInstance], beaten: Iterable[FlagInstance]
    ) -> tuple[Link, ...]:
        rc_files = self._flags.rc_files
        winners = [cause_of_setting(setting, rc_files) for setting in counting]
        losers = [cause_of_setting(setting, rc_files, Relation.OVER) for setting in beaten]
        return merged((*winners, *reversed(losers)))

    def _askers(self, what: str) -> tuple[Link, ...]:
        """The conditions that ask for a flag."""
        return tuple(
            Link(
                Relation.ASKED_BY,
                str(condition.condition),
                condition.location,
                condition.outcome.value,
            )
            for condition in self._conditions
            if any(entry.what == what for entry in condition.entries)
        )

    def _constraints(self, word: str) -> Iterator[Fact]:
        """An entry of a condition that asks the platform: `@platforms//os:os=...`."""
        what, equals, _ = word.partition("=")
        for condition in self._conditions if what.startswith(("@", "//")) else ():
            for entry in condition.entries:
                if entry.what != what or (equals and f"{what}={entry.wanted}" != word):
                    continue
                causes = cause_of_requirement(entry, self._flags.rc_files).causes
                got = entry.got or "not set"
                yield Fact(FactKind.CONSTRAINT, what, got, None, (*causes, *self._askers(what)))
                return

    def _defines(self, word: str) -> Iterator[Fact]:
        text = word.removeprefix("--define").lstrip("= ") if word.startswith("--define") else word
        name, equals, value = text.partition("=")
        define = self._flags.defines.get(name)
        if define is None:
            if word.startswith("--define") and name:
                asks = self._askers(f"--define={name}")
                if asks:
                    yield Fact(FactKind.DEFINE, f"--define={name}", "not set", None, asks)
            return
        if equals and value != define.value and not word.startswith("--define"):
            return
        causes = self._ranked((define.instance,), define.overridden)
        asks = self._askers(f"--define={name}")
        yield Fact(FactKind.DEFINE, f"--define={name}", define.value, None, (*causes, *asks))

    # ---- Configs ----

    def _configs_named(self, word: str) -> Iterator[Fact]:
        name = word.removeprefix("--config").lstrip("= ") if word.startswith("--config") else word
        if not name or name.startswith("-"):
            return
        expansions = every_expansion(which_configs(self._flags))
        trees = [tree for tree in expansions if tree.name == name]
        causes: list[Link] = []
        for instance in self._instances_of_config(name):
            causes.append(cause_of_setting(instance, self._flags.rc_files))
        if trees:
            causes += [
                Link(Relation.DEFINED, f"--config={name}", span.start)
                for span in trees[0].defined_at
            ]
            causes += [self._child(child) for child in trees[0].children]
            value = f"sets {len(trees[0].children)}"
            yield Fact(FactKind.CONFIG, f"--config={name}", value, None, merged(causes))
            return
        for config in self._envelope.undefined_configs:
            if config.name == name:
                if config.origin is not None:
                    place, detail = location_of(config.origin), detail_of(config.origin)
                    causes.append(Link(Relation.SET_BY, config.written, place, detail))
                causes += [
                    Link(Relation.MAY_DEFINE, definer.text, definer.location, definer.kind.value)
                    for definer in config.definers
                ]
                yield Fact(FactKind.CONFIG, f"--config={name}", "undefined", None, tuple(causes))
                return
        sections = sections_of(name, self._rc_files)
        if sections:
            places = tuple(Link(Relation.DEFINED, text, place) for text, place in sections)
            yield Fact(FactKind.CONFIG, f"--config={name}", NOT_IN_FORCE, None, places)

    def _instances_of_config(self, name: str) -> Iterator[FlagInstance]:
        for expansion in self._flags.configs:
            for expanded in every_expansion([expansion]):
                if expanded.name == name:
                    yield expanded.instance

    def _child(self, child: FlagInstance | ConfigExpansion) -> Link:
        if isinstance(child, ConfigExpansion):
            return Link(Relation.SETS, f"--config={child.name}", child.instance.location)
        return Link(Relation.SETS, child.canonical, child.location, self._fate(child))

    def _fate(self, setting: FlagInstance) -> str:
        """What became of a setting, where it is not in force. One that the same line beats,
        its config being expanded again, is."""
        flags = self._flags
        values = (*flags.values.values(), *flags.starlark_flags.values())
        lost = [(one, value.instances[-1:]) for value in values for one in value.overridden]
        lost += [
            (one, (define.instance,))
            for define in flags.defines.values()
            for one in define.overridden
        ]
        return (
            "beaten"
            if any(
                instance == setting
                and all(winner.location != instance.location for winner in winners)
                for instance, winners in lost
            )
            else ""
        )

    # ---- Variables of the environment ----

    def _variables(self) -> Iterator[str]:
        for option in _OF_VARIABLES:
            value = self._flags.values.get(option)
            for instance in value.instances if value else ():
                yield (instance.value or "").partition("=")[0]

    def _variable(self, word: str) -> Iterator[Fact]:
        name, equals, wanted = word.partition("=")
        causes: list[Link] = []
        values: list[str] = []
        for option in _OF_VARIABLES:
            value = self._flags.values.get(option)
            relation = Relation.SET_BY
            for instance in reversed(value.instances if value else ()):
                own, has_value, text = (instance.value or "").partition("=")
                if own != name or (equals and text != wanted):
                    continue
                causes.append(cause_of_setting(instance, self._flags.rc_files, relation))
                values.append(text if has_value else "taken from the environment")
                relation = Relation.OVER  # The last one of an option counts.
        if causes:
            readers = self._readers_of(name) if self._readers_of is not None else ()
            causes = [*causes, *(Link(Relation.READ_BY, at_sign(r)) for r in readers)]
            yield Fact(FactKind.VARIABLE, name, values[0], None, merged(causes))

    # ---- rc files ----

    def _rc_line(self, word: str) -> Iterator[Fact]:
        path, colon, line = word.rpartition(":")
        if not colon or not line.isdecimal():
            return
        here = [
            setting
            for setting in self._settings()
            if setting.location is not None
            and (setting.location.path, setting.location.line) == (path, int(line))
        ]
        if here:
            causes = [
                cause_of_setting(setting, self._flags.rc_files, Relation.SETS) for setting in here
            ]
            section = detail_of(here[0].origin)
            yield Fact(FactKind.RC_LINE, word, section, here[0].location, merged(causes))
            return
        source = self._rc_files.sources.get(path)
        texts = source.text.split("\n") if source is not None else []
        text = texts[int(line) - 1].strip() if 0 < int(line) <= len(texts) else ""
        if not text:
            return
        place = Location(path, int(line), 1)
        config = text.split()[0].partition(":")[2]
        if text.startswith("#"):
            yield Fact(FactKind.RC_LINE, word, f"a comment: {text}", place)
        elif config and not any(self._instances_of_config(config)):
            needed = Link(Relation.WANTS, f"--config={config}", detail="is not on")
            yield Fact(FactKind.RC_LINE, word, f"{NOT_IN_FORCE}: {text}", place, (needed,))
        else:
            yield Fact(FactKind.RC_LINE, word, text, place)

    def _settings(self) -> Iterator[FlagInstance]:
        for value in (*self._flags.values.values(), *self._flags.starlark_flags.values()):
            yield from (*value.overridden, *value.instances)


def _of_name(settings: list[FlagInstance], value: str) -> list[FlagInstance]:
    """The settings of the variable that a value `NAME=...` is of; all, if none are of it."""
    name, equals, _ = value.partition("=")
    own = [one for one in settings if (one.value or "").partition("=")[0] == name]
    return own if equals and own else settings
