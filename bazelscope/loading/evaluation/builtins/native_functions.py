"""The functions of BUILD files that are no rules: `glob`, `package`, `exports_files`, ...

Bazel: `StarlarkNativeModule`, `PackageFactory`. They act on the package being evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, parse_label
from bazelscope.base.unknown import GLOB, Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.changed_rules import is_metadata, metadata_attribute
from bazelscope.bazel.encoded_values import Encoded, encode_value
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.attribute_values.conversion import Conversion, ConversionError
from bazelscope.loading.evaluation.attribute_values.converters import CONVERTERS, converter_for
from bazelscope.loading.evaluation.attribute_values.starlark_values import (
    NotRepresentableError,
    starlark_value,
)
from bazelscope.loading.evaluation.evaluation_context import CurrentPackage, EvaluationContext
from bazelscope.loading.evaluation.values.depsets import Depset
from bazelscope.loading.evaluation.values.symbolic_values import (
    SelectValue,
    SettledSelect,
    UnknownValue,
)
from bazelscope.loading.packages.encoded_targets import (
    RULE,
    TargetData,
    class_number,
    explicit_values,
    shape_of,
    stack_of,
)
from bazelscope.loading.packages.package_data import labels_of
from bazelscope.loading.tree.globs import GlobError

# The arguments of package(): the attribute of every rule that each one sets, and its type.
_PACKAGE_ARGUMENTS: Mapping[str, tuple[str, AttributeType]] = {
    "default_applicable_licenses": ("applicable_licenses", AttributeType.LABEL_LIST),
    "default_compatible_with": ("compatible_with", AttributeType.LABEL_LIST),
    "default_copts": ("copts", AttributeType.STRING_LIST),
    "default_deprecation": ("deprecation", AttributeType.STRING),
    "default_hdrs_check": ("hdrs_check", AttributeType.STRING),
    "default_package_metadata": ("package_metadata", AttributeType.LABEL_LIST),
    "default_restricted_to": ("restricted_to", AttributeType.LABEL_LIST),
    "default_testonly": ("testonly", AttributeType.BOOLEAN),
    "default_visibility": ("visibility", AttributeType.LABEL_LIST),
    "distribs": ("distribs", AttributeType.DISTRIBUTION_SET),
    "features": ("features", AttributeType.STRING_LIST),
    "licenses": ("licenses", AttributeType.LICENSE),
}

_ENVIRONMENTS = ("default_compatible_with", "default_restricted_to")

_LATER_ARGUMENTS = ("default_copts", "default_hdrs_check", "default_package_metadata")

_IN_GLOBS = "Symlink issue while evaluating globs"

_UNSAID = object()
_EMPTY = "allow_empty is set to False"
_EMPTY_GLOB = (
    f"{_EMPTY} (the default value of allow_empty can be set with"
    " --incompatible_disallow_empty_glob)."
)

_METADATA = ("default_applicable_licenses", "default_package_metadata")
_TWICE_METADATA = (
    "Can not set both default_package_metadata and default_applicable_licenses. Move all"
    " declarations to default_package_metadata."
)

_HIDDEN_FROM_MACROS = frozenset({"generator_location"})


class NativeFunctions:
    """The functions, bound to one evaluation context."""

    def __init__(self, context: EvaluationContext) -> None:
        self._context = context

    def table(self) -> dict[str, Callable[..., object]]:
        """Every function by its Starlark name, for this Bazel version."""
        release = self._context.release
        functions: dict[str, Callable[..., object]] = {
            "distribs": self.distribs,
            "environment_group": self.environment_group,
            "existing_rule": self.existing_rule,
            "existing_rules": self.existing_rules,
            "exports_files": self.exports_files,
            "glob": self.glob if release.globs_by_position else self._glob_by_name,
            "licenses": self.licenses,
            "package": self.package,
            "package_group": self.package_group,
            "package_name": self.package_name,
            "repository_name": self.repository_name,
        }
        if not release.licenses_have_no_name:
            functions["licenses"] = lambda license_strings: self.licenses(license_strings)
            functions["distribs"] = lambda distribution_strings: self.distribs(distribution_strings)
        if release.native_subpackages:
            functions["subpackages"] = self.subpackages
        if release.native_module_name:
            functions["module_name"] = lambda: self._module("module_name")[0]
            functions["module_version"] = lambda: self._module("module_version")[1]
        if release.native_package_relative_label:
            functions["package_relative_label"] = self.package_relative_label
        if release.native_package_default_visibility:
            functions["package_default_visibility"] = self.package_default_visibility
        if release.native_repo_name:
            functions["repo_name"] = self._repo_name
        return functions

    def _module(self, function: str) -> tuple[str | None, str | None]:
        """Name and version of the module that the package's repository is."""
        repository = self._context.current_package(function).id.repository
        return self._context.module_of(repository) or (None, None)

    def _repo_name(self) -> object:
        return self._context.current_package("repo_name").id.repository

    # ---- Files ----

    def glob(
        self,
        include: Any = (),
        exclude: Any = (),
        exclude_directories: Any = 1,
        allow_empty: Any = _UNSAID,
    ) -> object:
        builder = self._not_in_macro("glob")
        _check_type(exclude_directories, "exclude_directories", "int")
        if allow_empty is not _UNSAID:
            if not self._context.release.globs_may_be_empty:
                raise TypeError("unexpected keyword 'allow_empty' in call to glob()")
            _check_type(allow_empty, "allow_empty", "bool")
        try:
            wanted = _patterns(include, "include")
            unwanted = _patterns(exclude, "exclude")
        except _NotKnownError as error:
            return self._context.unknown(Reason.DEPENDS_ON_UNKNOWN, GLOB, str(error))
        if builder.files is None:
            unanswered = self._context.unknown(
                Reason.NOT_FETCHED,
                f"{GLOB} of {builder.id}",
                "the files of the repository are not on this machine",
            )
            builder.may_lack = builder.may_lack or unanswered.unknown
            return unanswered
        try:
            files = builder.files.glob(wanted, unwanted, bool(exclude_directories))
        except GlobError as error:
            raise starlark.fail_with(str(error)) from error
        _count_search(files)
        for what in builder.files.loops.values():
            builder.report_once("globs", "symlink-loop", f"{_IN_GLOBS}: {what}")
        self._note_hidden(builder, f"{GLOB} of {builder.id}")
        if self._refuses_empty(allow_empty) and not builder.files.hidden:
            # Each pattern must match something of its own. Bazel: `GlobberUtils`.
            for pattern in wanted:
                own = builder.files.glob((pattern,), (), bool(exclude_directories))
                _count_search(own)
                if not own:
                    message = f"glob pattern '{pattern}' didn't match anything"
                    starlark.fail_with(f"{message}, but {_EMPTY_GLOB}")
            if not files:
                starlark.fail_with(f"all files in the glob have been excluded, but {_EMPTY_GLOB}")
        if any(file[:1] == "@" for file in files):  # or it would name a repository
            files = sorted(f":{file}" if file[:1] == "@" else file for file in files)
        return starlark.List(files)

    def _glob_by_name(self, include: Any, **others: Any) -> object:
        return self.glob(include, **others)

    def _note_hidden(self, builder: CurrentPackage, subject: str) -> None:
        """What a search for files could not look into, Bazel may well: files may be missing."""
        for path, why in builder.files.hidden.items() if builder.files is not None else ():
            unknown = self._context.unknown(
                Reason.NOT_MODELLED, subject, f"what is in `{path}`: {why}"
            ).unknown
            builder.record_unknown(unknown)
            builder.may_lack = builder.may_lack or unknown

    def _refuses_empty(self, allow_empty: object) -> bool:
        if starlark.type_of(allow_empty) != "bool":
            return self._context.refuses_empty_globs
        return allow_empty is False

    def subpackages(
        self, *, include: Any = _UNSAID, exclude: Any = (), allow_empty: Any = False
    ) -> object:
        if include is _UNSAID:
            starlark.fail_with("subpackages() missing 1 required named argument: include")
        builder = self._not_in_macro("subpackages")
        if builder.files is None:
            return self._context.unknown(
                Reason.NOT_FETCHED,
                f"subpackages() of {builder.id}",
                "the files of the repository are not on this machine",
            )
        try:
            wanted = _patterns(include, "include")
            directories = builder.files.subpackages(wanted, _patterns(exclude, "exclude"))
        except GlobError as error:
            raise starlark.fail_with(str(error)) from error
        except _NotKnownError as error:
            return self._context.unknown(Reason.DEPENDS_ON_UNKNOWN, "subpackages()", str(error))
        _count_search(directories)
        self._note_hidden(builder, f"subpackages() of {builder.id}")
        if allow_empty is False and not builder.files.hidden:
            for pattern in wanted:
                if not builder.files.subpackages((pattern,), ()):
                    message = f"subpackages pattern '{pattern}' didn't match anything"
                    starlark.fail_with(f"{message}, but {_EMPTY} (the default value)")
            if not directories:
                message = "all subpackages in subpackages() have been excluded"
                starlark.fail_with(f"{message}, but {_EMPTY} ")
        return starlark.List(directories)

    def exports_files(
        self, srcs: Any, visibility: object = None, licenses: object = None
    ) -> object:
        builder = self._context.current_package("exports_files")
        for what, given in (("visibility", visibility), ("licenses", licenses)):
            if isinstance(given, Depset):
                wanted = "sequence or NoneType"
                starlark.fail_with(starlark.wrong_type("exports_files", what, given, wanted))
        encoded: Encoded = None
        if visibility is not None:
            try:
                encoded = converter_for(AttributeType.LABEL_LIST, True)(
                    builder.conversion, visibility
                )
            except ConversionError as error:
                builder.report("bad-argument", f"exports_files(): {error}")
        if licenses is not None:
            try:
                CONVERTERS[AttributeType.LICENSE](builder.conversion, licenses)
            except ConversionError as error:
                builder.report("bad-argument", f"exports_files(): {error}")
        if isinstance(srcs, dict):
            starlark.fail_with(starlark.wrong_type("exports_files", "srcs", srcs, "sequence"))
        seen: set[str] = set()
        for name in starlark.iterate(srcs):
            if isinstance(name, str) and name in seen:
                continue
            if isinstance(name, str):
                starlark.charge(4)
                seen.add(name)
                builder.export_file(name, encoded if type(encoded) is tuple else None)
                if licenses is not None and name in builder.licensed_files:
                    builder.refuse(
                        "exported-twice", f"licenses for exported file '{name}' declared twice"
                    )
                if licenses is not None:
                    builder.licensed_files.add(name)
            elif not isinstance(name, UnknownValue):
                raise TypeError("exports_files: file names must be strings")
        return None

    # ---- The package ----

    def package(self, **arguments: object) -> object:
        builder = self._not_in_macro("package")
        if not arguments:
            builder.report(
                "empty-package-call",
                "at least one argument must be given to the 'package' function",
            )
        if builder.package_was_called:
            builder.refuse("package-called-twice", "'package' can only be used once per BUILD file")
        builder.package_was_called = True
        if self._context.release.transitive_visibility:
            # Says nothing of visibility unless --experimental_enforce_transitive_visibility is set.
            arguments.pop("transitive_visibility", None)
        set_defaults(builder, arguments, builder.conversion)
        return None

    def licenses(self, license_strings: object, /) -> object:
        builder = self._context.current_package("licenses")
        self._set_default(builder, "licenses", AttributeType.LICENSE, license_strings)
        return None

    def distribs(self, distribution_strings: object, /) -> object:
        builder = self._context.current_package("distribs")
        self._set_default(builder, "distribs", AttributeType.DISTRIBUTION_SET, distribution_strings)
        return None

    def _set_default(
        self, builder: CurrentPackage, name: str, kind: AttributeType, value: object
    ) -> None:
        try:
            builder.defaults[name] = CONVERTERS[kind](builder.conversion, value)
        except ConversionError as error:
            builder.report("bad-argument", f"{name}(): {error}")

    def package_group(self, *, name: Any, packages: Any = (), includes: Any = ()) -> object:
        builder = self._context.current_package("package_group")
        if not isinstance(name, str | UnknownValue):
            starlark.fail_with(starlark.wrong_type("package_group", "name", name, "string"))
        if not isinstance(name, str):
            builder.record_unknown(
                Unknown(Reason.DEPENDS_ON_UNKNOWN, f"a package_group of {builder.id}")
            )
            return None
        if isinstance(packages, SelectValue) and not packages.has_select:
            packages = starlark.List(packages.iterate())  # What else it holds is noted by that.
        try:
            texts = CONVERTERS[AttributeType.STRING_LIST](builder.conversion, packages)
            labels = converter_for(AttributeType.LABEL_LIST, True)(builder.conversion, includes)
        except ConversionError as error:
            builder.report("bad-argument", f"package_group(): {error}")
            return None
        known = tuple(text for text in texts if type(text) is str) if type(texts) is tuple else ()
        from bazelscope.loading.packages.package_specifications import (
            SpecificationError,
            specification,
        )

        release, mapping = self._context.release, self._context.mapping_of(builder.id.repository)
        meant: list[str] = []
        for text in known:
            words = release.package_group_words
            try:
                meant.append(specification(text, release, builder.id, mapping, has_words=words))
            except SpecificationError as error:
                builder.report("invalid-package-name", str(error))
        builder.add_group(name, tuple(meant), labels if type(labels) is tuple else ())
        return None

    def environment_group(self, *, name: Any, environments: Any, defaults: Any) -> object:
        builder = self._context.current_package("environment_group")
        convert = converter_for(AttributeType.LABEL_LIST, True)
        try:
            members, own = [convert(builder.conversion, one) for one in (environments, defaults)]
        except ConversionError as error:
            builder.report("bad-argument", f"environment_group(): {error}")
            return None
        if not (isinstance(name, str) and _are_known(members) and _are_known(own)):
            subject = f"environment_group {builder.id}:{name}"
            builder.record_unknown(Unknown(Reason.DEPENDS_ON_UNKNOWN, subject))
            return None
        from bazelscope.loading.evaluation.builtins.environment_groups import problems_of_group

        group = Label(builder.id.repository, builder.id.package, name)
        for problem in problems_of_group(group, labels_of(members), labels_of(own), builder.id):
            builder.report("invalid-environment-group", problem)
        builder.add_environments(name, members, own)
        return None

    def package_name(self) -> object:
        return self._context.current_package("package_name").id.package

    def repository_name(self) -> object:
        repository = self._context.current_package("repository_name").id.repository
        return f"@{self._context.canonical_of(repository)}"

    def package_default_visibility(self) -> object:
        builder = self._context.current_package("package_default_visibility")
        visibility = builder.defaults.get("visibility", ("//visibility:private",))
        labels = visibility if type(visibility) is tuple else ()
        style = self._context.label_style
        value = starlark_value(labels, AttributeType.LABEL_LIST, style, builder.id)
        return starlark.List(starlark.iterate(value))

    def package_relative_label(self, input: Any) -> object:
        builder = self._context.current_package("package_relative_label")
        if not isinstance(input, str):
            return input
        try:
            label = parse_label(input, builder.id, builder.repo_mapping)
        except LabelError as error:
            raise starlark.fail_with(error.diagnostic.message) from error
        return self._context.label_value(label)

    # ---- What has been declared so far ----

    def existing_rule(self, name: Any) -> object:
        if self._context.workspace is not None:
            definition = self._context.workspace.existing_rule(name)
            return None if definition is None else starlark.Dict(definition)
        builder = self._not_in_macro("existing_rule", finalizers=True)
        if not isinstance(name, str | UnknownValue):
            starlark.fail_with(starlark.wrong_type("existing_rule", "name", name, "string"))
        target = builder.targets.get(name) if isinstance(name, str) else None
        if builder.rules_before_finalizers and name not in builder.rules_before_finalizers:
            target = None
        if target is None or shape_of(target) != RULE or not isinstance(name, str):
            return None
        return self._frozen(self._rule_as_dict(builder, name, target))

    def existing_rules(self) -> object:
        if self._context.workspace is not None:
            rules = self._context.workspace.existing_rules()
            return starlark.Dict({name: starlark.Dict(rule) for name, rule in rules.items()})
        builder = self._not_in_macro("existing_rules", finalizers=True)
        return self._frozen(
            starlark.Dict(
                {
                    name: self._rule_as_dict(builder, name, builder.targets[name])
                    for name in builder.rules_before_finalizers or builder.targets
                    if shape_of(builder.targets[name]) == RULE
                }
            )
        )

    def _frozen(self, view: starlark.Dict) -> starlark.Dict:
        if self._context.release.existing_rules_frozen:
            starlark.freeze(view)
        return view

    def _not_in_macro(self, function: str, *, finalizers: bool = False) -> CurrentPackage:
        """The package, for a function that symbolic macros may not call."""
        builder = self._context.current_package(function)
        in_finalizer = finalizers and builder.macros and builder.macros[-1].is_finalizer
        if self._context.is_initializing or (builder.macros and not in_finalizer):
            allowed = ", a legacy macro, or a rule finalizer" if finalizers else " or legacy macro"
            starlark.fail_with(
                f"{function}() can only be used while evaluating a BUILD file{allowed}"
            )
        return builder

    def _rule_as_dict(
        self, builder: CurrentPackage, name: str, target: TargetData
    ) -> starlark.Dict:
        rule_class = builder.classes[class_number(target)]
        explicit = dict(explicit_values(target))
        starlark.charge(_steps_of(target))
        attributes: dict[str, object] = {"name": name, "kind": rule_class.name}
        for attribute, definition in rule_class.attributes.items():
            if attribute[:1] in "$:_" or attribute in _HIDDEN_FROM_MACROS:
                continue
            encoded = explicit.get(attribute, builder.defaults.get(attribute))
            if encoded is None:
                encoded = encode_value(definition.default)
            if encoded is None:
                continue
            try:
                value = starlark_value(encoded, definition.type, None, builder.id)
                if (
                    isinstance(value, SelectValue)
                    and value.has_select
                    and not self._context.release.existing_selects_are_values
                ):
                    value = SettledSelect(value)
                attributes[attribute] = value
            except NotRepresentableError:
                attributes[attribute] = self._context.unknown(
                    Reason.DEPENDS_ON_UNKNOWN, f"{attribute} of {builder.id}:{name}"
                )
        made = builder.generator(stack_of(target))
        if made is not None:
            attributes["generator_function"] = made[0]
            attributes["generator_name"] = made[1] or name
        attributes["name"] = name
        return starlark.Dict(attributes)


