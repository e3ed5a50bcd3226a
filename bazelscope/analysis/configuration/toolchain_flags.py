"""Flags whose value is what the C++ toolchain says of itself, as far as that can be told.

`@bazel_tools//tools/cpp:compiler` is the compiler's name in the toolchain that Bazel
resolves. The toolchain that Bazel configures by itself has few possible names on each
system, which variables decide, else the likelier is taken; any other toolchain is unknown.
Bazel: `compiler_flag.bzl`, `cc_configure.bzl`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.configuration.target_source import TargetSource
from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.lazy_pattern import lazy_pattern
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.flag_conversion import boolean
from bazelscope.bazel.native_toolchains import RULE_SETS_WITHOUT_CC
from bazelscope.loading.packages.targets import Rule, UnreadRegistration

_COMPILER_FLAGS = frozenset(
    {
        Label("bazel_tools", "tools/cpp", "compiler"),
        Label("rules_cc", "cc/private/toolchain", "compiler"),
        Label("rules_cc", "cc/toolchains", "compiler"),
    }
)
_CC_TYPES = frozenset(
    {Label("bazel_tools", "tools/cpp", "toolchain_type"), Label("rules_cc", "cc", "toolchain_type")}
)
_BAZELS_OWN = lazy_pattern(
    r"bazel_tools|(?:(?:bazel_tools|rules_cc)[+~].*)?local_config_cc(?:_toolchains)?"
)
_REGISTER = "register_toolchains"
_ABOUT_COMPILERS = lazy_pattern("toolchain|compiler|llvm|clang|gcc|zig|sysroot|sdk|ndk|xcode|cuda")
_VARIABLES = ("BAZEL_COMPILER", "BAZEL_USE_CPP_ONLY_TOOLCHAIN", "CC")
_COMPILERS = ("clang", "clang-cl", "gcc", "mingw-gcc", "msvc-cl")
MayBeChosen = Callable[[Rule], bool]
_DEFAULT_TOOLCHAINS = frozenset(
    {"@bazel_tools//tools/cpp:toolchain", "@@bazel_tools//tools/cpp:toolchain", "", None}
)


def is_bazels_own(repository: str) -> bool:
    """Whether a repository is one that Bazel, or rules_cc for it, makes for the compiler of the
    machine: `rules_cc++cc_configure_extension+local_config_cc`."""
    return _BAZELS_OWN.fullmatch(repository) is not None


def is_unlikely(unread: Unknown, toolchain_type: Label) -> bool:
    """Whether it can be taken for granted that what cannot be read registers no toolchain of a
    type: for C++, what rule sets of other languages register, and calls that nothing says to be
    about toolchains."""
    if not isinstance(unread, UnreadRegistration) or toolchain_type not in _CC_TYPES:
        return False
    if unread.rule_set in RULE_SETS_WITHOUT_CC:
        return True
    told = " ".join((unread.subject, *unread.functions))
    return bool(unread.functions) and not _ABOUT_COMPILERS.search(told)


def is_toolchain_flag(flag: Label) -> bool:
    return flag in _COMPILER_FLAGS


@dataclass(frozen=True, slots=True)
class Compiler:
    """The name of the C++ compiler, of those that are `possible`; `assumed` says what it was
    taken for granted for, where only the machine tells."""

    name: str
    possible: tuple[str, ...]
    assumed: Unknown | None = None


def compiler_of(
    source: TargetSource,
    configuration: Configuration,
    flag: Label,
    may_be_chosen: MayBeChosen | None = None,
) -> Compiler | Unknown:
    """The value that the toolchain's flag has under a configuration. `may_be_chosen` says of a
    registered `toolchain` whether it may serve there."""
    named = configuration.value("compiler")
    top = configuration.value("crosstool_top")
    if named.instances or names_crosstool(configuration):
        decided = (*named.instances, *top.instances)
        detail = f"the C++ toolchain is chosen by {decided[-1].text}" if decided else ""
        return Unknown(Reason.NEEDS_ANALYSIS, str(flag), detail or "the toolchain's own value")
    built_for = configuration.value("cpu").value
    host_cpu = configuration.host.default_cpu(configuration.release)
    if built_for != host_cpu and configuration.kind is ConfigurationKind.TARGET:
        detail = f"the C++ toolchain for --cpu={built_for}"
        return Unknown(Reason.NEEDS_ANALYSIS, str(flag), detail)
    other = _registered_before(source, configuration, may_be_chosen)
    if other is not None:
        return Unknown(Reason.NEEDS_ANALYSIS, str(flag), other)
    compiler = _automatic(configuration, flag)
    unread = _unread_registration(source, configuration)
    if unread is None or isinstance(compiler, Unknown) or compiler.assumed is not None:
        return compiler
    detail = f"taken for {compiler.name}, of the toolchain that Bazel configures; other toolchains"
    why = Unknown(unread.reason, str(flag), f"{detail} may be registered: {unread}")
    return Compiler(compiler.name, (*compiler.possible, *_COMPILERS), why)


def _unread_registration(source: TargetSource, configuration: Configuration) -> Unknown | None:
    """What may register toolchains for C++ and cannot be read, if they are looked for."""
    if not finds_toolchains(configuration):
        return None
    (cc_type, *_) = _CC_TYPES
    for one in source.registered(_REGISTER, ()):
        if isinstance(one, Unknown) and not is_unlikely(one, cc_type):
            return one
    return None


def extra_toolchains(configuration: Configuration) -> tuple[str, ...]:
    """The patterns of `--extra_toolchains`, the one that is looked at first at the front. Bazel:
    `RegisteredToolchainsFunction`; bazel#20239, and bazel#23670 about those that stand twice."""
    release = configuration.release
    texts = configuration.value("extra_toolchains").values
    patterns = [one for text in texts for one in text.split(",") if one]
    if not release.last_extra_toolchain_wins:
        return tuple(patterns)
    if not release.repeated_toolchain_is_last:
        patterns = list(dict.fromkeys(patterns))
    return tuple(patterns[::-1])


