"""What Bazel puts on the command lines of C++ compilers and linkers, where releases differ.

Measured by `aquery` with 0.24.1, 2.1.0 and 4.2.3; what changed between two of these is dated to
the later one. What is later comes from the files of `rules_cc` and from documentation.
"""

from __future__ import annotations

from bazelscope.bazel.facts.fact import since, until


class CompileFacts:
    """Facts of the actions of C++ rules and of the toolchain that Bazel makes for the machine."""

    cc_last_define_stays = since(3)
    """Of equal defines of deps the last stays; before, the first. Measured: 4.2.3, 2.1.0."""
    cc_has_genfiles = until(1)
    """Generated files and their include directories are in `genfiles`. Measured: 0.24.1."""
    cc_late_omitfp = since(1)
    """The words of `--experimental_omitfp` stand before the user's; before, behind `-std`."""
    link_flags_follow_objects = until(1)
    """The toolchain's link flags stand behind objects, libraries and linkopts. Measured: 0.24.1."""
    cc_links_whole_archives = until(1)
    """A shared library has every object of the libraries in it (`--legacy_whole_archive`, which
    later `--incompatible_remove_legacy_whole_archive` beats). Measured: 0.24.1, not 2.1.0."""
    cc_linkopts_apart = until(1)
    """Linkopts are in the order of a set of their own; later, in that of the libraries. Measured:
    0.24.1, not 2.1.0."""
    cc_links_by_whole_name = since(4)
    """A shared library whose name lacks `lib` is linked as `-l:x.so`; before, as `-lx`. Measured:
    4.2.3, not 2.1.0."""
    cc_names_gold_by_path = since(1)
    """clang gets the gold linker by its path; before, by its name. Measured: 0.24.1, 2.1.0."""
    cc_asks_for_features = until(1)
    """Bazel asks for some features of a toolchain that are not enabled by themselves
    (`random_seed`, `pic`, `include_paths`). Measured: 0.24.1, not 2.1.0."""
    cc_own_coverage_is_all = until(1)
    """A toolchain with a feature `coverage` of its own gets neither of Bazel's two formats of
    coverage. Measured: 0.24.1, 0.26.1, not 2.1.0."""
    cc_shared_takes_pic_archives = until(1)
    """A shared library links the position independent archives of its dependencies, also where its
    own objects are not. Measured: 0.24.1, not 2.1.0."""
    cc_needs_every_tool = until(5)
    """A toolchain that names some of its tools has to name all that compile and link. Measured:
    0.24.1, 2.1.0, 4.2.3; rules_cc 0.2 asks for none, and what 5 to 7 do is not known."""
    cc_reads_crosstool_files = until(0, 26)
    """A `cc_toolchain` without `toolchain_config` has its flags in a file CROSSTOOL."""
    cc_own_actions_replace_bazels = since(1)
    """An `action_config` of a toolchain takes the place of Bazel's own for that action; before, the
    two are refused. Measured: 0.24.1, 2.1.0."""
    link_libraries_last = since(3)
    """`-lstdc++ -lm` come last; before, with the toolchain's flags. Measured: 4.2.3, 2.1.0."""
    cc_protos_in_virtual_includes = since(1)
    """Headers of a `proto_library` whose imports have other paths than its files are in a folder
    of their own. Measured: 2.1.0, not 0.24.1."""
    nocopts_always = until(1)
    """`nocopts` works; later `--incompatible_disable_nocopts` refuses it. Measured: 0.24.1."""
    cc_standard_14 = since(7)
    """The toolchain asks for C++14; before, `-std=c++0x`. From documentation."""
    cc_standard_17 = since(8)
    """The toolchain asks for C++17. Read in rules_cc 0.0.17."""
    cc_output_before_unfiltered = since(8)
    """`-c x.cc -o x.o` stands before the last flags of the toolchain. Read in rules_cc 0.0.17."""
    cc_links_in_words = since(7)
    """The toolchain looks for programs first (`-B`), says `-Xlinker -rpath`, links the libraries of
    the language where they are needed alone (`--push-state`, bazel issue 20834), and only archives
    are linked whole. Read in rules_cc 0.0.17, which has these files of Bazel 7."""
    cc_splits_debug_info = since(7)
    """The toolchain has `per_object_debug_info` switched on, with `-g`, so that `--fission` alone
    splits debug symbols. Measured: not 4.2.3; read in rules_cc 0.0.17."""
    cc_reads_conlyopts = since(7)
    """`BAZEL_CONLYOPTS` adds words for C. Measured: not 4.2.3; read in rules_cc 0.0.17."""
    cc_reads_copts = since(9)
    """`BAZEL_COPTS` adds words for every source. Read in rules_cc 0.2.17, not in 0.0.17."""
