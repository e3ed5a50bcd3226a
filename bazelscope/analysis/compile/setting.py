"""What the actions of one target share: its configuration, toolchain and features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bazelscope.analysis.compile.attribute_words import AttributeWords
from bazelscope.analysis.compile.feature_selection import (
    enabled_features,
    refusal_of,
    requested_features,
)
from bazelscope.analysis.compile.toolchain import LINKING_MODES, NEEDS_PIC, Toolchain
from bazelscope.analysis.conditions.configured_edges import ConfiguredNode
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.graph.output_directories import output_directory
from bazelscope.analysis.rules.feature_words import asked_features
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Unknown
from bazelscope.loading.packages.targets import Rule


@dataclass(frozen=True, slots=True)
class Setting:
    """What the actions of one target share."""

    node: ConfiguredNode
    rule: Rule
    configuration: Configuration
    toolchain: Toolchain
    enabled: frozenset[str]
    directory: str
    words: AttributeWords
    refusal: str | None = None
    """Why Bazel refuses its features, if it does."""

    @property
    def objects(self) -> str:
        """The folder of its objects."""
        package = self.rule.label.package_id.source_folder
        return "/".join(part for part in (self.directory, "bin", package, "_objs") if part)

    @property
    def links_dynamically(self) -> bool:
        """Whether it links shared libraries where there are some."""
        return links_dynamically(self.rule, self.words, self.configuration)

    @property
    def makes_pic(self) -> bool:
        """Whether there are position independent objects."""
        is_forced = self.configuration.is_on("force_pic")
        return is_forced or not self.enabled.isdisjoint(("supports_pic", NEEDS_PIC))

    @property
    def makes_other(self) -> bool:
        """Whether there are objects that are not."""
        is_optimised = self.configuration.value("compilation_mode").value == "opt"
        return not self.makes_pic or (is_optimised and not self.configuration.is_on("force_pic"))


_HEEDED_BY_BAZEL = frozenset({"no_copts_tokenization"})
"""Features that only Bazel itself heeds."""
_NO_PIC = (
    "PIC compilation is requested but the toolchain does not support it (feature named"
    " 'supports_pic' is not enabled)"
)


def links_dynamically(rule: Rule, words: AttributeWords, configuration: Configuration) -> bool:
    """Whether a program links shared libraries where there are some. Bazel:
    `CcBinary.getLinkStaticness`."""
    mode = (configuration.value("dynamic_mode").value or "default").lower()
    if mode in ("fully", "off"):
        return mode == "fully"
    return not words.flag("linkstatic", rule.rule_class.name == "cc_binary")


def features_of(
    toolchain: Toolchain,
    configuration: Configuration,
    levels: Sequence[Iterable[str]],
    is_dynamic: bool | None,
) -> tuple[frozenset[str], str | None]:
    """The features that are enabled for a target, and why Bazel refuses them, if it does. `levels`
    are the words of the command line, the package and the rule; `is_dynamic` says of a program
    whether it links shared libraries."""
    mode = configuration.value("compilation_mode").value or "fastbuild"
    asked = requested_features(toolchain, mode, levels)
    _, unsupported = asked_features(levels)
    more = set(_of_options(configuration))
    if is_dynamic is not None:
        linking = "DYNAMIC" if is_dynamic else "MOSTLY_STATIC"
        more |= {linking, LINKING_MODES[linking]}
    asked = (*asked, *(more - unsupported))
    enabled = enabled_features(toolchain, asked) | _HEEDED_BY_BAZEL.intersection(asked)
    refusal = refusal_of(toolchain, enabled, unsupported)
    if configuration.is_on("force_pic") and enabled.isdisjoint(("pic", "supports_pic", NEEDS_PIC)):
        refusal = refusal or _NO_PIC
    return enabled, refusal


def directory_of(configuration: Configuration) -> str:
    """The directory of a configuration's outputs; where a hash names it that nobody can tell,
    with a star in place of that."""
    known = output_directory(configuration)
    if not isinstance(known, Unknown):
        return known
    mode = configuration.value("compilation_mode").value
    suffix = configuration.value("platform_suffix").value or ""
    what = f"{configuration.value('cpu').value}-{mode}{suffix}"
    if configuration.kind is ConfigurationKind.EXEC:
        return f"bazel-out/{what}-exec-*"
    return f"bazel-out/{what}" if configuration.is_top else f"bazel-out/{what}-ST-*"


def has_fission(setting: Setting) -> bool:
    """Whether debug symbols go to files of their own. Bazel:
    `CcToolchainProvider.shouldCreatePerObjectDebugInfo`."""
    modes = (setting.configuration.value("fission").value or "no").split(",")
    mode = setting.configuration.value("compilation_mode").value or "fastbuild"
    return "per_object_debug_info" in setting.enabled and ("yes" in modes or mode in modes)


_NO_HOST = "incompatible_dont_enable_host_nonhost_crosstool_features"


_ONCE_ASKED_FOR = (
    *("dependency_file", "random_seed", "module_maps", "module_map_home_cwd"),
    *("header_module_compile", "include_paths", "pic", "preprocessor_defines"),
)
"""Bazel: `CcCommon.DEFAULT_FEATURES`, as old releases have it."""


def _of_options(configuration: Configuration) -> Iterator[str]:
    """Features that options of Bazel ask for. Bazel: `CcCommon.configureFeaturesOrThrow`."""
    if configuration.release.cc_asks_for_features:
        yield from _ONCE_ASKED_FOR
    if not configuration.is_on(_NO_HOST, True):
        is_target = configuration.kind is ConfigurationKind.TARGET
        yield "nonhost" if is_target else "host"
    debug = configuration.value("compilation_mode").value == "dbg"
    linked = (
        "static" if "static_link_msvcrt" in configuration.value("features").values else "dynamic"
    )
    yield f"{linked}_link_msvcrt_{'debug' if debug else 'no_debug'}"
    if configuration.is_on("force_pic"):
        yield "supports_pic"
    if configuration.is_on("collect_code_coverage"):
        llvm = configuration.is_on("experimental_use_llvm_covmap")
        yield from ("coverage", f"{'llvm' if llvm else 'gcc'}_coverage_map_format")
