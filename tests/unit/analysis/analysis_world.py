"""Packages written down in a test: rules with their attributes, no BUILD files.

`World` is a `TargetSource`. Strings become labels where the native rule class says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.target_source import Following
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel import flag_catalog
from bazelscope.bazel.attribute_types import (
    AttributeDefinition,
    AttributeType,
    DictValue,
    RuleClass,
)
from bazelscope.bazel.encoded_values import SELECT, SELECTS, Encoded, encode_value
from bazelscope.bazel.native_toolchains import REGISTERED_BY_BAZEL
from bazelscope.bazel.rule_classes import NativeRules
from bazelscope.flags.flag_values import (
    Define,
    FlagInstance,
    FlagValue,
    FromCommandLine,
    ResolvedFlags,
)
from bazelscope.loading.packages.encoded_targets import GROUP, INPUT, OUTPUT, RULE, TargetData
from bazelscope.loading.packages.package import Package, PackageResult, package_of
from bazelscope.loading.packages.package_data import FrameData, PackageData
from bazelscope.loading.packages.targets import (
    NoSuchPackage,
    NoSuchTarget,
    Provenance,
    TargetResult,
    UnknownPackage,
    UnknownTarget,
)

ROOT = PackageId("", "")


def label(text: str, package: PackageId = ROOT) -> Label:
    return parse_label(text, package)


class Select:
    """`select({...})` as a test writes it; `+` joins it with lists and other selects."""

    def __init__(self, *parts: object, no_match_error: str = "") -> None:
        self.parts = parts
        self.no_match_error = no_match_error

    def __add__(self, other: object) -> Select:
        return Select(*self.parts, *(other.parts if isinstance(other, Select) else (other,)))

    def __radd__(self, other: object) -> Select:
        return Select(other, *self.parts)


def select(branches: Mapping[str, object], no_match_error: str = "") -> Select:
    return Select(dict(branches), no_match_error=no_match_error)


def build_setting(name: str, kind: AttributeType) -> RuleClass:
    """A rule class as `rule(build_setting = config.string(flag = True))` makes it."""
    attributes = {"build_setting_default": AttributeDefinition("build_setting_default", kind)}
    return RuleClass(name, attributes, is_build_setting=True, is_flag=True)


STRING_FLAG = build_setting("string_flag", AttributeType.STRING)
BOOL_FLAG = build_setting("bool_flag", AttributeType.BOOLEAN)
INT_FLAG = build_setting("int_flag", AttributeType.INTEGER)
LIST_FLAG = build_setting("string_list_flag", AttributeType.STRING_LIST)


class Draft:
    """A package in the making."""

    def __init__(self) -> None:
        self.targets: dict[str, TargetData] = {}
        self.classes: list[RuleClass] = []
        self.frames: list[FrameData] = []
        self.made: Package | None = None

    def add(self, name: str, target: TargetData) -> None:
        self.targets[name] = target
        self.made = None

    def place(self, path: str, line: int) -> int:
        """The number of a stack of one frame."""
        self.frames.append(("", path, line, 1))
        return len(self.frames) - 1

    def package(self, id: PackageId, visibility: tuple[Label, ...]) -> Package:
        """The package so far; the same object until something is added."""
        if self.made is None or self.made.default_visibility != visibility:
            self.made = package_of(
                PackageData(
                    id=id,
                    build_file=Label(id.repository, id.package, "BUILD"),
                    path=f"{id.package}/BUILD",
                    targets=dict(self.targets),
                    classes=tuple(self.classes),
                    stacks=tuple((number,) for number in range(len(self.frames))),
                    frames=tuple(self.frames),
                    generators={},
                    defaults={"visibility": tuple(map(str, visibility))} if visibility else {},
                    loads=(),
                    diagnostics=(),
                    unknowns=(),
                    provenance=Provenance.WORKSPACE,
                )
            )
        return self.made


class World:
    """Targets by label; a package exists as soon as it has one."""

    def __init__(self, bazel_version: str = "4.2.3") -> None:
        self.bazel_version = bazel_version
        self.rules = NativeRules(bazel_version)
        self.drafts: dict[PackageId, Draft] = {}
        self.unknown_packages: set[PackageId] = set()
        self.default_visibility: dict[PackageId, tuple[Label, ...]] = {}
        self.registrations: dict[str, tuple[Label | Unknown, ...]] = {}
        self.registered_by_bazel: tuple[Label | Unknown, ...] = ()
        self.line = 0

    def rule(self, kind: str | RuleClass, name: str, **attributes: object) -> Label:
        rule_class = self.rules.get(kind) if isinstance(kind, str) else kind
        at = label(name)
        self.line += 1
        values = []
        for key, value in attributes.items():
            definition = rule_class.attributes.get(key)
            type_ = definition.type if definition else AttributeType.UNKNOWN
            values.append((key, self.convert(value, type_, at.package_id, key)))
        outs = attributes.get("outs")
        outputs = tuple(outs) if isinstance(outs, list) else ()
        draft = self.drafts.setdefault(at.package_id, Draft())
        draft.classes.append(rule_class)
        stack = draft.place(f"{at.package}/BUILD".lstrip("/"), self.line)
        kind_number = len(draft.classes) - 1
        draft.add(at.name, (RULE, kind_number, tuple(values), outputs, stack, ()))
        for output in outputs:
            draft.add(output, (OUTPUT, at.name, stack))
        return at

    def file(self, name: str, is_exported: bool = False) -> Label:
        at = label(name)
        draft = self.drafts.setdefault(at.package_id, Draft())
        draft.add(at.name, (INPUT, draft.place("BUILD", 1), is_exported))
        return at

    def group(self, name: str, *includes: str) -> Label:
        at = label(name)
        included = tuple(str(label(text, at.package_id)) for text in includes)
        draft = self.drafts.setdefault(at.package_id, Draft())
        draft.add(at.name, (GROUP, (), included, draft.place("BUILD", 1)))
        return at

    def convert(
        self, value: object, type_: AttributeType, package: PackageId, name: str = ""
    ) -> Encoded:
        """The value as a package keeps it."""
        if isinstance(value, Select):
            parts = [
                self.selector(part, type_, package, value.no_match_error)
                if isinstance(part, dict) and type_.value.find("dict") < 0
                else self.convert(part, type_, package)
                for part in value.parts
            ]
            return [SELECTS, tuple(parts)]
        as_label = type_.value.startswith(("label", "output")) or name == "visibility"
        if isinstance(value, str):
            unknown_label = type_ is AttributeType.UNKNOWN and value[:1] in ":/@"
            return encode_value(label(value, package)) if as_label or unknown_label else value
        if isinstance(value, list):
            return tuple(self.convert(item, type_, package, name) for item in value)
        if isinstance(value, dict):
            keys_are_labels = type_ is AttributeType.LABEL_KEYED_STRING_DICT
            items = tuple(
                (label(key, package) if keys_are_labels else key, item)
                for key, item in value.items()
            )
            return encode_value(DictValue(items))
        return encode_value(value)

    def selector(
        self,
        branches: Mapping[str, object],
        type_: AttributeType,
        package: PackageId,
        no_match_error: str,
    ) -> Encoded:
        made = tuple(
            (str(label(key, package)), self.convert(value, type_, package))
            for key, value in branches.items()
        )
        return [SELECT, made, no_match_error, -1]

    def registered(self, what: str, extra: tuple[str, ...] = ()) -> tuple[Label | Unknown, ...]:
        if extra == REGISTERED_BY_BAZEL:
            return self.registered_by_bazel
        return (*map(label, extra), *self.registrations.get(what, ()))

    def prepare(self, packages: Iterable[PackageId], following: Following | None = None) -> bool:
        return False

    def package(self, id: PackageId) -> PackageResult:
        if id in self.unknown_packages:
            return UnknownPackage(id, Unknown(Reason.NOT_FETCHED, str(id)))
        draft = self.drafts.get(id)
        if draft is None:
            return NoSuchPackage(id, f"no such package '{id.package}'")
        return draft.package(id, self.default_visibility.get(id, ()))

    def may_lie_there(self, file: Label) -> bool:
        return True

    def rule_set_of(self, repository: str) -> str:
        return ""

    def looked_up(self, at: Label) -> TargetResult:
        return self.target(at)

    def target(self, at: Label) -> TargetResult:
        package = self.package(at.package_id)
        if isinstance(package, UnknownPackage):
            return UnknownTarget(at, package.unknown)
        if not isinstance(package, Package):
            return package
        found = package.targets.get(at.name)
        return found if found is not None else NoSuchTarget(at, f"no such target '{at}'")

    def configuration(self, *flags: str, host: str = "linux") -> Configuration:
        """The configuration of `--name=value` words, without any rc file."""
        return configuration(*flags, bazel_version=self.bazel_version, host=host)


def configuration(*flags: str, bazel_version: str = "4.2.3", host: str = "linux") -> Configuration:
    options = flag_catalog.load(bazel_version)
    values: dict[str, FlagValue] = {}
    starlark: dict[str, FlagValue] = {}
    defines: dict[str, Define] = {}
    instances = []
    for index, word in enumerate(flags):
        name, _, value = word.removeprefix("--").partition("=")
        instance = FlagInstance(name, value, word, FromCommandLine(index), (index,))
        instances.append(instance)
        into = starlark if name.startswith(("//", "@")) else values
        before = into.get(name)
        definition = options.find(name)
        if definition is not None and definition.repeats and before is not None:
            into[name] = FlagValue(name, (*before.values, value), (*before.instances, instance))
        else:
            beaten = (*before.overridden, *before.instances) if before else ()
            into[name] = FlagValue(name, (value,), (instance,), beaten)
        if name == "define":
            key, _, wanted = value.partition("=")
            defines[key] = Define(key, wanted, instance)
    resolved = ResolvedFlags(
        "build",
        bazel_version,
        host,
        (),
        tuple(instances),
        values,
        defines,
        (),
        (),
        (),
        starlark_flags=starlark,
        settings={parse_label(text, ROOT): value for text, value in starlark.items()},
    )
    return Configuration.of(resolved, options)
