"""What configured targets provide to the rules that depend on them, and to `cquery`.

Bazel: `ConfiguredTarget`, `DefaultInfo`, `Runfiles`, `OutputGroupInfo`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field
from itertools import chain
from typing import ClassVar

from bazelscope import starlark
from bazelscope.analysis.rules.actions import Action
from bazelscope.analysis.rules.files import FileValue
from bazelscope.base.errors import Diagnostic
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown, all_known
from bazelscope.bazel.removed_natives import is_removed_symbol
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.depsets import depset, elements_of
from bazelscope.loading.evaluation.values.structs import Provider, Struct
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

DEFAULT_INFO = Provider("DefaultInfo")
OUTPUT_GROUP_INFO = Provider("OutputGroupInfo")
_FILES_TO_RUN = Provider("FilesToRunProvider")
_OF_NATIVE_RULES = frozenset(
    {
        *("android", "apple_common", "cc", "instrumented_files", "j2objc", "java", "javatoolchain"),
        *("java_annotation_processing", "java_toolchain", "objc", "proto", "proto_java", "py"),
        *("actions", "output_groups", "runfiles", "swift"),
    }
)
"""Members that targets of Bazel's own rules may have by the old syntax of providers. Bazel: who
calls `addStarlarkTransitiveInfo`."""


def key_of(provider: Provider) -> Hashable:
    """What tells one provider from another: Bazel's own go by their names."""
    return provider.name if provider.file is None and provider.name else provider


def name_of(key: Hashable) -> str:
    """The name under which `providers(target)` of cquery lists a provider."""
    if isinstance(key, Provider):
        return f"{key.file}%{key.name}" if key.file is not None else key.name
    return str(key)


@dataclass(frozen=True, slots=True)
class FailsBelow(Unknown):
    """What Bazel does not come to: something that a target depends on fails."""


class UnknownRunfiles(UnknownValue):
    """Runfiles of which nothing is known but that they are some."""

    starlark_type: ClassVar[str] = "runfiles"
    __slots__ = ()


class Runfiles(starlark.Value):
    """What a target needs when it runs: `files` is a depset, or unknown."""

    starlark_type: ClassVar[str] = "runfiles"
    __slots__ = ("context", "files", "links")

    def __init__(
        self, context: EvaluationContext, files: object, links: UnknownValue | None = None
    ) -> None:
        """`links` is what stands for the links that it has besides files, if it has any."""
        self.context = context
        self.files = files
        self.links = links

    def get_attr(self, name: str) -> object:
        members = self.context.builtins.members("runfiles")
        if members is not None and name not in members:
            raise AttributeError(name)
        if name == "files":
            return self.files
        if name == "merge":
            return starlark.Builtin("merge", lambda other: self.merged((other,)))
        if name == "merge_all":
            return starlark.Builtin(
                "merge_all", lambda other: self.merged(tuple(starlark.iterate(other)))
            )
        if name in ("symlinks", "root_symlinks", "empty_filenames"):
            return self.links if self.links is not None else depset()
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ("empty_filenames", "files", "merge", "root_symlinks", "symlinks")

    def merged(self, others: Iterable[object]) -> object:
        """These and others as one."""
        parts = [self]
        for other in others:
            if isinstance(other, UnknownValue):
                return other.derive(f"runfiles.merge({other.text})")
            if not isinstance(other, Runfiles):
                raise TypeError(f"a runfiles object, not a {starlark.type_of(other)}, is needed")
            parts.append(other)
        files = depset(order="postorder", transitive=[part.files for part in parts])
        links = next((part.links for part in parts if part.links is not None), None)
        return Runfiles(self.context, files, links)

    def to_repr(self) -> str:
        return "<unknown object com.google.devtools.build.lib.analysis.Runfiles>"


@dataclass(frozen=True, slots=True)
class DefaultParts:
    """What `DefaultInfo` of a target holds; each part may be an `UnknownValue`.

    `files` is a depset of `FileValue`s, `executable` one of these or None, the others `Runfiles`.
    """

    files: object
    executable: object
    default_runfiles: object
    data_runfiles: object


