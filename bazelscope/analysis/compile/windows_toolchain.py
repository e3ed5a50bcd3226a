"""The toolchain that Bazel makes for MSVC and clang-cl on Windows, as typed features.

From the documentation and the files of Bazel 4.2.3 (`windows_cc_toolchain_config.bzl`); no Bazel on
Windows was asked.
"""

from __future__ import annotations

from bazelscope.analysis.compile import toolchain as cc
from bazelscope.analysis.compile.bazels_features import (
    C_AND_CPP,
    GROUP_OF_OBJECTS,
    LIBRARY_NAME,
    REDACTED,
    SHARED,
    each_library,
    if_whole,
    of_type,
    one,
)

_ASSEMBLING = frozenset({cc.ASSEMBLE, cc.PREPROCESS_ASSEMBLE})
_COMPILING = C_AND_CPP | _ASSEMBLING
_PREPROCESSED = C_AND_CPP | {cc.PREPROCESS_ASSEMBLE}
_ARCHIVE = frozenset({cc.LINK_STATIC})
_ALWAYS = (
    *("/DCOMPILER_MSVC", "/DNOMINMAX", "/D_WIN32_WINNT=0x0601", "/D_CRT_SECURE_NO_DEPRECATE"),
    *("/D_CRT_SECURE_NO_WARNINGS", "/bigobj", "/Zm500", "/EHsc"),
    *("/wd4351", "/wd4291", "/wd4250", "/wd4996"),
)
_UNOPTIMISED = (frozenset({"fastbuild"}), frozenset({"opt"}))
_FOLDER = "C:/Program Files (x86)/Microsoft Visual Studio/..."
_OF_COMPILING = ("compiler_input_flags", "compiler_output_flags", "nologo", "sysroot")
_OF_LINKING = (
    *("nologo", "linkstamps", "output_execpath_flags", "input_param_flags", "user_link_flags"),
    *("default_link_flags", "linker_subsystem_flag"),
)


def windows_toolchain(is_clang_cl: bool) -> cc.Toolchain:
    """The toolchain for MSVC, or for clang-cl (`--compiler=clang-cl`), for x64."""
    name = "clang-cl" if is_clang_cl else "msvc-cl"
    compiler = "clang-cl.exe" if is_clang_cl else "cl.exe"
    linker, archiver = ("lld-link.exe", "llvm-lib.exe") if is_clang_cl else ("link.exe", "lib.exe")
    return cc.Toolchain(
        f"@local_config_cc, as Bazel makes it for {name} on Windows",
        name,
        tuple(_features(is_clang_cl)),
        f"{_FOLDER}/{compiler}",
        f"{_FOLDER}/{linker}",
        f"{_FOLDER}/{archiver}",
        "its words are those of the documentation: no Bazel on Windows was asked",
        actions=_actions(compiler, linker, archiver),
        names=cc.FileNames(".obj", "", ".lib", ".lo.lib", ".exe", "", ".dll"),
        identifier="",
    )


def _actions(compiler: str, linker: str, archiver: str) -> tuple[cc.ActionConfig, ...]:
    def made(action: str, program: str, *implies: str) -> cc.ActionConfig:
        return cc.ActionConfig(
            cc.Feature(action, implies=implies), (cc.Tool(f"{_FOLDER}/{program}"),)
        )

    users = ("default_compile_flags", "parse_showincludes", "user_compile_flags")
    return (
        *(made(one, "ml64.exe", *_OF_COMPILING) for one in sorted(_ASSEMBLING)),
        *(made(one, compiler, *_OF_COMPILING, *users) for one in (cc.C_COMPILE, cc.CPP_COMPILE)),
        made(cc.LINK_EXECUTABLE, linker, *_OF_LINKING),
        *(
            made(one, linker, *_OF_LINKING, "shared_flag")
            for one in (cc.LINK_DYNAMIC, cc.LINK_NODEPS_DYNAMIC)
        ),
        made(cc.LINK_STATIC, archiver, "nologo", "archiver_flags", "input_param_flags"),
    )


def _optimised(actions: frozenset[str], *flags: str) -> cc.FlagSet:
    wanted = (cc.WithFeatures(frozenset({"opt"})),)
    return cc.FlagSet(actions, (cc.group(*flags),), wanted, "opt")


def _mode(name: str, linked: tuple[str, ...], *flags: str) -> cc.Feature:
    sets = [cc.FlagSet(C_AND_CPP, (cc.group(*flags),), when=name)]
    if linked:
        sets.append(cc.FlagSet(cc.ALL_LINK, (cc.group(*linked),), when=name))
    return cc.Feature(name, tuple(sets), implies=("frame_pointer",) if name == "opt" else ())


