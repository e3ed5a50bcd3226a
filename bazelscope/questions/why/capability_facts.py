"""What `sm_86` is: a compute capability of CUDA, which variables choose and toolkits know.

TensorFlow's rules, and those of XLA behind them, read a list of capabilities from a variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.flags.rc_search import RcFiles
from bazelscope.questions.shared import toolkit_facts as known
from bazelscope.questions.shared.toolkit_facts import shown
from bazelscope.questions.why.answer import Fact, FactKind, Link, Relation, places_of
from bazelscope.questions.why.flag_facts import FlagFactsFinder

if TYPE_CHECKING:
    from bazelscope.loading.loader import Loader

_WRITTEN = lazy_pattern(r"(?:sm|compute)_(\d{1,2})(\d)[af]?")
_LISTS = ("HERMETIC_CUDA_COMPUTE_CAPABILITIES", "TF_CUDA_COMPUTE_CAPABILITIES")
_NOT_SET = "not set"
_RELEASES = ("HERMETIC_CUDA_VERSION", "TF_CUDA_VERSION")


def capability_facts(
    asked: str, finder: FlagFactsFinder, rc_files: RcFiles, loader: Callable[[], Loader]
) -> Iterator[Fact]:
    """The fact about the capability that a word such as `sm_86` is, if it is one: the variables
    that choose it here, and which CUDA and clang know it."""
    match = _WRITTEN.fullmatch(asked.strip())
    if match is None:
        return
    capability = (int(match[1]), int(match[2]))
    lists = [fact for name in _LISTS for fact in _variable(name, finder)]
    chosen = [_is_in(capability, fact.value) for fact in lists]
    links: list[Link] = []
    for fact, is_chosen in zip(lists, chosen, strict=True):
        configs = _configs_that_set(fact.name, capability, rc_files)
        told = frozenset(places_of(fact.causes))
        others = (config for config in configs if config.location not in told)
        more = (*_documented(fact, loader), *others)
        links.append(_list_link(fact, capability, is_chosen, more))
    value = f"{shown(capability)}, {'chosen' if any(chosen) else 'not chosen'} by this line"
    releases = [fact for name in _RELEASES for fact in _variable(name, finder)]
    links += [link for fact in releases for link in _release_link(fact, capability)]
    yield Fact(FactKind.CAPABILITY, asked.strip(), value, None, (*links, *_known_to(capability)))


def _variable(name: str, finder: FlagFactsFinder) -> list[Fact]:
    """A variable as the line sets it, or as one that something reads."""
    found = list(finder.find(name)) or list(finder.find_unset(name))
    return [fact for fact in found if fact.kind is FactKind.VARIABLE]


def _is_in(capability: known.Version, written: str) -> bool:
    return capability in (known.capability_of(word) for word in written.split(","))


def _list_link(
    fact: Fact, capability: known.Version, is_chosen: bool, more: tuple[Link, ...]
) -> Link:
    detail = f"is {_NOT_SET}" if fact.value == _NOT_SET else f"has {fact.value}"
    if not is_chosen:
        detail += f"; write {fact.name}={shown(capability)} to choose it"
    return Link(Relation.CHOSEN_BY, fact.name, None, detail, (*fact.causes, *more))


def _documented(fact: Fact, loader: Callable[[], Loader]) -> Iterator[Link]:
    """What the file of a rule that reads a variable says of it, where nothing sets it: which
    capabilities count then."""
    entry = re.compile(rf"`{fact.name}`:\s*((?:[^\n*\"]|\n(?!\n))*)")
    for path in loader().table.files_that_read(fact.name) if fact.value == _NOT_SET else ():
        source = loader().read_source(path)
        match = entry.search(source.text) if source is not None else None
        if source is not None and match is not None:
            text = " ".join(match[1].split())
            yield Link(Relation.DEFAULT, text, source.location(match.start()))


def _configs_that_set(name: str, capability: known.Version, rc_files: RcFiles) -> Iterator[Link]:
    """The configs of rc files that choose a capability, whether or not the line names them."""
    for section, chunks in rc_files.sections.items():
        for word in (word for chunk in chunks for word in chunk.words):
            _, is_there, value = word.text.partition(f"{name}=")
            if is_there and ":" in section and _is_in(capability, value):
                text = f"--config={section.partition(':')[2]}"
                yield Link(Relation.MAY_SET, text, word.origin.span.start, value)


def _release_link(fact: Fact, capability: known.Version) -> Iterator[Link]:
    """Whether the CUDA release that the line chooses knows a capability."""
    release = known.version_of(fact.value)
    limits = known.capabilities(release) if release is not None else None
    if limits is not None:
        is_known = limits[0] <= capability <= limits[1]
        how = Relation.KNOWN_TO if is_known else Relation.NOT_KNOWN_TO
        detail = f"it knows {shown(limits[0])} to {shown(limits[1])}"
        yield Link(how, f"{fact.name}={fact.value}", None, detail, fact.causes)


def _known_to(capability: known.Version) -> Iterator[Link]:
    releases = known.releases_with(capability)
    if releases:
        yield Link(Relation.KNOWN_TO, f"CUDA {releases}", None, known.RELEASE_NOTES)
    clang = known.first_clang_with(capability)
    if clang is not None:
        yield Link(Relation.KNOWN_TO, f"clang {clang} or newer", None, known.CLANG_CUDA)
