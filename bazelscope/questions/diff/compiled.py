"""What the compiler and the linker get under one of two lines alone, for a target of C++."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher

from bazelscope.analysis.compile.action_lines import CcActions
from bazelscope.analysis.compile.link_lines import CcLinks
from bazelscope.analysis.compile.words import FromBazel, FromDependency, Word
from bazelscope.analysis.graph.aliases import behind_aliases
from bazelscope.base.label import Label
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.questions.diff.answer import LineDifference
from bazelscope.questions.shared.world import World

_DIRECTORY = lazy_pattern(r"bazel-out/[^/ ]+/")
_NAMES = frozenset({"output", "its objects", "source"})
"""What words stand for that name files of the target: they differ with every mode."""

_Lines = Mapping[tuple[str, str], tuple[Word, ...]]


def lines_that_differ(
    before: World, after: World, label: Label, environment: Mapping[str, str]
) -> Iterator[LineDifference]:
    """The words that an action of a target has under one line alone; sources with the same
    differences together. Names of objects, and of the directory of outputs, are not compared."""
    old, new = _lines(before, label, environment), _lines(after, label, environment)
    differences: dict[object, LineDifference] = {}
    for key in [*new, *(key for key in old if key not in new)]:
        removed, added = _difference(old.get(key, ()), new.get(key, ()))
        if not removed and not added:
            continue
        mnemonic, subject = key
        same = (mnemonic, tuple(w.text for w in removed), tuple(w.text for w in added))
        first = differences.get(same)
        subjects = (*first.subjects, subject) if first is not None else (subject,)
        differences[same] = LineDifference(label, mnemonic, subjects, removed, added)
    yield from differences.values()


def _lines(world: World, label: Label, environment: Mapping[str, str]) -> _Lines:
    graph = world.configured
    node = behind_aliases(graph, graph.top(label))
    seen = {**environment, **world.loader.options.repo_env}
    actions = CcActions(graph, world.loader, seen)
    compiled = actions.compiled(node)
    if compiled is None:
        return {}
    node = compiled
    if actions.setting(node).refusal is not None:
        return {}
    lines: dict[tuple[str, str], tuple[Word, ...]] = {}
    for one in actions.compilations(node):
        lines.setdefault(("CppCompile", one.source.path), tuple(_compared(one.words)))
    for link in CcLinks(actions).of(node):
        # An archive has its objects, and nothing that flags change.
        if not link.output.endswith((".a", ".lo", ".lib")):
            lines[("CppLink", _plain(link.output))] = tuple(_compared(link.words))
    return lines


def _compared(words: Iterable[Word]) -> Iterator[Word]:
    for word in words:
        origin = word.origin
        is_name = isinstance(origin, FromBazel) and origin.what in _NAMES
        if not is_name and not isinstance(origin, FromDependency):
            yield word


def _difference(
    old: tuple[Word, ...], new: tuple[Word, ...]
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    first_texts, last_texts = ([_plain(word.text) for word in words] for words in (old, new))
    matcher = SequenceMatcher(None, first_texts, last_texts, autojunk=False)
    removed: list[Word] = []
    added: list[Word] = []
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind != "equal":
            removed += old[first:last]
            added += new[start:end]
    return tuple(removed), tuple(added)


def _plain(text: str) -> str:
    return _DIRECTORY.sub("bazel-out/*/", text)
