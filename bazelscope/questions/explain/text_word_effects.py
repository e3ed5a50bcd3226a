"""What the words of a command line do, and the repositories that it needs, as text."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.base.label import Label, at_sign
from bazelscope.bazel.native_defaults import LATE_BOUND
from bazelscope.bazel.release import Release
from bazelscope.loading.packages.invisible_names import invisible_name
from bazelscope.questions.explain.answer import Explanation
from bazelscope.questions.explain.word_effects import (
    VARIABLES_OF_RULES,
    WordAnswer,
    WordEffect,
)
from bazelscope.questions.shared.phrases import (
    begun,
    begun_list,
    location_text,
    place_text,
    setting_place,
)
from bazelscope.questions.shared.target_answers import LeftOut, RepositoryNeed
from bazelscope.questions.shared.text_endpoints import more_rows
from bazelscope.questions.shared.text_option_effects import rows_of_effects
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Row, bad, name, quiet, row, strong, warning

_NAMING = frozenset(LATE_BOUND.values())
"""Options that name what targets depend on, whatever config_setting looks at them."""
_CONDITIONS_SHOWN = 3
_NAMES_SHOWN = 8
_NAMES_IN_BRIEF = 2
_LONGEST_COMMENT = 160
_LONGEST_FLAG = 160


def word_rows(answer: Explanation, full: bool) -> Iterator[Row]:
    """Each word: what it sets, what that beats or cannot beat, and what turns on it."""
    for word in answer.words:
        yield row(strong(word.text), quiet(f"  {_summary(word, answer)}"))
        if word.is_undefined:
            yield row(bad("is not defined"), indent=1)
        if word.near:
            yield row(f"did you mean {', '.join(word.near)}?", indent=1)
        if word.comment is not None:
            text = " ".join(filter(None, word.comment.lines))
            if not full and len(text) > _LONGEST_COMMENT:
                text = f"{text[:_LONGEST_COMMENT].rpartition(' ')[0]} ..."
            yield row(quiet(f"# {text}"), aside=location_text(word.comment.location), indent=1)
        for effect in word.effects:
            if not _is_set_again(effect):
                yield from _effect_rows(effect, full)
        yield from _set_again_rows(word)
        # What two options of a config come to alike is told once.
        yield from dict.fromkeys(rows_of_effects(word.compiler, indent=1))
        yield from _condition_rows(word.conditions, ("holds", "hold"), full)
        yield from _condition_rows(word.prevented, ("does not hold", "do not hold"), full)
        if word.read_by:
            names = begun_list([at_sign(name) for name in word.read_by], _NAMES_SHOWN, full)
            yield row(f"read by the rule of {names}", indent=1)


def _summary(word: WordAnswer, answer: Explanation) -> str:
    """What a word does in short: `sets 5 options`, `--subcommands=1`."""
    if word.is_undefined:
        return ""
    lost = sum(not (effect.counts or _is_set_again(effect)) for effect in word.effects)
    counting = len(word.effects) - lost
    parts = []
    if len(word.effects) == 1:
        only = word.effects[0].setting
        if only.canonical not in (word.text, only.text) or only.text != word.text:
            parts.append(only.canonical)
    else:
        parts.append(f"sets {plural(counting, 'option')}" if counting else "sets nothing")
        parts += [f"{lost} more are beaten" if lost > 1 else "1 more is beaten"] if lost else []
    kept_out = [one for one in answer.left_out if one.set_by.typed_word == word.number - 1]
    if kept_out:
        parts += [f"keeps {_targets(one)} from being built" for one in kept_out]
    elif any(effect.same_as for effect in word.effects) and all(
        effect.same_as or effect.beaten_by for effect in word.effects
    ):
        parts.append("changes nothing")
    elif len(word.effects) == 1 and word.effects[0].setting.name in _OF_PROJECTS:
        parts.append(_OF_PROJECTS[word.effects[0].setting.name])
    elif (
        answer.reached
        and not (word.effects and all(map(_is_set_again, word.effects)))
        and not (word.conditions or word.prevented or word.read_by or word.compiler)
        and not any(effect.setting.name in _NAMING for effect in word.effects)
    ):
        # What a target that cannot be told selects on, nobody knows.
        counts = answer.envelope.completeness.counts
        is_partly_known = any(c.what == "targets" and c.unknown for c in counts)
        use = "are known to use" if is_partly_known else "use"
        if all(one.setting.name in VARIABLES_OF_RULES for one in word.effects):
            parts.append("no rule of a repository that these targets need is known to read it")
        else:
            does = [_of_loading(effect.setting.name, answer) for effect in word.effects]
            parts += dict.fromkeys(filter(None, does))
            if not all(does):
                parts.append(f"no config_setting that these targets {use} looks at it")
    return ", ".join(parts)


_OF_PROJECTS = {
    "scl_config": "chooses the flags that PROJECT.scl sets",
    "enforce_project_configs": "says whether PROJECT.scl sets flags",
}

_OF_FILES = {
    "enable_bzlmod": "says whether MODULE.bazel defines repositories",
    "enable_workspace": "says whether WORKSPACE defines repositories",
}
_PLACES, _TOOLCHAINS = "says where repositories are", "counts where toolchains are chosen"
_OF_LOADING = {
    **_OF_FILES,
    **dict.fromkeys(("inject_repository", "override_module", "override_repository"), _PLACES),
    "registry": _PLACES,
    "vendor_dir": _PLACES,
    **dict.fromkeys(("deleted_packages", "package_path"), "says which packages there are"),
    **dict.fromkeys(("extra_toolchains", "platforms", "host_platform"), _TOOLCHAINS),
    "extra_execution_platforms": _TOOLCHAINS,
}
"""What options do that no config_setting needs to look at."""


def _of_loading(name: str, answer: Explanation) -> str:
    if name in _OF_FILES and Release.of(answer.envelope.setup.bazel_version).workspace_is_gone:
        return "does nothing in this Bazel"
    return _OF_LOADING.get(name, "")


def _targets(left: LeftOut) -> str:
    return str(left.targets[0]) if len(left.targets) == 1 else plural(len(left.targets), "target")


def left_out_rows(answer: Explanation) -> Iterator[Row]:
    """What options keep from being built of what is named."""
    for left in answer.left_out:
        aside = place_text(left.set_by.origin)
        yield row(f"{left.set_by.canonical} keeps {_targets(left)} from being built", aside=aside)


def _is_set_again(effect: WordEffect) -> bool:
    """Whether a later setting gives the option the value that the word gives it."""
    winner = effect.beaten_by
    return winner is not None and winner.canonical == effect.setting.canonical


def _set_again_rows(word: WordAnswer) -> Iterator[Row]:
    """What the word sets and others set again, to the same value: how many by each place."""
    again: dict[str, int] = {}
    for effect in word.effects:
        if effect.beaten_by is not None and _is_set_again(effect):
            winner = effect.beaten_by
            by = winner.chain[0].text if len(winner.chain) > 1 else place_text(winner.origin)
            again[by] = again.get(by, 0) + 1
    for by, count in again.items():
        which = f"{count} of them" if len(word.effects) > 1 else "it"
        verb = "are" if count > 1 else "is"
        yield row(quiet(f"{which} {verb} set again, to the same value, by {by}"), indent=1)


def _effect_rows(effect: WordEffect, full: bool) -> Iterator[Row]:
    """Only what is not as one would expect: the whole tree stands under `Configs`."""
    text = effect.setting.canonical
    if len(text) > _LONGEST_FLAG and not full:
        text = f"{text[:_LONGEST_FLAG]}..."
    if effect.beaten_by is not None:
        winner = effect.beaten_by
        yield row(
            warning(f"{text} is beaten by {winner.text}"), aside=setting_place(winner), indent=1
        )
    elif effect.same_as is not None:
        same = effect.same_as
        by = "" if same.text == effect.setting.text else f" by {same.text}"
        place = setting_place(same)
        where = "on the command line" if place == "command line" else f"at {place}"
        yield row(quiet(f"{text}: already set{by} {where}"), indent=1)
    elif effect.instead_of is not None:
        beaten = effect.instead_of
        yield row(f"{text} instead of {beaten.text}", aside=setting_place(beaten), indent=1)


def _condition_rows(labels: tuple[Label, ...], verbs: tuple[str, str], full: bool) -> Iterator[Row]:
    if not labels:
        return
    shown = begun(labels, _CONDITIONS_SHOWN, full)
    verb = verbs[0] if len(labels) == 1 else verbs[1]
    yield row(f"{plural(len(labels), 'condition')} {verb} because of it:", indent=1)
    for label in shown:
        yield row(str(label), indent=2)
    yield from more_rows(len(labels) - len(shown), indent=2)


def repositories_title(answer: Explanation) -> str:
    return f"External repositories needed: {len(answer.repositories)}"


def add_repositories(document: Document, answer: Explanation, full: bool, is_brief: bool) -> None:
    """The external repositories that the targets need, by where their content is found;
    `is_brief`: few names of each."""
    most = _NAMES_IN_BRIEF if is_brief else _NAMES_SHOWN
    needs = answer.repositories
    title = repositories_title(answer)
    if full:
        document.add([line for need in needs for line in _need_rows(need)], title)
        return
    groups: dict[str, list[RepositoryNeed]] = {}
    for need in needs:
        groups.setdefault(need.content, []).append(need)
    rows = []
    for content, group in sorted(groups.items(), key=lambda pair: _order(pair[0])):
        names = begun_list([_shown(need) for need in group], most, full, "")
        rows.append(row(name(_CONTENT.get(content, content)), f" {len(group)}: {names}"))
    document.add(rows, title)


_CONTENT = {
    "override": "overridden",
    "local": "a directory of this machine",
    "vendored": "vendored",
    "output-base": "fetched",
    "overlay": "not downloaded, BUILD file known",
    "dry-run": "simulated (repository rule run without programs)",
    "model": "modelled",
    "unknown": "content unknown",
    "undefined": "defined by nothing",
    "workspace": "this workspace, under its own name",
}


def _shown(need: RepositoryNeed) -> str:
    """The name as files say it, also where it leads nowhere."""
    return at_sign(invisible_name(need.name) or need.name)


def _order(content: str) -> int:
    return list(_CONTENT).index(content) if content in _CONTENT else len(_CONTENT)


def _need_rows(need: RepositoryNeed) -> Iterator[Row]:
    rule = f"  {need.rule}()" if need.rule else ""
    content = _CONTENT.get(need.content, need.content)
    yield row(strong(_shown(need)), quiet(f"{rule}, {content}"), aside=location_text(need.location))
    if need.first is not None:
        through = f", named by {need.through}" if need.through is not None else ""
        yield row(f"{plural(need.targets, 'target')}: {need.first}{through}", indent=1)
    if need.files:
        text = f"{plural(need.files, 'file')} loaded"
        yield row(text, aside=location_text(need.loaded_at), indent=1)
    if need.unknown is not None:
        yield row(warning(f"unknown: {need.unknown}"), indent=1)
