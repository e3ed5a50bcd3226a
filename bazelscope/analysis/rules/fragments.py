"""`ctx.fragments`: what flags say, as far as it is theirs alone.

Bazel: `CppConfiguration`, `PlatformConfiguration`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bazelscope import starlark
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.platforms import host_platform_label, target_platform_label
from bazelscope.analysis.rules.context_members import Members
from bazelscope.analysis.rules.provided import unmodelled
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

    __slots__ = ("_all", "_declared", "_of", "_rule", "_table")

    def __init__(
        self,
        context: EvaluationContext,
        configuration: Configuration,
        declared: object,
        rule: str = "",
        of: str = "target",
    ) -> None:
        """`of` names the configuration: `target` or `host`."""
        self._all = unmodelled("ctx.fragments", context)
        self._rule, self._of, self._table = rule, of, context.builtins
        known: dict[str, Callable[[], Mapping[str, Callable[[], object]]]] = {
            "cpp": lambda: _cpp(configuration),
            "platform": lambda: _platform(context, configuration),
        }
        is_told = declared is not None and not isinstance(declared, UnknownValue)
        names = (
            [one for one in starlark.iterate(declared) if isinstance(one, str)] if is_told else []
        )
        self._declared = frozenset(names) if is_told or declared is None else None
        super().__init__(
            "ctx.fragments",
            {
                name: self._maker(name, known[name])
                for name in names
                if name in known and of == "target"
            },
        )

    def _maker(
        self, name: str, fields: Callable[[], Mapping[str, Callable[[], object]]]
    ) -> Callable[[], object]:
        members = self._table.members(name)
        return lambda: _Fragment(self._all.get_attr(name), name, fields(), members)

    def get_attr(self, name: str) -> object:
        if self._declared is not None and self._rule:
            self._check(name)
        return super().get_attr(name) if self.has(name) else self._all.get_attr(name)

    def _check(self, name: str) -> None:
        """Fails if the rule does not declare a fragment, or if there is none of that name."""
        assert self._declared is not None
        is_exact = self._table.is_exact
        if is_exact and self._table.members(name) is None and name not in _WITHOUT_MEMBERS:
            starlark.fail_with(
                f"There is no configuration fragment named '{name}' in {self._of} configuration."
            )
        if name not in self._declared:
            argument = "fragments" if self._of == "target" else "host_fragments"
            where = f" in {self._of} configuration" if is_exact else ""
            starlark.fail_with(
                f"{self._rule} has to declare '{name}' as a required fragment{where} in order to"
                f" access it. Please update the '{argument}' argument of the rule definition (for"
                f' example: {argument} = ["{name}"])'
            )


_WITHOUT_MEMBERS = frozenset({"android", "bazel_android", "bazel_py", "coverage", "proto", "py"})
"""Fragments of which a table tells nothing."""


class _Fragment(Members):
    """One fragment; what is not modelled of it is unknown."""

    __slots__ = ("_members", "_rest")

    def __init__(
        self,
        rest: object,
        name: str,
        makers: Mapping[str, Callable[[], object]],
        members: frozenset[str] | None,
    ) -> None:
        """`members` are all that it has, if that is known."""
        super().__init__(name, makers)
        self._rest = rest
        self._members = members

    def get_attr(self, name: str) -> object:
        if self._members is not None and name not in self._members:
            raise AttributeError(name)
        if name in self.makers:
            return self.makers[name]()  # Each look gives a list of one's own, which may be changed.
        if not isinstance(self._rest, UnknownValue):
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
