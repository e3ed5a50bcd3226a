"""The page's model as plain lists of numbers and strings, which a browser reads quickly (JSON has
one kind of lists, for tuples as well).

Everything that is said more than once (strings, labels, places, terms) is a number for where it
stands in a table. `bazelscope/render/page/types.d.ts` says what each member means.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from bazelscope.base.label import Label
from bazelscope.base.source import Location
from bazelscope.flags.flag_values import FlagInstance, FromRc
from bazelscope.loading.origins.term import Term
from bazelscope.loading.repositories.repository_facts import RepositoryFacts
from bazelscope.questions.configs.answer import NamedConfig
from bazelscope.questions.page.model import (
    DiagramNode,
    PageAttribute,
    PageBase,
    PageEdge,
    PageLoad,
    PageModel,
    PagePart,
    PageTarget,
    PageVariable,
    PageWords,
    Way,
)
from bazelscope.questions.shared.phrases import CONTENTS

_Key = TypeVar("_Key", bound=Hashable)
Packed = dict[str, Any]
"""What JSON can hold."""

FORMAT = 1


class _Table(Generic[_Key]):
    """Numbers what is put into it, each once."""

    def __init__(self) -> None:
        self.numbers: dict[_Key, int] = {}

    def of(self, key: _Key) -> int:
        return self.numbers.setdefault(key, len(self.numbers))

    @property
    def rows(self) -> list[_Key]:
        """What was put in, by number."""
        return list(self.numbers)


class Room(enum.IntEnum):
    """How much a page may hold."""

    EVERYTHING = 0
    NO_TERMS = 1
    """Not which term of an attribute's expression each label came from."""
    NO_ATTRIBUTES = 2
    """No attributes but those that make edges."""


_NO_TERMS = "which term of an expression each label came from"
LEFT_OUT: dict[Room, tuple[str, ...]] = {
    Room.EVERYTHING: (),
    Room.NO_TERMS: (_NO_TERMS,),
    Room.NO_ATTRIBUTES: (_NO_TERMS, "attributes"),
}
"""What a page says that it has no room for."""


def pack(
    model: PageModel, made_by: str, workspace: str, room: Room = Room.EVERYTHING
) -> tuple[Packed, Packed]:
    """Two documents: what the page opens with, and what it shows of a target that is looked at
    (attributes and places). `workspace` is the name of its folder."""
    packer = _Packer(room, model.numbers)
    return packer.main(model, made_by, workspace), packer.details


