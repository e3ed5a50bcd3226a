"""Rules of Bazel's own that flags want loaded from the repository of their language.

A macro of that repository makes them, with a tag that says so. Measured: 2.1.0 and 4.2.3, but for
what fails there before: C++ and Java of 4.2.3 need toolchains. Bazel: `CcCommon`, `JavaCommon`
(`checkRuleLoadedThroughMacro`), `PyCommon`, `ProtoCommon.checkRuleHasValidMigrationTag`.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.named_tuple import NamedTuple
from bazelscope.loading.packages.targets import Rule


class Language(NamedTuple):
    """`name` as the flag and the tag have it, `classes` the rules that the flag is about; how
    Bazel's error begins, and which of its issues that names."""

    name: str
    classes: tuple[str, ...]
    message: str
    issue: str = ""

    @property
    def flag(self) -> str:
        """The option that wants the rules loaded."""
        return f"incompatible_load_{self.name}_rules_from_bzl"

    def refusal(self, rule: Rule) -> str | None:
        """Returns Bazel's error for a rule that no macro of the repository makes; else None."""
        tags = rule.given("tags")
        tag = f"__{self.name.upper()}_RULES_MIGRATION_DO_NOT_USE_WILL_BREAK__"
        if rule.generator_function and isinstance(tags, tuple) and tag in tags:
            return None
        place = f"http://github.com/bazelbuild/rules_{self.name}"
        text = f"{self.message} Please load {rule.rule_class.name} from the rules_{self.name}"
        text += f" repository. See {place}"
        if not self.issue:
            return f"{text}."
        text += f" and https://github.com/bazelbuild/bazel/issues/{self.issue}."
        return f"{text} You can temporarily bypass this error by setting --{self.flag}=false."


_OLDER: tuple[Language, ...] = (
    Language(
        "java",
        (
            *("java_binary", "java_import", "java_library", "java_lite_proto_library"),
            *("java_package_configuration", "java_plugin", "java_proto_library", "java_runtime"),
            *("java_test", "java_toolchain"),
        ),
        "The native Java rules are deprecated.",
        "8741",
    ),
    Language(
        "proto",
        ("proto_lang_toolchain", "proto_library"),
        "The native Protobuf rules are deprecated.",
    ),
)
_LANGUAGES: tuple[Language, ...] = (
    Language(
        "cc",
        (
            *("cc_binary", "cc_import", "cc_library", "cc_proto_library", "cc_test"),
            *("cc_toolchain", "cc_toolchain_suite", "fdo_prefetch_hints", "fdo_profile"),
            *("objc_import", "objc_library"),
        ),
        "The native C++/Objc rules are deprecated.",
        "7643",
    ),
    Language(
        "python",
        ("py_binary", "py_library", "py_test"),
        "Direct access to the native Python rules is deprecated.",
        "9006",
    ),
)


def wanted_languages(configuration: Configuration) -> Mapping[str, Language]:
    """Returns the languages whose rules have to be loaded, by the class of each rule."""
    release = configuration.release
    known = _LANGUAGES if release.flags_want_loaded_rules else ()
    known += _OLDER if release.flags_want_loaded_java_rules else ()
    return {
        name: language
        for language in known
        if configuration.is_on(language.flag)
        for name in language.classes
    }