@dataclass(frozen=True, slots=True)
class Implemented:
    """What one configured target provides, and what its implementation has done.

    `providers` are by `key_of`, in the order in which they were returned, without `DefaultInfo`;
    `others` says why there may be more than these, but for those that it `lacks`, `is_native` that
    none of these is one of Starlark's. `legacy` are fields of a struct that was returned. `failure`
    is the error in which the implementation ended: there is nothing else then.
    """

    label: Label
    default: DefaultParts
    providers: Mapping[Hashable, object] = field(default_factory=dict)
    others: Unknown | None = None
    is_native: bool = False
    lacks: frozenset[str] = frozenset()
    legacy: Mapping[str, object] = field(default_factory=dict)
    actions: tuple[Action, ...] = ()
    outputs: tuple[FileValue, ...] = ()
    """The files that were declared, in the BUILD file or by the implementation."""
    failure: Diagnostic | None = None
    shown: str = ""
    """How Starlark writes the target, where it is no rule."""
    is_file: bool = False
    rule_class: str = ""
    has_many_files: bool = False
    """Whether it is surely built to more than one file, though nobody can tell which."""
    endings: tuple[str, ...] | None = None
    """What the names of its files end in, though nobody can tell which these are; None where they
    may end in anything."""

    def files(self) -> tuple[FileValue, ...] | Unknown:
        """The files that are built where the target is asked for."""
        return flat_files(self.default.files)

    def provider(self, provider: Provider) -> object:
        """The instance of a provider; None if there is none, `Unknown` if nobody can tell."""
        value = self.providers.get(key_of(provider))
        if value is not None or self.others is None:
            return value
        if provider.file is None and provider.name in self.lacks:
            return None
        if not self.is_native or provider.file is None:
            return self.others
        # A native rule may stand for one of a repository that has a provider of its own by the
        # name of Bazel's, as later rules_cc has `CcInfo`; from 8 on Bazel's rules return those.
        was_native = provider.name == "CcInfo" or is_removed_symbol(provider.name)
        return self.others if was_native else None


def flat_files(files: object) -> tuple[FileValue, ...] | Unknown:
    """The files of a depset, or why they cannot be told."""
    if isinstance(files, UnknownValue):
        return files.as_unknown()
    flat = tuple(elements_of(files))
    for one in flat:
        if isinstance(one, UnknownValue):
            return one.as_unknown()
    return tuple(one for one in flat if isinstance(one, FileValue))


def files_of(targets: Iterable[Implemented]) -> tuple[FileValue, ...] | Unknown:
    """The files of several targets, each once, or why these cannot be told."""
    each = all_known(one.files() for one in targets)
    return each if isinstance(each, Unknown) else tuple(dict.fromkeys(chain.from_iterable(each)))


def variables_of(made: object) -> Mapping[str, object] | None:
    """The Make variables that a target adds for those that name it in `toolchains`; None where
    nobody can tell. Bazel: `TemplateVariableInfo`."""
    if not isinstance(made, Implemented) or made.failure is not None:
        return None
    given = made.providers.get("TemplateVariableInfo")
    if made.is_native or made.others is not None:
        return None
    if given is None:
        return {}
    variables = getattr(given, "fields", {}).get("variables")
    return variables if isinstance(variables, dict) else None


def collected_runfiles(
    context: EvaluationContext, targets: Callable[[str], list[Implemented] | Unknown], is_data: bool
) -> list[Runfiles] | Unknown:
    """The runfiles of what a rule depends on by `data`, and by `srcs` and `deps`: of these as
    data or by themselves. `targets` gives those of an attribute.

    Bazel: `Runfiles.Builder.addRunfiles`: files count themselves in `data` alone.
    """
    collected: list[Runfiles] = []
    for name in ("data", "srcs", "deps"):
        below = targets(name)
        if isinstance(below, Unknown):
            return below
        for target in below:
            as_data = is_data or name == "data"
            runfiles = target.default.data_runfiles if as_data else target.default.default_runfiles
            if target.is_file and name == "data":
                runfiles = Runfiles(context, target.default.files)
            if isinstance(runfiles, UnknownValue):
                return runfiles.as_unknown()
            if isinstance(runfiles, Runfiles):
                collected.append(runfiles)
    return collected


class OutputGroups(Struct):
    """`OutputGroupInfo`: depsets by name."""

    __slots__ = ()

    def __init__(self, groups: Mapping[str, object]) -> None:
        super().__init__(groups, OUTPUT_GROUP_INFO)

    def index(self, key: object) -> object:
        if isinstance(key, str) and key in self.fields:
            return self.fields[key]
        raise ValueError(f"Output group {starlark.str_of(key)} not present")

    def contains(self, key: object) -> object:
        return key in self.fields

    def iterate(self) -> Iterable[object]:
        return sorted(self.fields)


