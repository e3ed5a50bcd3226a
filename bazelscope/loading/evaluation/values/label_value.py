"""`Label` as a Starlark value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from bazelscope import starlark
from bazelscope.base.label import Label, parse_label
from bazelscope.bazel.release import Release


class LabelValue(starlark.Value):
    """A label in Starlark; `style` says how `str()` writes it in this Bazel version."""

    starlark_type: ClassVar[str] = "Label"
    __slots__ = ("_text", "label", "style")

    def __init__(self, label: Label, style: LabelStyle) -> None:
        self.label = label
        self.style = style
        self._text: str | None = None

    def get_attr(self, name: str) -> object:
        label = self.label
        if name == "name":
            return label.name
        if name == "package":
            return label.package
        if name == "workspace_name" or (name == "repo_name" and self.style.has_later_members):
            return self.style.canonical(label.repository)
        if name == "workspace_root":
            repository = self.style.canonical(label.repository)
            return f"external/{repository}" if repository else ""
        if name == "relative":
            return starlark.Builtin("relative", self._relative)
        if name == "same_package_label" and self.style.has_later_members:
            return starlark.Builtin("same_package_label", self._sibling)
        raise AttributeError(name)

    def attr_names(self) -> Iterable[str]:
        names = ("name", "package", "relative", "workspace_name", "workspace_root")
        return (
            (*names, "repo_name", "same_package_label") if self.style.has_later_members else names
        )

    def _relative(self, relName: object) -> object:  # noqa: N803 (Bazel's name of the argument)
        if not isinstance(relName, str):
            starlark.fail_with(starlark.wrong_type("relative", "relName", relName, "string"))
        return LabelValue(parse_label(relName, self.label.package_id), self.style)

    def _sibling(self, target_name: str) -> object:
        return LabelValue(self.label.sibling(target_name), self.style)

    def equals(self, other: object) -> bool:
        return isinstance(other, LabelValue) and self.label == other.label

    def hash(self) -> int:
        return hash(self.label)

    def compare(self, other: object) -> int:
        if not isinstance(other, LabelValue):
            raise TypeError("Label")
        return (self.label > other.label) - (self.label < other.label)

    def to_repr(self) -> str:
        return f"Label({starlark.repr_of(self.to_str())})"

    def to_str(self) -> str:
        text = self._text
        if text is None:
            text = self.style(self.label)
            if self.style.is_plain:
                self._text = text
        return text


class LabelStyle:
    """How `str(Label(...))` reads: `//x`, from Bazel 6 `@//x`, with modules `@@//x`.

    `canonical` tells the canonical names of repositories, which may have other names here.
    """

    def __init__(
        self, release: Release, canonical: Callable[[str], str] = lambda repository: repository
    ) -> None:
        is_canonical = release.canonical_strings or release.workspace_is_gone
        self._mark = "" if not release.at_labels else "@@" if is_canonical else "@"
        self.is_plain = not self._mark
        """Whether a label is written as it always will be: canonical names may be told later."""
        self.canonical = canonical
        self.has_later_members = release.labels_make_labels

    def __call__(self, label: Label) -> str:
        if self.is_plain:
            return str(label)
        repository = self.canonical(label.repository)
        return f"{self._mark}{repository}//{label.package}:{label.name}"
