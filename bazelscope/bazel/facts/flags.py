"""How Bazel reads rc files and command lines, where its releases differ."""

from __future__ import annotations

from bazelscope.bazel.facts.fact import between, since, until


class FlagFacts:
    """Facts of rc files, the command line and what flags mean by themselves."""

    tools_rc = until(0, 19)
    """`tools/bazel.rc` of the workspace is read."""
    every_bazelrc = since(4, 1)
    """Each `--bazelrc` is read; before, the first one."""
    environment_rc = since(9)
    """`$BAZELRC` names rc files, separated by commas."""
    try_import_if_version = since(8, 7)
    """`try-import-if-bazel-version CONDITION PATH`."""

    always_section = since(6, 3)
    """`always` lines count for every command, like `common` did before."""
    lenient_common = since(6, 3)
    """A `common` option that this command lacks, but another has, is skipped."""
    lenient_configs = between((6, 3), (7, 4))
    """An option that this command lacks, but another has, is skipped in every config, whichever
    section defines it (Bazel issue 22980)."""
    lenient_common_expansions = since(7, 1)
    """So is such an option inside the expansion of a `common:x` section."""
    wordless_starlark = since(6, 4)
    """A command that takes no words (`version`) skips Starlark flags, too."""

    rc_words_first = since(4)
    """Targets and Starlark flags of rc lines come before those of the command line.
    Before, the command line was parsed first."""
    starlark_no_prefix = since(4)
    """`--no//pkg:flag` is a Starlark flag; before, an unknown option."""
    starlark_takes_next_word = until(4)
    """`--//pkg:flag value` in two words; an error from then on."""
    starlark_in_order = since(5, 3)
    """A Starlark flag from a config counts where the config stands; before, it beat the whole
    command line."""
    flag_alias = since(4)
    """`--flag_alias=short=//pkg:flag`."""

    project_files = since(8, 7)
    """PROJECT.scl sets flags for builds of the targets below it (`--enforce_project_configs` is on
    by default). Read off its sources, not measured."""

    autoloads = between((9,), (10,))
    """`--incompatible_autoload_externally` brings natives back; later it does nothing."""
    darwin_arm64_cpu = since(4, 1)
    """The default `--cpu` of a Mac with an ARM processor names it; before, `darwin`."""
    darwin_x86_64_cpu = since(7)
    """The default `--cpu` of a Mac with an Intel processor names it; before, `darwin`."""
    one_flag_in_any_spelling = since(6)
    """`--//p:f`, `--@//p:f` and `--@main//p:f` are one flag; before, Bazel crashes where the
    first two are given, and takes the third for another flag, which nothing asks for."""
    aliases_of_flags = since(7, 2)
    """`--//p:alias=x` sets the flag behind an alias; before, it is refused."""
    refuses_python_top = until(8)
    """`--python_top` and its like are refused beside Python toolchains. Measured up to 4.2.3; by
    its sources, 9 takes them and looks at none."""
    checks_python_versions = until(4)
    """Options of the former API of Python versions are refused beside some of the newer one.
    Measured: 0.24.1 and 2.1.0, not 4.2.3."""