def _runtime(name: str, flag: str, library: str, debug: bool) -> cc.Feature:
    sets = (
        cc.FlagSet(C_AND_CPP, (cc.group(flag),)),
        cc.FlagSet(cc.ALL_LINK, (cc.group(f"/DEFAULTLIB:{library}"),)),
    )
    requires = (frozenset({"dbg"}),) if debug else _UNOPTIMISED
    return cc.Feature(name, sets, requires=requires)


def _off(name: str, actions: frozenset[str], *groups: cc.FlagGroup) -> cc.Feature:
    return one(name, actions, *groups, enabled=False)


def _features(is_clang_cl: bool) -> list[cc.Feature]:
    redacted = (*REDACTED, "-Wno-builtin-macro-redefined") if is_clang_cl else REDACTED
    small = (_optimised(C_AND_CPP, "/Gy", "/Gw"), _optimised(cc.ALL_LINK, "/OPT:ICF", "/OPT:REF"))
    unoptimised = ("/DEBUG:FULL", "/INCREMENTAL:NO")
    return [
        _off("nologo", _COMPILING | cc.ALL_LINK | _ARCHIVE, cc.group("/nologo")),
        one("default_compile_flags", _COMPILING, cc.group(*_ALWAYS)),
        one(
            "include_paths",
            _COMPILING,
            *(
                cc.for_each(name, f"/I%{{{name}}}")
                for name in ("quote_include_paths", "include_paths", "system_include_paths")
            ),
        ),
        one(
            "preprocessor_defines",
            _COMPILING,
            cc.for_each("preprocessor_defines", "/D%{preprocessor_defines}"),
            cc.for_each("unknown_of_dependencies", "%{unknown_of_dependencies}"),
        ),
        _off("parse_showincludes", _PREPROCESSED, cc.group("/showIncludes")),
        _off("shared_flag", SHARED, cc.group("/DLL")),
        _off("linkstamps", cc.ALL_LINK, cc.for_each("linkstamp_paths", "%{linkstamp_paths}")),
        _off("output_execpath_flags", cc.ALL_LINK, cc.group("/OUT:%{output_execpath}")),
        _off("archiver_flags", _ARCHIVE, cc.group("/OUT:%{output_execpath}", "/MACHINE:X64")),
        _off("input_param_flags", cc.ALL_LINK | _ARCHIVE, _libraries()),
        _off("linker_subsystem_flag", cc.ALL_LINK, cc.group("/SUBSYSTEM:CONSOLE")),
        _off("user_link_flags", cc.ALL_LINK, cc.for_each("user_link_flags", "%{user_link_flags}")),
        one("default_link_flags", cc.ALL_LINK, cc.group("/MACHINE:X64")),
        cc.Feature("static_link_msvcrt"),
        _runtime("static_link_msvcrt_no_debug", "/MT", "libcmt.lib", debug=False),
        _runtime("dynamic_link_msvcrt_no_debug", "/MD", "msvcrt.lib", debug=False),
        _runtime("static_link_msvcrt_debug", "/MTd", "libcmtd.lib", debug=True),
        _runtime("dynamic_link_msvcrt_debug", "/MDd", "msvcrtd.lib", debug=True),
        _mode("dbg", unoptimised, "/Od", "/Z7"),
        _mode("fastbuild", ("/DEBUG:FASTLINK", "/INCREMENTAL:NO"), "/Od", "/Z7"),
        _mode("opt", (), "/O2"),
        _off("frame_pointer", C_AND_CPP, cc.group("/Oy-")),
        cc.Feature("disable_assertions", (_optimised(C_AND_CPP, "/DNDEBUG"),), enabled=True),
        one("determinism", C_AND_CPP, cc.group("/wd4117", *redacted)),
        _off("treat_warnings_as_errors", C_AND_CPP, cc.group("/WX")),
        cc.Feature("smaller_binary", small, enabled=True),
        one("ignore_noisy_warnings", _ARCHIVE, cc.group("/ignore:4221")),
        _off(
            "user_compile_flags",
            _PREPROCESSED,
            cc.for_each("user_compile_flags", "%{user_compile_flags}"),
        ),
        cc.Feature("sysroot"),
        _off("compiler_output_flags", _COMPILING, cc.group("/Fo%{output_file}")),
        _off("compiler_input_flags", _COMPILING, cc.group("/c", "%{source_file}")),
        cc.Feature("supports_dynamic_linker", enabled=True),
        cc.Feature("supports_interface_shared_libraries", enabled=True),
        cc.Feature("targets_windows", enabled=True),
    ]


def _libraries() -> cc.FlagGroup:
    whole = if_whole(f"/WHOLEARCHIVE:{LIBRARY_NAME}")
    return each_library(
        (
            GROUP_OF_OBJECTS,
            of_type("object_file", LIBRARY_NAME),
            of_type("interface_library", LIBRARY_NAME),
            of_type("static_library", groups=(if_whole(LIBRARY_NAME, wanted=False), whole)),
        )
    )
