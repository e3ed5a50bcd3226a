"""Random C++ toolchains of a workspace's own, as the package `tc` of a world of C++ rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

_LIB = (
    *("action_config", "env_entry", "env_set", "feature", "feature_set", "flag_group", "flag_set"),
    *("tool", "tool_path", "variable_with_value", "with_feature_set"),
)
_COMPILE = ("c-compile", "c++-compile", "assemble", "preprocess-assemble")
_LINK = ("c++-link-executable", "c++-link-dynamic-library", "c++-link-nodeps-dynamic-library")
_HEEDED = ("supports_pic", "supports_dynamic_linker", "supports_start_end_lib")
_OF_BAZEL = (
    *("default_compile_flags", "legacy_compile_flags", "unfiltered_compile_flags", "random_seed"),
    *("default_link_flags", "shared_flag", "output_execpath_flags", "user_compile_flags"),
    *("include_paths", "preprocessor_defines", "pic", "user_link_flags", "sysroot", "coverage"),
    *("strip_debug_symbols", "compiler_input_flags", "force_pic_flags", "dependency_file"),
)
_PLAIN = ("opt", "dbg", "fastbuild", "one", "two", "three", "four", "nonhost", "host")
_GROUPS = (
    'flag_group(flags = ["-W{n}", "-X{n}"])',
    'flag_group(flags = ["-in{n}=%{{source_file}}"], expand_if_available = "source_file")',
    'flag_group(flags = ["-out{n}=%{{output_file}}"], expand_if_available = "output_file")',
    'flag_group(flags = ["-pic{n}"], expand_if_available = "pic")',
    'flag_group(flags = ["-nopic{n}"], expand_if_not_available = "pic")',
    (
        'flag_group(flags = ["-D%{{preprocessor_defines}}"], iterate_over = "preprocessor_defines",'
        ' expand_if_available = "preprocessor_defines")'
    ),
    (
        'flag_group(flags = ["-q{n}", "%{{quote_include_paths}}"],'
        ' iterate_over = "quote_include_paths", expand_if_available = "quote_include_paths")'
    ),
    (
        'flag_group(flags = ["-u{n}%{{user_compile_flags}}"], iterate_over = "user_compile_flags",'
        ' expand_if_available = "user_compile_flags")'
    ),
    (
        'flag_group(flags = ["-l{n}%{{user_link_flags}}"], iterate_over = "user_link_flags",'
        ' expand_if_available = "user_link_flags")'
    ),
    'flag_group(flags = ["-S{n}"], expand_if_available = "strip_debug_symbols")',
    'flag_group(flags = ["-test{n}"], expand_if_true = "is_cc_test")',
    'flag_group(flags = ["-notest{n}"], expand_if_false = "is_cc_test")',
    'flag_group(flags = ["-o", "%{{output_execpath}}"], expand_if_available = "output_execpath")',
    (
        'flag_group(iterate_over = "libraries_to_link", expand_if_available = "libraries_to_link",'
        " flag_groups = [flag_group(flags = ["
        '"-N%{{libraries_to_link.name}}"], expand_if_equal = variable_with_value('
        'name = "libraries_to_link.type", value = "object_file")), flag_group('
        'flags = ["-always{n}"], expand_if_true = "libraries_to_link.is_whole_archive"),'
        ' flag_group(flags = ["-G%{{libraries_to_link.object_files}}"],'
        ' iterate_over = "libraries_to_link.object_files", expand_if_equal = variable_with_value('
        'name = "libraries_to_link.type", value = "object_file_group"))])'
    ),
    (
        'flag_group(flag_groups = [flag_group(flags = ["-a{n}"]), flag_group(flags = ["-b{n}"],'
        ' expand_if_available = "system_include_paths")])'
    ),
    'flag_group(flags = ["-percent{n}%%x"])',
)


def write_toolchain(root: Path, seed: int, version: str) -> tuple[str, ...]:
    """Writes the package `tc` with a toolchain, and returns the flags that choose it."""
    chance = random.Random(seed * 7919)
    folder = root / "tc"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.bzl").write_text(_config(chance, version), encoding="utf-8")
    (folder / "BUILD").write_text(_BUILD, encoding="utf-8")
    return ("--crosstool_top=//tc:suite",)


_BUILD = """\
load(":config.bzl", "config")
package(default_visibility = ["//visibility:public"])
filegroup(name = "empty")
config(name = "config", mode = select({"//:mkl": "mkl", "//conditions:default": "plain"}))
cc_toolchain(
    name = "cc",
    all_files = ":empty",
    compiler_files = ":empty",
    dwp_files = ":empty",
    linker_files = ":empty",
    objcopy_files = ":empty",
    strip_files = ":empty",
    supports_param_files = 0,
    toolchain_config = ":config",
    toolchain_identifier = "own",
)
cc_toolchain_suite(name = "suite", toolchains = {"k8": ":cc", "k8|own": ":cc"})
"""


def _list(texts: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{text}"' for text in texts) + "]"


def _config(chance: random.Random, version: str) -> str:
    names = [*_HEEDED, *chance.sample(_OF_BAZEL, chance.randint(0, 6))]
    names += chance.sample(_PLAIN, chance.randint(2, len(_PLAIN)))
    if chance.random() < 0.6:
        chance.shuffle(names)
    names = [name for name in names if name not in _HEEDED or chance.random() < 0.9]
    features = [_feature(chance, name, names, number) for number, name in enumerate(names)]
    features.append(
        'feature(name = "named", enabled = True, flag_sets = [flag_set(actions = ["c++-compile"],'
        ' flag_groups = [flag_group(flags = ["-mode=" + ctx.attr.mode, "-l=" + ctx.label.name])])])'
    )
    actions = [_action(chance, name, names) for name in _COMPILE if chance.random() < 0.15]
    if version == "0.24.1":
        actions = []  # It refuses those that Bazel has itself.
    sysroot = chance.choice(("None", "None", '"/sys/root"'))
    loads = ", ".join(f'"{name}"' for name in _LIB)
    tools = ", ".join(
        f'tool_path(name = "{name}", path = "{path}")'
        for name, path in (
            ("gcc", chance.choice(("/usr/bin/gcc", "bin/cc", "../x/cc"))),
            *((name, f"/usr/bin/{name}") for name in ("ar", "ld", "cpp", "gcov", "nm")),
            *((name, f"/usr/bin/{name}") for name in ("objdump", "objcopy", "strip", "dwp")),
        )
    )
    listed = ",\n        ".join(features)
    return f"""\