class _Packer:
    def __init__(self, room: Room, numbers: Mapping[int, int]) -> None:
        self._room = room
        self._numbers = numbers
        self._texts: _Table[str] = _Table()
        self._packages: _Table[tuple[str, str]] = _Table()
        self._labels: _Table[Label] = _Table()
        self._ways: _Table[tuple[Way, ...]] = _Table()
        self._detail_texts: _Table[str] = _Table()
        self._places: _Table[tuple[int, int]] = _Table()
        self._terms: _Table[tuple[int, ...]] = _Table()
        self._stacks: _Table[tuple[int, ...]] = _Table()
        self.details: Packed = {}

    def main(self, model: PageModel, made_by: str, workspace: str) -> Packed:
        for load in model.loads:
            for label in load.targets:
                self._labels.of(label)
        loads = [self._load(load) for load in model.loads]
        numbers = self._numbers
        arrivals = [[self._labels.of(label), numbers[f]] for label, f in model.arrivals.items()]
        setup = model.envelope.setup
        document: Packed = {
            "format": FORMAT,
            "madeBy": made_by,
            "workspace": workspace,
            "command": setup.command,
            "bazel": setup.bazel_version,
            "bazelFrom": setup.version_source,
            "given": model.given,
            "against": model.against,
            "starts": [self._labels.of(label) for label in model.starts],
            "scopes": model.scopes,
            "variables": [_variable(variable) for variable in model.variables],
            "nodes": _columns(model.nodes),
            "reasons": {
                str(numbers[formula]): [one.literals for one in reasons]
                for formula, reasons in model.alternatives.items()
            },
            "arrivals": arrivals,
            "loads": loads,
            "bases": [self._base(base) for base in model.bases],
            "configs": [_config(config) for config in model.configs],
            "accumulating": sorted(model.accumulating),
            "refusals": [
                {
                    "message": one.message,
                    "target": None if one.target is None else str(one.target),
                    "place": None if one.location is None else one.location.short,
                    "causes": [
                        [cause.text, cause.location.short if cause.location else None]
                        for cause in one.causes
                    ],
                    "remedy": one.remedy,
                }
                for one in model.envelope.refusals
            ],
            "errors": [
                *(
                    f"--config={one.name} is not defined"
                    for one in model.envelope.undefined_configs
                ),
                *(one.message for one in model.envelope.line_diagnostics),
            ],
            "leftOut": [*model.left_out, *LEFT_OUT[self._room]],
        }
        labels = self._labels.rows
        packages = [self._packages.of((label.repository, label.package)) for label in labels]
        document["ways"] = [
            [way._replace(formula=numbers[way.formula]) for way in ways] for ways in self._ways.rows
        ]
        document["packages"] = self._packages.rows
        document["labels"] = [packages, [label.name for label in labels]]
        document["texts"] = self._texts.rows
        self.details.update(
            texts=self._detail_texts.rows,
            places=self._places.rows,
            terms=self._terms.rows,
            stacks=self._stacks.rows,
        )
        return document

    def _load(self, load: PageLoad) -> Packed:
        targets = list(load.targets.values())
        columns: Packed = {
            "host": load.host,
            "words": load.words,
            "environment": dict(load.environment),
            "others": load.others,
            "labels": [self._labels.of(target.label) for target in targets],
            "kinds": [self._texts.of(target.kind) for target in targets],
            "problems": [
                [number, self._texts.of(text)]
                for number, target in enumerate(targets)
                if (text := (str(target.unknown) if target.unknown is not None else target.problem))
            ],
            "counts": [len(target.edges) for target in targets],
            "edges": self._edges([edge for target in targets for edge in target.edges]),
            "refused": self._scoped([target.refused for target in targets]),
            "lacking": self._scoped([target.lacking for target in targets]),
            "starts": [[self._labels.of(label), scope] for label, scope in load.starts],
            "repositories": [_repository(facts) for facts in load.repositories],
        }
        self.details.setdefault("loads", []).append(
            [self._detail(target, load.attributes.get(target.label)) for target in targets]
        )
        return columns

    def _scoped(self, by_target: Sequence[tuple[tuple[int, int], ...]]) -> list[list[int]]:
        """Number of the target, scope and formula."""
        return [
            [number, scope, self._numbers[formula]]
            for number, pairs in enumerate(by_target)
            for scope, formula in pairs
        ]

    def _edges(self, edges: Sequence[PageEdge]) -> list[list[int]]:
        """Columns: target, attribute, kind (doubled, and one more for a tool), ways, condition
        of the branch (-1: none)."""
        return [
            [self._labels.of(edge.target) for edge in edges],
            [self._texts.of(edge.attribute) for edge in edges],
            [2 * self._texts.of(edge.kind) + edge.is_tool for edge in edges],
            [self._ways.of(edge.ways) for edge in edges],
            [-1 if e.condition is None else self._labels.of(e.condition) for e in edges],
        ]

    def _detail(self, target: PageTarget, attributes: Iterable[PageAttribute] | None) -> list[Any]:
        """Place, stack, provenance, attributes."""
        stack = [
            number
            for frame in target.call_stack
            for number in (self._text(frame.function), self._place(frame.location))
        ]
        detail: list[Any] = [
            self._place(target.location),
            self._stacks.of(tuple(stack)) if stack else -1,
            self._text(CONTENTS.get(target.provenance, target.provenance)),
        ]
        if attributes and self._room < Room.NO_ATTRIBUTES:
            detail.append(
                [[self._text(one.name), *map(self._part, one.parts)] for one in attributes]
            )
        return detail

    def _part(self, part: PagePart) -> list[Any]:
        """A plain part: its term, then values. A select(): -2, place, term, where it is refused,
        then by branch: condition, formula, is it the default, values."""
        term = self._term(part.term)
        if not part.branches:
            return [term, *map(self._value, part.values)]
        branches = [
            [
                self._labels.of(branch.condition),
                self._numbers[branch.formula],
                int(branch.is_default),
                *map(self._value, branch.values),
            ]
            for branch in part.branches
        ]
        refused = self._numbers[part.refused]
        return [-2, self._place(part.location), term, refused, *branches]

    def _value(self, value: object) -> int:
        """A label as an even number, text as an odd one."""
        if isinstance(value, Label) and value in self._labels.numbers:
            return 2 * self._labels.of(value)
        return 2 * self._text(str(value)) + 1

    def _text(self, text: str) -> int:
        return self._detail_texts.of(text)

    def _place(self, location: Location | None) -> int:
        if location is None:
            return -1
        return self._places.of((self._text(location.path), location.line))

    def _term(self, term: Term | None) -> int:
        if term is None or self._room >= Room.NO_TERMS:
            return -1
        kind, text = self._text(term.kind.value), self._text(term.text)
        own = (kind, text, self._place(term.location), self._place(term.defined_at))
        return self._terms.of((*own, *map(self._term, term.via)))

    def _base(self, base: PageBase) -> Packed:
        return {
            "host": base.host,
            "instances": [_instance(one) for one in base.instances],
            "values": base.values,
            "platform": base.platform,
            "environment": dict(base.environment),
            "words": [self._words(words) for words in base.words],
            "platforms": list(base.platform_values.items()),
            "problem": base.problem,
        }

    def _words(self, words: PageWords) -> Packed:
        return {
            "words": words.words,
            "instances": [_instance(one) for one in words.instances],
            "sets": words.sets,
            "resets": words.resets,
            "drops": words.drops,
            "platform": words.platform,
            "environment": words.environment,
            "otherwise": words.loads_otherwise,
            "problem": words.problem,
        }


