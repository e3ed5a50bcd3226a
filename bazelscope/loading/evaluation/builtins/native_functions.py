"""The functions of BUILD files that are no rules: `glob`, `package`, `exports_files`, ...

Bazel: `StarlarkNativeModule`, `PackageFactory`. They act on the package being evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bazelscope import starlark
from bazelscope.base.errors import LabelError
from bazelscope.base.label import Label, parse_label
from bazelscope.base.unknown import GLOB, Reason, Unknown
from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.encoded_values import Encoded
from bazelscope.loading.evaluation.attribute_values.conversion import ConversionError
from bazelscope.loading.evaluation.attribute_values.converters import CONVERTERS, converter_for
from bazelscope.loading.evaluation.attribute_values.starlark_values import starlark_value
from bazelscope.loading.evaluation.evaluation_context import CurrentPackage, EvaluationContext
from bazelscope.loading.evaluation.values.depsets import Depset
from bazelscope.loading.evaluation.values.symbolic_values import SelectValue, UnknownValue
from bazelscope.loading.packages.package_data import is_wholly_known, labels_of
from bazelscope.loading.tree.globs import GlobError, without_excluded

_IN_GLOBS = "Symlink issue while evaluating globs"

_UNSAID = object()
_EMPTY = "allow_empty is set to False"
_EMPTY_GLOB = (
    f"{_EMPTY} (the default value of allow_empty can be set with"
    " --incompatible_disallow_empty_glob)."
)


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
        builder = self._context.package_outside_macros("glob")
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
            files = builder.files.glob(wanted, bool(exclude_directories))
            files = self._without(unwanted, files)
        except GlobError as error:
            raise starlark.fail_with(str(error)) from error
        _count_search(files)
        for what in builder.files.loops.values():
            builder.report_once("globs", "symlink-loop", f"{_IN_GLOBS}: {what}")
        self._note_hidden(builder, f"{GLOB} of {builder.id}")
        if self._refuses_empty(allow_empty) and not builder.files.hidden:
            # Each pattern must match something of its own. Bazel: `GlobberUtils`.
            for pattern in wanted:
                own = builder.files.glob((pattern,), bool(exclude_directories))
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

    def _without(self, exclude: Sequence[str], paths: Sequence[str]) -> list[str]:
        return without_excluded(paths, exclude, self._context.release.excludes_by_ends)

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
        builder = self._context.package_outside_macros("subpackages")
        if builder.files is None:
            return self._context.unknown(
                Reason.NOT_FETCHED,
                f"subpackages() of {builder.id}",
                "the files of the repository are not on this machine",
            )
        try:
            wanted = _patterns(include, "include")
            directories = builder.files.subpackages(wanted)
            directories = self._without(_patterns(exclude, "exclude"), directories)
        except GlobError as error:
            raise starlark.fail_with(str(error)) from error
        except _NotKnownError as error:
            return self._context.unknown(Reason.DEPENDS_ON_UNKNOWN, "subpackages()", str(error))
        _count_search(directories)
        self._note_hidden(builder, f"subpackages() of {builder.id}")
        if allow_empty is False and not builder.files.hidden:
            for pattern in wanted:
                if not builder.files.subpackages((pattern,)):
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

    def package(self, /, **arguments: object) -> object:
        builder = self._context.package_outside_macros("package")
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
        from bazelscope.loading.evaluation.builtins.package_arguments import set_defaults

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
        if not (is_wholly_known(texts) and is_wholly_known(labels)):
            subject = f"package_group {builder.id}:{name}"
            builder.record_unknown(Unknown(Reason.DEPENDS_ON_UNKNOWN, subject))
            return None
        from bazelscope.loading.packages.package_specifications import (
            SpecificationError,
            specification,
        )

        release, mapping = self._context.release, self._context.mapping_of(builder.id.repository)
        meant: list[str] = []
        for text in texts:
            words = release.package_group_words
            try:
                meant.append(specification(text, release, builder.id, mapping, has_words=words))
            except SpecificationError as error:
                builder.report("invalid-package-name", str(error))
        builder.add_group(name, tuple(meant), labels)
        return None

    def environment_group(self, *, name: Any, environments: Any, defaults: Any) -> object:
        builder = self._context.current_package("environment_group")
        convert = converter_for(AttributeType.LABEL_LIST, True)
        try:
            members, own = [convert(builder.conversion, one) for one in (environments, defaults)]
        except ConversionError as error:
            builder.report("bad-argument", f"environment_group(): {error}")
            return None
        if not (isinstance(name, str) and is_wholly_known(members) and is_wholly_known(own)):
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
        from bazelscope.loading.evaluation.builtins.existing_rules import existing_rule

        return existing_rule(self._context, name)

    def existing_rules(self) -> object:
        from bazelscope.loading.evaluation.builtins.existing_rules import existing_rules

        return existing_rules(self._context)


def _count_search(paths: Sequence[str]) -> None:
    """Counts a search for files; how long it took, the clock tells."""
    starlark.charge(100 + len(paths))
    starlark.look_at_limits()


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
