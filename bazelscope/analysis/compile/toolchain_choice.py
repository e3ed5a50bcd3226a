"""Which C++ toolchain a configuration has, as far as the files tell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import replace

from bazelscope.analysis.compile.toolchain import (
    ALL_COMPILE,
    ALL_LINK,
    Feature,
    FlagSet,
    Toolchain,
    hole,
)
from bazelscope.analysis.compile.unix_toolchain import Compiler, Environment, unix_toolchain
from bazelscope.analysis.compile.windows_toolchain import windows_toolchain
from bazelscope.analysis.compile.words import FromEnvironment, WordOrigin
from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.analysis.configuration.toolchain_flags import finds_toolchains, names_crosstool
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.release import Release
from bazelscope.flags.flag_values import FlagInstance

_WRAPPER = "external/local_config_cc/cc_wrapper.sh"
_VARIABLES = (
    *("BAZEL_CXXOPTS", "BAZEL_LINKOPTS", "BAZEL_LINKLIBS", "BAZEL_CONLYOPTS", "BAZEL_COPTS"),
)
"""In the order of `Environment`."""
_LINKLIBS = "incompatible_linkopts_to_linklibs"


def toolchain_of(
    configuration: Configuration, environment: Mapping[str, str]
) -> Toolchain | Unknown:
    """The toolchain that Bazel makes for this machine, if flags ask for no other. `Unknown` for
    one of the workspace's own, and for machines whose toolchain is not modelled.

    `environment` is what repository rules see: the client's, `--action_env` and `--repo_env`.
    """
    asked = configuration.value("crosstool_top")
    if names_crosstool(configuration) and not finds_toolchains(configuration):
        place = asked.set_by.location if asked.set_by else None
        detail = (
            "its flags are for its cc_toolchain_config to say; "
            "where `explain` is asked of a target, it reads them"
        )
        return Unknown(
            Reason.NEEDS_ANALYSIS, f"the toolchain --crosstool_top={asked.value}", detail, place
        )
    if configuration.host.os not in ("linux", "macos", "windows"):
        detail = "the toolchain that Bazel makes there is not modelled"
        return Unknown(Reason.NOT_MODELLED, f"the toolchain for {configuration.host.os}", detail)
    wanted, own = configuration.value("cpu"), configuration.default("cpu").value
    if wanted.value != own:
        place = wanted.set_by.location if wanted.set_by else None
        detail = f"Bazel's own toolchain is for --cpu={own}"
        return Unknown(
            Reason.NEEDS_ANALYSIS, f"the toolchain for --cpu={wanted.value}", detail, place
        )
    if configuration.host.os == "windows":
        return windows_toolchain(configuration.value("compiler").value == "clang-cl")
    is_mac = configuration.host.os == "macos"
    given = configuration.flags.values.get(_LINKLIBS)
    last = configuration.release.link_libraries_last
    if given is not None and given.instances:
        last = given.value in ("1", "true", "yes", "t", "y")
    return unix_toolchain(
        configuration.release,
        Compiler(_WRAPPER, is_clang=True, is_mac=True) if is_mac else _compiler(environment),
        Environment(*(_words(configuration, environment, name) for name in _VARIABLES)),
        last,
    )


def _compiler(environment: Mapping[str, str]) -> Compiler:
    """Bazel: `unix_cc_configure.find_cc`."""
    named = environment.get("CC", "").strip()
    if not named:
        return Compiler()
    path = named if named.startswith("/") else f"/usr/bin/{shlex.split(named)[0]}"
    return Compiler(path, "clang" in path.rpartition("/")[2])


def _words(
    configuration: Configuration, environment: Mapping[str, str], name: str
) -> tuple[tuple[str, ...], WordOrigin] | None:
    text = environment.get(name)
    if text is None:
        return None
    # Between colons; `\:` is a colon in a word. Bazel: `split_escaped`.
    words = tuple(part.replace("\\:", ":") for part in re.split(r"(?<!\\):", text) if part)
    return words, FromEnvironment(name, _instance(configuration, name))


def _instance(configuration: Configuration, name: str) -> FlagInstance | None:
    for option in ("repo_env", "action_env"):
        value = configuration.flags.values.get(option)
        for instance in reversed(value.instances if value is not None else ()):
            if (instance.value or "").partition("=")[0] == name:
                return instance
    return None


_OWN = {
    "default_compile_flags": ALL_COMPILE,
    "default_link_flags": ALL_LINK,
    "unfiltered_compile_flags": ALL_COMPILE,
}


def unknown_toolchain(unknown: Unknown, release: Release) -> Toolchain:
    """A toolchain whose own flags cannot be told: one unknown word where it may have words of its
    own. What Bazel adds to every toolchain is known."""
    like = unix_toolchain(release, Compiler("..."), Environment(), libraries_last=False)
    flags = hole(unknown)
    features = tuple(
        Feature(one.name, (FlagSet(_OWN[one.name], (flags,)),), enabled=True)
        if one.name in _OWN
        else one
        for one in like.features
    )
    return replace(
        like,
        name=unknown.subject,
        compiler="",
        features=features,
        archive_tool="...",
        assumed="",
        unknown=unknown,
    )