def _columns(nodes: Iterable[DiagramNode]) -> list[list[int]]:
    columns = ("variable", "value", "yes", "no")
    return [[getattr(node, column) for node in nodes] for column in columns]


def _variable(variable: PageVariable) -> Packed:
    if variable.unknown is not None:
        return {"unknown": str(variable.unknown), "texts": list(variable.subjects)}
    first = variable.values[0]
    return {
        "what": first.what,
        "values": [need.wanted for need in variable.values],
        "texts": [need.text for need in variable.values],
        "flags": [need.flag for need in variable.values],
        "settings": [str(need.setting) for need in variable.values],
        "accumulates": first.accumulates,
        "isConstraint": first.is_constraint,
        "isClosed": variable.is_closed,
        "isLabel": variable.is_label,
    }


def _instance(instance: FlagInstance) -> list[Any]:
    """Name, value, text, place, section, configs on the way."""
    origin = instance.origin
    return [
        instance.name,
        instance.value,
        instance.text,
        instance.location.short if instance.location is not None else None,
        origin.section if isinstance(origin, FromRc) else None,
        [link.text for link in instance.chain[:-1]],
    ]


def _config(config: NamedConfig) -> Packed:
    return {
        "name": config.name,
        "lines": [
            [section.command, line.text, line.location.short, line.summary]
            for section in config.sections
            for line in section.lines
        ],
        "pullsIn": config.pulls_in,
        "pulledInBy": config.pulled_in_by,
        "missing": config.missing,
    }


def _repository(facts: RepositoryFacts) -> Packed:
    return {
        "name": facts.name,
        "rule": facts.rule_class or "",
        "place": facts.location.short if facts.location is not None else None,
        "macro": facts.macro or "",
        "urls": facts.urls,
        "sha256": facts.sha256 or "",
        "stripPrefix": facts.strip_prefix or "",
        "patches": list(map(str, facts.patches)),
        "content": CONTENTS[facts.provenance.value],
        "unknown": "" if facts.unknown is None else str(facts.unknown),
        "module": facts.module or "",
    }
