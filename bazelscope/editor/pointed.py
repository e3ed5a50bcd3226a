"""What stands at a position: a closed set of types, made from a file's text alone."""

from __future__ import annotations

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location, Span


@dataclass(frozen=True, slots=True)
class LabelAt:
    """A string that is a label, or may be one: `attribute` of the call that opens at `call`."""

    span: Span
    text: str
    attribute: str = ""
    call: Location | None = None


@dataclass(frozen=True, slots=True)
class SelectKeyAt:
    """A key of a select() whose parenthesis opens at `select`, in `attribute` of the call that
    opens at `call`."""

    span: Span
    text: str
    select: Location
    attribute: str = ""
    call: Location | None = None


@dataclass(frozen=True, slots=True)
class LoadAt:
    """The file that a load() names."""

    span: Span
    module: str


@dataclass(frozen=True, slots=True)
class SymbolAt:
    """A symbol that a load() of `module` brings in, by the name that it is exported under."""

    span: Span
    name: str
    module: str


@dataclass(frozen=True, slots=True)
class NameAt:
    """An identifier; `call` is where its parenthesis opens if it is called."""

    span: Span
    name: str
    call: Location | None = None


@dataclass(frozen=True, slots=True)
class AttributeAt:
    """The name of an argument of the call of `function` that opens at `call`."""

    span: Span
    name: str
    function: str
    call: Location


@dataclass(frozen=True, slots=True)
class TargetNameAt:
    """The `name` of the call that opens at `call`: the target, or what a macro makes of it."""

    span: Span
    name: str
    call: Location


@dataclass(frozen=True, slots=True)
class RcOptionAt:
    """An option in an rc file. `first` is the word that begins it: `span` may be its value's."""

    span: Span
    text: str
    first: Span
    section: str


@dataclass(frozen=True, slots=True)
class ConfigAt:
    """The name of a config: in the head of an rc line, or behind `--config`."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class RcImportAt:
    """The path that an rc line imports, as written."""

    span: Span
    path: str


@dataclass(frozen=True, slots=True)
class ScriptFlagAt:
    """A flag of a `bazel` line in a script, `words` being all words of the line, and `index`
    which of them it is."""

    span: Span
    text: str
    words: tuple[str, ...]
    index: int


Pointed = (
    LabelAt
    | SelectKeyAt
    | LoadAt
    | SymbolAt
    | NameAt
    | AttributeAt
    | TargetNameAt
    | RcOptionAt
    | ConfigAt
    | RcImportAt
    | ScriptFlagAt
)
