"""What Bazel's builtins are called with, and what members they have.

The tables come from the binaries (`scripts/measure_builtins.py` says how they are written). A
release that was not measured goes by the last one before it, and may know more.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.facts.fact import Fact, HasNumbers, between, since, until

_FOLDER = Path(__file__).parent / "builtins"
_TABLES = (
    ("0.24.1", until(2, 1), between((0, 24), (0, 25))),
    ("2.1.0", between((2, 1), (4, 2)), between((2, 1), (2, 2))),
    ("4.2.3", since(4, 2), between((4, 2), (4, 2, 4))),
)
"""Each with the releases that go by it, and those of which it tells all."""


_FILES = "bool|sequence(string)|NoneType"
_WITHIN: Mapping[str, Mapping[str, str]] = {
    "create_compilation_context": {
        "headers": "depset(File)|NoneType",
        **dict.fromkeys(
            ("system_includes", "includes", "quote_includes", "framework_includes", "defines",
             "local_defines"),
            "depset(string)|NoneType",
        ),
    },
    # Measured: labels may be texts.
    "label": {"allow_files": _FILES},
    "label_keyed_string_dict": {"allow_files": _FILES},
    "label_list": {"allow_files": _FILES, "default": "sequence|function"},
    # `rule_checks` tells what these are refused for in old releases.
    "output": {"default": "any"},
    "output_list": {"default": "any"},
    # Measured: what these attributes may be is not looked at one by one.
    "int": {"values": "sequence"},
    "string": {"values": "sequence"},
    "merge_cc_infos": {"cc_infos": "sequence(CcInfo)", "direct_cc_infos": "sequence(CcInfo)"},
    "instrumented_files_info": {
        "source_attributes": "sequence(string)",
        "dependency_attributes": "sequence(string)",
    },
    "create_cc_toolchain_config_info": {"features": "sequence(struct)"},
    "JavaInfo": {"compile_jar": "File"},
    "ExecutionInfo": {"requirements": "dict(string,string)"},
    "TestEnvironment": {"environment": "dict(string,string)"},
    "TemplateVariableInfo": {"vars": "dict(string,string)"},
}  # fmt: skip
"""What functions look at themselves, of which no annotation tells. Measured: 0.24.1 (but for those
of `testing`), 2.1.0, 4.2.3."""


_OLD_WITHIN = {
    "create_compilation_context": {
        name: kinds.removesuffix("|NoneType")
        for name, kinds in _WITHIN["create_compilation_context"].items()
    }
}
"""What they look at in older releases. Measured: 0.24.1, 2.1.0."""


_ALIKE = frozenset({"aspect", "provider", "rule", "transition"})
"""Functions whose parameters take in later releases what they took in 4.2.3, as those of `attr` do.
Bazel: `StarlarkRuleFunctionsApi`, `StarlarkAttrModuleApi`, `ConfigGlobalLibraryApi` of 7 to 9, and
the tests of these."""
_WIDER = frozenset(
    {"attr_aspects", "exec_compatible_with", "inputs", "outputs", "provides", "toolchains"}
)
"""Their parameters that take more."""


_SINCE_5, _SINCE_7, _SINCE_8 = since(5), since(7), since(8)
_LATER: Mapping[str, Mapping[str, Fact]] = {
    "aspect": {
        **dict.fromkeys(("exec_compatible_with", "exec_groups", "requires"), _SINCE_5),
        "subrules": _SINCE_7,
        **dict.fromkeys(("propagation_predicate", "toolchains_aspects"), _SINCE_8),
    },
    "attr": {
        "flags": _SINCE_5,
        "skip_validations": _SINCE_7,
        **dict.fromkeys(("configurable", "for_dependency_resolution", "materializer"), _SINCE_8),
    },
    "exec_group": {},
    "provider": {"init": _SINCE_5},
    "repository_rule": {},
    "rule": {
        **dict.fromkeys(("compile_one_filetype", "name"), _SINCE_5),
        **dict.fromkeys(("extendable", "initializer", "parent", "subrules"), _SINCE_7),
        "dependency_resolution_rule": _SINCE_8,
    },
    "transition": {},
}
"""What functions take by name that 4.2.3 does not know of, so that no other name is one; which
release of a major version was the first is not told. Bazel: `StarlarkRuleFunctionsApi`,
`StarlarkAttrModuleApi`."""
_GONE: Mapping[str, Mapping[str, Fact]] = {"exec_group": {"copy_from_rule": until(8)}}
"""What they take no more."""


class Parameter(NamedTuple):
    """One parameter; `kinds` are what it takes (`sequence(File)`), nothing if it takes anything."""

    name: str
    kinds: tuple[str, ...]
    by_position: bool
    by_name: bool
    is_optional: bool
    is_guarded: bool
    """Whether a flag makes it known."""


class Signature(NamedTuple):
    """What a function is called with; `takes_more`: others by name, too. `later` are the names that
    releases have added, where all of them are known."""

    name: str
    parameters: tuple[Parameter, ...]
    takes_more: bool
    later: frozenset[str] | None = None


class BuiltinTable:
    """The builtins of one release; `is_exact`: there is nothing that it does not tell of."""

    def __init__(
        self, text: str, is_exact: bool, is_early: bool = False, is_newest: bool = False
    ) -> None:
        self.is_exact = is_exact
        self._is_newest = is_newest
        self._is_early = is_early
        self._modules: dict[str, list[str]] = {}
        for line in text.splitlines():
            if not line.startswith(" "):
                self._modules[line] = members = []
            else:
                members.append(line[1:])
        self._signatures: dict[tuple[str, str], Signature | None] = {}

    @property
    def has_symlinks(self) -> bool:
        """Whether `actions.symlink` takes what is given as of 4."""
        signature = self.signature("actions", "symlink")
        return signature is not None and signature.parameters[-1].name != "target"

    def signature(self, module: str, name: str) -> Signature | None:
        """What a member of a module is called with, if it is a function."""
        key = module, name
        if key not in self._signatures:
            self._signatures[key] = None
            for line in self._modules.get(module, ()):
                first, _, rest = line.removeprefix("~ ").partition(" ")
                if first.rstrip("?") == name:
                    is_early = self._is_early and module == "testing"
                    table = _WITHIN if self._is_newest else {**_WITHIN, **_OLD_WITHIN}
                    within = {} if is_early else table.get(name, {})
                    self._signatures[key] = _signature(name, rest, within)
                    break
            else:
                if self._is_early and module in ("Provider", name):
                    # Its constructors have no annotations: they are those of the next release.
                    self._signatures[key] = _table(_TABLES[1][0], True).signature(module, name)
        return self._signatures[key]

    def checked_signature(self, module: str, name: str, release: HasNumbers) -> Signature | None:
        """What calls of a function are held against: in a release that was not measured, of those
        alone of which it is known what they take, and by which names."""
        signature = self.signature(module, name)
        if self.is_exact or signature is None:
            return signature
        function = "attr" if module == "attr" else name
        later = _LATER.get(function) if self._is_newest else None
        if later is None:
            return None
        gone = _GONE.get(name, {})
        are_alike = function == "attr" or name in _ALIKE
        return signature._replace(
            parameters=tuple(
                _since(one) if are_alike else one._replace(kinds=())
                for one in signature.parameters
                if one.name not in gone or gone[one.name].holds(release)
            ),
            later=frozenset(one for one, fact in later.items() if fact.holds(release)),
        )

    def members(self, module: str, with_hidden: bool = True) -> frozenset[str] | None:
        """The names of all that a module has, also of what it has by some flags alone and dir()
        does not list (`with_hidden`); None if they are not known."""
        if not self.is_exact or module not in self._modules:
            return None
        names: set[str] = set()
        for line in self._modules[module]:
            first, _, rest = line.partition(" ")
            if first == "<":
                names |= self.members(rest, with_hidden) or set()
            elif first != "~" and (with_hidden or not first.endswith("?")):
                names.add(first.strip(".?"))
        return frozenset(names)


def builtins_of(release: HasNumbers) -> BuiltinTable:
    """The table that a release goes by."""
    for name, goes_by, is_exact in _TABLES:
        if goes_by.holds(release):
            return _table(name, is_exact.holds(release))
    raise AssertionError("every release goes by a table")


@cache
def _table(name: str, is_exact: bool) -> BuiltinTable:
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return BuiltinTable(text, is_exact, name == _TABLES[0][0], name == _TABLES[-1][0])


def _since(parameter: Parameter) -> Parameter:
    """A parameter of `_ALIKE` as later releases have it."""
    if parameter.name in _WIDER:
        return parameter._replace(kinds=())
    if parameter.name == "doc":
        return parameter._replace(kinds=(*parameter.kinds, "NoneType"))
    return parameter


def _signature(name: str, text: str, within: Mapping[str, str]) -> Signature:
    words = text.split()
    parameters = tuple(_parameter(word, within) for word in words if not word.startswith("**"))
    return Signature(name, parameters, len(parameters) < len(words))


def _parameter(word: str, within: Mapping[str, str]) -> Parameter:
    name, _, kinds = word.lstrip("*/").partition(":")
    allowed = tuple(within.get(name, kinds.rstrip("=?")).split("|"))
    return Parameter(
        name,
        () if "any" in allowed else allowed,
        by_position=word[0] != "*",
        by_name=word[0] != "/",
        is_optional="=" in kinds and allowed != ("File",),
        is_guarded=kinds.endswith("?"),
    )
