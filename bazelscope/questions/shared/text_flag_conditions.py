"""Under which flags something is so, as text: combinations, what holds now, what changes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bazelscope.analysis.conditions.atoms import UNSET
from bazelscope.analysis.paths.clashes import ClashKind
from bazelscope.base.label import Label
from bazelscope.questions.shared.conditions.flag_conditions import (
    AddedWords,
    ClashAnswer,
    FlagCombination,
    FlagCondition,
    FlagWord,
    Now,
    Verdict,
)
from bazelscope.questions.shared.nodes import BranchAnswer, ConfigSource, EdgeAnswer, OptionNeed
from bazelscope.questions.shared.phrases import (
    begun,
    begun_list,
    location_text,
    more_text,
    origin_text,
)
from bazelscope.render.counting import plural
from bazelscope.render.document import Document, Part, Row, good, quiet, row, strong, warning

_CONFIGS_SHOWN = 3
_STATES_SHOWN = 5
_CAUSES_SHOWN = 2
_CONFLICTS_SHOWN = 1
_SHOWN = 5
_UNLESS_SHOWN = 2
_VALUES_SHOWN = 6
_NEVER_SHOWN = 3
_WAYS_SHOWN = 3
_WITHOUT = "without "
_A_PLATFORM_WITH = "a platform with "
HERE = "of what this line loads"


AS_TAKEN_FOR_GRANTED = "if what was taken for granted on the way is so"


def how_so(condition: FlagCondition, full: bool) -> str:
    """What stands before the combinations: `only with`, `always, unless one of these`."""
    if condition.is_long and not full:
        return "under some flags only"
    if condition.tells_exceptions:
        return "always, unless" + (" one of these" if len(condition.exceptions) > 1 else "")
    says_without = any(not any(w.is_so for w in one.words) for one in condition.alternatives)
    if len(condition.alternatives) > 1:
        return "only in one of these cases" if says_without else "only with one of these"
    is_without = says_without and "".join(words_of(condition.told[0])).startswith(_WITHOUT)
    return "only" if is_without else "only with"


def add_condition_facts(document: Document, condition: FlagCondition, full: bool) -> None:
    """Appends what goes with a condition: what the line fixes, what is so now and what changes
    it, what Bazel refuses, and what nobody can tell."""
    if condition.fixed:
        texts = (need.text if need.holds else f"not {need.text}" for need in condition.fixed)
        document.add([row(quiet(f"Taken as the command line says: {', '.join(texts)}."))])
    document.add((*now_rows(condition, full), *conflict_rows(condition, full)))
    document.add(unknown_rows([condition]), "Nobody can tell from the files")


def unknown_rows(conditions: Iterable[FlagCondition]) -> Iterator[Row]:
    """What conditions hang on that nobody can tell."""
    for unknown in dict.fromkeys(one for each in conditions for one in each.unknowns):
        yield row(str(unknown), aside=location_text(unknown.location))


def condition_rows(condition: FlagCondition, full: bool) -> Iterator[Row]:
    """The combinations, with the configs that set them."""
    told = condition.told
    if condition.is_long and not full:
        most = max(len(one.words) for one in told)
        least = "at least " if not condition.is_complete else ""
        text = f"{least}{len(told)} combinations of up to {most} flags (--full lists them)"
        yield row(quiet(text))
        return
    shown = begun(told, _SHOWN, full)
    now = next(filter(_is_now, told), None)
    hidden = now is not None and now not in shown
    if now is not None and hidden:
        shown = (now, *shown[:-1])
    for alternative in shown:
        mark = quiet(" (so now)") if hidden and alternative is now else ""
        yield row(*words_of(alternative), mark, aside=_asked_at(alternative))
        if full or alternative.configs or len(told) == 1:
            yield from config_rows(alternative, full, is_one_of_many=len(told) > 1)
    if len(shown) < len(told):
        more = plural(len(told) - len(shown), f"{'more' if hidden else 'longer'} combination")
        if condition.is_complete:
            yield row(quiet(f"and {more} (--full lists all)"))
        else:
            many = "; there are more than can be listed"
            yield row(quiet(f"and {more} (--full lists them)"), warning(many))
    elif not condition.is_complete:
        yield row(warning("and more: there are too many combinations to list"))
    untried = [one for one in condition.untried if one in shown] if condition.is_tried else []
    if untried:
        which = "" if len(told) == 1 else f"{len(untried)} of them "
        them = "it" if len(untried) == 1 else "them"
        yield row(quiet(f"{which}not tried: no command line was found for {them}"))


def _is_now(alternative: FlagCombination) -> bool:
    """Whether the flags in force meet all of it."""
    return all(word.need.holds == word.is_so for word in alternative.words)


def _asked_at(alternative: FlagCombination) -> str:
    return location_text(alternative.words[0].need.location) if alternative.words else ""


def refused_words(conflict: FlagCombination) -> Iterator[str]:
    """`Bazel refuses --define=a=1 together with --define=b=1`."""
    yield "Bazel refuses "
    yield from words_of(conflict, " together with ")


def words_of(alternative: FlagCombination, joint: str = " and ") -> Iterator[str]:
    """`--define=a=1 and --cpu=k8, unless --define=b=1`; `--cpu other than arm or k8`."""
    to_set = [word for word in alternative.words if word.is_so]
    against: dict[str, list[FlagWord]] = {}
    for word in alternative.words:
        if not word.is_so:
            against.setdefault(word.need.what, []).append(word)
    yield joint.join(on_one_platform(map(_word, to_set)))
    if to_set and against:
        yield f", unless {' or '.join(map(_any_of, against.values()))}"
    elif against:
        yield _together(list(map(_none_of, against.values())))


def on_one_platform(needed: Iterable[str]) -> list[str]:
    """Puts what constraint values a platform must have into one of the texts, the first of
    them."""
    texts = list(needed)
    platform = [text for text in texts if text.startswith(_A_PLATFORM_WITH)]
    values = " and ".join(text.removeprefix(_A_PLATFORM_WITH) for text in platform)
    said = [_A_PLATFORM_WITH + values if text in platform[:1] else text for text in texts]
    return [text for text in said if text not in platform[1:]]


def _together(denials: list[str]) -> str:
    """`without --a or --b and --cpu other than arm`: of many one `without` is enough."""
    absent = [one.removeprefix(_WITHOUT) for one in denials if one.startswith(_WITHOUT)]
    others = [one for one in denials if not one.startswith(_WITHOUT)]
    merged = [_WITHOUT + " or ".join(absent)] if absent else []
    return " and ".join((*merged, *others))


def _word(word: FlagWord) -> str:
    return word.need.text if word.unknown is None else f"{word.need.text} (which is not known)"


def _any_of(words: list[FlagWord]) -> str:
    """One flag has one of several values."""
    if len(words) == 1:
        return _word(words[0])
    flag = _flag(words[0])
    return f"{flag} is {_values(words)}" if flag else f"{_A_PLATFORM_WITH}{_values(words)}"


def _none_of(words: list[FlagWord]) -> str:
    """One flag has none of several values."""
    flag = _flag(words[0])
    if not flag:
        return f"a platform without {_values(words)}"
    if len(words) > 1:
        return f"{flag} other than {_values(words)}"
    if words[0].need.wanted == UNSET:
        return f"some {flag}"
    return f"without {_word(words[0])}"


def _flag(word: FlagWord) -> str:
    """The flag that a word is about; nothing if that is the platform."""
    need = word.need
    if need.wanted in (UNSET, "") or word.unknown is not None:
        return need.what
    flag, equals, _ = need.text.rpartition(f"={need.wanted}")
    return flag if equals else ""


def _values(words: list[FlagWord]) -> str:
    values = [word.need.wanted for word in words]
    return " or ".join(filter(None, (", ".join(values[:-1]), values[-1])))


def config_rows(
    alternative: FlagCombination, full: bool, indent: int = 1, is_one_of_many: bool = False
) -> Iterator[Row]:
    """The configs that set the words of a combination."""
    most = 1 if is_one_of_many else _CONFIGS_SHOWN
    if alternative.configs:
        several = sum(word.is_so for word in alternative.words) > 1
        sets = "all set by " if several else "set by "
        yield from _sources(sets, alternative.configs, full, indent, most)
        return
    for word in alternative.words:
        if word.is_so and word.need.configs:
            yield from _sources(
                f"{word.need.text} is set by ", word.need.configs, full, indent, most
            )


def _sources(
    before: str, sources: tuple[ConfigSource, ...], full: bool, indent: int, most: int
) -> Iterator[Row]:
    shown = begun(sources, most, full)
    names = ", ".join(f"--config={source.config}" for source in shown)
    more = more_text(len(sources) - len(shown), "")
    places = ", ".join(dict.fromkeys(source.location.short for source in shown))
    yield row(quiet(before), good(names), quiet(more), aside=places, indent=indent)


def now_rows(condition: FlagCondition, full: bool) -> Iterator[Row]:
    """Whether it is so now, by whom, and what changes that."""
    if condition.verdict is not Verdict.SOMETIMES:
        return
    if condition.now is Now.REFUSED:
        yield row(warning("Bazel refuses to build it under the flags as they are."))
    elif condition.now is Now.UNKNOWN:
        yield row(warning("Whether it is so now cannot be told."))
    elif condition.is_long and condition.changes and not full:
        yield from _near_rows(condition)
        return
    elif condition.now is Now.YES:
        yield row(good("So now"), *_causes(condition.alternatives))
    else:
        yield row(strong("Not so now"), *_causes(condition.exceptions))
    if condition.making is not None:
        yield row("To make it so, add ", good(_line(condition.making)))
    if condition.ending is not None:
        yield row("To end it, add ", good(_line(condition.ending)))


def _line(line: AddedWords) -> str:
    return " ".join(line.words)


def _near_rows(condition: FlagCondition) -> Iterator[Row]:
    """What is so now, and the flags each of which changes that."""
    now = good("So now") if condition.now is Now.YES else strong("Not so now")
    yield row(now, f"; each of these {'ends it' if condition.now is Now.YES else 'makes it so'}:")
    groups: dict[str, list[FlagWord]] = {}
    for word in sorted(condition.changes, key=lambda word: not word.is_so):
        same = groups.setdefault(_flag(word) or word.need.what, [])
        if word.is_so or not same:  # Beside values with names those without go without saying.
            same.append(word)
    for words in groups.values():
        configs = [f"--config={one.config}" for word in words for one in word.need.configs]
        shown = list(dict.fromkeys(configs))[:_CONFIGS_SHOWN] if words[0].is_so else []
        some = words[:_VALUES_SHOWN]
        text = _any_of(some) if words[0].is_so else _none_of(words)
        more = f" and {len(words) - len(some)} other values" if len(some) < len(words) else ""
        yield row(text, quiet(more), aside=f"set by {', '.join(shown)}" if shown else "", indent=1)


def _causes(ways: tuple[FlagCombination, ...]) -> Iterator[Part]:
    """Which of the ways hold now, and who set the words of each."""
    holding = [one for one in ways if all(w.need.holds == w.is_so for w in one.words)]
    told: dict[str, None] = {}
    texts: list[str] = []
    for one in holding[:_CAUSES_SHOWN]:
        states = dict.fromkeys(_state(word.need) for word in one.words)
        more = [state for state in states if state not in told]
        if texts and len(told) + len(more) > _STATES_SHOWN:
            break
        texts.append(", ".join(more))
        told |= states
    yield f": {'; besides, '.join(filter(None, texts))}" if texts else "."


def _state(need: OptionNeed) -> str:
    has_default = need.set_by is None and need.provided_by is None
    place = "the default" if has_default else origin_text(need)
    if need.wanted == UNSET and need.holds:
        return f"{need.what} is not set"
    if need.holds:
        text = need.text if need.provided_by is None else f"{need.what} is {need.got}"
        return f"{text} ({place})"
    if need.got is None:
        return f"{need.what} is not set"
    return f"{need.what} is {need.got} ({place})"


def conflict_rows(condition: FlagCondition, full: bool) -> Iterator[Row]:
    """The combinations of the same flags that Bazel refuses."""
    shown = begun(condition.conflicts, _CONFLICTS_SHOWN, full)
    more = len(condition.conflicts) - len(shown)
    rest = f", and {more} other combinations (--full lists all)" if more else ""
    for conflict in shown[:-1]:
        yield row(*refused_words(conflict))
    for conflict in shown[-1:]:
        yield row(*refused_words(conflict), quiet(rest))


def add_clash(document: Document, clash: ClashAnswer, title: str) -> None:
    """Appends why no flags make it so: the edges that exclude each other, and by what."""
    rows: list[Row] = []
    for edge in clash.edges:
        branch = edge.branch
        parts = (str(edge.source), quiet(" -> "), str(edge.target))
        rows.append(row(*parts, aside=location_text(edge.location)))
        if branch is not None:
            rows.append(row(*branch_parts(branch), aside=select_place(branch), indent=1))
    title_row = (strong(f"{title}:"),)
    document.add((*rows, row(warning(clash_text(clash)))), title_row)


def branch_parts(branch: BranchAnswer) -> tuple[Part, ...]:
    """When a branch is taken: `if CONDITION`, with its flags, or `unless OTHERS`."""
    if branch.is_default:
        return (branch_note(branch),)
    needed = _needed(branch)
    return ("if ", good(str(branch.condition)), quiet(f"  {needed}") if needed else "")


def branch_note(branch: BranchAnswer) -> str:
    """When a branch is taken, in a few words: `if //c:mkl (--define=mkl=true)`."""
    if not branch.is_default:
        needed = _needed(branch)
        return f"if {branch.condition}{f' ({needed})' if needed else ''}"
    if not branch.unless:
        return "always: the select() has no other branch"
    shown = ", ".join(str(label) for label in branch.unless[:_UNLESS_SHOWN])
    more = len(branch.unless) - _UNLESS_SHOWN
    return f"unless {shown}{f' or {more} more' if more > 0 else ''}"


def _needed(branch: BranchAnswer) -> str:
    ways = [needs for needs in (branch.needs, *branch.or_needs) if needs]
    texts = [needs_text(needs) for needs in ways[:_WAYS_SHOWN]]
    more = len(ways) - len(texts)
    return " or ".join(texts) + (f" or {more} more" if more > 0 else "")


def needs_text(needs: Iterable[OptionNeed]) -> str:
    """What flags have to be, as one would write it: `--a=1 --b=2 and a platform with X and Y`."""
    texts = on_one_platform(need.text for need in needs)
    flags = " ".join(text for text in texts if text.startswith("-"))
    return " and ".join(filter(None, (flags, *(t for t in texts if not t.startswith("-")))))


def never_rows(never: tuple[Label, ...] | None, what: str, full: bool) -> Iterator[Row]:
    """Says of targets that no flags take what leads to them, or from them; `what` they are not."""
    if never is None:
        yield row(warning("There are too many cases to say which of these paths no flags take."))
        return
    if never:
        names = begun_list([str(label) for label in never], _NEVER_SHOWN, full, "")
        verb = "is" if len(never) == 1 else "are"
        yield row(quiet(f"{plural(len(never), 'target')} {verb} {what}: {names}"))


def select_place(branch: BranchAnswer) -> str:
    """Where the select() of a branch is."""
    return f"select() at {branch.select_at.short}" if branch.select_at else ""


def clash_text(clash: ClashAnswer) -> str:
    """Why no flags make a path: `--cpu=arm against --cpu=k8`."""
    texts = [need.text for need in clash.needs]
    if clash.kind is ClashKind.TWO_VALUES:
        return " against ".join(texts)
    if clash.kind is ClashKind.NEVER_TAKEN:
        return f"the branch {clash.condition} of a select() is never taken"
    if clash.kind is ClashKind.FIXED:
        return f"{' with '.join(texts)}, which tools of the build never have"
    return f"{' with '.join(texts)}, which other branches on the way rule out"


def elsewhere_rows(configs: tuple[str, ...]) -> Iterator[Row]:
    """Says who looks at the packages that only these configs load."""
    if configs:
        yield row(
            quiet(f"`when` looks at what {plural(len(configs), 'named config')} may add, too")
        )


def add_deciding(
    document: Document, shared: Iterable[EdgeAnswer], cut: Iterable[EdgeAnswer], *, only_here: bool
) -> None:
    """Appends the edges that all paths share, and those that cut all of them; `only_here`: what
    other flags load may have other paths."""
    here = f", {HERE}" if only_here else ""
    document.add(_edge_rows(shared), f"Every path takes{here}")
    document.add(_edge_rows(cut), f"Cut all of these{here}, and no path is left")


def _edge_rows(edges: Iterable[EdgeAnswer]) -> Iterator[Row]:
    for edge in edges:
        attribute = f"  {edge.attribute}" if edge.attribute else ""
        yield row(
            str(edge.source),
            quiet(" -> "),
            str(edge.target),
            quiet(attribute),
            "" if edge.is_known else warning(" (taken for granted)"),
            aside=location_text(edge.location),
        )