def _registered_before(
    source: TargetSource, configuration: Configuration, may_be_chosen: MayBeChosen | None
) -> str | None:
    """What may be chosen instead of the toolchain that Bazel configures: one for C++ that a flag
    names, or that is registered. Registered ones that nobody has are taken for no C++
    toolchains; those of flags may be."""
    if not finds_toolchains(configuration):
        return None
    extra = configuration.value("extra_toolchains")
    patterns = extra_toolchains(configuration)
    registered = source.registered(_REGISTER, ())
    labels = source.registered(_REGISTER, patterns) if patterns else registered
    for number, label in enumerate(labels):
        is_of_flag = number < len(labels) - len(registered)
        by_flag = (
            "the C++ toolchain may be chosen by " + extra.instances[-1].text if is_of_flag else ""
        )
        rule = source.target(label) if isinstance(label, Label) else None
        if not isinstance(rule, Rule):
            if is_of_flag:
                return by_flag
            continue
        kind = rule.attribute("toolchain_type")
        # What is no `toolchain` may be an alias of one.
        is_for_cc = is_of_flag if kind is None else kind.value in _CC_TYPES
        if not is_for_cc or is_bazels_own(rule.label.repository):
            continue
        if may_be_chosen is None or may_be_chosen(rule):
            return by_flag or f"`{rule.label}` is registered for C++, and may be chosen"
    return None


def finds_toolchains(configuration: Configuration) -> bool:
    """Whether the C++ toolchain is looked for among the registered ones."""
    resolves = configuration.value("incompatible_enable_cc_toolchain_resolution")
    if resolves.instances:
        return boolean(resolves.value or "") is True
    return configuration.release.resolves_cc_toolchains


def names_crosstool(configuration: Configuration) -> bool:
    """Whether `--crosstool_top` names another toolchain than Bazel's own."""
    return configuration.value("crosstool_top").value not in _DEFAULT_TOOLCHAINS


def heeds_nocopts(configuration: Configuration) -> bool:
    """Whether the attribute `nocopts` of C++ rules drops options; else Bazel refuses it."""
    return configuration.release.nocopts_always or not configuration.is_on(
        "incompatible_disable_nocopts", default=True
    )


def _automatic(configuration: Configuration, flag: Label) -> Compiler | Unknown:
    """The name in the toolchain that Bazel configures from the machine's compilers.
    Bazel: `unix_cc_configure.bzl`, `_get_compiler_name`; `osx_cc_configure.bzl`."""
    release, environment = configuration.release, compiler_environment(configuration)
    if configuration.host.os == "windows":
        return Compiler("msvc-cl", ("msvc-cl",))
    named = environment.get("BAZEL_COMPILER")
    if named:
        return Compiler(named, (named,))
    if configuration.host.os == "macos":
        plain = "clang" if release.gcc_by_name else "compiler"
        if environment.get("BAZEL_USE_CPP_ONLY_TOOLCHAIN") == "1":
            return Compiler(plain, (plain,))
        if release.clang_on_macos:
            return Compiler("clang", ("clang",))
        detail = "taken for `compiler`, as with Xcode; with command line tools alone it is `clang`"
        why = Unknown(Reason.RUNS_PROGRAM, str(flag), detail)
        return Compiler("compiler", ("compiler", "clang"), why)
    if not release.gcc_by_name:
        return Compiler("compiler", ("compiler",))
    program = environment.get("CC", "").replace("\\", "/").rpartition("/")[2]
    for name, words in (("clang", ("clang",)), ("gcc", ("gcc", "g++"))):
        if any(word in program for word in words):
            return Compiler(name, (name,))
    if program not in ("", "cc", "c++"):
        detail = f"`CC={environment['CC']}` is what the C++ toolchain is made for"
        return Unknown(Reason.RUNS_PROGRAM, str(flag), detail)
    detail = "the compiler of the machine is taken for gcc; --repo_env=CC=clang says otherwise"
    return Compiler("gcc", ("gcc", "clang"), Unknown(Reason.RUNS_PROGRAM, str(flag), detail))


def compiler_environment(configuration: Configuration) -> Mapping[str, str]:
    """What the rule that looks for a compiler sees: the client's environment, `--action_env`,
    `--repo_env`, the later ones stronger. Bazel: `CommandEnvironment.getRepoEnv`."""
    client = configuration.flags.environment
    seen = {name: client[name] for name in _VARIABLES if name in client}
    for option in ("action_env", "repo_env"):
        given = configuration.flags.values.get(option)
        for text in given.values if given is not None else ():
            name, equals, value = text.partition("=")
            if equals and name in _VARIABLES:
                seen[name] = value
    return seen
