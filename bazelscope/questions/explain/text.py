"""The answer to `explain` as text: the verdict, then one section for each kind of cause."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from bazelscope.analysis.conditions.match_result import MatchResult, Outcome
from bazelscope.bazel.option_summaries import summary
from bazelscope.flags.flag_values import (
    ConfigExpansion,
    Define,
    FlagInstance,
    FlagValue,
    FromCommandLine,
    FromRc,
    RcStatus,
)
from bazelscope.questions.explain.answer import ConditionScope, Explanation
from bazelscope.questions.explain.text_word_effects import (
    add_repositories,
    left_out_rows,
    repositories_title,
    word_rows,
)
from bazelscope.questions.shared.phrases import begun, place_text, setting_place
from bazelscope.questions.shared.sections import EVERY_SECTION, Section
from bazelscope.questions.shared.text_endpoints import LISTS_ALL, more_rows, problem_rows
from bazelscope.questions.shared.text_envelope import add_foot, head_blocks
from bazelscope.questions.shared.text_targets import (
    BRIEFEST,
    add_target,
    begun_rows,
    condition_rows,
)
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, fitting, name, quiet, row, strong, warning

_MOST_LINES = 60
"""Of an answer about targets, and what stands around it; what does not fit is told by sections."""
_CONDITIONS_SHOWN = 20
_CONDITIONS_IN_BRIEF = 2
_WORD_LINES = (30, 26, 22, 18, 14, 12, 10, 6)
"""Of what the words of the line do, so many where the answer is so brief."""
_ONLY_COUNTED = 6
"""How brief an answer is that only counts repositories and conditions."""
_TARGETS_IN_BRIEF = 3


def explanation_document(answer: Explanation, full: bool = False, around: int = 0) -> Document:
    """The whole answer; `full` lists what is otherwise only counted; `around`: how many lines
    stand before and below it."""
    # About targets, what their flags are is told when it is asked for.
    is_of_targets = answer.targets or answer.patterns
    if is_of_targets and frozenset(answer.sections) == EVERY_SECTION and not full:
        most = _MOST_LINES - around
        return fitting(lambda brevity: _document(answer, full, brevity), most, BRIEFEST)
    return _document(answer, full, None)


def _document(answer: Explanation, full: bool, brevity: int | None) -> Document:
    """The answer; `brevity`: how brief, if it is to be brief at all."""
    document = Document()
    document.add(chain.from_iterable(head_blocks(answer.envelope, tells_setup=True, full=full)))
    # Bazel stops at a name that means nothing, so nothing comes before it.
    for target in answer.targets:
        if target.node is None:
            add_target(document, target, full)
    words = list(word_rows(answer, full))
    if brevity is not None:
        words = begun_rows(words, _WORD_LINES[brevity], "line")
    document.add(words, "This command line")
    document.add(_project_rows(answer), "PROJECT.scl adds")
    sections = frozenset(answer.sections)
    if answer.envelope.undefined_configs and sections == EVERY_SECTION and not full:
        document.add([row(quiet("--full tells what the rest of the line would come to"))])
        return document
    is_brief = brevity is not None
    is_briefest = brevity == BRIEFEST
    known = [target for target in answer.targets if target.node is not None]
    targets = begun(known, _TARGETS_IN_BRIEF, not is_briefest)
    for target in targets:
        if sections & _OF_TARGETS:
            add_target(document, target, full, Section.SELECTS in sections, brevity)
    if len(targets) < len(known):
        more = f"and {len(known) - len(targets)} more targets (--sections targets)"
        document.add([row(quiet(more))])
    document.add(_pattern_rows(answer))
    if answer.targets and not known and not full:
        add_foot(document, answer.envelope, full, told_setup=True)
        return document
    is_counted = brevity is not None and brevity >= _ONLY_COUNTED
    if not is_counted:
        add_repositories(document, answer, full, is_brief)
        _add_conditions(document, answer, full, is_brief)
    if is_brief:
        document.add(_counted_rows(answer, is_counted))
    else:
        document.add(_config_rows(answer.configs), "Configs")
        document.add(_option_rows((*answer.options, *answer.starlark_flags), full), "Options")
        document.add(_define_rows(answer.defines), "Defines")
        document.add(_rc_rows(answer, full), "rc files")
    add_foot(document, answer.envelope, full, told_setup=True, names=answer.names)
    return document


def _counted_rows(answer: Explanation, with_others: bool) -> Iterator[Row]:
    """How many flags are in force, and how to see them; `with_others`: repositories and
    conditions, too."""
    if with_others and answer.repositories:
        yield row(repositories_title(answer), quiet(" (--sections repos lists them)"))
    if with_others and answer.conditions:
        title, unknown = _conditions_title(answer), answer.conditions_that(Outcome.UNKNOWN)
        untold = f"; {len(unknown)} cannot be told" if unknown else ""
        yield row(f"{title}{untold}", quiet(" (--sections conditions)"))
    parts = [
        plural(len(answer.options) + len(answer.starlark_flags), "option"),
        plural(len(answer.defines), "define"),
        plural(len(answer.configs), "config"),
    ]
    how = "--sections flags,defines,configs,rc lists them"
    yield row(quiet(f"In force: {parts[0]}, {parts[1]} and {parts[2]} ({how})"))


_OF_TARGETS = frozenset(
    {Section.TARGETS, Section.SELECTS, Section.ATTRIBUTES, Section.DEPENDENCIES}
)


def _pattern_rows(answer: Explanation) -> Iterator[Row]:
    for pattern in answer.patterns:
        if pattern.problem:
            yield from problem_rows(pattern.problem)
        else:
            verb = "leaves out" if pattern.is_excluded else "stands for"
            yield row(f"{pattern.pattern} {verb} {plural(pattern.targets, 'target')}")
        if pattern.not_looked_at:
            yield row(warning("not looked at:"), f" {pattern.not_looked_at}", indent=1)
    yield from left_out_rows(answer)


def _config_rows(configs: tuple[ConfigExpansion, ...]) -> Iterator[Row]:
    for config in configs:
        yield from config_rows(config, 0)


def config_rows(config: ConfigExpansion, indent: int) -> Iterator[Row]:
    """The tree of one `--config`, each line with its place."""
    place, written = place_text(config.instance.origin), config.instance.text
    if written not in (f"--config={config.name}", f"--config {config.name}"):
        place += f", {written}"
    yield row(strong(f"--config={config.name}"), aside=place, indent=indent)
    for child in config.children:
        if isinstance(child, FlagInstance):
            yield row(child.canonical, aside=place_text(child.origin), indent=indent + 1)
        else:
            yield from config_rows(child, indent + 1)
    if not config.children:
        yield row(quiet("sets nothing"), indent=indent + 1)


def _project_rows(answer: Explanation) -> Iterator[Row]:
    """The flags of project files that count, each with its place; what it beat is told with all
    options."""
    for option in (*answer.options, *answer.starlark_flags):
        for instance in option.instances:
            origin = instance.origin
            if isinstance(origin, FromRc) and origin.is_of_project:
                yield row(instance.canonical, aside=setting_place(instance))


def _option_rows(options: tuple[FlagValue, ...], full: bool) -> Iterator[Row]:
    for option in options:
        for instance in option.instances:
            yield row(instance.canonical, aside=setting_place(instance))
        is_typed = any(isinstance(one.origin, FromCommandLine) for one in option.instances)
        about = summary(option.name)
        if about and (full or is_typed):
            yield row(quiet(about), indent=1)
        yield from _beaten_rows(option.overridden)


def _beaten_rows(beaten: tuple[FlagInstance, ...]) -> Iterator[Row]:
    for instance in reversed(beaten):
        yield row(quiet(f"over {instance.text}"), aside=setting_place(instance), indent=1)


def _define_rows(defines: tuple[Define, ...]) -> Iterator[Row]:
    for define in defines:
        parts = (name(define.name), f"={define.value}")
        yield row(*parts, aside=setting_place(define.instance))
        yield from _beaten_rows(define.overridden)


def _add_conditions(document: Document, answer: Explanation, full: bool, is_brief: bool) -> None:
    if not answer.conditions:
        return
    holding = answer.conditions_that(Outcome.HOLDS)
    failing = answer.conditions_that(Outcome.DOES_NOT_HOLD)
    unknown = answer.conditions_that(Outcome.UNKNOWN)
    title = _conditions_title(answer)
    most = _CONDITIONS_IN_BRIEF if is_brief else _CONDITIONS_SHOWN
    if holding:
        document.add(_some_conditions(holding, full, most), title)
    else:
        document.add([row(title)])
    document.add(
        _some_conditions(unknown, full, most), f"Conditions that cannot be told: {len(unknown)}"
    )
    if full:
        document.add(
            _some_conditions(failing, full, most), f"Conditions that do not hold: {len(failing)}"
        )


def _conditions_title(answer: Explanation) -> str:
    holding = len(answer.conditions_that(Outcome.HOLDS)) or "none"
    scope = "of the workspace"
    if answer.condition_scope is ConditionScope.TARGETS:
        scope = "that the targets' dependencies select on"
    return f"Conditions that hold: {holding} of {len(answer.conditions)} {scope}"


def _some_conditions(conditions: tuple[MatchResult, ...], full: bool, most: int) -> list[Row]:
    shown = begun(conditions, most, full)
    return [*condition_rows(shown), *more_rows(len(conditions) - len(shown), LISTS_ALL)]


def _rc_rows(answer: Explanation, full: bool) -> Iterator[Row]:
    for rc_file in answer.rc_files:
        if rc_file.status is RcStatus.SKIPPED and not full:
            continue
        importer = f"imported at {rc_file.imported_at.start.short}" if rc_file.imported_at else ""
        detail = ", ".join(text for text in (rc_file.why, importer) if text)
        status = _STATUS[rc_file.status]
        word = name(status) if rc_file.status is RcStatus.READ else quiet(status)
        if rc_file.status is RcStatus.UNREADABLE:
            word = warning(status)
        yield row(word, " " * (_STATUS_WIDTH - len(status)), rc_file.path, aside=detail)


_STATUS = {
    RcStatus.READ: "read",
    RcStatus.NOT_FOUND: "not found",
    RcStatus.UNREADABLE: "unreadable",
    RcStatus.SKIPPED: "skipped",
}
_STATUS_WIDTH = max(len(text) for text in _STATUS.values()) + 2
