"""The answer to `effects` as text: what each flag brings and drops, and who looks at it."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.label import Label
from bazelscope.questions.effects.answer import EffectsAnswer, FlagEffect, ValueEffect
from bazelscope.questions.shared.nodes import ConfigSource
from bazelscope.questions.shared.phrases import listed, location_text
from bazelscope.questions.shared.text_endpoints import problem_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Part, Row, bad, good, quiet, row, strong, warning

_SHOWN = 6
_CONFIGS_SHOWN = 3
_OF_VARIABLES = ("--action_env=", "--repo_env=")


def effects_document(answer: EffectsAnswer, full: bool = False) -> Document:
    """What turns on the name, the most effective flag first; what nothing looks at last."""
    document = Document()
    add_head(document, answer.envelope)
    if answer.problem:
        document.add(problem_rows(answer.problem, answer.suggestions))
    where = "of this workspace and its repositories"
    if answer.target is not None:
        where = f"below {answer.target.label}"
    if answer.whole is not None:
        document.add(_whole_rows(answer.whole, answer.target is not None))
    for effect in answer.effects:
        if not effect.is_idle:
            document.add(_effect_rows(effect, full), (strong(_title(effect, where)),))
    _add_idle(document, answer, where)
    add_foot(document, answer.envelope, full)
    return document


def _whole_rows(whole: ValueEffect, has_target: bool) -> Iterator[Row]:
    if has_target:
        changes = whole.brings or whole.takes or whole.is_refused
        nothing = "" if changes else "  brings and drops no target"
        yield row(*_value_parts(whole), quiet(nothing))
        yield from _moved_rows(whole)


def _moved_rows(value: ValueEffect) -> Iterator[Row]:
    if value.first_brought:
        yield row(quiet("brings "), _some(value.first_brought, value.brings), indent=1)
    if value.first_taken:
        yield row(quiet("drops "), _some(value.first_taken, value.takes), indent=1)


def _flag(effect: FlagEffect) -> str:
    return effect.what if effect.wanted is None else f"{effect.what}={effect.wanted}"


def _title(effect: FlagEffect, where: str) -> str:
    parts = []
    if effect.conditions:
        conditions = plural(len(effect.conditions), "condition")
        parts.append(f"{conditions} in {plural(effect.selects, 'select()')} {where}")
    if effect.readers:
        rules = plural(len(effect.readers), "repository rule")
        parts.append(f"{rules}")
    looked = "looked at by" if effect.conditions else "read by"
    return f"{_flag(effect)}: {looked} {' and '.join(parts)}"


def _effect_rows(effect: FlagEffect, full: bool) -> Iterator[Row]:
    for value in effect.values:
        yield row(*_value_parts(value), aside=_configs(value.need.configs))
        yield from _moved_rows(value)
    uses = effect.conditions if full else effect.conditions[:_SHOWN]
    for use in uses:
        selects, targets = plural(use.selects, "select()"), plural(use.targets, "target")
        yield row(
            str(use.condition),
            quiet(f"  {selects} in {targets}"),
            aside=location_text(use.location),
        )
    if len(uses) < len(effect.conditions):
        more = plural(len(effect.conditions) - len(uses), "other condition")
        yield row(quiet(f"and {more} (--full lists all)"))
    if effect.readers:
        readers = [f"@{name}" for name in effect.readers]
        yield row(quiet("read by the rule of "), listed(readers, None if full else _SHOWN, ""))


def _value_parts(value: ValueEffect) -> Iterator[Part]:
    yield value.need.text
    if value.need.holds:
        yield quiet(" is so now")
        return
    if value.is_refused:
        yield warning(" is refused by Bazel with the other flags as they are")
    if value.brings:
        yield good(f"  +{plural(value.brings, 'target')}")
    if value.takes:
        yield bad(f"  -{plural(value.takes, 'target')}")


def _configs(sources: tuple[ConfigSource, ...]) -> str:
    return listed([f"--config={source.config}" for source in sources], _CONFIGS_SHOWN, "")


def _some(labels: tuple[Label, ...], total: int) -> str:
    text = ", ".join(map(str, labels))
    return f"{text} and {total - len(labels):,} more" if total > len(labels) else text


def _add_idle(document: Document, answer: EffectsAnswer, where: str) -> None:
    """What nothing looks at; of several flags that is said once."""
    unread = answer.envelope.completeness.unknown_targets
    that_is_known = " that could be read" if unread else ""
    idle = [effect for effect in answer.effects if effect.is_idle]
    variables = [effect for effect in idle if effect.what.startswith(_OF_VARIABLES)]
    others = [effect for effect in idle if effect not in variables]
    reads = f", and no repository rule{that_is_known} reads"
    for effects, suffix in ((others, ""), (variables, reads)):
        nobody = f"no select() {where}{that_is_known} looks at"
        if len(effects) == 1:
            text = f"{_flag(effects[0])}: {nobody} it{suffix and f'{suffix} it'}"
            document.add([row(quiet(text), aside=location_text(effects[0].set_at))])
        elif effects:
            rows = [row(_flag(one), aside=location_text(one.set_at)) for one in effects]
            document.add(rows, f"{nobody[0].upper()}{nobody[1:]}{suffix} these {len(effects)}:")