def _count_search(paths: Sequence[str]) -> None:
    """Counts a search for files; how long it took, the clock tells."""
    starlark.charge(100 + len(paths))
    starlark.look_at_limits()


def _steps_of(rule: TargetData) -> int:
    """What it takes to make a rule into a dictionary."""
    values = (value for _, value in explicit_values(rule))
    sizes = (len(value) for value in values if isinstance(value, tuple | list | str))
    return 40 + sum(sizes)


def set_defaults(
    builder: CurrentPackage, arguments: Mapping[str, object], conversion: Conversion
) -> None:
    """What `package()` says of all rules of a package, or `repo()` of all packages.

    The later word wins; features are added. Bazel: `PackageArgs.mergeWith`.
    """
    for name, value in arguments.items():
        known = _PACKAGE_ARGUMENTS.get(name)
        if known is None or not _takes(builder.release, name):
            builder.refuse("bad-package-argument", f"unexpected keyword argument: {name}")
            continue
        attribute, kind = known
        if value is None:
            if not builder.release.package_takes_copts:
                problem = f"expected value of type '{kind.value}' for argument '{name}'"
                builder.refuse("bad-package-argument", f"package(): {problem}, but got None")
            continue
        if is_metadata(attribute):
            attribute = metadata_attribute(builder.release)
        try:
            encoded = converter_for(kind, True)(conversion, value)
        except ConversionError as error:
            builder.refuse("bad-package-argument", f"package(): {name}: {error}")
            continue
        if is_metadata(known[0]) and None not in map(arguments.get, _METADATA):
            builder.refuse("bad-package-argument", _TWICE_METADATA)
            continue
        if name in _ENVIRONMENTS and type(encoded) is tuple:
            for label in dict.fromkeys(one for one in encoded if encoded.count(one) > 1):
                builder.report(
                    "duplicate-label",
                    f"label '{label}' is duplicated in the '{name}' list of 'package"
                    f" {builder.id.package}'",
                )
        is_visibility = attribute == "visibility" and type(encoded) is tuple
        if is_visibility and len(encoded) > 1 and not builder.release.visibility_words_combine:
            from bazelscope.loading.evaluation.rules.rule_arguments import words_problem

            problem = words_problem(encoded)
            if problem:
                builder.refuse("bad-visibility", f"package(): {problem}")
                continue
        before = builder.defaults.get(attribute)
        if attribute == "features" and type(before) is tuple and type(encoded) is tuple:
            encoded = _merged_features(before, encoded)
        builder.defaults[attribute] = encoded


