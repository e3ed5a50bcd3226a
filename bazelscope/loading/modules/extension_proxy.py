"""What `use_extension()` of MODULE.bazel returns."""

from __future__ import annotations

from typing import Any, ClassVar

from bazelscope import starlark
from bazelscope.base.source import CallStack, Location
from bazelscope.loading.modules.module_file import FILE_NAME, ExtensionUse, Tag


class ExtensionProxy(starlark.Value):
    """What `use_extension()` returns: each of its members is a tag class to be called."""

    starlark_type: ClassVar[str] = "module_extension_proxy"
    __slots__ = ("is_dev", "use")

    def __init__(self, use: ExtensionUse, is_dev: bool) -> None:
        self.use = use
        self.is_dev = is_dev

    def get_attr(self, name: str) -> object:
        def tag(*arguments: object, **keywords: Any) -> None:
            if arguments:
                starlark.fail_with(f"{name}() takes keyword arguments only")
            place = place_of(starlark.call_stack())
            self.use.tags.append(Tag(name, keywords, self.is_dev, place))

        return starlark.Builtin(name, tag)


def proxy_of(function: str, value: object) -> ExtensionProxy:
    """The value that a function of MODULE.bazel has to be given: what `use_extension()` made."""
    if not isinstance(value, ExtensionProxy):
        wanted = "module_extension_proxy"
        starlark.fail_with(starlark.wrong_type(function, "extension_proxy", value, wanted))
    return value


def place_of(stack: CallStack) -> Location:
    """Where a call of MODULE.bazel stands."""
    return stack[-1].location if stack else Location(FILE_NAME, 1, 1)
