"""Random C++ toolchains in a CROSSTOOL file, as the package `tc` of a world of C++ rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

_TOOLS = ("ar", "ld", "cpp", "gcov", "nm", "objdump", "objcopy", "strip", "dwp")
_COMPILE = ("c-compile", "c++-compile", "assemble", "preprocess-assemble")
_LINK = ("c++-link-executable", "c++-link-dynamic-library", "c++-link-nodeps-dynamic-library")
_NAMES = ("opt", "dbg", "fastbuild", "one", "two", "three", "default_compile_flags")
_OF_FEATURES = (*_NAMES[:5], "static_linking_mode", "dynamic_linking_mode", "nonhost")
_FLAGS = (
    *("compiler_flag", "cxx_flag", "unfiltered_cxx_flag", "linker_flag"),
    *("dynamic_library_linker_flag", "ar_flag", "objcopy_embed_flag"),
)
_GROUPS = (
    'flag: "-W{n}" flag: "-X{n}"',
    'expand_if_all_available: "pic" flag: "-pic{n}"',
    'expand_if_none_available: "pic" flag: "-nopic{n}"',
    'expand_if_all_available: "output_file" expand_if_all_available: "pic" flag: "-both{n}"',
    'flag_group {{ flag: "-a{n}" }} flag_group {{ flag: "-b{n}" }}',
    (
        'iterate_over: "user_compile_flags" flag: "-u{n}%{{user_compile_flags}}"'
        ' expand_if_all_available: "user_compile_flags"'
    ),
    "flag: '-one{n}' # a comment }}\n",
)
_BUILD = """\
package(default_visibility = ["//visibility:public"])
filegroup(name = "empty")
cc_toolchain(
    name = "cc",
    all_files = ":empty",
    compiler_files = ":empty",
    dwp_files = ":empty",
    linker_files = ":empty",
    objcopy_files = ":empty",
    strip_files = ":empty",
    supports_param_files = 0,
    %s
)
cc_toolchain_suite(name = "suite", toolchains = {"k8": ":cc", "k8|own": ":cc"})
"""


def write_crosstool(root: Path, seed: int) -> tuple[str, ...]:
    """Writes the package `tc` with a toolchain, and returns the flags that choose it."""
    chance = random.Random(seed * 7907)
    folder = root / "tc"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "CROSSTOOL").write_text("\n".join(_file(chance)), encoding="utf-8")
    chosen = chance.choice(('toolchain_identifier = "own",', 'cpu = "k8", compiler = "own",'))
    (folder / "BUILD").write_text(_BUILD % chosen, encoding="utf-8")
    return ("--crosstool_top=//tc:suite",)


def _file(chance: random.Random) -> Iterator[str]:
    yield 'major_version: "local"\nminor_version: ""\ndefault_target_cpu: "k8"'
    yield "toolchain {"
    for name in ("abi_version", "abi_libc_version", "host_system_name", "target_system_name"):
        yield f'  {name}: "local"'
    yield '  toolchain_identifier: "own" target_cpu: "k8" compiler: "own"'
    yield f'  target_libc: "{chance.choice(("local", "local", "macosx"))}"'
    compiler = chance.choice(("/usr/bin/gcc", "bin/cc"))  # "../x/cc" makes Bazel crash.
    yield f'  tool_path {{ name: "gcc" path: "{compiler}" }}'
    for name in _TOOLS:
        yield f'  tool_path {{ name: "{name}" path: "/usr/bin/{name}" }}'
    parts = list(_parts(chance))
    chance.shuffle(parts)
    yield from parts
    yield "}"


def _parts(chance: random.Random) -> Iterator[str]:
    for name in _FLAGS:
        for number in range(chance.choice((0, 1, 2))):
            yield f'  {name}: "-{name}{number}"'
    for mode in ("DBG", "OPT", "FASTBUILD", "COVERAGE"):
        if chance.random() < 0.6:
            fields = " ".join(
                f'{name}: "-{name}-{mode}"'
                for name in ("compiler_flag", "cxx_flag", "linker_flag")
                if chance.random() < 0.7
            )
            yield f"  compilation_mode_flags {{ mode: {mode} {fields} }}"
    for mode in ("FULLY_STATIC", "MOSTLY_STATIC", "DYNAMIC", "MOSTLY_STATIC_LIBRARIES"):
        if chance.random() < 0.6:
            yield f'  linking_mode_flags {{ mode: {mode} linker_flag: "-{mode}" "-cut" }}'
    for name in ("needsPic", "supports_start_end_lib", "supports_fission", "supports_gold_linker"):
        if chance.random() < 0.5:
            yield f"  {name}: {chance.choice(('true', 'true', 'false'))}"
    if chance.random() < 0.4:
        yield '  builtin_sysroot: "/sys/root"'
    for number, name in enumerate(chance.sample(_NAMES, chance.randint(0, 5))):
        enabled = "enabled: true" if chance.random() < 0.5 else ""
        sets = " ".join(_flag_set(chance, number * 10 + i) for i in range(chance.randint(0, 2)))
        yield f'  feature {{ name: "{name}" {enabled}\n    {sets} }}'


def _flag_set(chance: random.Random, number: int) -> str:
    actions = chance.choice((_COMPILE, _LINK, (*_COMPILE, *_LINK), ("c++-compile",)))
    parts = [f'action: "{name}"' for name in actions]
    if actions is _LINK:
        parts.append(f'flag_group {{ flag: "-L{number}" }}')
    else:
        groups = _GROUPS if _LINK[0] not in actions else ()
        text = chance.choice(groups or _GROUPS[:1]).format(n=number)
        parts.append(f"flag_group {{ {text} }}")
    if chance.random() < 0.4:
        kind = chance.choice(("feature", "not_feature"))
        parts.append(f'with_feature {{ {kind}: "{chance.choice(_OF_FEATURES)}" }}')
    return f"flag_set {{ {' '.join(parts)} }}\n"
