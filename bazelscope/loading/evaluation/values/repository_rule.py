"""What `repository_rule()` returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from bazelscope.base.label import Label
from bazelscope.base.source import CallStack
from bazelscope.bazel.attribute_types import AttributeDefinition
from bazelscope.loading.evaluation.values.exportable import Exportable


class RepositoryRule(Exportable):
    """A repository rule of a `.bzl` file. Calling it defines a repository, which is what `define`
    does with the rule, and the positional and the named arguments of the call."""

    starlark_type: ClassVar[str] = "repository_rule"
    __slots__ = (
        "_define",
        "attributes",
        "defined_at",
        "environ",
        "file",
        "implementation",
        "local",
    )

    def __init__(
        self,
        define: Callable[[RepositoryRule, tuple[object, ...], Mapping[str, object]], None],
        implementation: object,
        attributes: Mapping[str, AttributeDefinition],
        environ: tuple[str, ...],
        local: bool,
        defined_at: CallStack,
        file: Label | None,
    ) -> None:
        self.name = ""
        self._define = define
        self.implementation = implementation
        self.attributes = attributes
        self.environ = environ
        self.local = local
        self.defined_at = defined_at
        self.file = file

    def __call__(self, *arguments: object, **keywords: object) -> None:
        self._define(self, arguments, keywords)
