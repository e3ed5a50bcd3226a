"""What `repository_rule()` returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from bazelscope import starlark
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.source import CallStack
from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.exportable import Exportable

COMMON_ATTRIBUTES = {
    **dict.fromkeys(("compatible_with", "restricted_to", "visibility"), AttributeType.LABEL_LIST),
    **dict.fromkeys(("features", "tags"), AttributeType.STRING_LIST),
    **dict.fromkeys(("deprecation", "expect_failure"), AttributeType.STRING),
    "testonly": AttributeType.BOOLEAN,
}
"""Attributes of any rule that one of a repository may read. Measured: 0.24.1 to 4.2.3."""
_COMPUTED = frozenset({"deprecation", "testonly"})
"""Where nothing is given for them, a repository rule reads no value but Bazel's function."""
_GENERATORS = frozenset({"generator_name", "generator_function", "generator_location"})


def common_attributes(
    release: Release, arguments: Mapping[str, object]
) -> dict[str, AttributeDefinition]:
    """The attributes that a repository rule may read besides its own. Bazel:
    `BaseRuleClasses.commonCoreAndStarlarkAttributes`, from 9 on none (`RepoRule`)."""
    if not release.repository_rules_have_common_attributes:
        return {}
    return {
        name: AttributeDefinition(name, kind)
        for name, kind in COMMON_ATTRIBUTES.items()
        if name in arguments or name not in _COMPUTED
    }


def check_attributes(names: Iterable[str], release: Release) -> None:
    """Fails where a repository rule declares an attribute that it has already."""
    for name in names:
        is_common = name in COMMON_ATTRIBUTES or name in _GENERATORS
        if name == "name" or (is_common and release.repository_rules_have_common_attributes):
            starlark.fail_with(
                f"There is already a built-in attribute '{name}' which cannot be overridden"
            )


@dataclass(slots=True, eq=False, repr=False)
class RepositoryRule(Exportable):
    """A repository rule of a `.bzl` file. Calling it defines a repository, which is what `define`
    does with the rule, and the positional and the named arguments of the call."""

    starlark_type: ClassVar[str] = "repository_rule"
    _define: Callable[[RepositoryRule, tuple[object, ...], Mapping[str, object]], None]
    implementation: object
    attributes: Mapping[str, AttributeDefinition]
    environ: tuple[str, ...]
    local: bool
    defined_at: CallStack
    file: Label | None
    name: str = ""

    def __call__(self, /, *arguments: object, **keywords: object) -> None:
        self._define(self, arguments, keywords)
