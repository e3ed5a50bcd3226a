"""What an extension says of itself, and what it is given of what it said before:
`module_ctx.extension_metadata()` and `module_ctx.facts`.

Bazel: `ModuleExtensionMetadata`, `Facts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NoReturn

from bazelscope import starlark
from bazelscope.base.errors import StarlarkError
from bazelscope.bazel.release import Release
from bazelscope.loading.dry_run.records import Record
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue
from bazelscope.loading.modules.module_file_checks import check_repository_name
from bazelscope.loading.modules.use_repo_fixups import ExtensionMetadata

REFUSED = "module-extension"
"""The code of an error: what Bazel itself refuses of an extension, its tags or what it returns."""


def metadata_of(both: Mapping[str, object], release: Release) -> ExtensionMetadata:
    """Returns what the two parameters of `extension_metadata()` say, by their names. Raises
    `StarlarkError`. Bazel: `ModuleExtensionMetadata.create`."""
    given, names = tuple(both.values()), " and ".join(both)
    if given == (None, None):
        return ExtensionMetadata()
    if any(isinstance(one, UnknownValue) for one in given):
        return ExtensionMetadata(is_known=False)
    if "all" in given:
        if not any(isinstance(one, starlark.List) and not len(one) for one in given):
            _fail(f'if one of {names} is "all", the other must be an empty list')
        direct, dev = ("all" if one == "all" else frozenset[str]() for one in given)
        return ExtensionMetadata(direct, dev)
    if any(isinstance(one, str) for one in given):
        _fail(f'{names} must be None, "all", or a list of strings')
    if None in given:
        _fail(f"{names} must both be specified or both be unspecified")
    found: dict[str, str] = {}
    for parameter, value in both.items():
        if not isinstance(value, list | tuple):
            _fail(f'{names} must be None, "all", or a list of strings')
        for index, name in enumerate(value):
            if isinstance(name, UnknownValue):
                return ExtensionMetadata(is_known=False)
            if not isinstance(name, str):
                _fail(starlark.wrong_element(index, parameter, name, "string"))
            try:
                check_repository_name(name, release)
            except StarlarkError as error:
                _fail(f"in {parameter}: {error.diagnostic.message}")
            if name in found:
                is_here = found[name] == parameter
                how = f"duplicate entry '{name}'" if is_here else f"entry '{name}' is also in "
                _fail(f"in {parameter}: {how}{'' if is_here else found[name]}")
            found[name] = parameter
    direct, dev = (
        frozenset(name for name, where in found.items() if where == parameter) for parameter in both
    )
    return ExtensionMetadata(direct, dev)


class Facts(Record):
    """`module_ctx.facts`: what the extension said before, as the lock file has it. It is asked by
    its keys alone."""

    starlark_type: ClassVar[str] = "Facts"
    __slots__ = ("_said",)

    def __init__(self, said: Mapping[str, object]) -> None:
        self._said = {key: _value(value) for key, value in sorted(said.items())}
        super().__init__({"get": starlark.Builtin("get", self._get)})

    def _get(self, key: str, default: object = None) -> object:
        return self._said.get(key, default)

    def index(self, key: object) -> object:
        return self._said.get(key) if isinstance(key, str) else None

    def contains(self, key: object) -> object:
        return isinstance(key, str) and key in self._said

    def to_repr(self) -> str:
        return "Facts(<opaque, inspect with print()>)"


def _value(value: object) -> object:
    """Returns the Starlark value of a JSON value."""
    if isinstance(value, dict):
        return starlark.Dict({key: _value(one) for key, one in sorted(value.items())})
    return starlark.List(map(_value, value)) if isinstance(value, list) else value


def _fail(message: str) -> NoReturn:
    starlark.fail_with(message, code=REFUSED)
