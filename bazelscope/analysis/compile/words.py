"""The words of a command line, each with its origin: who put it there, and where that stands."""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import Location
from bazelscope.base.unknown import Unknown
from bazelscope.flags.flag_values import FlagInstance
from bazelscope.loading.origins.term import Term


@dataclass(frozen=True, slots=True)
class FromToolchain:
    """A feature of the toolchain has it; `when` says for what (`opt`, `C++`), if not for all.

    `location` is where the feature is defined in a toolchain of the workspace's own."""

    feature: str
    when: str = ""
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class FromOption:
    """A value of the Bazel option `option`; `instance` is None for the option's default."""

    option: str
    instance: FlagInstance | None = None


@dataclass(frozen=True, slots=True)
class FromAttribute:
    """An attribute of `target` has it: `term` is the piece of the BUILD file that it comes from,
    `condition` the branch of the select() that holds it.

    `path` leads from the target that is built to `target`, both included; it is empty for the
    target's own attribute.
    """

    target: Label
    attribute: str
    written: str
    path: tuple[Label, ...] = ()
    condition: Label | None = None
    select_at: Location | None = None
    term: Term | None = None


@dataclass(frozen=True, slots=True)
class FromEnvironment:
    """A variable of the environment in which Bazel looks for the machine's compiler."""

    variable: str
    instance: FlagInstance | None = None


@dataclass(frozen=True, slots=True)
class FromBazel:
    """Bazel puts it there itself: `what` says what it is for."""

    what: str


@dataclass(frozen=True, slots=True)
class FromDependency:
    """A library that is linked; `path` leads to it from the target that is built."""

    target: Label
    path: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class FromAction:
    """A Starlark rule has it in an action that it registers: `function` is `ctx.actions.run` or its
    like, `location` the call."""

    function: str
    location: Location | None = None


WordOrigin = (
    FromAction
    | FromAttribute
    | FromBazel
    | FromDependency
    | FromEnvironment
    | FromOption
    | FromToolchain
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word, or, with `unknown`, a place where there may be words that cannot be told."""

    text: str
    origin: WordOrigin
    unknown: Unknown | None = None
