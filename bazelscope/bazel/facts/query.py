"""How `bazel query` and `bazel cquery` answer, where Bazel's releases differ."""

from __future__ import annotations

from bazelscope.bazel.facts.fact import between, since, until


class QueryFacts:
    """Facts of the query language and of its output formats."""

    query_executables = since(8, 5)
    """The function `executables`."""
    query_some_count = since(5)
    """`some(EXPR, COUNT)`."""
    brackets_in_words = since(6)
    """A word may hold brackets without quotes."""
    repository_as_pattern = since(6, 2)
    """`@repo` alone stands for `@repo//:repo`."""
    sorts_query_output = since(5)
    """The default of `--incompatible_lexicographical_output`."""
    cquery_searches_every_branch = until(5)
    """Functions of cquery on attributes look at all branches of selects. Measured: 4.2.3."""
    cquery_shows_aliases = since(3)
    """cquery prints an alias under its own label. Bazel: `AliasConfiguredTarget.getLabel`."""
    cquery_takes_every_target = since(3)
    """cquery asks for manual targets and test_suites, too (`--build_manual_tests`), and for those
    that `--build_tag_filters` and `--build_tests_only` leave out; before, a test_suite stands for
    its tests, and is an answer only where another target leads to it. Bazel:
    `CqueryCommand.editOptions`; measured: 4.2.3, not 2.1.0 and 0.24.1."""
    cquery_leaves_out_manual = until(2, 1)
    """For a pattern of many targets cquery analyses what is not manual, as a build does. Measured:
    so in 2.0.0, not in 2.1.0."""
    starlark_config_dependencies = since(0, 26)
    """Rules of Starlark have the attribute `$config_dependencies`."""
    config_settings_ignore_licenses = since(1)
    """`licenses` of a config_setting counts for nothing. Measured: 0.24.1 heeds it."""
    calls_lie_where_they_begin = until(3)
    """The place of a call has the column at which the call begins; later, that of its parenthesis.
    The place of a macro's call in `generator_location` has no column. Measured: so in 0.24.1 and
    2.1.0, not in 4.2.3."""
    attr_knows_package_visibility = since(3)
    """`attr()` searches the visibility that a package gives its rules; before, a rule without its
    own has an empty one. Measured: 4.2.3 does, 2.1.0 and 0.24.1 do not."""
    location_output_may_be_relative = since(3)
    """`--output=location` heeds `--relative_locations`, as messages and XML do. Measured: 4.2.3
    does, 2.1.0 and 0.24.1 do not."""
    config_settings_are_public = since(4)
    """`visible()` sees every config_setting. Measured: 4.2.3 does, 2.1.0 does not."""
    visible_goes_on = since(4)
    """`visible()` goes on past a package group that is not there, if told to. Measured: 4.2.3 does,
    2.1.0 and 0.24.1 do not."""
    cquery_finds_every_configuration = since(4)
    """A pattern stands for its targets under all configurations that were met; before, under that
    of the command line, or else the host's, or else any one. Measured: 0.24.1, 2.1.0, 4.2.3."""
    cquery_wants_every_pattern = since(4)
    """Even if told to go on, cquery answers nothing where a pattern stands for nothing. Measured:
    4.2.3, not 2.1.0."""
    rules_may_take_groups = since(5)
    """Attributes of Starlark rules may ask for `PackageSpecificationInfo`. Not in 4.2.3."""
    groups_cross_repositories = until(6)
    """`//...` of a package_group is every package of every repository
    (`--incompatible_fix_package_group_reporoot_syntax`, by its documentation the default of 6)."""
    suites_obey_tags = since(6)
    """A test_suite without tests has edges to those alone that its `tags` ask for."""

    walks_from_named_files = since(3)
    """What is below a file that `buildfiles` or `loadfiles` names can be asked for, though no
    target has its name. Measured: 4.2.3; not 2.1.0 and 0.24.1."""
    checks_first_signs = since(1)
    """A pattern that begins with `-` or `*` is an error of the query's syntax. Measured: 2.1.0; not
    0.24.1 and 0.26.1."""
    tildes_in_words = since(1)
    """A word may hold a `~` without quotes. Measured: 2.1.0; not 0.24.1 and 0.26.1."""

    rule_digests = between((4,), (5,))
    """How the hash of a rule class's environment is made is known."""
    rule_digests_of_texts = between((0, 24), (3,))
    """That hash is made of the hexadecimal texts of others. Measured: 0.24.1, 0.26.1 and 2.1.0."""
    rule_digests_are_short = until(1)
    """It is MD5. Measured: 0.24.1 and 0.26.1; SHA-256 in 2.1.0."""
    tool_options = between((4,), (5,))
    """Which options cquery's `build_options` has besides for a tool is known."""
    transitions_have_known_names = until(5)
    """How `--output=transitions` calls a transition is known. Later ones tell where one of Starlark
    is written, and of one that leads to no configuration."""
    transitions_go_into_messages = since(6, 2)
    """Messages of cquery have `configured_rule_input` if `--transitions` asks for it; before, the
    option chooses the format. Bazel: `ProtoOutputFormatterCallback`, by the source."""
    transitions_in_parentheses = until(3)
    """What `--output=transitions` says that a transition leads to stands in parentheses. Measured:
    so in 0.24.1, 0.26.1 and 2.1.0, not in 4.2.3."""
    transitions_trim_as_patch = until(0, 26)
    """The transition that trims feature flags goes by another name there, and tests have none.
    Measured: so in 0.24.1, not in 0.26.1."""
    full_transitions = between((4,), (5,))
    """Which options `--transitions=full` shows is known."""
    graph_lines_are_indented = since(1)
    """Nodes and edges of `--output=graph` stand two spaces to the right. Measured: so in 2.1.0, not
    in 0.24.1 and 0.26.1."""
    packages_of_groups_are_sorted = since(0, 25)
    """Where the packages of a group are shown, those below a package come first; before, as
    written. Measured: 0.26.1 and 2.1.0 sort, 0.24.1 does not."""
    cquery_files = since(5, 3)
    """cquery has `--output=files`."""
    source_files_among_outputs = until(5, 3) | since(7)
    """`cquery --output=files` lists source files, too: of Bazel's since 7, by its release notes."""
    cquery_ends_lines_with_null = since(9)
    """cquery heeds `--line_terminator_null`. Measured: not in 4.2.3; by the source, 6 does not."""
    cquery_may_end_lines_with_null = between((7,), (9,))
    """Whether it does is not known."""
    package_groups_show_slashes = since(6)
    """The default of `--incompatible_package_group_includes_double_slash`. By its documentation."""
    single_packages_come_first = since(7)
    """Where the packages of a group are shown, single ones come first, then those below a package,
    then those that are taken away, and `public` last. Bazel: `PackageGroupContents`, by the source
    of 7; before, single ones were last."""
    cquery_has_utilities = since(7)
    """Programs of cquery have `depset`, `json`, `proto` and `struct`. Measured: not in 4.2.3; by
    the source, in 7. Bazel: `StarlarkGlobals`."""
    cquery_may_have_utilities = between((5,), (7,))
    """Whether they do is not known."""
    cquery_sees_through_aliases = since(8)
    """`providers(target)` of an alias are those of its target. Bazel: `AliasConfiguredTarget`, by
    the source of 8; before, they are None. Measured: 4.2.3."""
    cquery_may_see_through_aliases = between((7,), (8,))
    """Whether they are is not known."""
    cquery_includes_aspects = since(6)
    """The default of `--include_aspects`, by the reference of options; of 5 it is not known."""
    has_default_info = since(8, 2)
    """`providers(target)` has `DefaultInfo` (bazel#25719)."""
    null_ends_rules = since(3)
    """With `--line_terminator_null`, the last line of a rule in `--output=build` ends as others do.
    Measured: so in 4.2.3, not in 2.1.0 and 0.24.1."""
    stacks_in_build_output = since(3)
    """`--output=build` tells where a rule was instantiated and its class defined."""
    distributions_as_text = since(3)
    """`--output=build` has a text for `distribs`; before, the name of a class of Java."""
    source_files_at_themselves = since(5)
    """The default of `--incompatible_display_source_file_location`."""
    unicode_protos = since(8)
    """Text in protos is Unicode; before, each byte was taken for a character."""