load("@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl", {loads})

def _impl(ctx):
    features = [
        {listed},
    ]
    return [cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        features = features,
        action_configs = [{", ".join(actions)}],
        toolchain_identifier = "own",
        host_system_name = "local",
        target_system_name = "local",
        target_cpu = "k8",
        target_libc = "{chance.choice(("local", "local", "macosx"))}",
        compiler = "own",
        abi_version = "local",
        abi_libc_version = "local",
        tool_paths = [{tools}],
        builtin_sysroot = {sysroot},
    )]

config = rule(
    implementation = _impl,
    attrs = {{"mode": attr.string()}},
    provides = [CcToolchainConfigInfo],
)
"""


def _feature(chance: random.Random, name: str, names: Sequence[str], number: int) -> str:
    parts = [f'name = "{name}"']
    is_heeded = name in _HEEDED
    if chance.random() < (0.95 if is_heeded else 0.6):
        parts.append("enabled = True")
    if not is_heeded or chance.random() < 0.2:
        sets = [_flag_set(chance, names, number * 10 + i) for i in range(chance.randint(0, 3))]
        parts.append(f"flag_sets = [{', '.join(sets)}]")
    if chance.random() < 0.15:
        parts.append(f"implies = {_list(chance.sample(list(names), 1))}")
    if chance.random() < 0.12:
        sets = [
            f"feature_set(features = {_list(chance.sample(list(names), chance.randint(1, 2)))})"
            for _ in range(chance.randint(1, 2))
        ]
        parts.append(f"requires = [{', '.join(sets)}]")
    if chance.random() < 0.06:
        parts.append(f'provides = ["{chance.choice(("x", "y"))}"]')
    return f"feature({', '.join(parts)})"


def _with_features(chance: random.Random, names: Sequence[str]) -> str:
    if chance.random() < 0.6:
        return ""
    sets = []
    for _ in range(chance.randint(1, 2)):
        parts = []
        if chance.random() < 0.7:
            parts.append(f"features = {_list(chance.sample(list(names), 1))}")
        if chance.random() < 0.4 or not parts:
            parts.append(f"not_features = {_list(chance.sample(list(names), 1))}")
        sets.append(f"with_feature_set({', '.join(parts)})")
    return f"with_features = [{', '.join(sets)}]"


def _flag_set(chance: random.Random, names: Sequence[str], number: int, own: bool = False) -> str:
    every = (*_COMPILE, *_LINK)
    pool = chance.choice((_COMPILE, _LINK, every, ("c++-compile",)))
    groups = [chance.choice(_GROUPS).format(n=number) for _ in range(chance.randint(1, 2))]
    parts = [] if own else [f"actions = {_list(pool)}"]
    parts += [f"flag_groups = [{', '.join(groups)}]", _with_features(chance, names)]
    return f"flag_set({', '.join(part for part in parts if part)})"


def _action(chance: random.Random, name: str, names: Sequence[str]) -> str:
    tools = [
        f'tool(path = "t/{name}", {_with_features(chance, names)})'.replace(", )", ")"),
        'tool(path = "/usr/bin/any")',
    ]
    implies = ["compiler_input_flags", "compiler_output_flags", "user_compile_flags"]
    sets = [_flag_set(chance, names, 900, own=True)] if chance.random() < 0.6 else []
    return (
        f'action_config(action_name = "{name}", tools = [{", ".join(tools)}],'
        f" flag_sets = [{', '.join(sets)}], implies = {_list(implies)})"
    )
