"""How Bazel configures targets, resolves selects and toolchains, and compiles C++, where its
releases differ."""

from __future__ import annotations

from bazelscope.bazel.facts.fact import between, since, until


class AnalysisFacts:
    """Facts of the analysis phase, and of the graph that cquery shows."""

    # ---- Platforms

    platforms_have_no_configuration = since(7)
    """Platforms and their constraint values are looked at without a configuration, so that a
    label setting among them stands for nothing. Bazel's issues 19786 and 20494, with the error of
    7.0. Measured: in 4.2.3 it stands for the label that it is set to."""

    flags_want_loaded_rules = until(5)
    """`--incompatible_load_cc_rules_from_bzl`, and that of Python, refuse native rules. Measured:
    2.1.0 and 4.2.3."""
    flags_want_loaded_java_rules = until(3)
    """So do those of Java and protocol buffers. Measured: in 2.1.0; 4.2.3 takes them all."""

    links_to_directories_are_declared = since(6)
    """`actions.symlink()` with `target_file` takes a directory where one is declared. Measured: in
    4.2.3 it only asks that no symlink is; Bazel: `StarlarkActionFactory.symlink`."""

    aliases_ask_platform = since(6)
    """An alias, too, may say which platforms it is for. Bazel: `Alias` has the mode
    `ENABLED_ONLY_FOR_COMMON_LOGIC` of toolchain resolution. Measured: 4.2.3 has no such attribute
    there."""

    param_file_format_is_set_once = since(4)
    """`Args.set_param_file_format` may not be called again. Measured: in 4.2.3, not in 2.1.0."""

    automatic_exec_groups = since(7)
    """Each toolchain type may have an execution group of its own
    (`--incompatible_auto_exec_groups`, `_use_auto_exec_groups`). Documented as whole since 7."""
    lone_actions_name_no_toolchain = since(9)
    """A rule without toolchain types and groups need not say then that its tools are from none.
    Bazel: `StarlarkActionFactory`; 8 still asks for it, by rules_python#2306."""

    header_may_be_compiled = since(7)
    """`--compile_one_dependency` takes a rule of a header for one that compiles it, unless its
    feature `parse_headers` is off. Bazel: `CompileOneDependencyTransformer`; not in 6."""

    # ---- select()

    says_select_condition = since(4)
    """What may not be a key of a select() is called a select() condition. Measured: in 4.2.3; up to
    2.1.0 it is a configuration key."""
    failed_keys_are_told = since(1)
    """A target with a key of a select() whose analysis fails is told of by itself. Measured: in
    2.1.0 and 4.2.3; of 0.24.1, the failure alone is."""
    failed_analysis_is_named = until(6)
    """Where the analysis of a key of a select() or of a registered toolchain fails, Bazel says of
    which target. Measured: in 0.24.1, 2.1.0 and 4.2.3; 5 by rules_docker#1953, 6 by rules_pip#82
    and ghost-userspace#28."""
    failed_analysis_aborts = until(4)
    """It adds that the build is aborted. Measured: in 2.1.0, not in 4.2.3."""
    label_settings_are_told = since(4)
    """Of a label setting whose target is not there, Bazel tells by itself. Measured: in 4.2.3; in
    2.1.0 whoever depends on it is refused, as behind an alias."""
    unmatched_select_names_target = since(5)
    """Where no branch of a select() is taken, Bazel names the target in that sentence."""

    branches_by_setting = until(1)
    """Branches of a select are told apart by the setting behind an alias: the last one wins."""
    equal_branches_agree = since(6, 2)
    """Branches that match with one and the same value are not ambiguous."""
    constraints_specialize = since(6)
    """Constraint values, too, make one config_setting more special than another."""
    constraints_refine = since(9, 2)
    """So do constraint values that refine others (`refines_constraint_value`)."""
    build_settings_in_flag_values = since(0, 27)
    """`flag_values` takes build settings; before, feature flags alone."""
    flag_values_through_aliases = since(5)
    """An alias in `flag_values` has the value of its build setting; before, the default."""
    constraint_conditions = since(4)
    """A constraint_value may be a key of a select."""
    constraint_conditions_everywhere = since(5, 1)
    """So it may in rules that take no part in toolchain resolution (bazel issue 14702)."""
    checks_every_condition = until(0, 26)
    """Every key of a select must be visible, whatever flags say. Measured: 0.24.1."""
    conditions_are_dependencies = until(4, 1)
    """For a query, keys of selects need visibility like dependencies. Measured: 0.24.1, 2.1.0."""
    enforces_condition_visibility = since(6)
    """The default of `--incompatible_enforce_config_setting_visibility`."""
    selects_hide_conditions = until(0, 26)
    """The configured graph has no edges to the keys of selects."""

    keys_before_toolchains = until(4)
    """A key of a select that is in error is told before a toolchain that is missing. Measured:
    0.24.1 and 2.1.0 do so, 4.2.3 does not."""

    toolchain_types_have_aliases = since(1)
    """A rule may ask for a toolchain type by an alias. Measured: in 2.1.0 and 4.2.3, not in
    0.24.1."""
    toolchains_are_checked = since(1)
    """What implements a toolchain type has to provide `ToolchainInfo`, whether the rule looks at it
    or not. Measured: in 2.1.0 and 4.2.3, not in 0.24.1."""
    toolchains_implement_one_type = until(3)
    """Bazel crashes where two types that a rule asks for come to one target. Measured: 0.24.1,
    0.26.1 and 2.1.0 do, 4.2.3 does not; of 3 it is not known."""

    last_extra_toolchain_wins = since(7)
    """Of what `--extra_toolchains` names, the last is looked at first (bazel#20239)."""
    repeated_toolchain_is_last = since(7, 4)
    """What stands twice there stands where it does last (bazel#23670)."""
    platforms_allow_types = since(8)
    """A platform may say tools of which types run on it (`allowed_toolchain_types`), and under
    which conditions (`required_settings`)."""
    conditions_resolve_toolchains = until(8)
    """A config_setting takes part in toolchain resolution. Since `required_settings` of a platform
    name some, it cannot: they decide about the execution platforms."""

    transitions_take_booleans = since(3)
    """A transition may set an option to `True`. Measured: in 4.2.3, not in 2.1.0."""

    labels_of_transitions_are_relative = since(6)
    """A label that a transition sets an option to is read as in the file that makes it. Measured:
    as on the command line in 4.2.3; the release by the change of `convertOptionsLabel`."""

    # ---- Variables of genrules

    genrules_name_toolchains = since(2)
    """A genrule sees variables of those toolchains alone that its `toolchains` name. Measured: in
    2.1.0 and 4.2.3."""
    genrules_have_few_variables = until(0, 25)
    """A genrule without `toolchains` sees a few variables for C++. Measured: in 0.24.1."""
    runfiles_get_the_executable = since(8, 3)
    """Default runfiles that a rule gives by themselves get its executable, too; before, they had to
    have it if they had anything. Bazel's pull request 26288."""
    genrules_resolve_toolchains = since(8, 3)
    """`toolchains` of a genrule takes toolchain types, too: it gets what these are resolved
    to, with variables and files (bazel#26224, bazel_features#110)."""
    genrules_have_ruledir = since(0, 25)
    """`$(RULEDIR)`. Measured: in 2.1.0 and 4.2.3, not in 0.24.1."""

    # ---- Aspects of a command line

    asked_aspects_see_each_other = since(5)
    """Of several aspects that `--aspects` names, one sees those before it. Measured: not in 0.24.1,
    2.1.0 and 4.2.3."""
    loads_may_be_asked_for = since(3)
    """`--aspects` may name what a file has loaded, too. Measured: in 4.2.3, not in 2.1.0."""

    # ---- Rule implementations

    names_providers_as_measured = between((4,), (5,))
    """`providers(target)` of cquery has the names that 4.2.3 was measured to have."""

    # ---- Texts of native rules

    defines_take_locations = since(5)
    """`defines` and `local_defines` of C++ rules know `$(location)`. 4.2.3 refuses it (measured),
    6.0.0 knows it by its source; 5 is given the benefit of the doubt."""
    rules_in_starlark = since(6)
    """The rules for C++ and Java are written in Starlark. In texts of those for C++,
    `includes` knows `$(location)`, too, and a `$` that begins no reference stands for itself."""
    python_rules_in_starlark = since(7)
    """So are the rules for Python, which take libraries for C++."""
    linkshared_wants_name = until(3)
    """`linkshared` is for a `cc_binary` with the name of a shared library. Measured: 0.24.1 and
    2.1.0, not 4.2.3."""
    checks_shard_count = since(1)
    """A `shard_count` has to be from 0 to 50. Measured: 2.1.0 and 4.2.3, not 0.24.1."""
    rlocation_paths = since(5, 4)
    """`$(rlocationpath)` is known (bazel#16124)."""

    # ---- Configurations

    host_configuration = until(6)
    """Tools with `cfg = "host"` have a configuration of their own, which is final."""
    exec_resets_build_settings = since(8)
    """The execution configuration may leave build settings out. Bazel: `FunctionTransitionUtil`."""
    build_setting_scope = since(9)
    """`scope` of a build setting says whether the execution configuration has its value."""
    project_scope_reaches_tools = since(9, 2)
    """The execution configuration has the value of settings with `scope = "project"`."""
    only_universal_reaches_tools = since(10)
    """The default of `--incompatible_exclude_starlark_flags_from_exec_config` (bazel#26909)."""
    checks_names_of_directories = since(4)
    """A `--cpu` or `--platform_suffix` with a slash is refused. Measured: not so in 2.1.0."""
    names_cpu_of_directory = since(6)
    """It is told of as CPU name, no more as what CppConfiguration specifies. Measured: not 4.2.3;
    from tests of later releases, of which the first is not known."""
    cpu_clears_platforms = since(5)
    """A Starlark transition that sets `--cpu` and not `--platforms` leaves none of those, so that
    what platform mappings say of the platform does not set `--cpu` back. Bazel:
    `FunctionTransitionUtil.handleImplicitPlatformChange`. Measured: not in 4.2.3."""
    same_cpu_keeps_platforms = since(6, 1)
    """But not if `--cpu` stays what it is (bazel#17158)."""
    exec_keeps_transitions = since(3)
    """The options that transitions changed still tell an execution configuration apart."""
    transitions_may_set_nothing = since(5)
    """A transition that returns `{}` or None leaves the configuration as it is (bazel#13627).
    Measured: in 2.1.0 and 4.2.3 its outputs have to be set."""
    rule_transitions_see_selects = since(7)
    """A rule's own transition sees attributes with a `select()`, but for keys that ask about what
    it may set (bazel#15157). Bazel: `StarlarkRuleTransitionProvider.handleConfiguredAttribute`;
    rules_go#4415 says since when. Measured: 4.2.3 shows it none."""
    transitions_run_for_files = since(3)
    """An attribute's transition runs, and may fail, for a source file, too. Measured: it does in
    4.2.3, not in 2.1.0 and 0.24.1."""
    genquery_loads_its_scope = since(8)
    """What a genquery has in its scope is loaded, and configured no more. Bazel:
    `BuildType.GENQUERY_SCOPE_TYPE`. Measured: 0.26.1, 2.1.0 and 4.2.3 configure it; it was still
    so in February 2024 (rules_rust#2522), and rules_rust builds with 8 what that would refuse."""
    exec_options_in_starlark = since(8)
    """The execution transition is in Starlark. Bazel: `builtin_exec_platforms.bzl`."""
    compiler_follows_crosstool = between((4,), (8,))
    """Tools have `--host_compiler` with `--host_crosstool_top` alone. Bazel: `CppOptions`."""
    host_features_flag_is_on = since(7)
    """The default of `--incompatible_use_host_features`."""
    host_features = since(8)
    """Tools have `--host_features`, whatever flags say."""
    holds_defaults_explicitly = until(5)
    """Transitions put the defaults of the settings that they read among the options."""
    unchanged_options_count = until(3)
    """An option that a transition sets to the value that it has counts as changed.
    Measured: in 2.1.0 it does, in 4.2.3 it does not."""
    starlark_integers = since(4)
    """Integer build settings are read as Starlark reads integers."""
    platforms_are_filled_in = since(0, 26)
    """Without `--platforms`, conditions and transitions find the platform that is built for."""
    mappings_look_into_lists = since(5)
    """A platform mapping's flag matches a list with its value. Bazel: `BuildOptions.matches`."""
    configuration_by_type = since(5)
    """The options of the configuration are those of later tables. Measured up to 4.2.3."""
    gcc_by_name = since(5)
    """The toolchain that Bazel finds on Linux has the compiler's name: `gcc` or `clang`."""
    resolves_cc_toolchains = since(7)
    """The default of `--incompatible_enable_cc_toolchain_resolution`."""
    clang_on_macos = since(6)
    """The toolchain that Bazel finds on macOS has the name `clang`."""

    # ---- Platforms and toolchains

    finds_host_platform = since(1)
    """The host platform is made from the machine; before, a flag had to ask for it."""
    constraints_in_platforms = since(1)
    """The constraint values of that platform are in `@platforms`, which was split off."""
    macos_constraint = since(8)
    """The host platform of a Mac has `@platforms//os:macos`; before, `osx`."""
    platform_flags = since(8)
    """`flags` of a platform and of its parents take effect."""
    incompatible_targets = since(4)
    """`target_compatible_with` makes a target incompatible."""
    incompatible_before_dependencies = since(6)
    """Of a target that is incompatible by itself, nothing else is looked at but keys of selects; of
    one that depends on such, nothing but what it depends on. Before, attributes were checked; no
    release runs the implementation. Bazel: `IncompatibleTargetChecker`. Measured: 4.2.3."""
    incompatible_before_toolchains = since(7)
    """Nor are its toolchains resolved; before, a missing one is told first (bazel#17947)."""
    visibility_from_definition = since(8)
    """What private attributes lead to is visible to the file that defines the rule; before, an
    option says so."""
    label_flags_see = until(1)
    """A label_flag has to see what it stands for. Measured: in 0.24.1 and 0.26.1, not in 2.1.0."""
    rules_see_toolchains = until(0, 25)
    """A rule has to see what implements its toolchain types. Measured: in 0.24.1, not in 0.26.1."""
    force_python_is_free = until(0, 25)
    """A config_setting may ask about `force_python`. Measured: in 0.24.1."""
    keys_are_for_tests_only = until(0, 25)
    """Who asks by a config_setting that is testonly has to be so, too. Measured: in 0.24.1, not in
    0.26.1."""
    filegroups_resolve_toolchains = since(3)
    """A filegroup takes part in toolchain resolution. Measured: in 4.2.3, not in 2.1.0."""
    exec_attributes_are_for_tools = since(3)
    """What an attribute with `cfg = "exec"` holds may be for other environments than the rule.
    Measured: in 4.2.3, not in 2.1.0."""
    toolchain_alias_edges = until(6)
    """The aliases of C++ and Java toolchains depend on what their flags name."""
    every_rule_resolves = since(1)
    """A rule without toolchains has an execution platform, too."""
    toolchain_type_edges = since(1)
    """A rule depends on the toolchain types that it asks for."""
    native_toolchain_types = since(1)
    """Native rules ask for toolchain types that the graph shows."""
    cc_toolchain_type_is_mandatory = between((1,), (5,))
    """Native rules for C++ are refused where no toolchain for C++ suits the target platform.
    Measured: in 2.1.0 and 4.2.3, not in 0.24.1; 5 made the type optional."""
    options_name_toolchains_for_java = until(5)
    """`--java_toolchain` and `--javabase` do what they say. Bazel's issue 7849."""
    toolchain_transition = since(3)
    """Toolchains of some native rules have the configuration of the rule."""
    toolchains_keep_configuration = since(5)
    """All toolchains have the configuration of the rule. Bazel: `useToolchainTransition`."""

    # ---- What `--noimplicit_deps` leaves of them (measured: 0.24.1, 0.26.1, 2.1.0, 4.2.3)

    explicit_graph_shows_toolchains = between((0, 26), (3,))
    """Toolchains and some platforms are shown all the same."""
    explicit_graph_resolves = until(3)
    """Rules that ask for toolchains have the platforms that these bring."""
    explicit_graph_resolves_all = between((1,), (3,))
    """So have all rules."""
    explicit_graph_hides_platforms = since(3)
    """Neither platforms nor their constraints are shown."""

    # ---- What is refused

    alias_keys_are_open = since(5)
    """A private alias may be a key of a select(). Measured: 4.2.3 asks the alias; TensorFlow 2.19,
    with private groups of other packages as keys, is built by 6.5.0."""
    mandatory_refuses_none = since(4)
    """A mandatory attribute may not be None by a select(). Measured: 4.2.3 refuses it, 2.1.0 does
    not."""

    xcodes_of_cpp = since(6)
    """The default of `--xcode_version_config` is in `tools/cpp`; before, in `tools/objc`."""

    # ---- Actions

    analysis_tests_are_checked = since(2, 1)
    """A rule with `analysis_test = True` may register no action and returns
    `AnalysisTestResultInfo`. Measured: not so in 0.24.1, in 2.1.0 and 4.2.3."""
    tests_need_runfiles = since(2, 1)
    """A test may not have runfiles of its own that are empty. Measured: not so in 0.24.1."""
    substitutions_are_texts = since(2, 1)
    """`ctx.expand_make_variables` looks at the types of what it is given. Measured: not in
    0.24.1."""
    full_dicts_are_returned = since(4)
    """An implementation may return a dictionary, which counts for nothing. Measured: 2.1.0 takes
    an empty one, 0.24.1 none."""
    empty_dicts_are_returned = since(2, 1)
    locations_are_behind_aliases = since(3, 2)
    """`$(location)` may name what an alias among the dependencies stands for. Measured: not in
    2.1.0, in 4.2.3; the release by the date of the change."""
    keys_are_named_behind_aliases = since(3)
    """What is said of a key of a select() that is no condition names what its alias stands for.
    Measured: not in 2.1.0, in 4.2.3; between them, it is that of dependencies in cquery."""
    args_take_none = since(4)
    """`Args.add` takes None. Measured: not in 2.1.0, in 4.2.3."""
    args_unescape_percent = since(7)
    """`%%` in a format of `Args` comes to one percent sign. Measured: two up to 4.2.3; one by
    Bazel's later sources."""

    # ---- Command lines of C++
    # Measured by `aquery` with 0.24.1, 2.1.0 and 4.2.3; what changed between two of these is dated
    # to the later one. What is later comes from the files of `rules_cc` and from documentation.

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
    cc_roots_are_repositories = since(4)
    """Links to shared libraries and objects of linkstamps are named by paths in repositories;
    before, by paths with `external/` and the repository. Measured: 4.2.3, 2.1.0, 0.24.1."""
    cc_imports_versions = since(1)
    """The shared library of a `cc_import` may be called `x.so.1`. Measured: 2.1.0, not 0.24.1."""
    cc_mangles_at = since(7)
    """The `@` of a target's label is `_A` in the folder of links to its shared libraries. Measured:
    not in 4.2.3; where programs that 7 has built look for them."""
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
    cc_reads_linklibs = since(0, 28)
    """`BAZEL_LINKLIBS` adds words behind all others of a link. Measured: not 0.24.1; not in the
    files of 0.26.1, in those of 2.1.0; bazel pull request 8660."""
    cc_reads_conlyopts = since(7)
    """`BAZEL_CONLYOPTS` adds words for C. Measured: not 4.2.3; read in rules_cc 0.0.17."""
    cc_reads_copts = since(9)
    """`BAZEL_COPTS` adds words for every source. Read in rules_cc 0.2.17, not in 0.0.17."""
