"""The features and action configurations that Bazel adds to every C++ toolchain.

A toolchain that has the feature `no_legacy_features` gets none of them; one that has a feature of
the same name keeps its own. Bazel: `CppActionConfigs`, `CcModule`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from bazelscope.analysis.compile import toolchain as cc

REDACTED = tuple(f'-D__{name}__="redacted"' for name in ("DATE", "TIMESTAMP", "TIME"))
NO_LEGACY = "no_legacy_features"
FIRST = ("legacy_compile_flags", "default_compile_flags")
"""Features of a toolchain's own that come before those that Bazel adds."""

C_AND_CPP = frozenset({cc.C_COMPILE, cc.CPP_COMPILE})
WITH_DEPS = frozenset({cc.LINK_EXECUTABLE, cc.LINK_DYNAMIC})
SHARED = frozenset({cc.LINK_DYNAMIC, cc.LINK_NODEPS_DYNAMIC})
CPP = frozenset({cc.CPP_COMPILE, cc.LINKSTAMP_COMPILE})
COVERED = frozenset({cc.PREPROCESS_ASSEMBLE, cc.C_COMPILE, cc.CPP_COMPILE})


def one(
    name: str, actions: frozenset[str], *groups: cc.FlagGroup, enabled: bool = True, when: str = ""
) -> cc.Feature:
    """A feature with one set of flags."""
    return cc.Feature(name, (cc.FlagSet(actions, groups, when=when),), enabled)


DEPENDENCY_FILE = one(
    "dependency_file",
    cc.ALL_COMPILE,
    cc.if_available("dependency_file", "-MD", "-MF", "%{dependency_file}"),
)
RANDOM_SEED = one(
    "random_seed", C_AND_CPP, cc.if_available("output_file", "-frandom-seed=%{output_file}")
)
PIC = one("pic", cc.ALL_COMPILE, cc.if_available("pic", "-fPIC"))
FISSION_SUPPORT = one(
    "fission_support", cc.ALL_LINK, cc.if_available("is_using_fission", "-Wl,--gdb-index")
)
DEFINES = one(
    "preprocessor_defines",
    cc.PREPROCESSING,
    cc.for_each("preprocessor_defines", "-D%{preprocessor_defines}"),
    cc.for_each("unknown_of_dependencies", "%{unknown_of_dependencies}"),
)
INCLUDES = one("includes", cc.PREPROCESSING, cc.for_each("includes", "-include", "%{includes}"))
INCLUDE_PATHS = one(
    "include_paths",
    cc.PREPROCESSING,
    cc.for_each("quote_include_paths", "-iquote", "%{quote_include_paths}"),
    cc.for_each("include_paths", "-I%{include_paths}"),
    cc.for_each("system_include_paths", "-isystem", "%{system_include_paths}"),
    cc.for_each("framework_include_paths", "-F%{framework_include_paths}"),
)
SHARED_FLAG = one("shared_flag", SHARED, cc.group("-shared"))
LINKSTAMPS = one("linkstamps", cc.ALL_LINK, cc.for_each("linkstamp_paths", "%{linkstamp_paths}"))
OUTPUT = one("output_execpath_flags", cc.ALL_LINK, cc.group("-o", "%{output_execpath}"))
LIBRARY_DIRECTORIES = one(
    "library_search_directories",
    cc.ALL_LINK,
    cc.for_each("library_search_directories", "-L%{library_search_directories}"),
)
STRIP = cc.if_available("strip_debug_symbols", "-Wl,-S")
USER_COMPILE_FLAGS = one(
    "user_compile_flags", cc.ALL_COMPILE, cc.for_each("user_compile_flags", "%{user_compile_flags}")
)
SYSROOT = one(
    "sysroot", cc.PREPROCESSING | cc.ALL_LINK, cc.if_available("sysroot", "--sysroot=%{sysroot}")
)
FULLY_STATIC_LINK = one("fully_static_link", WITH_DEPS, cc.group("-static"), enabled=False)
INPUT_FLAGS = one("compiler_input_flags", cc.ALL_COMPILE, cc.group("-c", "%{source_file}"))
OMITFP = cc.for_each("omitfp_flags", "%{omitfp_flags}")
"""The words of `--experimental_omitfp`, as 0.24.1 has them: among the toolchain's."""
OUTPUT_FLAGS = one("compiler_output_flags", cc.ALL_COMPILE, cc.group("-o", "%{output_file}"))


THIN_LTO = cc.Feature("thin_lto")
"""Its words are not modelled; a line of whoever asks for it says so."""


def runtime_directories(is_mac: bool, in_words: bool = False) -> cc.Feature:
    """Where programs look for shared libraries. `in_words`: each argument of the linker is a word
    of its own."""
    origin = "@loader_path" if is_mac else "$ORIGIN"
    name = "runtime_library_search_directories"
    place = f"{origin}/%{{{name}}}"
    words = ("-Xlinker", "-rpath", "-Xlinker", place) if in_words else (f"-Wl,-rpath,{place}",)
    return one(name, cc.ALL_LINK, cc.for_each(name, *words))


