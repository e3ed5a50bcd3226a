"""The toolchain that Bazel makes for gcc or clang on Linux, as typed features.

The flags and their order were measured by `aquery` with 4.2.3, 2.1.0 and 0.24.1; the features are
those of Bazel's `unix_cc_toolchain_config.bzl` and, before and after them, the ones that Bazel
adds to every toolchain (`CppActionConfigs`). What the machine would tell (which warnings its
compiler accepts, whether there is a gold linker) is assumed: no program is run.
"""

from __future__ import annotations

from bazelscope.analysis.compile import bazels_features as bazels
from bazelscope.analysis.compile import toolchain as cc
from bazelscope.analysis.compile.bazels_features import one
from bazelscope.analysis.compile.words import WordOrigin
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.release import Release

_C = frozenset({cc.C_COMPILE})
_MAC_LINK = ("-undefined", "dynamic_lookup", "-headerpad_max_install_names")


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler as Bazel looks for it: `path` is what its command lines begin with."""

    path: str = "/usr/bin/gcc"
    is_clang: bool = False
    is_mac: bool = False


_Given = tuple[tuple[str, ...], WordOrigin] | None


@dataclass(frozen=True, slots=True)
class Environment:
    """What `BAZEL_CXXOPTS`, `BAZEL_LINKOPTS`, `BAZEL_LINKLIBS`, `BAZEL_CONLYOPTS` and
    `BAZEL_COPTS` say, and who sets them; None for the usual words."""

    cxxopts: _Given = None
    linkopts: _Given = None
    linklibs: _Given = None
    conlyopts: _Given = None
    copts: _Given = None


def unix_toolchain(
    release: Release, compiler: Compiler, environment: Environment, libraries_last: bool
) -> cc.Toolchain:
    """The toolchain that Bazel makes for a compiler on Linux.

    `libraries_last`: whether `-lstdc++ -lm` come after the objects
    (`--incompatible_linkopts_to_linklibs`).
    """
    flags = _Flags(release, compiler, environment, libraries_last)
    link_tail = flags.link_features()
    features = (
        flags.default_compile_flags(),
        *flags.compile_features(),
        *link_tail,
        cc.Feature("static_libgcc"),
        cc.Feature("supports_dynamic_linker", enabled=True),
        cc.Feature("supports_start_end_lib", enabled=True),
        cc.Feature("supports_pic", enabled=True),
        cc.Feature("dbg"),
        cc.Feature("opt"),
        cc.Feature("fastbuild"),
        *(bazels.THIN_LTO, bazels.FULLY_STATIC_LINK, bazels.USER_COMPILE_FLAGS, bazels.SYSROOT),
        *flags.last_compile_features(),
    )
    archiver = "/usr/bin/libtool" if compiler.is_mac else "/usr/bin/ar"
    actions = bazels.bazels_actions((), cc.Tool(compiler.path), cc.Tool(archiver))
    names = {feature.name for feature in features}
    implied = dict.fromkeys(name for one in actions for name in one.feature.implies)
    features = (*features, *(cc.Feature(name) for name in implied if name not in names))
    name = "clang" if compiler.is_clang else "gcc"
    assumed = f"{name} accepts the usual warnings and finds the gold linker"
    if compiler.is_mac:
        assumed = (
            "Bazel's own C++ toolchain is used, not Xcode's (BAZEL_USE_CPP_ONLY_TOOLCHAIN=1), and"
            " its words are those of the documentation: no Bazel on macOS was asked"
        )
    return cc.Toolchain(
        f"@local_config_cc, as Bazel makes it for {name} on {_system(compiler)}",
        name,
        features,
        compiler.path,
        compiler.path,
        archiver,
        assumed,
        actions=actions,
        make_variables={"CC": compiler.path},
    )


def _system(compiler: Compiler) -> str:
    return "macOS" if compiler.is_mac else "Linux"


@dataclass(eq=False)
class _Flags:
    """The flags that depend on the release, the compiler and the environment."""

    _release: Release
    _compiler: Compiler
    _environment: Environment
    _libraries_last: bool

    def default_compile_flags(self) -> cc.Feature:
        warnings: tuple[str, ...] = ("-Wunused-but-set-parameter", "-Wno-free-nonheap-object")
        if self._compiler.is_clang:
            warnings = ("-Wthread-safety", "-Wself-assign", *warnings, "-fcolor-diagnostics")
        always = (
            *("-U_FORTIFY_SOURCE", "-fstack-protector", "-Wall"),
            *warnings,
            "-fno-omit-frame-pointer",
        )
        optimised: tuple[str, ...] = ("-g0", "-O2", "-D_FORTIFY_SOURCE=1", "-DNDEBUG")
        optimised += ("-ffunction-sections", "-fdata-sections")
        given = self._environment.cxxopts
        standard = cc.group(*given[0], origin=given[1]) if given else cc.group(self._standard())
        more: list[cc.FlagSet] = []
        if self._release.cc_reads_copts:
            more += _given_sets(cc.ALL_COMPILE, self._environment.copts)
        if self._release.cc_reads_conlyopts:
            more += _given_sets(_C, self._environment.conlyopts)
        return cc.Feature(
            "default_compile_flags",
            (
                cc.FlagSet(cc.ALL_COMPILE, (cc.group(*always),)),
                cc.FlagSet(cc.ALL_COMPILE, (cc.group("-g"),), _with("dbg"), "dbg"),
                cc.FlagSet(cc.ALL_COMPILE, (cc.group(*optimised),), _with("opt"), "opt"),
                *more,
                cc.FlagSet(bazels.CPP, (standard,), when="C++"),
            ),
            enabled=True,
        )

    def _standard(self) -> str:
        if self._release.cc_standard_17:
            return "-std=c++17"
        return "-std=c++14" if self._release.cc_standard_14 else "-std=c++0x"

    def last_compile_features(self) -> tuple[cc.Feature, ...]:
        """What stands behind the user's flags."""
        files = (bazels.INPUT_FLAGS, bazels.OUTPUT_FLAGS)
        if self._release.cc_output_before_unfiltered:
            return (*files, self._unfiltered_compile_flags())
        return (self._unfiltered_compile_flags(), *files)

    def _unfiltered_compile_flags(self) -> cc.Feature:
        own = "-fno-canonical-system-headers"
        if self._compiler.is_clang:
            own = "-no-canonical-prefixes"
        flags = cc.group(own, "-Wno-builtin-macro-redefined", *bazels.REDACTED)
        return one("unfiltered_compile_flags", cc.ALL_COMPILE, flags)

    def compile_features(self) -> tuple[cc.Feature, ...]:
        """What stands between the toolchain's flags and the user's."""
        is_late = self._release.cc_splits_debug_info
        return (
            one("legacy_compile_flags", cc.ALL_COMPILE, bazels.OMITFP),
            *(
                bazels.DEPENDENCY_FILE,
                bazels.RANDOM_SEED,
                bazels.PIC,
                bazels.per_object_debug_info(is_late),
            ),
            *(bazels.DEFINES, bazels.INCLUDES, bazels.INCLUDE_PATHS),
            cc.Feature("coverage", (cc.FlagSet(bazels.COVERED, (cc.group("--coverage"),)),)),
        )

    def link_features(self) -> tuple[cc.Feature, ...]:
        """The features of linking in the order of their flags."""
        strip = one("strip_debug_symbols", cc.ALL_LINK, bazels.STRIP)
        coverage = one("coverage", cc.ALL_LINK, cc.group("--coverage"), enabled=False)
        is_mac = self._compiler.is_mac
        is_late = self._release.cc_links_in_words
        directories = (bazels.runtime_directories(is_mac, is_late), bazels.LIBRARY_DIRECTORIES)
        head = (bazels.SHARED_FLAG, bazels.OUTPUT, *directories, bazels.archiver_flags(is_mac))
        strips = (bazels.FISSION_SUPPORT, strip)
        libraries, pie = bazels.libraries_to_link(is_mac, is_late), bazels.force_pic_flags(is_mac)
        if self._release.link_flags_follow_objects:
            return (
                *head,
                libraries,
                pie,
                self._user_link_flags(),
                *strips,
                coverage,
                self._defaults(),
            )
        return (*head, pie, *strips, coverage, self._defaults(), libraries, self._user_link_flags())

    def _defaults(self) -> cc.Feature:
        gold = "gold"
        if self._compiler.is_clang and self._release.cc_names_gold_by_path:
            gold = "/usr/bin/ld.gold"
        folder = self._compiler.path.rpartition("/")[0]
        search = [f"-B{folder}"] if folder else []
        always = ["-Wl,-no-as-needed", "-Wl,-z,relro,-z,now"]
        always = [*search, *always] if self._release.cc_links_in_words else [*always, *search]
        always = [f"-fuse-ld={gold}", *always]
        always += [] if self._compiler.is_clang else ["-pass-exit-codes"]
        always = [*_MAC_LINK] if self._compiler.is_mac else always
        groups = [cc.group(*always)]
        given = self._environment.linkopts
        if given is not None:
            groups.append(cc.group(*given[0], origin=given[1]))
        elif not self._libraries_last:
            groups.append(cc.group(*self._libraries()))
        sets = [cc.FlagSet(cc.ALL_LINK, tuple(groups))]
        if not self._compiler.is_mac:
            sets.append(
                cc.FlagSet(cc.ALL_LINK, (cc.group("-Wl,--gc-sections"),), _with("opt"), "opt")
            )
        return cc.Feature("default_link_flags", tuple(sets), enabled=True)

    def _libraries(self) -> tuple[str, ...]:
        if not self._release.cc_links_in_words:
            return ("-lstdc++", "-lm")
        if self._compiler.is_mac:
            return ("-lc++", "-lm")
        if_needed, end = "-Wl,--push-state,-as-needed", "-Wl,--pop-state"
        return (if_needed, "-lstdc++", end, if_needed, "-lm", end)

    def _user_link_flags(self) -> cc.Feature:
        groups = [cc.for_each("user_link_flags", "%{user_link_flags}")]
        given = self._environment.linklibs if self._release.cc_reads_linklibs else None
        if given is not None:
            groups.append(cc.group(*given[0], origin=given[1]))
        elif self._libraries_last:
            groups.append(cc.group(*self._libraries()))
        return one("user_link_flags", cc.ALL_LINK, *groups)


def _given_sets(actions: frozenset[cc.Action], given: _Given) -> list[cc.FlagSet]:
    """The set of flags that a variable of the environment gives for some actions, if it does."""
    return [cc.FlagSet(actions, (cc.group(*given[0], origin=given[1]),))] if given else []


def _with(feature: str) -> tuple[cc.WithFeatures, ...]:
    return (cc.WithFeatures(frozenset({feature})),)
