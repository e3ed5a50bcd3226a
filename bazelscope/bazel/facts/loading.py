"""How Bazel evaluates BUILD, `.bzl`, WORKSPACE and MODULE.bazel files, where releases differ."""

from __future__ import annotations

from bazelscope.bazel.facts.fact import Fact, between, since, until


class LoadingFacts:
    """Facts of the loading phase."""

    # ---- The language

    says_crosses_boundary = until(1)
    """How a label is refused that reaches into a subpackage. Measured: 0.24.1 and 0.26.1 say that
    it crosses a boundary, 2.1.0 and 4.2.3 that it is invalid."""
    restricts_escapes = since(4)
    """The default of `--incompatible_restrict_string_escapes`: `\\;` is no escape sequence."""
    unicode_escapes = since(5)
    """`\\a`, `\\x41`, `\\u0041` and the like may be escape sequences. Measured: not in 4.2.3."""
    byte_strings = since(5)
    """`b"a"` may be a value. Measured up to 4.2.3: it is none."""
    lambdas = since(5)
    """`lambda` is an expression, and a function may stand in another. Measured: not in 4.2.3."""
    type_annotations = since(9)
    """Parameters may say of which type they are (`x: int`), and functions what they return.
    Measured: not in 4.2.3. The first release that takes it is not known; 9 has a flag for it."""
    has_floats = since(4)
    """Floats, `/`, `json`, and integers of more than 32 bits. Measured: not in 2.1.0."""
    structs_have_methods = until(8)
    """Structs and instances of providers have `to_json` and `to_proto`: Bazel 7.7 is the last one
    with `--incompatible_struct_has_no_methods`, false by default, and `StructApi` has had neither
    since."""
    late_builtins = since(5)
    """`abs`, `|` of dicts, `%x`, `removeprefix`, `max(key)`. Measured: not in 4.2.3."""
    binary_literals = since(10)
    """`0b1`. Bazel: the lexer takes it, `IntLiteral` refuses it (starlark#117, bazel#29784)."""
    prefixes_bind_to_base = since(5)
    """In `int("0b", 16)` the `0b` are digits. Measured: 4.2.3 refuses that, as a prefix of another
    base; workerd converts such hashes with 8.2.1 and later. The releases between are given the
    benefit of the doubt."""
    named_builtins = until(1)
    """Builtin functions take their arguments by name, too, and take fewer of them; `010` is an
    octal number, and there is no `<<`. Measured: so in 0.24.1 and 0.26.1, not in 2.1.0."""
    runs_past_stars = until(1)
    """A call in a BUILD file that has `*args` is refused and run all the same. Measured: so in
    0.24.1 and 0.26.1, not in 2.1.0."""
    depsets_are_lists = until(1)
    """A depset can be iterated. Measured: so in 0.24.1 and 0.26.1, not in 2.1.0."""
    dicts_are_lists = since(0, 27)
    """An attribute takes a dictionary for a list of its keys. Measured: so in 2.1.0 and 4.2.3, not
    in 0.24.1 and 0.26.1."""
    depsets_are_sums = until(0, 26)
    """`+`, `|` and `union` join depsets (`--incompatible_depset_union`). Measured: so in 0.24.1,
    not in 0.26.1."""
    refuses_empty_selects = since(0, 26)
    """`select({})` is an error. Measured: not in 0.24.1."""
    selects_take_labels = since(5, 1)
    """A key of a select may be a `Label`. Measured: not in 0.26.1, 2.1.0 and 4.2.3; Bazel's pull
    requests 14447 and, for 5.1, 14755."""
    select_keys_are_references = until(4)
    """The words that refuse a key of a select call it a label reference. Measured: so in 0.26.1 and
    2.1.0, not in 4.2.3."""
    canonical_labels = since(6)
    """A label may begin with `@@`. Measured: not in 4.2.3."""
    signs_in_names = since(5)
    """Names of repositories may have `+` and `~` in them. Measured: not in 4.2.3."""

    # ---- Modules and WORKSPACE

    modules_exist = since(5)
    """There is `--enable_bzlmod` (at first with an `experimental_` before it)."""
    modules_by_default = since(7)
    """MODULE.bazel is read unless a flag says otherwise."""
    workspace_flag = since(7, 1)
    """`--enable_workspace` says whether WORKSPACE is read."""
    workspace_by_default = until(8)
    """WORKSPACE is read unless a flag says otherwise."""
    workspace_is_gone = since(9)
    """WORKSPACE is never read, whatever flags say."""
    lock_file_is_read_by_default = since(7)
    """MODULE.bazel.lock counts unless `--lockfile_mode` says otherwise."""
    resolution_says_remedies = since(7, 2)
    """What is told of a direct dependency of another version says what to do, and a module that is
    not for this Bazel is named by its key. Neither in 7.1 (bazel#22102), both in 8.0; where between
    is not known."""
    lock_file_has_hashes = since(7, 2)
    """MODULE.bazel.lock holds the hashes of what registries were asked for. Before, it is of one
    MODULE.bazel and of the values of some flags."""
    stale_lock_has_remedy = since(7)
    """What refuses a lock file that is not up to date says which command brings it up to date.
    Bazel: `bazel_lockfile_test`."""
    stale_lock_is_named = since(7, 2)
    """What refuses it calls it MODULE.bazel.lock. Bazel: `bazel_lockfile_test`."""
    digest_of_bzl_files_is_known = between((7, 2), (9,))
    """How a lock file's digest of an extension's `.bzl` files is computed: met by lock files of
    7.4 to 8.7."""
    tags_have_sort_keys = between((8, 8), (9,)) | since(9, 2)
    """`module_ctx.tag_sort_key()`. Bazel's pull requests 29969 and 29484."""
    extensions_report_imports = since(6, 2)
    """`module_ctx.extension_metadata()` and `is_dev_dependency()`. Bazel's pull requests 18174 and
    17934."""
    extensions_know_of_development = since(6, 3)
    """`module_ctx.root_module_has_non_dev_dependency`. Bazel's pull request 18918."""
    extensions_have_facts = since(8, 5)
    """What an extension said is kept in the lock file for it. Bazel's pull request 27296."""
    has_mod_tidy = since(7, 1)
    """`bazel mod tidy` writes `use_repo()` anew; before, a warning lists commands for buildozer."""
    extensions_may_be_reproducible = since(7, 1)
    """What an extension made that calls itself reproducible is not locked."""
    modules_of_tools_are_known = between((7,), (9, 3))
    """Which modules `bazel_tools` asks for was read off lock files of real Bazels."""
    module_flag_alias = between((7, 7), (8,)) | since(8, 5)
    """MODULE.bazel has `flag_alias()`."""
    arguments_name_siblings = since(7, 4)
    """Labels among the arguments of a repository rule that an extension calls may name its other
    repositories (bazel#23585)."""
    module_labels_are_of_visible_repositories = since(7, 2)
    """Labels of tags and of calls of repository rules in MODULE.bazel are of repositories that the
    module sees, whoever looks at them. Seen with buildfarm's issue 1748."""
    module_include = since(7, 2)
    """MODULE.bazel has `include()`."""
    overridden_modules_include = since(8, 5)
    """A module that an override takes from elsewhere may call `include()`, too; before, the root
    alone. Bazel's pull request 27144."""
    included_names_have_no_dot_first = since(8, 1)
    """Bazel's pull request 24575."""
    module_stars = between((7, 6), (8,)) | since(8, 2)
    """A call in MODULE.bazel may have a `**` before a literal dict. Bazel's pull request 25553."""
    imports_have_placeholders = since(9)
    """`{name}` and `{version}` in what `use_repo` renames are the module's. Bazel's pull request
    27890."""
    overrides_are_for_development = since(7, 4)
    """`--ignore_dev_dependency` leaves overrides out. Bazel's pull request 23520."""
    module_patches_count = since(7, 4)
    """Patches of `single_version_override` change the MODULE.bazel that decides about versions, and
    patches of overrides are of the main repository. Bazel's pull request 23536."""
    names_both_uses_of_repository_name = since(8, 5)
    """Where a repository name is taken twice, the message names both places. Bazel's pull request
    27795."""
    overridden_repositories_exist = since(8)
    """`--override_repository` takes the place of what there is; `--inject_repository` adds one, as
    a call of a repository rule in the root's MODULE.bazel would. Bazel: `bazel_overrides_test`."""
    module_inject_repo = since(7, 4)
    """MODULE.bazel has `inject_repo()`."""
    module_override_repo = since(7, 4)
    """MODULE.bazel has `override_repo()`."""
    module_use_repo_rule = since(7)
    """MODULE.bazel has `use_repo_rule()`."""
    plus_in_names = since(8)
    """Canonical names of repositories have `+`; before, `~`."""
    plus_in_names_flag = between((7, 3), (9,))
    """`--incompatible_use_plus_in_repo_names` says which."""
    versions_in_names = until(7, 1)
    """Canonical names of modules always hold their versions."""
    versions_begin_with_v = since(7, 2)
    """Where such a name holds one after `~`, there is a `v` between. Bazel's pull requests 22219
    and 23103."""
    errors_name_extensions_by_id = since(8)
    """Errors call an extension `@@repository//file.bzl%name`; before, by its name and its file.
    Bazel: `bazel_lockfile_test`."""
    errors_name_tags = since(9)
    """Errors of a tag's attributes call it `'name' tag`; before, by its place. Bazel:
    `AttributeUtils`."""
    mod_goes_on = since(8)
    """`mod` answers though extensions fail, and fails at the end. Bazel's pull request 23828."""
    mod_searches_paths = between((7, 7), (8,)) | since(8, 5)
    """`mod` searches a way to each module that uses an extension of `--extension_filter`; before,
    it left of the whole graph what leads to them."""
    repository_rules_have_common_attributes = until(9)
    """Rules of repositories have `visibility`, `tags` and the like, as others do."""
    repository_rules_have_extensions = since(8)
    """Each rule of `use_repo_rule` has an extension of its own; before, a module has one for all.
    Bazel's pull request 24104."""
    rules_in_names = since(9)
    """What `use_repo_rule` makes has the name of its rule; before, `_repo_rules`. Bazel's pull
    request 25228; lock files of 8.5 have `_repo_rules`."""
    mod_shows_repository_rules = since(9)
    """`mod show_extension` writes calls of `use_repo_rule` as MODULE.bazel does, and arguments in
    alphabetical order; before, as tags, in the order written. Bazel's pull request 27244."""
    mod_shows_loads = since(9)
    """`mod show_repo` writes a repository as a `.bzl` file could; before, as `query` does."""
    digits_begin_repository_names = since(8, 3)
    """A repository may be called `0x`. Bazel's pull request 25974."""
    workspace_files_have_values = since(5)
    """WORKSPACE has `Label`, `struct` and `existing_rules`. Measured: not up to 4.2.3; that 5.0 or
    any after it has them is not."""
    repository_rules_read = since(0, 25)
    """`repository_ctx.read()`. Measured: not in 0.24.1, in 0.26.1; that 0.25 is the first one is
    not."""
    repository_rules_patch = since(0, 29)
    """`repository_ctx` has `patch()` and `delete()`. Bazel's pull request 8788. Measured: not in
    0.26.1, in 2.1.0; that `delete()` is as old is not."""
    children_are_single_names = until(7)
    """`path.get_child()` takes one name: Bazel falls over `a/b` and `..`. Measured: up to 4.2.3;
    TensorFlow 2.19 says so of 6.5. That 7.0 takes more is not known."""
    repository_rules_know_architecture = since(5, 1)
    """`repository_ctx.os.arch`. Bazel's pull request 14835."""
    repository_rules_know_workspace_root = since(6)
    """`repository_ctx.workspace_root`. Bazel's issue 16042: not in 5.3."""
    repository_rules_watch = since(7, 1)
    """`repository_ctx` has `getenv()`, `watch()` and `watch_tree()`, and paths have `is_dir`
    (documented since 7.1.0; of `is_dir` that it is the first is not known)."""
    repository_rules_rename = since(8)
    """`repository_ctx.rename()`. Bazel's pull request 24247."""
    repository_metadata = since(8, 3)
    """`repository_ctx.repo_metadata()` (documented since 8.3.0)."""
    repositories_have_original_names = between((7, 7), (8,)) | since(8, 1)
    """A repository rule is told what its extension calls the repository. Bazel's pull request
    25191; documented in 7.7.0."""
    compatibility_levels = until(8, 6) | between((9,), (9, 1))
    """`compatibility_level` and `max_compatibility_level` count (documented: they do nothing as of
    8.6 and 9.1)."""
    unnamed_requests_are_met = since(8, 5)
    """A dependency with `repo_name = None` is met by the version that it asks for, or the choice is
    refused: one with `max_compatibility_level` has to follow it. Bazel's pull request 27478; lock
    files of 9.0.0 agree."""
    names_module_asked_twice = since(9)
    """Where a module depends on another twice, the message names that other; before, itself.
    Bazel's pull request 26573."""
    tools_raise_versions_alone = since(8, 4)
    """`bazel_tools` asks for some modules with `repo_name = None`: they raise a version."""
    tools_use_apple_support = since(9)
    """`apple_support` is none of these."""
    tools_configure_compilers = until(8)
    """The extensions that look for compilers and shells are those of `bazel_tools`."""
    platform_module_needs_platforms = until(8)
    """The module `local_config_platform` asks for `platforms`."""
    host_platform_is_alias = since(7, 2)
    """`@local_config_platform//:host` stands for `@platforms//host`: since then, `--host_platform`
    is `@bazel_tools//tools:host_platform` by default, which does so, too."""
    host_constraints_are_exported = since(6)
    """The list of constraints is a file that targets may name (Bazel's pull request 16665)."""
    remaps_main_repository = since(1)
    """`@NAME//x` is `//x` in the workspace of that name (`--incompatible_remap_main_repo`), and as
    a target to build."""
    query_takes_own_name = since(5)
    """`query` takes `@NAME//x` for `//x`, too. Measured: not in 2.1.0 and 4.2.3. Bazel:
    `TargetPattern.Parser` has a repository mapping since 5."""
    names_missing_directories = since(1)
    """Of a local repository without a directory Bazel says which directory that would be. Measured:
    2.1.0 and 4.2.3 say so; not 0.24.1."""
    reads_workspace_bazel = since(1)
    """`WORKSPACE.bazel` goes before `WORKSPACE`."""
    strict_repository_names = until(4)
    """A repository's name is letters, digits, `_`, and, but for the first, `-` and `.`."""
    android_binds = until(8)
    """Bazel binds what its rules of Android need in `//external`."""
    android_d8_bind = between((2, 1), (8,))
    """`//external:android/d8_jar_import` is among them."""
    android_binds_empty = between((5,), (8,))
    """`//external:android_sdk_for_testing`, and the NDK's like it, is bound to an empty target."""
    jdk_binds = until(4)
    """Bazel binds the targets of the local JDK in `//external`."""
    jdk_repositories_measured = until(2, 2) | between((4, 2, 3), (4, 2, 4))
    """Which JDKs Bazel downloads was measured in this release, or all between two that were."""
    jdk_toolchain_repositories = since(5)
    """The toolchain of each JDK that Bazel downloads is in a repository of its own."""
    builtin_repositories_measured = until(4, 2, 4)
    """What Bazel itself defines around WORKSPACE was measured in this release or a later one."""
    platforms_repository = since(0, 28)
    """The generated host platform has the constraint values of `@platforms`."""
    cc_toolchain_lists_directories = since(1)
    """The compiler's directories are an input of every tool of `@local_config_cc`."""

    # ---- Files and packages

    implicit_files_are_private = Fact()
    """A source file that is not exported is private (`--incompatible_no_implicit_file_export`);
    otherwise its visibility is its package's."""
    third_party_needs_licenses = until(0, 26)
    """A rule below `third_party` has to have a license, unless an option says otherwise
    (`--incompatible_disable_third_party_license_checking`). Measured: in 0.24.1, not in 0.26.1."""
    options_check_licenses = until(0, 26)
    """Such an option counts for something. Measured: in 0.26.1 and 4.2.3 it does not."""
    refuses_late_loads = since(0, 26)
    """In `.bzl` files, `load()` stands before any other statement. Measured: not in 0.24.1."""
    knows_flag_of_late_loads = until(4)
    """`--incompatible_bzl_disallow_load_after_statement` says whether it has to."""

    transitive_loads = until(0, 26)
    """A `.bzl` file exports what it loads, too (`--incompatible_no_transitive_loads`).
    Measured: 0.24.1 does, 0.26.1 does not."""
    build_files_bind_late = until(5)
    """In a BUILD file, a predeclared name that the file itself loads or assigns further down is
    the predeclared one before that. Measured: so in 0.24.1 to 4.2.3. Sources of later releases
    know of no other place to look than the file's own names."""
    workspace_binds_late = until(4)
    """In one chunk of WORKSPACE it is. Measured: so in 0.26.1 and 2.1.0, not in 4.2.3."""
    says_cannot_load = since(4)
    """A file that is not there cannot be loaded. Measured: in 4.2.3; 2.1.0 and older are unable to
    load it, and say so in other words."""
    prelude_is_module = since(4)
    """`//tools/build_rules:prelude_bazel` is loaded as a `.bzl` file, not written in front of each
    BUILD file. Measured: in 4.2.3, not in 2.1.0. The first release is not known."""
    loads_by_plain_names = since(1)
    """`load("x.bzl")` is `load(":x.bzl")`. Measured: an error in 0.26.1, not in 2.1.0."""
    refuses_loads_across_packages = since(1)
    """A label of a `load()` must not cross the border of a package."""
    repositories_leave_out = since(1)
    """`.bazelignore` of another repository is read, and `--deleted_packages` names packages of it.
    Measured: in 2.1.0 and 4.2.3, not in 0.26.1."""
    refuses_absolute_ignores = since(8)
    """An absolute path in `.bazelignore` is an error. Bazel's issue 24611: 8.0 crashes of it. Up to
    4.2.3 it names nothing (measured)."""
    repo_file = since(7)
    """REPO.bazel is read."""
    repo_file_ignores = since(8)
    """REPO.bazel has `ignore_directories()`."""
    globs_may_be_empty = since(0, 25)
    """`glob()` has `allow_empty`. Measured: not in 0.24.1; 0.26.1 has it."""
    excludes_by_ends = since(0, 25)
    """Of `**/*` in the `exclude` of a glob only what is before and behind it counts. Measured: in
    0.26.1, 2.1.0 and 4.2.3, not in 0.24.1."""
    globs_by_position = since(1)
    """`glob()` takes more than `include` without a name, and does without that. Measured: not in
    0.26.1."""
    refuses_empty_globs = since(8)
    """`glob()` must match something unless `allow_empty` says otherwise."""
    says_undefined = since(5)
    """Of a repository that cannot be resolved Bazel says that it is not defined."""
    names_places_of_build_file = since(1)
    """Where no BUILD file is found, Bazel says where it looked."""
    plain_addresses_need_checksums = since(2)
    """What is downloaded by `http` alone has to have a checksum. Measured: in 2.1.0 and 4.2.3, not
    in 0.24.1."""
    paths_of_labels_are_files = until(7, 1)
    """`repository_ctx.path(Label(...))` and its like refuse what is no file. Measured: so up to
    4.2.3; Bazel's `StarlarkBaseExternalContext` of 7.1 watches the path instead."""
    execute_finds_labels = since(4)
    """A label among the arguments of `repository_ctx.execute` is the path of a file. Measured: in
    4.2.3; in 2.1.0 it is its text."""
    at_labels = since(6)
    """`str(Label(...))` begins with `@`."""
    canonical_strings = since(7)
    """It begins with `@@`, where MODULE.bazel is read. Bazel: `Label.str`, which asks
    `--enable_bzlmod` as long as there is a choice."""
    at_at_labels = since(7)
    """Errors write canonical names with `@@`."""

    # ---- Predeclared names

    native_subpackages = since(5)
    """`native.subpackages`."""
    native_module_name = since(6, 2)
    """`native.module_name` and `native.module_version`."""
    native_package_relative_label = since(6, 2)
    """`native.package_relative_label`."""
    native_package_default_visibility = since(7)
    """`native.package_default_visibility`."""
    native_repo_name = between((6, 5), (7,)) | since(7, 1)
    """`native.repo_name`."""
    existing_rules_in_build_files = since(0, 26)
    """BUILD files see `existing_rules`. Measured: not in 0.24.1."""
    existing_selects_are_values = since(5)
    """A select() that `existing_rule` tells may be given to a rule, and added to. Measured: not in
    2.1.0 and 4.2.3; that 5.0 is the first is not."""
    native_in_build_files = until(0, 27)
    """BUILD files see `native`, too."""
    transitive_visibility = since(9, 2)
    """`package(transitive_visibility)`."""
    starlark_set = since(8)
    """`set()`: 8.0 has it with `--experimental_enable_starlark_set`, 8.1 as it is."""
    exec_group = since(4, 1)
    """`exec_group()`."""
    rules_take_exec_groups = since(5)
    """`rule(exec_groups)`, `config.exec()`; before, `--experimental_exec_groups` has to be on.
    Measured: 4.2.3."""
    cfg_is_transition = until(5)
    """`rule(cfg)` is what `transition()` returns, and no word. Measured up to 4.2.3."""
    transitions_choose_resolution = since(5)
    """A transition may name incompatible options that turn toolchain resolution on for a language,
    but still no other experimental or incompatible one. Bazel: `ConfigGlobalLibrary`. Measured:
    none in 4.2.3; that 5.0 is the first is not."""
    analysis_tests_change_every_option = since(8, 2)
    """`analysis_test_transition()` may name experimental and incompatible options. Bazel's pull
    request 25536. Measured: not in 0.26.1, 2.1.0 and 4.2.3."""
    aspects_meet_generators = since(3)
    """`aspect(apply_to_generating_rules)`; before, `--experimental_aspect_output_propagation` has
    to be on. Measured: so in 4.2.3, not in 2.1.0."""
    aspects_take_texts_alone = until(5)
    """Public attributes of aspects are strings with `values`. Measured up to 4.2.3."""
    aspects_compute_defaults = until(3)
    """A function may compute the default of an aspect's attribute. Measured: 2.1.0, not 4.2.3;
    which release is the first that refuses it is not known."""
    labels_may_be_relative = since(5)
    """`Label(":x")`. Measured: not in 4.2.3; that 5.0 is the first is not."""
    module_extension = since(5)
    """`module_extension()` and `tag_class()`."""
    testing_analysis_test = since(6)
    """`testing.analysis_test()` makes a rule class and a target of it."""
    subrule = since(7)
    """`subrule()`."""
    rules_are_extended = since(8)
    """`rule(initializer, parent, subrules)` and `subrule()` are for every file
    (`--experimental_rule_extension_api`)."""
    dormant_labels = Fact()
    """`attr.dormant_label`, and materializers, which `--experimental_dormant_deps` turns on."""
    materializer_rules = since(9)
    """`materializer_rule()`, which the same option turns on. From tests of Bazel."""
    has_load_visibility = since(5)
    """`.bzl` files see `visibility()`. Measured: not in 4.2.3; that 5.0 is the first is not."""
    bzl_visibility = since(6)
    """`visibility()` of a `.bzl` file says who may load it (`--check_bzl_visibility`)."""
    rules_made_by_bzl_files = since(7)
    """A BUILD file that runs cannot call `rule()`, not in a macro either. Bazel:
    `BzlInitThreadContext`, which 7.0 is the first to have."""
    existing_rules_frozen = since(5)
    """What `existing_rule()` and `existing_rules()` return cannot be changed
    (`--incompatible_existing_rules_immutable_view`)."""
    symbolic_macros = since(8)
    """`macro()`."""
    symbolic_macros_tell_callers = since(8, 2)
    """The stack of a target that a symbolic macro declares goes on to the BUILD file, and has a
    frame for the macro. Before, it begins with the implementation. Bazel's pull requests 25772 and
    25802, issue 25705."""
    finalizers_see_for_packages = since(8, 2)
    """What a finalizer declares sees what its BUILD file sees, too. Bazel's pull request 25691."""
    natives_behind_macros = since(7)
    """Macros of Bazel's set `linkstatic` of a `cc_test` and the `launcher` of Java programs."""
    natives_removed = since(9)
    """Rules and providers of C++, Java, Python, ... are no natives any more."""
    proto_toolchain_flag = since(7)
    """`.bzl` files see `--incompatible_enable_proto_toolchain_resolution`. Bazel: `ProtoCommon`."""
    proto_toolchains = since(9)
    """That flag is on."""
    platform_providers = since(0, 27)
    """`platform_common` has the providers of platforms without `--experimental_platforms_api`.
    Measured: not in 0.24.1 and 0.26.1, but in 2.1.0."""
    google_legacy_api = until(0)
    """Members that Google alone has, which `--experimental_google_legacy_api` turns on."""
    guards_android_providers = between((4,), (8,))
    """That flag makes providers of the Android rules known as well. Measured: not in 2.1.0; the
    releases by Bazel's sources, and by trees that are built so with 7.4.1."""
    native_archive_rules = until(0, 20)
    """`http_archive`, `git_repository` and their like are native."""
    refuses_native_repository_rules = Fact()
    """`local_repository` and `new_local_repository` have to be loaded
    (`--incompatible_disable_native_repo_rules`)."""
    native_maven_rules = until(2)
    """`maven_jar` and `maven_server` are native."""
    native_android_repositories = until(9)
    """`android_sdk_repository` and `android_ndk_repository` are native."""

    # ---- Rules and their attributes

    toolchain_labels_are_whole = until(5)
    """Toolchain types and constraints that rules, aspects and groups ask for begin with `//` or
    `@`. Measured: 0.24.1, 2.1.0, 4.2.3; Bazel's sources take others, as of which release is not
    known."""

    refuses_unknown_none = since(7)
    """An attribute that a rule lacks is refused even where it is None
    (`--incompatible_fail_on_unknown_attributes`). Measured: not in 4.2.3."""
    refuses_rule_outputs = Fact()
    """`rule(outputs)` is refused (`--incompatible_no_rule_outputs_param`)."""
    refuses_depset_items = Fact()
    """`depset(items)` is refused (`--incompatible_disable_depset_items`)."""
    refuses_host_transition = Fact()
    """`cfg = "host"` is refused (`--incompatible_disable_starlark_host_transitions`)."""
    takes_data_transition = Fact()
    """`cfg = "data"` is taken, and means nothing (`--incompatible_disallow_data_transition`).
    Measured: not by default in 0.24.1, 0.26.1 and 2.1.0."""
    knows_data_transition = until(1)
    """`--incompatible_disallow_data_transition` says so. Measured: not in 2.1.0."""
    deprecated_attribute_parameters = until(1)
    """`attr` functions take `single_file` and `non_empty`
    (`--incompatible_disable_deprecated_attr_params`). Measured: in 0.24.1, not in 2.1.0."""
    refuses_output_defaults = since(0, 26)
    """`attr.output` and `attr.output_list` have no `default`
    (`--incompatible_no_output_attr_default`). Measured: 0.24.1 takes functions."""

    attribute_parameters_listed = until(4, 2, 4)
    """Which parameters `attr` functions and which attributes all rules have is known in full."""
    old_attribute_parameters = until(4)
    """`attr` functions take `non_empty`, `single_file`, and others that they lost."""
    no_positional_defaults = between((4, 2, 3), (4, 2, 4))
    """`attr` functions take no default by position. Measured in 4.2.3 alone."""
    licenses_have_no_name = since(1)
    """`licenses()` and `distribs()` take their argument by position alone. Measured: in 2.1.0 and
    4.2.3, not in 0.24.1."""
    attribute_names_are_identifiers = since(1)
    """`rule()` refuses other names of attributes."""
    override_error_ends_in_dot = since(4)
    """The error about an attribute that every rule has, and one defines again, is a sentence."""
    build_settings = since(0, 27)
    """`rule(build_setting)` needs no `--experimental_build_setting_api`. Measured: it does in
    0.26.1, not in 2.1.0; that 0.27 is the first is not."""
    transitions_of_attributes = since(0, 27)
    """`attr` functions take Starlark transitions (`--experimental_starlark_config_transitions`)."""
    exec_of_attributes = since(0, 27)
    """`attr` functions take `cfg = "exec"`. Measured: not in 0.26.1, in 2.1.0; that 0.27 is the
    first is not."""
    has_run_environment_info = since(5, 3)
    """`RunEnvironmentInfo` is predeclared. Measured: not in 4.2.3."""
    has_instrumented_files_info = since(2, 2)
    """`InstrumentedFilesInfo` is predeclared. Measured: not in 2.1.0, in 4.2.3."""
    run_shell_takes_words = until(4)
    """`ctx.actions.run_shell` takes a list as its `command`
    (`--incompatible_run_shell_command_string`)."""
    transitions_need_allowlist = until(7)
    """A rule with a Starlark transition has an attribute for the allowlist of those. Measured up
    to 4.2.3; later, Bazel adds it (bazel#19233)."""
    transitions_of_rules_need_allowlist = since(0, 26)
    """So it is, too, where the transition is the rule's own. Measured: not in 0.24.1."""
    allowlist_attribute = since(3)
    """That attribute may be called `_allowlist_function_transition`; before, `_whitelist_...`
    alone. Measured: not in 2.1.0, both in 4.2.3; that 3.0 is the first is not."""
    has_both_allowlists = between((3,), (7,))
    """Either name will do; since 7 (bazel#19493), the old one is that of any attribute."""
    allowlist_of_bazel_tools = since(1)
    """Its default may be in any repository. Measured: in 0.26.1 in the main one alone."""
    string_allows_multiple = since(5)
    """`config.string(allow_multiple = ...)`."""
    build_settings_have_help = since(5)
    """Rules with `build_setting` have an attribute `help`. Measured: not in 4.2.3."""
    repeatable_lists = since(5, 3)
    """`config.string_list(repeatable = ...)`; what else newer releases know is not refused."""
    has_attr_license = until(0, 26)
    """`attr.license` (`--incompatible_no_attr_license`). Measured: in 0.24.1; not in 0.26.1, 2.1.0,
    4.2.3."""
    string_keyed_label_dicts = since(5)
    """`attr.string_keyed_label_dict`. Measured: not in 4.2.3; that 5.0 is the first is not."""
    labels_make_labels = since(5)
    """Labels have `repo_name` and `same_package_label`. Measured: not in 4.2.3; that 5.0 is the
    first is not."""
    label_list_dicts = since(9)
    """`attr.label_list_dict`."""
    defaults_must_be_allowed = until(4)
    """The default of an attribute, too, is checked against its allowed values."""
    simplifies_unconditional_selects = since(8)
    """A select with nothing but a default is its value."""
    duplicates_by_choice = since(7)
    """A label may stand in several selects of one attribute; it is refused where two that are
    chosen have it. Measured: not in 4.2.3. Bazel's issue 13785 has it refused still when 6.2 was
    the newest release; the first source that lets it pass has 6.2's rule of equal branches already.
    Bazel: `AggregatingAttributeMapper.checkForDuplicateLabels`, `ConfiguredAttributeMapper`."""
    patterns_register_platforms = since(1)
    """Patterns of many targets register execution platforms, which are `manual`. Measured: in 2.1.0
    and 4.2.3, not in 0.24.1."""
    dict_selects_join = since(6)
    """A dictionary and a `select()` of dictionaries, or two of these, may be joined. Measured: not
    in 4.2.3; Bazel's pull request 15075."""
    visibility_words_combine = since(6)
    """Public and private visibility may stand among others."""
    metadata_is_of_package = since(8)
    """What `package(default_package_metadata)` gives rules is `package_metadata`; before,
    `applicable_licenses`."""
    package_takes_licenses = since(3)
    """`package(default_applicable_licenses)`. Measured: in 4.2.3, not in 2.1.0."""
    package_takes_copts = since(5)
    """`default_copts`, `default_hdrs_check` and `default_package_metadata`, and None for what is
    not given. Measured: not in 4.2.3."""
    package_group_words = since(6)
    """`public` and `private` in `package_group(packages)`."""
    config_settings_default_to_public = since(4, 1)
    """A config_setting that says nothing is public. Bazel: `ConfigSettingVisibilityPolicy`."""
    experimental_test_runner = until(1)
    """A java_test needs `@bazel_tools//tools/jdk:ExperimentalTestRunner`, too."""
    failing_statement_ends_file = since(2)
    """What stands behind a failing statement of a BUILD file is not there. Measured: 2.1.0 stops,
    0.24.1 and 0.26.1 go on."""
