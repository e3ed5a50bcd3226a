"""`File` and the roots of files, as rule implementations see them. Bazel: `Artifact`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from bazelscope import starlark
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue


class FileRoot(starlark.Value):
    """Where files lie: the source tree (`path` is empty), or a configuration's outputs.

    `path` is unknown for the outputs of a configuration that Bazel names by a hash.
    """

    starlark_type: ClassVar[str] = "root"
    __slots__ = ("context", "is_source", "path")

    def __init__(self, context: EvaluationContext, path: str | Unknown, is_source: bool) -> None:
        self.context = context
        self.path = path
        self.is_source = is_source

    def text(self) -> object:
        """The path as Starlark sees it."""
        if isinstance(self.path, Unknown):
            return UnknownValue(self.path, "root.path", self.context)
        return self.path

    def get_attr(self, name: str) -> object:
        if name == "path":
            return self.text()
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return ("path",)

    def to_repr(self) -> str:
        return "<source root>" if self.is_source else "<derived root>"


class FileValue(starlark.Value):
    """One file or directory. `repository` and `inside` are where it lies below its root;
    `owner` is the target that it belongs to: the rule that makes it, or the source file."""

    starlark_type: ClassVar[str] = "File"
    __slots__ = ("inside", "is_directory", "owner", "repository", "root")

    def __init__(
        self, root: FileRoot, repository: str, inside: str, owner: Label, is_directory: bool = False
    ) -> None:
        self.root = root
        self.repository = root.context.canonical_of(repository) if repository else ""
        self.inside = inside
        self.owner = owner
        self.is_directory = is_directory

    @property
    def is_source(self) -> bool:
        return self.root.is_source

    @property
    def below_root(self) -> str:
        """The path below the root that files of all repositories share."""
        return f"external/{self.repository}/{self.inside}" if self.repository else self.inside

    @property
    def path(self) -> str | Unknown:
        """The path in the execution root, or why it cannot be told."""
        root = self.root.path
        if isinstance(root, Unknown):
            return root
        return f"{root}/{self.below_root}" if root else self.below_root

    @property
    def short_path(self) -> str:
        return f"../{self.repository}/{self.inside}" if self.repository else self.inside

    def compare(self, other: object) -> int:
        """By their paths. Bazel: `Artifact.compareTo`. Measured: 0.26.1, 2.1.0, 4.2.3."""
        if not isinstance(other, FileValue):
            return super().compare(other)
        own, its = self.path, other.path
        for path in (own, its):
            if isinstance(path, Unknown) and self.root.path != other.root.path:
                return UnknownValue(path, "File.path", self.root.context).compare(other)
        if isinstance(own, Unknown) or isinstance(its, Unknown):
            own, its = self.below_root, other.below_root
        return (own > its) - (own < its)

    def get_attr(self, name: str) -> object:
        base = self.inside.rpartition("/")[2]
        if name in ("path", "dirname"):
            path = self.path
            if isinstance(path, Unknown):
                return UnknownValue(path, f"{self.short_path}.{name}", self.root.context)
            return path if name == "path" else path.rpartition("/")[0]
        if name == "basename":
            return base
        if name == "short_path":
            return self.short_path
        if name == "extension":
            return base.rpartition(".")[2] if "." in base else ""
        if name == "is_source":
            return self.is_source
        if name == "is_directory":
            return self.is_directory
        if name == "root":
            return self.root
        if name == "owner":
            return self.root.context.label_value(self.owner)
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        return (
            *("basename", "dirname", "extension", "is_directory", "is_source", "owner"),
            *("path", "root", "short_path"),
        )

    def equals(self, other: object) -> bool:
        return (
            isinstance(other, FileValue)
            and self.inside == other.inside
            and self.repository == other.repository
            and self.root is other.root
        )

    def hash(self) -> int:
        return hash((self.repository, self.inside))

    def to_repr(self) -> str:
        if self.root.is_source:
            return f"<source file {self.inside}>"
        return f"<generated file {self.below_root}>"


def file_in(root: FileRoot, label: Label, owner: Label) -> FileValue:
    """Returns the file of a label in a root, which `owner` makes."""
    return FileValue(root, label.repository, label.path, owner)