def _takes(release: Release, argument: str) -> bool:
    """Whether `package()` of a release has an argument."""
    if argument == "default_applicable_licenses":
        return release.package_takes_licenses
    return argument not in _LATER_ARGUMENTS or release.package_takes_copts


def _merged_features(general: tuple[Encoded, ...], own: tuple[Encoded, ...]) -> tuple[Encoded, ...]:
    """A feature that the package switches otherwise is as the package says."""
    switched = {str(feature).removeprefix("-") for feature in own}
    kept = (feature for feature in general if str(feature).removeprefix("-") not in switched)
    return (*kept, *own)


class _NotKnownError(ValueError):
    """An argument that rests on an unknown value."""


def _check_type(value: object, parameter: str, wanted: str) -> None:
    if starlark.type_of(value) != wanted and not isinstance(value, UnknownValue):
        raise TypeError(starlark.wrong_type("glob", parameter, value, wanted))


def _patterns(value: object, what: str) -> Sequence[str]:
    if isinstance(value, UnknownValue) or (isinstance(value, SelectValue) and not value.has_select):
        raise _NotKnownError(f"{what} is {starlark.repr_of(value)}")
    if not isinstance(value, list | tuple):
        raise TypeError(starlark.wrong_type("glob", what, value, "sequence"))
    for position, pattern in enumerate(value):
        if isinstance(pattern, UnknownValue):
            raise _NotKnownError(f"{what} has {pattern.text}")
        if not isinstance(pattern, str):
            got = f"{starlark.repr_of(pattern)} ({starlark.type_of(pattern)})"
            raise TypeError(
                f"expected value of type 'string' for element {position} of 'glob' argument, but"
                f" got {got}"
            )
    return value


def _are_known(labels: object) -> bool:
    return type(labels) is tuple and all(type(label) is str for label in labels)