def archiver_flags(is_mac: bool = False) -> cc.Feature:
    """The words of the archiver."""
    head = cc.group("-static", "-s", "-o") if is_mac else cc.group("rcsD")
    objects = each_library((of_type("object_file", LIBRARY_NAME), GROUP_OF_OBJECTS))
    archive = frozenset({cc.LINK_STATIC})
    return one("archiver_flags", archive, head, cc.group("%{output_execpath}"), objects)


def force_pic_flags(is_mac: bool = False) -> cc.Feature:
    """What makes a program position independent."""
    flag = "-Wl,-pie" if is_mac else "-pie"
    return one(
        "force_pic_flags", frozenset({cc.LINK_EXECUTABLE}), cc.if_available("force_pic", flag)
    )


def libraries_to_link(is_mac: bool = False, whole_archives_alone: bool = False) -> cc.Feature:
    """Objects and libraries. `whole_archives_alone`: archives are told to be linked whole, objects
    are not."""
    parts = _mac_parts() if is_mac else _linux_parts(whole_archives_alone)
    begin = of_type("object_file_group", "-Wl,--start-lib")
    end = of_type("object_file_group", "-Wl,--end-lib")
    return one("libraries_to_link", cc.ALL_LINK, each_library((begin, *parts, end)))


def each_library(groups: tuple[cc.FlagGroup, ...]) -> cc.FlagGroup:
    """What stands for each object and library of a link."""
    available = cc.Guard("available", "libraries_to_link")
    return cc.FlagGroup(groups=groups, iterate_over="libraries_to_link", guards=(available,))


def of_type(type_: str, *flags: str, groups: tuple[cc.FlagGroup, ...] = ()) -> cc.FlagGroup:
    """What stands for those of a type, as `LibraryToLink` of Bazel has them."""
    return cc.FlagGroup(flags, groups, guards=(cc.Guard("equal", "libraries_to_link.type", type_),))


def if_whole(*flags: str, wanted: bool = True) -> cc.FlagGroup:
    """What stands for archives that are linked whole; or (not `wanted`) for the others."""
    test = cc.Guard("true" if wanted else "false", "libraries_to_link.is_whole_archive")
    return cc.FlagGroup(flags, guards=(test,))


GROUP_OF_OBJECTS = cc.FlagGroup(
    ("%{libraries_to_link.object_files}",),
    iterate_over="libraries_to_link.object_files",
    guards=(cc.Guard("equal", "libraries_to_link.type", "object_file_group"),),
)
LIBRARY_NAME = "%{libraries_to_link.name}"


def _linux_parts(whole_archives_alone: bool) -> tuple[cc.FlagGroup, ...]:
    first, last = if_whole("-Wl,-whole-archive"), if_whole("-Wl,-no-whole-archive")
    if whole_archives_alone:
        first, last = (of_type("static_library", groups=(one,)) for one in (first, last))
    return (
        first,
        GROUP_OF_OBJECTS,
        *(of_type(kind, LIBRARY_NAME) for kind in ("object_file", "interface_library")),
        of_type("static_library", LIBRARY_NAME),
        of_type("dynamic_library", f"-l{LIBRARY_NAME}"),
        of_type("versioned_dynamic_library", f"-l:{LIBRARY_NAME}"),
        last,
    )


def _mac_parts() -> tuple[cc.FlagGroup, ...]:
    def loaded(name: str) -> tuple[cc.FlagGroup, ...]:
        return (if_whole(name, wanted=False), if_whole(f"-Wl,-force_load,{name}"))

    objects = "libraries_to_link.object_files"
    return (
        cc.FlagGroup(
            groups=loaded(f"%{{{objects}}}"),
            iterate_over=objects,
            guards=(cc.Guard("equal", "libraries_to_link.type", "object_file_group"),),
        ),
        *(
            of_type(kind, groups=loaded(LIBRARY_NAME))
            for kind in ("object_file", "interface_library", "static_library")
        ),
        of_type("dynamic_library", f"-l{LIBRARY_NAME}"),
        of_type("versioned_dynamic_library", f"-l:{LIBRARY_NAME}"),
    )


def per_object_debug_info(is_own: bool = False) -> cc.Feature:
    """Debug symbols in files of their own: a feature that Bazel adds, or (`is_own`) that later
    toolchains have by themselves, with words of their own."""
    words = ("-gsplit-dwarf", "-g") if is_own else ("-gsplit-dwarf",)
    actions = frozenset({*COVERED, "assemble"})
    given = cc.if_available("per_object_debug_info_file", *words)
    return one("per_object_debug_info", actions, given, enabled=is_own)


COVERAGE = "coverage"
_COVERAGE_FORMATS = {"llvm_coverage_map_format", "gcc_coverage_map_format"}


