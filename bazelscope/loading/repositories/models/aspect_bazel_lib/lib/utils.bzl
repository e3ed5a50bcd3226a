"""Model of //lib:utils.bzl of aspect_bazel_lib (1.30 to 2.22) and bazel_lib 3."""

_TAGS = [
    "block-network",
    "exclusive",
    "external",
    "local",
    "manual",
    "no-cache",
    "no-remote",
    "no-remote-cache",
    "no-remote-exec",
    "no-sandbox",
    "requires-fakeroot",
    "requires-network",
]
_OF_RULES = [
    "compatible_with",
    "deprecation",
    "distribs",
    "exec_compatible_with",
    "exec_properties",
    "features",
    "restricted_to",
    "tags",
    "target_compatible_with",
    "testonly",
    "toolchains",
    "visibility",
]
_OF_TESTS = ["args", "env", "env_inherit", "flaky", "local", "shard_count", "size", "timeout"]
_OF_PROGRAMS = ["args", "env", "output_licenses"]

def propagate_well_known_tags(tags = []):
    return [tag for tag in tags if tag in _TAGS or tag.startswith("cpu:")]

def _only(attrs, names):
    return {name: attrs[name] for name in attrs if name in names}

def propagate_common_rule_attributes(attrs):
    return _only(attrs, _OF_RULES)

def propagate_common_test_rule_attributes(attrs):
    return _only(attrs, _OF_RULES + _OF_TESTS)

def propagate_common_binary_rule_attributes(attrs):
    return _only(attrs, _OF_RULES + _OF_PROGRAMS)

def default_timeout(size, timeout):
    return "short" if size == None and timeout == None else timeout

consistent_label_str = not_modelled
file_exists = not_modelled
glob_directories = not_modelled
is_bazel_6_or_greater = not_modelled
is_bazel_7_or_greater = not_modelled
is_bzlmod_enabled = not_modelled
is_external_label = not_modelled
maybe_http_archive = not_modelled
path_to_workspace_root = not_modelled
to_label = not_modelled

utils = struct(
    consistent_label_str = consistent_label_str,
    default_timeout = default_timeout,
    file_exists = file_exists,
    glob_directories = glob_directories,
    is_bazel_6_or_greater = is_bazel_6_or_greater,
    is_bazel_7_or_greater = is_bazel_7_or_greater,
    is_bzlmod_enabled = is_bzlmod_enabled,
    is_external_label = is_external_label,
    maybe_http_archive = maybe_http_archive,
    path_to_workspace_root = path_to_workspace_root,
    propagate_common_binary_rule_attributes = propagate_common_binary_rule_attributes,
    propagate_common_rule_attributes = propagate_common_rule_attributes,
    propagate_common_test_rule_attributes = propagate_common_test_rule_attributes,
    propagate_well_known_tags = propagate_well_known_tags,
    to_label = to_label,
)
