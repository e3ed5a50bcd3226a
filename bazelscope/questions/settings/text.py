"""The answer to `settings` as text: what holds first, then what does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bazelscope.analysis.conditions.match_result import Outcome
from bazelscope.analysis.refusals.refusal import Refusal
from bazelscope.base.label import Label
from bazelscope.questions.settings.answer import SettingAnswer, SettingsAnswer
from bazelscope.questions.shared.phrases import location_text
from bazelscope.questions.shared.text_endpoints import problem_rows
from bazelscope.questions.shared.text_envelope import add_foot, add_head
from bazelscope.questions.shared.text_targets import reason_rows
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, bad, quiet, row, strong, warning


def settings_document(answer: SettingsAnswer, full: bool = False) -> Document:
    """Every setting that was asked about, grouped by whether it holds."""
    document = Document()
    add_head(document, answer.envelope, tells_setup=True)
    document.add(_verdict(answer))
    told = answer.envelope.refusals if answer.tells_refusals else ()
    refused = {one.target: one for one in reversed(told) if one.target is not None}
    for outcome, title in (
        (Outcome.HOLDS, "True"),
        (Outcome.DOES_NOT_HOLD, "False"),
        (Outcome.UNKNOWN, "Cannot be told"),
    ):
        settings = [setting for setting in answer.settings if setting.condition.outcome is outcome]
        rows = [line for setting in settings for line in _setting_rows(setting, refused)]
        document.add(rows, f"{title}: {len(settings)}")
    add_foot(document, answer.envelope, full, told_setup=True)
    return document


def _verdict(answer: SettingsAnswer) -> Iterator[Row]:
    if answer.problem:
        yield from problem_rows(answer.problem, answer.suggestions)
        return
    holding = sum(setting.condition.outcome is Outcome.HOLDS for setting in answer.settings)
    idle = sum(not setting.selects for setting in answer.settings)
    count = len(answer.settings)
    text = f"{holding} of {plural(count, 'setting')} true" if count else "no setting is declared"
    if count == 1:
        use = "it is used by no"
    elif idle == count:
        use = "none is used by any"
    else:
        use = f"{idle:,} of them {'are' if idle > 1 else 'is'} used by no"
    unused = quiet(f"; {use} select() of the workspace")
    refused = {one.target for one in answer.envelope.refusals} if answer.tells_refusals else ()
    yield row(strong(text), *([unused] if idle else []))
    if refused:
        yield row(warning(f"Bazel refuses {len(refused)} of them"))
    if answer.elsewhere:
        several = answer.elsewhere != 1
        verb, names = ("are", "their names") if several else ("is", "its name")
        more = f"{plural(answer.elsewhere, 'more setting')}, of other repositories, {verb} used"
        yield row(quiet(f"{more}: give {names} to see {'them' if several else 'it'}"))


def _setting_rows(setting: SettingAnswer, refused: Mapping[Label, Refusal]) -> Iterator[Row]:
    uses = "no select()"
    if setting.selects:
        uses = f"{plural(setting.selects, 'select()', 'select()s')}"
        uses += f" in {plural(setting.targets, 'target')}"
    kind = "" if setting.kind == "config_setting" else f", {setting.kind}"
    place = location_text(setting.location)
    yield row(
        strong(str(setting.condition.condition)), aside=f"{place}{kind}; {uses}" if place else uses
    )
    refusal = refused.get(setting.condition.condition)
    if refusal is not None:
        yield row(bad("Bazel refuses it: "), refusal.message.partition("\n")[0], indent=1)
        return
    yield from reason_rows(setting.condition, indent=1)
