"""What attributes of native rules take: files by their endings, rules by class or provider.

The table is what real Bazels said of each attribute and one target of each native rule
(`scripts/measure_prerequisites.py`); a release takes the nearest older measured one, and what its
source adds. An attribute that is not in it takes whatever it gets. Bazel:
`RuleContext.Builder.validateDirectPrerequisite`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.bazel.release import Release

_FILE = Path(__file__).parent / "native_prerequisites.json"
_CC_DEPS = ("cc_binary", "cc_import", "cc_library", "cc_proto_library", "cc_test", "objc_library")
_CC_SOURCES: Mapping[str, Any] = {"srcs": {"files": [".wasm", ".pyd", ".xll"]}}
_PROGRAM: Mapping[str, Any] = {**_CC_SOURCES, "malloc": None}
_PYTHON = {"deps": {"rules": _CC_DEPS, "providers": ["CcInfo"]}}
_JAVA = {"plugins": None}
_IN_STARLARK: Mapping[str, Mapping[str, Any]] = {
    "cc_library": {
        **_CC_SOURCES,
        "deps": {"files": [".i"], "rules": ["genrule", "sh_library"]},
        "linkstamp": None,
    },
    "cc_binary": _PROGRAM,
    "cc_test": _PROGRAM,
    "cc_import": {"shared_library": None},
    "java_library": _JAVA,
    "java_binary": _JAVA,
    "java_test": _JAVA,
    "java_plugin": _JAVA,
}
"""What attributes take besides since Bazel 6, whose rules are written in Starlark, by their source
there and in rules_cc and rules_python (None: anything). No such release was measured."""
_PYTHON_IN_STARLARK = dict.fromkeys(("py_binary", "py_library", "py_test"), _PYTHON)
"""What attributes of the rules for Python take besides since Bazel 7."""
_VERSIONED = lazy_pattern(r"\.so(\.\d+\w*)+$")


class Taken(NamedTuple):
    """What one attribute of a native rule takes; None stands for anything."""

    endings: tuple[str, ...] | None
    rules: frozenset[str] | None
    providers: tuple[str, ...] = ()
    """A rule with one of these is taken, too."""
    listed: tuple[str, ...] = ()
    """The classes that Bazel's messages name, in its order; none if only providers are asked for.
    It takes others with a warning."""
    is_single: bool = False
    asks_files: bool = False
    """Whether one of a rule's files must be of a type that is taken."""
    takes_versions: bool = True
    """Whether `x.so.1` is taken where `x.so` is."""

    def takes_file(self, name: str) -> bool:
        """Whether a file of that name may stand there."""
        if self.endings is None or name.endswith(self.endings or "\0"):
            return True
        is_versioned = self.takes_versions and ".so" in self.endings
        return is_versioned and _VERSIONED.search(name) is not None


_WITH_VARIABLES = frozenset(
    {
        *("apple_cc_toolchain", "cc_host_toolchain_alias", "cc_toolchain", "cc_toolchain_alias"),
        *("cc_toolchain_suite", "java_runtime", "java_runtime_alias", "java_toolchain"),
        "java_toolchain_alias",
    }
)
_ENVIRONMENTS = Taken((), frozenset({"environment"}), listed=("environment",))
OF_EVERY_RULE: Mapping[str, Taken] = {
    "compatible_with": _ENVIRONMENTS,
    "restricted_to": _ENVIRONMENTS,
    "target_compatible_with": Taken((), frozenset({"constraint_value"}), ("ConstraintValueInfo",)),
    "toolchains": Taken((), _WITH_VARIABLES, ("TemplateVariableInfo",)),
}
"""What attributes take that rules of every class have. Bazel: `BaseRuleClasses`."""
_WITH_TYPES = Taken(
    (), _WITH_VARIABLES | {"toolchain_type"}, ("TemplateVariableInfo", "ToolchainTypeInfo")
)
"""What `toolchains` of a genrule takes that resolves toolchains."""
TAKE_PACKAGE_GROUPS = frozenset(
    {("java_package_configuration", "packages"), ("java_toolchain", "jspecify_packages")}
)
"""Rules and their attributes that ask for `PackageSpecificationInfo`. Measured of the first: 4.2.3,
2.1.0 and 0.24.1."""
_SETTING = "constraint_setting"
_TYPE = "toolchain_type"
_CONSTRAINTS = Taken((), frozenset({"constraint_value"}), ("ConstraintValueInfo",))
_WRITTEN: Mapping[str, Mapping[str, Taken]] = {
    "cc_toolchain_suite": {"toolchains": Taken((), None)},
    "constraint_value": {
        _SETTING: Taken((), frozenset({_SETTING}), ("ConstraintSettingInfo",), (_SETTING,))
    },
    "platform": {
        "constraint_values": _CONSTRAINTS,
        "parents": Taken((), frozenset({"platform"}), ("PlatformInfo",)),
    },
    "toolchain": {
        "exec_compatible_with": _CONSTRAINTS,
        "target_compatible_with": _CONSTRAINTS,
        "target_settings": Taken((), frozenset({"config_setting"}), listed=("config_setting",)),
        _TYPE: Taken((), frozenset({_TYPE}), ("ToolchainTypeInfo",), (_TYPE,)),
    },
}
"""What rules take that describe platforms and toolchains. Bazel: `ToolchainRule`, `PlatformRule`,
`ConstraintValueRule`; of a cc_toolchain_suite measured: 2.1.0, 4.2.3."""


class NativePrerequisites:
    """The table for one release."""

    def __init__(self, release: Release) -> None:
        self._resolves_genrules = release.genrules_resolve_toolchains
        self._imports_versions = release.cc_imports_versions
        content = _content()
        known = sorted(Release.of(text) for text in content["rules"])
        older = [one for one in known if one <= release]
        version = (older[-1] if older else known[0]).text
        self.tried = frozenset(content["measured"][version])
        """The native rules that each attribute was given."""
        self._rules: dict[str, dict[str, Any]] = content["rules"][version]
        self._more: dict[str, Mapping[str, Any]] = {}
        if release.rules_in_starlark:
            self._more |= _IN_STARLARK
        if release.python_rules_in_starlark:
            self._more |= _PYTHON_IN_STARLARK
        self._taken: dict[str, Mapping[str, Taken]] = {}

    def of(self, rule_class: str) -> Mapping[str, Taken]:
        """By attribute: what the native rule takes there."""
        known = self._taken.get(rule_class) or _WRITTEN.get(rule_class)
        if known is None:
            own = self._rules.get(rule_class)
            if own is None and rule_class.endswith("_test"):
                own = self._rules.get(f"{rule_class.removesuffix('_test')}_binary")
            more = self._more.get(rule_class, {})
            known = self._taken[rule_class] = {
                name: _taken(one, more.get(name, {}))
                for name, one in (own or {}).items()
                if more.get(name, {}) is not None
            }
            if rule_class == "genrule" and self._resolves_genrules:
                known["toolchains"] = _WITH_TYPES
            if rule_class == "cc_import" and not self._imports_versions:
                shared = known["shared_library"]
                known["shared_library"] = shared._replace(takes_versions=False)
        return known


def _taken(facts: Mapping[str, Any], more: Mapping[str, Any]) -> Taken:
    files, rules = facts.get("files"), facts.get("rules")
    return Taken(
        None if files is None else (*files, *more.get("files", ())),
        None if rules is None else frozenset((*rules, *more.get("rules", ()))),
        (*facts.get("providers", ()), *more.get("providers", ())),
        tuple((rules or ())[: facts.get("listed", 0)]),
        bool(facts.get("single")),
        bool(facts.get("asks_files")),
    )


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return content
