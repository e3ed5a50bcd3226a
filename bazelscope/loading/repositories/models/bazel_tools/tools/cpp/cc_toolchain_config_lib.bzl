"""Model of @bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl (Bazel 0.24 to 9): constructors of plain records."""

EnvEntryInfo = provider(fields = ["expand_if_available", "key", "type_name", "value"])
VariableWithValueInfo = provider(fields = ["name", "type_name", "value"])
MakeVariableInfo = provider(fields = ["name", "type_name", "value"])
FeatureSetInfo = provider(fields = ["features", "type_name"])
WithFeatureSetInfo = provider(fields = ["features", "not_features", "type_name"])
EnvSetInfo = provider(fields = ["actions", "env_entries", "type_name", "with_features"])
FlagGroupInfo = provider(fields = [
    "expand_if_available",
    "expand_if_equal",
    "expand_if_false",
    "expand_if_not_available",
    "expand_if_true",
    "flag_groups",
    "flags",
    "iterate_over",
    "type_name",
])
FlagSetInfo = provider(fields = ["actions", "flag_groups", "type_name", "with_features"])
FeatureInfo = provider(fields = [
    "enabled",
    "env_sets",
    "flag_sets",
    "implies",
    "name",
    "provides",
    "requires",
    "type_name",
])
ToolPathInfo = provider(fields = ["name", "path", "type_name"])
ToolInfo = provider(fields = ["execution_requirements", "path", "tool", "type_name", "with_features"])
ActionConfigInfo = provider(fields = [
    "action_name",
    "enabled",
    "flag_sets",
    "implies",
    "tools",
    "type_name",
])
ArtifactNamePatternInfo = provider(fields = ["category_name", "extension", "prefix", "type_name"])

def env_entry(key, value, expand_if_available = None):
    return EnvEntryInfo(
        key = key,
        value = value,
        expand_if_available = expand_if_available,
        type_name = "env_entry",
    )

def variable_with_value(name, value):
    return VariableWithValueInfo(name = name, value = value, type_name = "variable_with_value")

def make_variable(name, value):
    return MakeVariableInfo(name = name, value = value, type_name = "make_variable")

def feature_set(features = []):
    return FeatureSetInfo(features = features, type_name = "feature_set")

def with_feature_set(features = [], not_features = []):
    return WithFeatureSetInfo(
        features = features,
        not_features = not_features,
        type_name = "with_feature_set",
    )

def env_set(actions, env_entries = [], with_features = []):
    return EnvSetInfo(
        actions = actions,
        env_entries = env_entries,
        with_features = with_features,
        type_name = "env_set",
    )

def flag_group(
        flags = [],
        flag_groups = [],
        iterate_over = None,
        expand_if_available = None,
        expand_if_not_available = None,
        expand_if_true = None,
        expand_if_false = None,
        expand_if_equal = None):
    if bool(flags) == bool(flag_groups):
        fail("flag_group must contain either a list of flags or a list of flag_groups")
    return FlagGroupInfo(
        flags = flags,
        flag_groups = flag_groups,
        iterate_over = iterate_over,
        expand_if_available = expand_if_available,
        expand_if_not_available = expand_if_not_available,
        expand_if_true = expand_if_true,
        expand_if_false = expand_if_false,
        expand_if_equal = expand_if_equal,
        type_name = "flag_group",
    )

def flag_set(actions = [], with_features = [], flag_groups = []):
    return FlagSetInfo(
        actions = actions,
        with_features = with_features,
        flag_groups = flag_groups,
        type_name = "flag_set",
    )

def feature(
        name,
        enabled = False,
        flag_sets = [],
        env_sets = [],
        requires = [],
        implies = [],
        provides = []):
    return FeatureInfo(
        name = name,
        enabled = enabled,
        flag_sets = flag_sets,
        env_sets = env_sets,
        requires = requires,
        implies = implies,
        provides = provides,
        type_name = "feature",
    )

def tool_path(name, path):
    return ToolPathInfo(name = name, path = path, type_name = "tool_path")

def tool(path = None, with_features = [], execution_requirements = [], tool = None):
    return ToolInfo(
        path = path,
        tool = tool,
        with_features = with_features,
        execution_requirements = execution_requirements,
        type_name = "tool",
    )

def action_config(action_name, enabled = False, tools = [], flag_sets = [], implies = []):
    return ActionConfigInfo(
        action_name = action_name,
        enabled = enabled,
        tools = tools,
        flag_sets = flag_sets,
        implies = implies,
        type_name = "action_config",
    )

def artifact_name_pattern(category_name, prefix, extension):
    return ArtifactNamePatternInfo(
        category_name = category_name,
        prefix = prefix,
        extension = extension,
        type_name = "artifact_name_pattern",
    )