class TargetValue(starlark.Value):
    """A dependency as the implementation that depends on it sees it.

    `doubt` says why it may provide more than its own rule returns (aspects), if it may; `named`
    is the label by which the rule names it, that of an alias for one.
    """

    starlark_type: ClassVar[str] = "Target"
    __slots__ = ("_default", "context", "doubt", "implemented", "named")

    def __init__(
        self,
        context: EvaluationContext,
        implemented: Implemented,
        doubt: Unknown | None = None,
        named: Label | None = None,
    ) -> None:
        self.named = named or implemented.label
        self.context = context
        self.implemented = implemented
        self.doubt = doubt
        self._default: Struct | None = None

    @property
    def default(self) -> Struct:
        """`DefaultInfo` of the target."""
        if self._default is None:
            parts = self.implemented.default
            self._default = Struct(
                {
                    "data_runfiles": parts.data_runfiles,
                    "default_runfiles": parts.default_runfiles,
                    "files": parts.files,
                    "files_to_run": self._files_to_run(),
                },
                DEFAULT_INFO,
            )
        return self._default

    def _files_to_run(self) -> object:
        executable = self.implemented.default.executable
        if isinstance(executable, UnknownValue):
            return executable.derive("files_to_run")
        unknown = self._unknown("files_to_run", None)
        manifest = None if executable is None else unknown
        return Struct(
            {
                "executable": executable,
                "repo_mapping_manifest": manifest,
                "runfiles_manifest": manifest,
            },
            _FILES_TO_RUN,
        )

    def get_attr(self, name: str) -> object:
        target = self.implemented
        if name == "label":
            return self.context.label_value(target.label)
        if name in ("files", "files_to_run", "data_runfiles", "default_runfiles"):
            return self.default.fields[name]
        if name in target.legacy:
            return target.legacy[name]
        why = self.doubt
        if target.others is not None and not self._is_no_member(name):
            why = target.others
        if name in ("actions", "output_groups"):
            groups = target.providers.get("OutputGroupInfo") if name == "output_groups" else None
            return groups or self._unknown(name, why)
        if why is not None:
            # It may be there, or not: whatever follows rests on that.
            self._unknown(name, why).decides("a member")
        raise AttributeError(name)

    def _is_no_member(self, name: str) -> bool:
        """Whether a rule of Bazel's own surely has no member of that name."""
        target = self.implemented
        is_bazels = target.is_native and bool(target.rule_class)
        if not is_bazels or self.context.release.rules_in_starlark:
            return False
        return name[:1].islower() and name not in _OF_NATIVE_RULES

    def attr_names(self) -> Iterable[str]:
        return (
            *("data_runfiles", "default_runfiles", "files", "files_to_run", "label"),
            *self.implemented.legacy,
        )

    def index(self, key: object) -> object:
        if isinstance(key, UnknownValue):
            return key.derive(f"{self.implemented.label}[{key.text}]")
        if not isinstance(key, Provider):
            raise TypeError(
                "Type Target only supports indexing by object constructors, got"
                f" {starlark.type_of(key)} instead"
            )
        value = self._find(key)
        if value is None:
            name = self.implemented.rule_class
            kind = f" (rule '{name}')" if name else ""
            raise ValueError(
                f"{self.to_repr()}{kind} doesn't contain declared provider '{key.name}'"
            )
        return self._unknown(key.name, value) if isinstance(value, Unknown) else value

    def contains(self, key: object) -> object:
        if isinstance(key, UnknownValue):
            return key.truth()
        if not isinstance(key, Provider):
            raise TypeError(
                "Type Target only supports querying by object constructors, got"
                f" {starlark.type_of(key)} instead"
            )
        value = self._find(key)
        if isinstance(value, Unknown):
            return self._unknown(f"{key.name} in {self.implemented.label}", value).truth()
        return value is not None

    def _find(self, provider: Provider) -> object:
        key = key_of(provider)
        if key == "DefaultInfo":
            return self.default
        if key == "Actions" and not self.implemented.is_file:
            return not_modelled(f"{self.implemented.label}: actions")
        value = self.implemented.provider(provider)
        return self.doubt if value is None else value

    def _unknown(self, what: str, why: Unknown | None) -> UnknownValue:
        if why is None:
            why = not_modelled(f"{self.implemented.label}: {what}")
        return UnknownValue(why, what, self.context)

    def equals(self, other: object) -> bool:
        return isinstance(other, TargetValue) and self.implemented is other.implemented

    def hash(self) -> int:
        return id(self.implemented)

    def to_repr(self) -> str:
        shown = self.implemented.shown
        return shown or f"<target {self.context.label_style(self.implemented.label)}>"


def unmodelled(what: str, context: EvaluationContext) -> UnknownValue:
    """The Starlark value of what Bazel's analysis computes and bazelscope does not."""
    return UnknownValue(not_modelled(what), what, context)


def not_modelled(subject: str, detail: str = "") -> Unknown:
    """What Bazel's analysis computes and bazelscope does not."""
    return Unknown(Reason.NOT_MODELLED, subject, detail or "Bazel's analysis computes it")
