"""Findings about single options of rc files: refused, former, deprecated, beaten, said twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bazelscope.base.edits import fixes
from bazelscope.base.errors import is_severe
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.option_history import lifetime
from bazelscope.bazel.release import Release
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.of_diagnostics import of_diagnostic
from bazelscope.check.rc_files.rc_facts import EVERY_COMMAND, RcFacts, RcSection, meaning
from bazelscope.check.rc_files.word_edits import rewritten, under_another_command, without
from bazelscope.flags.flag_values import FlagInstance, FromRc
from bazelscope.flags.option_parsing import RC_FILE, OptionParser, ParsedOption

_JOINED = lazy_pattern(
    r"-(arch|D|F|framework|I|idirafter|imacros|include|isysroot|isystem|iquote|L|l|mllvm|o|rpath|T"
    r"|target|U|u|z|-param|X\S*|Wl,-z\S*|Wl,-rpath\S*)"
)
"""Words of compilers and linkers that the next word belongs to, so that they may be repeated."""

_OF_REPOSITORIES = frozenset(
    {"enable_bzlmod", "enable_workspace", "override_module", "override_repository", "registry"}
)


def refused_in_sections(facts: RcFacts) -> Iterator[Finding]:
    """Options that Bazel refuses as soon as their command runs, or their config is named."""
    told = {problem.span for problem in facts.flags.diagnostics if is_severe(problem)}
    for section in facts.sections:
        for problem in section.diagnostics:
            if problem.span in told:
                continue
            if is_severe(problem):
                finding = of_diagnostic(problem, "BZS106", facts.rc_files.sources.get)
                cause = FindingCause(_when_refused(section))
                yield replace(finding, subject=finding.message, causes=(cause,))
            elif problem.code == "deprecated-option":
                finding = of_diagnostic(problem, "BZS105", facts.rc_files.sources.get)
                remedy = f"Bazel says: {finding.remedy}" if finding.remedy else "delete it"
                yield CODES["BZS105"].at(finding.span, problem.message, finding.message, remedy)


def _when_refused(section: RcSection) -> str:
    command = "every command" if section.command in EVERY_COMMAND else f"`{section.command}`"
    return f"{command} with `--config={section.config}`" if section.config else command


def common_options(facts: RcFacts) -> Iterator[Finding]:
    """Options of `common` lines that some command lacks, for Bazels that refuse these."""
    if facts.catalog.release.lenient_common:
        return
    for section in facts.sections:
        if section.command not in EVERY_COMMAND or section.config:
            continue
        for option in section.options:
            definition = option.definition
            if not facts.catalog.applies(definition, "query") and definition.is_certain:
                message = (
                    f"`query` refuses `--{definition.name}`, and reads this `{section.name}` line"
                )
                since = Release.lenient_common.series
                remedy = f"write `build` instead of `common`; Bazel {since} and newer take it"
                subject, span = f"common {definition.name}", option.instance.span
                edits = under_another_command(facts, section, span, "build")
                found = fixes("write `build` instead of `common`", edits)
                yield CODES["BZS106"].at(span, subject, message, remedy, fixes=found)


def repositories_of_build_alone(facts: RcFacts) -> Iterator[Finding]:
    """Options of `build` lines that decide which repositories there are, and that `query` would
    take and does not read: it does not see what is built."""
    read = facts.commands_read_by("query")
    there = [one for one in facts.sections if not one.config]
    seen = {_setting(option) for one in there if one.command in read for option in one.options}
    for section in there:
        if section.command in read or section.command not in facts.commands_read_by("build"):
            continue
        for option in section.options:
            definition, setting = option.definition, _setting(option)
            is_default = setting[1] == meaning(definition.default)
            if definition.name not in _OF_REPOSITORIES or is_default or setting in seen:
                continue
            if facts.catalog.applies(definition, "query"):
                text = option.instance.text
                message = (
                    f"`query` does not read this `{section.name}` line, and without `{text}` it"
                    " sees other repositories than `build`"
                )
                remedy = f"write `common` instead of `{section.name}`"
                span = option.instance.span
                edits = under_another_command(facts, section, span, "common")
                found = fixes(f"write `common` instead of `{section.name}`", edits)
                yield CODES["BZS114"].at(span, text, message, remedy, fixes=found)


def _setting(option: ParsedOption) -> tuple[str, bool | str]:
    return option.definition.name, meaning(option.instance.value)


def former_names(facts: RcFacts) -> Iterator[Finding]:
    """Options under a name that Bazel has replaced by another."""
    for section in facts.sections:
        for option in section.options:
            written = option.instance.text.partition("=")[0].partition(" ")[0]
            if not written.startswith("--"):
                continue
            name, own = written[2:], option.definition.name
            if name in (own, f"no{own}"):
                continue
            current = facts.catalog.find(own)
            if current is None or not current.is_certain:
                continue  # This Bazel may have the former name alone.
            negation = ""
            if name.startswith("no") and facts.catalog.find(name) is None:
                negation, name = "no", name[2:]
            message = f"`--{name}` is the former name of `--{own}`"
            since = lifetime(own)
            remedy = f"write `--{negation}{own}`"
            is_new = since.startswith("since")
            cause = (FindingCause(f"Bazel has `--{own}` {since}"),) if is_new else ()
            span = option.instance.span
            edits = rewritten(facts, span, written, f"--{negation}{own}")
            found = fixes(remedy, edits, is_safe=True)
            yield CODES["BZS107"].at(span, name, message, remedy, cause, fixes=found)


def beaten_and_repeated(facts: RcFacts) -> Iterator[Finding]:
    """Words that a later word of the same section always beats or says again."""
    for section in facts.sections:
        words = facts.expanded(section)
        command = "build" if section.command in EVERY_COMMAND else section.command
        parser = OptionParser(facts.catalog, command)
        parser.parse(RC_FILE, words)
        refused = {problem.span for problem in parser.diagnostics if is_severe(problem)}
        last: dict[str, ParsedOption] = {}
        values: dict[tuple[str, str], ParsedOption] = {}
        for option in reversed(parser.options):
            definition, instance = option.definition, option.instance
            if option.implied or definition.is_expansion or definition.name == "config":
                continue
            if instance.span in refused:
                continue  # What Bazel refuses beats nothing.
            key = definition.name
            if key == "define":
                key += "=" + (instance.value or "").partition("=")[0]
            if definition.repeats and definition.name != "define":
                later = values.setdefault((key, instance.value or ""), option)
                if later is option or _belongs_to_next(instance.value or ""):
                    continue
                if definition.name not in _LISTS_OF_WORDS:
                    continue
            else:
                later = last.setdefault(key, option)
            if later is option or not _is_of(instance, section):
                continue
            place, other = instance.span, later.instance.span
            if place is None or other is None or place.path != other.path or place == other:
                continue
            yield _beaten(facts, section, instance, later.instance)


_LISTS_OF_WORDS = frozenset(
    {
        *("action_env", "conlyopt", "copt", "cxxopt", "features", "host_action_env"),
        *("host_conlyopt", "host_copt", "host_cxxopt", "host_features", "host_linkopt"),
        *("linkopt", "repo_env", "test_env"),
    }
)
"""Options that accumulate, and to which a value said twice adds nothing."""


def _belongs_to_next(value: str) -> bool:
    return not value.startswith("-") or _JOINED.fullmatch(value) is not None


def _beaten(
    facts: RcFacts, section: RcSection, instance: FlagInstance, later: FlagInstance
) -> Finding:
    place = later.span
    edits, title = without(facts, instance.span), f"delete `{instance.text}`"
    if instance.value == later.value:
        message = f"`{instance.text}` is said again in `{section.name}`"
        cause = FindingCause("the same again", place)
        remedy = "delete one of the two"
        found = fixes(title, edits, is_safe=True)
        return CODES["BZS104"].at(
            instance.span, instance.text, message, remedy, (cause,), fixes=found
        )
    message = f"`{instance.text}` never counts: `{later.text}` always beats it"
    cause = FindingCause(f"`{later.text}`", place)
    origin, remedy = later.origin, "delete it"
    if isinstance(origin, FromRc) and origin.section != section.name:
        remedy = f"move it below the `--config` that leads to `{origin.section}`, or delete it"
    found = fixes(title, edits)
    return CODES["BZS103"].at(instance.span, instance.text, message, remedy, (cause,), fixes=found)


def _is_of(instance: FlagInstance, section: RcSection) -> bool:
    origin = instance.origin
    written = isinstance(origin, FromRc) and origin.section == section.name
    return written and instance.expanded_from is None
