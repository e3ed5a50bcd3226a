"""`ctx.fragments`: what flags say, as far as it is theirs alone.

Bazel: `CppConfiguration`, `PlatformConfiguration`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bazelscope import starlark
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.platforms import host_platform_label, target_platform_label
from bazelscope.analysis.rules.context_members import Members
from bazelscope.analysis.rules.provided import not_modelled
from bazelscope.base.label import Label
from bazelscope.base.unknown import Unknown
from bazelscope.loading.evaluation.evaluation_context import EvaluationContext
from bazelscope.loading.evaluation.values.symbolic_values import UnknownValue

_WORDS = {"copts": "copt", "conlyopts": "conlyopt", "cxxopts": "cxxopt", "linkopts": "linkopt"}
"""Fields of `ctx.fragments.cpp` that are the values of an option, in order."""
_OF_BAZEL = {
    "apple": ("ios_cpu_platform_type", "ios_minimum_os_flag", "multi_arch_platform",
              "multi_arch_split_info", "single_arch_cpu", "single_arch_platform", "xcode_version"),
    "cpp": ("custom_malloc", "do_not_use_macos_set_install_name", "minimum_os_version"),
    "platform": ("enabled_toolchain_types", "platforms"),
}  # fmt: skip
"""Fields that are there and whose values Bazel works out."""


class Fragments(Members):
    """`ctx.fragments`: those that a rule declares; of others everything is unknown."""

    __slots__ = ("_all",)

    def __init__(
        self, context: EvaluationContext, configuration: Configuration, declared: object
    ) -> None:
        self._all = UnknownValue(not_modelled("ctx.fragments"), "ctx.fragments", context)
        known: dict[str, Callable[[], Mapping[str, Callable[[], object]]]] = {
            "cpp": lambda: _cpp(configuration),
            "platform": lambda: _platform(context, configuration),
        }
        is_told = declared is not None and not isinstance(declared, UnknownValue)
        names = (
            [one for one in starlark.iterate(declared) if isinstance(one, str)] if is_told else []
        )
        super().__init__(
            "ctx.fragments",
            {name: self._maker(name, known[name]) for name in names if name in known},
        )

    def _maker(
        self, name: str, fields: Callable[[], Mapping[str, Callable[[], object]]]
    ) -> Callable[[], object]:
        return lambda: _Fragment(self._all.get_attr(name), name, fields())

    def get_attr(self, name: str) -> object:
        return super().get_attr(name) if self.has(name) else self._all.get_attr(name)


class _Fragment(Members):
    """One fragment; what is not modelled of it is unknown."""

    __slots__ = ("_rest",)

    def __init__(self, rest: object, name: str, makers: Mapping[str, Callable[[], object]]) -> None:
        super().__init__(name, makers)
        self._rest = rest

    def get_attr(self, name: str) -> object:
        if self.has(name) or not isinstance(self._rest, UnknownValue):
            return super().get_attr(name)
        return self._rest.get_attr(name)

    def attr_names(self) -> Iterable[str]:
        return sorted({*super().attr_names(), *_OF_BAZEL.get(self.name, ())})


def _cpp(configuration: Configuration) -> Mapping[str, Callable[[], object]]:
    if configuration.is_on("experimental_omitfp"):
        return {}  # It adds words of its own.

    def words(option: str) -> Callable[[], object]:
        return lambda: starlark.List(list(configuration.value(option).values))

    return {name: words(option) for name, option in _WORDS.items()}


def _platform(
    context: EvaluationContext, configuration: Configuration
) -> Mapping[str, Callable[[], object]]:
    def shown(name: str, label: Label | Unknown) -> object:
        if isinstance(label, Unknown):
            return UnknownValue(label, f"ctx.fragments.platform.{name}", context)
        return context.label_value(label)

    return {
        "platform": lambda: shown("platform", target_platform_label(configuration)),
        "host_platform": lambda: shown("host_platform", host_platform_label(configuration)),
    }
