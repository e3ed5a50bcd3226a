"""The natives that Bazel 9 removed: rules and providers that only a `load()` brings back.

What is left of a removed rule differs. Most names are gone; those of C++ are functions that
fail; those of Java are rules without attributes of their own, which no analysis accepts.
Bazel: `exports.bzl` of its builtins (`_REMOVED_RULES`), `BaseRuleClasses.EmptyRule`, and
`AutoloadSymbols`, whose `AUTOLOAD_CONFIG` says where each of them went.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache

from bazelscope.base.errors import Diagnostic
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.bazel.facts.fact import tables
from bazelscope.bazel.release import Release

_EMPTY, _FAILING = "rules without attributes", "functions that fail"
_GONE_PROVIDERS = "providers that are gone"
_ONLY_A_NAME = "rules of which a filegroup is left"
_REMOVED = (_FAILING, _EMPTY, "rules that are gone", _GONE_PROVIDERS, _ONLY_A_NAME)


@cache
def _homes(*titles: str) -> Mapping[str, str]:
    """The names of some tables, each with the file that it is loaded from; empty where there is
    none."""
    homes: dict[str, str] = {}
    for title in titles:
        rows = tables("removed_natives")[title].items()
        files = {name: file.replace("*", name) for file, names in rows for name in names}
        homes |= {name: file.removeprefix("-") for name, file in sorted(files.items())}
    return homes


@dataclass(frozen=True, slots=True)
class Autoloads:
    """The names that `--incompatible_autoload_externally` brings back, and whether it does so in
    the main repository, too; those that it takes away from a Bazel that has them still."""

    names: frozenset[str] = frozenset()
    in_main_repository: bool = False
    taken: frozenset[str] = frozenset()

    def of(self, is_main: bool) -> frozenset[str]:
        """The names that are back in the main repository, or in any other."""
        return self.names if self.in_main_repository or not is_main else frozenset()


NO_AUTOLOADS = Autoloads()

_UNDEFINED = lazy_pattern(r"name '(\w+)' is not defined")


def is_removed_symbol(name: str) -> bool:
    """Whether a name that every `.bzl` file had is not defined any more."""
    return name in _homes(_GONE_PROVIDERS)


def removed_names() -> tuple[str, ...]:
    """Every rule and provider that Bazel 9 has no longer as a native, sorted."""
    return tuple(sorted(_homes(*_REMOVED)))


def loaded_from(name: str) -> str | None:
    """The file that a removed rule or provider is loaded from; None where there is none."""
    return _homes(*_REMOVED).get(name) or None


def of_module(file: str) -> str:
    """The label of such a file where its rule set is a module, which may be called otherwise than
    the repository that WORKSPACE defines."""
    name, slashes, rest = file.removeprefix("@").partition("//")
    return f"@{_MODULES.get(name, name)}{slashes}{rest}"


_MODULES = {"com_google_protobuf": "protobuf", "build_bazel_apple_support": "apple_support"}


def remains_of(name: str, filegroup: Callable[..., object]) -> object | None:
    """What stands for the native rule `name` in Bazel 9; None if it is not defined.

    `filegroup` is that rule, which is left of a `cc_toolchain_suite`. A rule that Bazel 9 has
    is its own remains, and no concern of this function.
    """
    from bazelscope import starlark  # Flags and the names of natives are looked at without it.

    if name in _homes(_ONLY_A_NAME):
        return starlark.Builtin(name, lambda name, **_: filegroup(name=name))
    if name in _homes(_FAILING):
        return starlark.Builtin(name, _failing(name))
    if name in _homes(_EMPTY):
        return starlark.Builtin(name, _empty(name))
    return None


def is_removed_rule(name: str) -> bool:
    """Whether a native rule of older Bazels is none in Bazel 9."""
    return name not in _homes("rules that are still native")


def explained(problem: Diagnostic, release: Release) -> Diagnostic:
    """`problem`, with what to do about it if it is about the name of a removed native, or about
    `native` itself, which only `.bzl` files have."""
    match = _UNDEFINED.fullmatch(problem.message) if problem.code == "starlark-name" else None
    if match is None:
        return problem
    hint = how_to_load(match[1]) if release.natives_removed else None
    if match[1] == "native":
        hint = "call the rule itself, without `native.`"
    return problem if hint is None else replace(problem, hint=hint, misspelling=None)


def autoloaded(entries: Iterable[str]) -> frozenset[str]:
    """The names that `--incompatible_autoload_externally` brings back.

    An entry is a name or a repository with all of its names; `-` before it takes them away.
    """
    symbols: set[str] = set()
    for entry in entries:
        names = _names_of(entry)
        if entry.startswith("-"):
            symbols.difference_update(names)
        else:
            symbols.update(names)
    return frozenset(symbols)


def taken_away(entries: Iterable[str]) -> frozenset[str]:
    """The names that the same option takes away: those behind a `-`. Bazel: `AutoloadSymbols`."""
    return frozenset(name for entry in entries if entry[:1] == "-" for name in _names_of(entry))


def autoload_problem(entries: Iterable[str]) -> str | None:
    """Why Bazel does not take that option's value, in its words; None if it does."""
    seen: set[str] = set()
    for entry in entries:
        for name in _names_of(entry):
            if name in seen:
                return f"Duplicated symbol '{name}' in --incompatible_autoload_externally"
            seen.add(name)
            if name not in _homes(*_REMOVED) and name not in _homes(
                "names that are autoloaded besides"
            ):
                return f"Undefined symbol in --incompatible_autoload_externally: '{name}'"
    return None


def _names_of(entry: str) -> Collection[str]:
    """The names that an entry stands for, whatever it says of them."""
    name = entry.lstrip("+-")
    if not name.startswith("@"):
        return (name,)
    return [one for one, file in _homes(*_REMOVED).items() if file.startswith(f"{name}//")]


def _failing(rule: str) -> Callable[..., object]:
    from bazelscope.starlark import fail_with

    def call(**_: object) -> object:
        fail_with(
            "This rule has been removed from Bazel. Please add a `load()` statement for it.",
            how_to_load(rule),
            "removed-rule",
        )

    return call


def _empty(rule: str) -> Callable[..., object]:
    from bazelscope.starlark import fail_with

    def call(**_: object) -> object:
        fail_with(
            f"The {rule} rule has been removed, add the following to your BUILD/bzl file:"
            f' load("{_homes(_EMPTY)[rule]}", "{rule}")',
            code="removed-rule",
        )

    return call


def how_to_load(name: str) -> str | None:
    """What to do about a removed rule or provider; None where a name is none of these."""
    label = loaded_from(name)
    return f'Bazel 9 has removed it: load("{of_module(label)}", "{name}")' if label else None
