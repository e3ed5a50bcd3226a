"""Findings about named configs: undefined, never named, without effect."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from bazelscope.base.edits import Fix, fixes
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.nearest import nearest
from bazelscope.bazel.hosts import SYSTEMS
from bazelscope.check.codes import CODES
from bazelscope.check.finding import Finding, FindingCause
from bazelscope.check.rc_files.rc_facts import EVERY_COMMAND, RcFacts, RcSection, meaning
from bazelscope.check.rc_files.word_edits import line_above, with_other_end
from bazelscope.check.tree_texts import TreeTexts
from bazelscope.flags.rc_chunks import section_span
from bazelscope.flags.resolve import PLATFORM_FLAG

_SHORTEST_PART = 3
_SCRIPT = lazy_pattern(r"\.(bash|bat|cmd|ps1|py|sh)$")
_LISTED = lazy_pattern(
    r"^[ \t]*#+[ \t]*(?:[-*][ \t]+)?[`'\"]?([\w.+-]+)[`'\"]?[ \t]*:", re.MULTILINE
)


def undefined_in_sections(facts: RcFacts) -> Iterator[Finding]:
    """Configs that a section names and that nothing defines for its command."""
    told = {
        problem.span
        for problem in facts.flags.diagnostics
        if problem.code == "undefined-config" and problem.span is not None
    }
    for section in facts.sections:
        commands = facts.commands_read_by(section.command)
        for name, word in section.names():
            sections = facts.by_config.get(name, [])
            defining = [one for one in sections if one.command in commands]
            if section.command in EVERY_COMMAND:
                defining = sections
            span = word.origin.span
            if defining or span in told:
                continue
            causes = tuple(
                FindingCause(f"`{one.name}` defines it for another command", one.head)
                for one in sections
            )
            near = nearest(name, facts.by_config, 1)
            remedy = f"did you mean `--config={near[0]}`?" if near else ""
            if sections:
                remedy = f"name the section `{section.command}:{name}`, too"
            message = f"no rc file defines config `{name}` for `{section.command}`"
            script = facts.script_that_writes(name)
            if not causes and script:
                remedy = f"run `./{script}`, which writes config `{name}`"
            found: tuple[Fix, ...] = ()
            if near and not sections:
                edits = with_other_end(facts, span, name, near[0])
                found = fixes(f"write `--config={near[0]}`", edits)
            yield CODES["BZS101"].at(span, f"--config={name}", message, remedy, causes, fixes=found)


def never_named(facts: RcFacts, is_named: Callable[[str], bool]) -> Iterator[Finding]:
    """Configs that no line, script or document of the tree names. Files that lie outside of it are
    read by others as well, who may name theirs."""
    named = {name for section in facts.sections for name, _ in section.names()}
    named |= {expansion.name for expansion in facts.flags.configs}
    enables = any(
        option.definition.name == PLATFORM_FLAG
        for section in facts.sections
        for option in section.options
    )
    platforms = set(SYSTEMS)
    listed = _listed(facts)
    for name, sections in facts.by_config.items():
        is_explained = name in listed or any(_has_comment(facts, one) for one in sections)
        if name in named or is_explained or is_named(name):
            continue
        span, count = sections[0].head, sum(len(one.chunks) for one in sections)
        if posixpath.isabs(span.path):
            continue
        if name not in platforms:
            message = f"no rc line, script or document of this tree names `--config={name}`"
            remedy = f"delete its lines, or say in a document what `--config={name}` is for"
            yield CODES["BZS102"].at(span, f"config {name}", message, remedy, dependents=count)
        elif not enables:
            message = (
                f"`{sections[0].name}` does not count on {name} by itself: "
                f"no rc line has `--{PLATFORM_FLAG}`"
            )
            line = f"common --{PLATFORM_FLAG}"
            remedy = f"add `{line}`, or build with `--config={name}`"
            found = fixes(f"add `{line}`", line_above(facts, sections[0], line))
            yield CODES["BZS112"].at(span, f"config {name}", message, remedy, fixes=found)


def _listed(facts: RcFacts) -> frozenset[str]:
    """The names that lists in comments of rc files explain, as `#   asan: finds overflows`."""
    sources = facts.rc_files.sources.values()
    return frozenset(name for source in sources for name in _LISTED.findall(source.text))


def _has_comment(facts: RcFacts, section: RcSection) -> bool:
    """Whether a comment stands above the lines of a section, or above the list of one-line
    sections that it is in: it says what they are for. One that heads a longer list has a part of
    the name: `# Android configs` above `build:android_arm`."""
    for chunk in section.chunks:
        first = section_span(chunk)
        source = facts.rc_files.sources[first.path]
        number = first.line - 1
        others: set[str] = set()
        while number > 0 and (words := source.line(number).split()):
            name = words[0]
            if name.startswith("#") or (name != section.name and name in others):
                break
            others.add(name)
            number -= 1
        if source.line(number).lstrip().startswith("#"):
            return True
        while number > 0 and not source.line(number).lstrip().startswith("#"):
            number -= 1
        heading = source.line(number).lower() if number else ""
        parts = re.split(r"[_.-]", section.config.lower())
        if any(len(part) >= _SHORTEST_PART and part in heading for part in parts):
            return True
    return False


def without_effect(facts: RcFacts) -> Iterator[Finding]:
    """Configs all of whose options are at their defaults, and that no other config sets
    otherwise."""
    elsewhere: dict[str, set[str]] = {}
    for section in facts.sections:
        for option in section.options:
            elsewhere.setdefault(option.definition.name, set()).add(section.config)
    for name, sections in facts.by_config.items():
        options = [option for section in sections for option in section.options]
        rest = any(section.starlark for section in sections)
        if not options or rest or any(True for one in sections for _ in one.names()):
            continue
        is_plain = all(
            option.definition.default is not None
            and not option.definition.repeats
            and option.definition.is_certain
            and not option.definition.expansion
            and meaning(option.instance.value) == meaning(option.definition.default)
            and elsewhere[option.definition.name] == {name}
            for option in options
        )
        if is_plain:
            texts = ", ".join(f"`{option.instance.text}`" for option in options)
            defaults = "is Bazel's default" if len(options) == 1 else "are Bazel's defaults"
            message = f"`--config={name}` changes nothing: {texts} {defaults}"
            remedy = f"delete the lines of `{name}`, and `--config={name}`"
            yield CODES["BZS108"].at(sections[0].head, f"config {name}", message, remedy)


def missing_files(facts: RcFacts) -> Iterator[Finding]:
    """Rc files that are not there, and that a script of the tree writes."""
    for file in facts.rc_files.missing:
        mention = facts.writers.get(file.path)
        if mention is not None:
            script = mention.script
            message = f"`{file.path}` is not there, so what `{script}` would write to it is not set"
            cause = FindingCause(f"`{mention.place.path}` names it", mention.place)
            place = file.imported_at or mention.place
            causes = (cause,) if file.imported_at is not None else ()
            yield CODES["BZS110"].at(place, file.path, message, f"run `./{script}`", causes)


def with_writer(finding: Finding, facts: RcFacts, texts: TreeTexts) -> Finding:
    """Adds to a finding on an import of a file that is not there which script speaks of it."""
    if finding.subject != "import-not-found":
        return finding
    missing = {file.path for file in facts.rc_files.files if file.imported_at == finding.span}
    scripts = [
        (source.path.count("test"), source.path, source.span(offset, offset + len(path)))
        for path in missing
        for source, offset in texts.places(path)
        if _SCRIPT.search(source.path) or source.text.startswith("#!")
    ]
    if not scripts:
        return finding
    _, script, place = min(scripts, key=lambda one: one[:2])
    cause = FindingCause(f"`{script}` speaks of that file", place)
    remedy = f"run `{script}`, if it writes the file; or forgive that it is missing: `try-import`"
    return replace(finding, causes=(*finding.causes, cause), remedy=remedy)