def _coverage() -> Iterable[cc.Feature]:
    yield cc.Feature(COVERAGE)
    needed = (frozenset({COVERAGE}),)
    llvm = cc.group("-fprofile-instr-generate", "-fcoverage-mapping")
    gcc = cc.if_available("gcov_gcno_file", "-fprofile-arcs", "-ftest-coverage")
    for name, compiling, linking in (
        ("llvm_coverage_map_format", llvm, cc.group("-fprofile-instr-generate")),
        ("gcc_coverage_map_format", gcc, cc.group("--coverage")),
    ):
        sets = (cc.FlagSet(COVERED, (compiling,)), cc.FlagSet(cc.ALL_LINK, (linking,)))
        yield cc.Feature(name, sets, requires=needed, provides=("profile",))


def _first_features(is_mac: bool) -> Iterable[cc.Feature]:
    """What stands before the toolchain's own features, in Bazel's order. Those of profiles and of
    link time optimisation are left out: whoever asks for them is told so."""
    static_runtime = (cc.WithFeatures(frozenset({"static_link_cpp_runtimes"})),)
    static_libgcc = cc.FlagSet(WITH_DEPS, (cc.group("-static-libgcc"),), static_runtime)
    yield one("legacy_compile_flags", cc.ALL_COMPILE, OMITFP)
    yield from (DEPENDENCY_FILE, RANDOM_SEED, PIC, per_object_debug_info())
    yield from (DEFINES, INCLUDES, INCLUDE_PATHS)
    yield from (cc.Feature("build_interface_libraries"), cc.Feature("dynamic_library_linker_tool"))
    yield from (cc.Feature("symbol_counts"), SHARED_FLAG, LINKSTAMPS, OUTPUT)
    yield from (runtime_directories(is_mac), LIBRARY_DIRECTORIES, archiver_flags(is_mac))
    yield from (libraries_to_link(is_mac), force_pic_flags(is_mac))
    yield one("user_link_flags", cc.ALL_LINK, cc.for_each("user_link_flags", "%{user_link_flags}"))
    yield cc.Feature("legacy_link_flags")
    yield cc.Feature("static_libgcc", (static_libgcc,), enabled=True)
    yield FISSION_SUPPORT
    yield one("strip_debug_symbols", cc.ALL_LINK, STRIP)
    yield THIN_LTO
    yield from _coverage()


_BY_DEFAULT = frozenset(
    {
        *("legacy_compile_flags", "dependency_file", "random_seed", "pic", "static_libgcc"),
        *("preprocessor_defines", "includes", "include_paths", "user_compile_flags", "sysroot"),
        *("unfiltered_compile_flags", "compiler_input_flags", "compiler_output_flags"),
    }
)
"""Those that are enabled unless they are switched off; the others are implied by actions."""
_LAST = (
    *(FULLY_STATIC_LINK, USER_COMPILE_FLAGS, SYSROOT, cc.Feature("unfiltered_compile_flags")),
    *(cc.Feature("linker_param_file"), INPUT_FLAGS, OUTPUT_FLAGS),
)
_OF_COMPILING = (
    *("legacy_compile_flags", "user_compile_flags", "sysroot", "unfiltered_compile_flags"),
    *("compiler_input_flags", "compiler_output_flags"),
)
_OF_LINKING = (
    *("symbol_counts", "strip_debug_symbols", "linkstamps", "output_execpath_flags"),
    *("runtime_library_search_directories", "library_search_directories", "libraries_to_link"),
    *("user_link_flags", "legacy_link_flags", "linker_param_file", "fission_support", "sysroot"),
)
_OF_SHARED = ("build_interface_libraries", "dynamic_library_linker_tool", "shared_flag")


def with_bazels_features(
    own: tuple[cc.Feature, ...], is_mac: bool, own_coverage_is_all: bool = False
) -> tuple[cc.Feature, ...]:
    """The features of a toolchain and those that Bazel adds, in the order of their flags.
    `own_coverage_is_all`: `Release.cc_own_coverage_is_all`."""
    names = {feature.name for feature in own}
    if own_coverage_is_all and COVERAGE in names:
        names |= _COVERAGE_FORMATS
    if NO_LEGACY in names:
        return own
    first = tuple(f for name in FIRST for f in own if f.name == name)
    rest = tuple(f for f in own if f.name not in FIRST)
    before, after = (
        tuple(replace(f, enabled=f.name in _BY_DEFAULT) for f in features if f.name not in names)
        for features in (_first_features(is_mac), _LAST)
    )
    return (*first, *before, *rest, *after)


def bazels_actions(
    existing: Collection[str], compiler: cc.Tool, archiver: cc.Tool
) -> tuple[cc.ActionConfig, ...]:
    """The action configurations that Bazel adds to those of a toolchain."""

    def made(name: str, tool: cc.Tool, *implies: str) -> cc.ActionConfig:
        return cc.ActionConfig(cc.Feature(name, implies=implies), (tool,))

    actions = [made(name, compiler, *_OF_COMPILING) for name in sorted(cc.COMPILE_ACTIONS)]
    for name in sorted(cc.ALL_LINK):
        more = ("force_pic_flags",) if name == cc.LINK_EXECUTABLE else _OF_SHARED
        actions.append(made(name, compiler, *more, *_OF_LINKING))
    actions.append(made(cc.LINK_STATIC, archiver, "archiver_flags", "linker_param_file"))
    return tuple(action for action in actions if action.feature.name not in existing)
