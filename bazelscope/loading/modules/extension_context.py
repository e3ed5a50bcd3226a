"""What the implementation of a module extension is given: `module_ctx`, the modules that use the
extension with their tags, and `extension_metadata()`.

Bazel: `ModuleExtensionContext`, `StarlarkBazelModule`, `TypeCheckedTag`, `ModuleExtensionMetadata`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, NoReturn

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic, LabelError, StarlarkError
from bazelscope.base.label import Label, PackageId, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.nearest import nearest
from bazelscope.base.source import Location
from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType
from bazelscope.bazel.release import Release
from bazelscope.loading.dry_run.records import Record
from bazelscope.loading.dry_run.repository_context import LATER_MEMBERS as _OF_CONTEXTS
from bazelscope.loading.dry_run.repository_context import RepositoryContext
from bazelscope.loading.dry_run.run_state import DryRunState
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.rules.rule_values import ModuleExtension
from bazelscope.loading.evaluation.values.structs import Struct
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.evaluation.workspace.repository_attributes import (
    attribute_values,
    not_allowed,
    why_unfit,
)
from bazelscope.loading.modules.extension_metadata import REFUSED, Facts, metadata_of
from bazelscope.loading.modules.module_file import Tag
from bazelscope.loading.modules.use_repo_fixups import DIRECT, DIRECT_DEV
from bazelscope.loading.packages.invisible_names import invisible_name, is_asked_by_root

_OF_REPOSITORIES_ONLY = frozenset(
    {"attr", "delete", "name", "original_name", "patch", "rename", "repo_metadata", "symlink"}
    | {"template", "watch_tree", "workspace_root"}
)
LATER_MEMBERS = MappingProxyType(
    {
        **{name: fact for name, fact in _OF_CONTEXTS.items() if name not in _OF_REPOSITORIES_ONLY},
        "extension_metadata": "extensions_report_imports",
        "facts": "extensions_have_facts",
        "is_dev_dependency": "extensions_report_imports",
        "root_module_has_non_dev_dependency": "extensions_know_of_development",
        "tag_sort_key": "tags_have_sort_keys",
    }
)
"""What `module_ctx` has in later releases, by the fact about a release that says so."""
_LABELS = frozenset(
    {AttributeType.LABEL, AttributeType.LABEL_LIST, AttributeType.LABEL_KEYED_STRING_DICT}
)


@dataclass(frozen=True, slots=True)
class UsingModule:
    """A module that uses the extension: its tags, whether a use of it is not for development
    alone, and how its labels are understood."""

    name: str
    version: str
    is_root: bool
    is_lasting: bool
    tags: Sequence[Tag]
    package: PackageId
    mapping: Mapping[str, str]


class _OfModule(Struct):
    """A value about a module, with words of its own for a member that it has not."""

    __slots__ = ("_lacks",)

    def __init__(self, fields: Mapping[str, object], lacks: str = "") -> None:
        super().__init__(fields)
        self._lacks = lacks

    def get_attr(self, name: str) -> object:
        if name in self.fields:
            return self.fields[name]
        raise AttributeError(name)

    def method_names(self) -> Iterable[str]:
        return ()

    def words_of_missing(self, name: str) -> str | None:
        return f"{self._lacks} {name}" if self._lacks else None

    def to_repr(self) -> str:
        return f"<{self.starlark_type}>"


class _Module(_OfModule):
    starlark_type: ClassVar[str] = "bazel_module"
    __slots__ = ()


class _Tags(_OfModule):
    starlark_type: ClassVar[str] = "bazel_module_tags"
    __slots__ = ()


class _Tag(_OfModule):
    starlark_type: ClassVar[str] = "bazel_module_tag"
    __slots__ = ("_shown",)

    def __init__(self, fields: Mapping[str, object], tag: Tag) -> None:
        super().__init__(fields, "unknown attribute")
        self._shown = f"'{tag.tag_class}' tag at {tag.location}"

    def to_repr(self) -> str:
        return self._shown


def refuse(message: str, place: Location, hint: str | None = None) -> NoReturn:
    """Raises the `StarlarkError` of what Bazel refuses at `place`."""
    raise StarlarkError(Diagnostic(REFUSED, message, place.span, hint=hint))


def module_context(
    extension: ModuleExtension,
    shown: str,
    modules: Sequence[UsingModule],
    context: EvaluationContext,
    state: DryRunState,
    is_model: bool,
    is_isolated: bool | None,
    facts: Mapping[str, object],
) -> Record:
    """Returns the `module_ctx` of one run. Of a model, the real extension may take more than it
    does: patches give extensions attributes, too. `is_isolated` is None where Bazel does not say.
    Raises `StarlarkError` for tags that the extension does not take."""
    shared = RepositoryContext(state, {}).value().fields
    fields = {name: value for name, value in shared.items() if name not in _OF_REPOSITORIES_ONLY}
    release = context.release
    development: set[int] = set()
    places: dict[int, int] = {}
    made = [
        _module(extension, shown, one, context, development, places, is_model) for one in modules
    ]
    fields["modules"] = starlark.List(made)
    if is_isolated is not None:
        fields["is_isolated"] = is_isolated
    fields["root_module_has_non_dev_dependency"] = any(
        module.is_root and module.is_lasting for module in modules
    )
    fields["facts"] = Facts(facts)

    def is_dev_dependency(tag: object) -> bool:
        return id(tag) in development

    def tag_sort_key(tag: object) -> object:
        if id(tag) not in places:
            starlark.fail_with(starlark.wrong_type("tag_sort_key", "tag", tag, "tag"))
        return places[id(tag)]

    def extension_metadata(
        *,
        root_module_direct_deps: object = None,
        root_module_direct_dev_deps: object = None,
        reproducible: object = False,
        facts: object = None,
        **others: object,
    ) -> object:
        for name in others:
            message = f"extension_metadata() got unexpected keyword argument '{name}'"
            starlark.fail_with(message, code=REFUSED)
        if not isinstance(reproducible, bool | UnknownValue):
            message = starlark.wrong_type(
                "extension_metadata", "reproducible", reproducible, "bool"
            )
            starlark.fail_with(message, code=REFUSED)
        both = {DIRECT: root_module_direct_deps, DIRECT_DEV: root_module_direct_dev_deps}
        told = reproducible if isinstance(reproducible, bool) else None
        return replace(metadata_of(both, release), reproducible=told)

    methods: Mapping[str, Callable[..., object]] = {
        "is_dev_dependency": is_dev_dependency,
        "extension_metadata": extension_metadata,
        "tag_sort_key": tag_sort_key,
    }
    fields.update((name, starlark.Builtin(name, method)) for name, method in methods.items())
    return _ModuleContext(
        {
            name: value
            for name, value in fields.items()
            if name not in LATER_MEMBERS or getattr(release, LATER_MEMBERS[name])
        }
    )


class _ModuleContext(Record):
    starlark_type: ClassVar[str] = "module_ctx"
    __slots__ = ()


def _module(
    extension: ModuleExtension,
    shown: str,
    module: UsingModule,
    context: EvaluationContext,
    development: set[int],
    places: dict[int, int],
    is_model: bool,
) -> Struct:
    tags: dict[str, list[object]] = {name: [] for name in extension.tag_classes}
    for tag in module.tags:
        tag_class = extension.tag_classes.get(tag.tag_class)
        if tag_class is None:
            if is_model:
                continue
            near = nearest(tag.tag_class, sorted(tags), 1)
            refuse(
                f"The module extension {shown} does not have a tag class named {tag.tag_class}, but"
                f" its use is attempted at {tag.location}",
                tag.location,
                f"did you mean `{near[0]}`?" if near else None,
            )
        attributes = {name: spec.definition(name) for name, spec in tag_class.specs.items()}
        _check_tag(tag, attributes, module, is_model, context.release)
        if context.release.module_labels_are_of_visible_repositories:
            what, package = f"tag '{tag.tag_class}'", module.package
            why = invisible_label(attributes, tag.arguments, module.mapping, package, what)
            if why:
                refuse(f"in tag at {tag.location}: {why}", tag.location)
        values = attribute_values(
            "", tag.arguments, attributes, module.mapping, context.label_value, module.package
        )
        if "name" not in attributes:
            del values["name"]
        made = _Tag(values, tag)
        if tag.is_dev:
            development.add(id(made))
        places[id(made)] = len(places)
        tags[tag.tag_class].append(made)
    lists = {name: starlark.List(items) for name, items in tags.items()}
    fields = {
        "name": module.name,
        "version": module.version,
        "is_root": module.is_root,
        "tags": _Tags(lists, "unknown tag class"),
    }
    return _Module(fields)


def invisible_label(
    attributes: Mapping[str, AttributeDefinition],
    arguments: Mapping[str, object],
    mapping: Mapping[str, str],
    package: PackageId,
    what: str,
) -> str:
    """What Bazel says of the first label among the `arguments` of a tag or a repository that is of
    a repository which the module does not see; empty if there is none. Bazel:
    `AttributeValues.validateSingleAttr`."""
    named = (
        (attribute, text)
        for attribute, definition in attributes.items()
        if definition.type in _LABELS
        for value in (arguments.get(attribute),)
        for text in (value if isinstance(value, list | tuple | dict) else (value,))
        if isinstance(text, str) and text.startswith("@")
    )
    for attribute, text in named:
        try:
            label = parse_label(text, package, mapping)
        except LabelError:
            continue
        name = invisible_name(label.repository)
        if name is None:
            continue
        is_of_root = is_asked_by_root(label.repository)
        owner = "main repository" if is_of_root else f"repository '{package.repository}'"
        module = "root module" if is_of_root else f"module '{package.repository}'"
        written = Label(name, label.package, label.name)
        return (
            f"no repository visible as '@{name}' to the {owner}, but referenced by label"
            f" '{written}' in attribute '{attribute}' of {what}. Is the {module} missing a"
            f' bazel_dep or use_repo(..., "{name}")?'
        )
    return ""


def _check_tag(
    tag: Tag,
    attributes: Mapping[str, AttributeDefinition],
    module: UsingModule,
    is_model: bool,
    release: Release,
) -> None:
    """Raises `StarlarkError` for what the tag does not take. Bazel: `TypeCheckedTag`."""
    is_named = release.errors_name_tags
    place, where = tag.location, f"in tag at {tag.location}"
    if is_named:
        where = f"in '{tag.tag_class}' tag"
    for name, value in tag.arguments.items():
        definition = attributes.get(name)
        shown = f"'{name}'" if is_named else name
        if definition is None:
            if not is_model:
                near = nearest(name, sorted(attributes), 1)
                hint = f"did you mean `{near[0]}`?" if near else None
                refuse(f"{where}, unknown attribute {shown} provided", place, hint)
            continue
        what = f"attribute '{name}'" if is_named else name
        why = why_unfit(what, definition, value, module.mapping, module.package)
        if why:
            wrong = "" if is_named else f"error converting value for attribute {name}: "
            refuse(f"{where}, {wrong}{why}", place)
        why = not_allowed(definition, value)
        if why:
            refuse(f"{where}, the value for attribute {shown} {why}", place)
    for name, definition in attributes.items():
        if definition.mandatory and tag.arguments.get(name) is None:
            shown = f"'{name}'" if is_named else name
            refuse(f"{where}, mandatory attribute {shown} isn't being specified", place)
