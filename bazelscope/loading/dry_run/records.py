"""Values with fixed fields that repository rules and module extensions are given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from bazelscope import starlark
from bazelscope.loading.evaluation.values.structs import Struct


class Record(starlark.Value):
    """A value with fixed fields, as Bazel's own classes have them."""

    __slots__ = ("fields",)

    def __init__(self, fields: Mapping[str, object]) -> None:
        self.fields = fields

    def get_attr(self, name: str) -> object:
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(name) from None

    def attr_names(self) -> Iterable[str]:
        return tuple(sorted(self.fields))

    def hash(self) -> int:
        return id(self)


class ExecutionResult(Record):
    """What `repository_ctx.execute()` returns."""

    starlark_type: ClassVar[str] = "exec_result"
    __slots__ = ()


class PendingDownload(Record):
    """What `repository_ctx.download(block = False)` returns."""

    starlark_type: ClassVar[str] = "pending_download"
    __slots__ = ()


class RepositoryMetadata(Record):
    """What `repository_ctx.repo_metadata()` returns."""

    starlark_type: ClassVar[str] = "repo_metadata"
    __slots__ = ()


class RepositoryOs(Record):
    """`repository_ctx.os`."""

    starlark_type: ClassVar[str] = "repository_os"
    __slots__ = ()


class AttributeValues(Struct):
    """`repository_ctx.attr`."""

    __slots__ = ()

    def words_of_missing(self, name: str) -> str | None:
        return f"No such attribute '{name}'"
