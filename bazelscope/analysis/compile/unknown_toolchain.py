"""A toolchain whose own flags cannot be told: what Bazel adds to every toolchain is known."""

from __future__ import annotations

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
from bazelscope.base.unknown import Unknown
from bazelscope.bazel.release import Release

_OWN = {
    "default_compile_flags": ALL_COMPILE,
    "default_link_flags": ALL_LINK,
    "unfiltered_compile_flags": ALL_COMPILE,
}


def unknown_toolchain(unknown: Unknown, release: Release) -> Toolchain:
    """The toolchain with one unknown word where it may have words of its own."""
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
