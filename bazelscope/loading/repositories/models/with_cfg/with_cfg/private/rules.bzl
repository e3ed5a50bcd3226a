"""The rules of @with_cfg.bzl (0.8 to 1.0): one behind the transition for each builder, and those around it."""

load(":values.bzl", "attribute_of", "key_of", "type_of", "values_as_attributes")

def _implementation(_ctx):
    pass

def _transition_of(operations, original):
    """The transition to a builder's settings, and back to the recorded ones where it resets."""

    def implementation(settings, attr):
        recorded = settings[key_of(original)] if original else None
        if original and getattr(attr, "internal_only_reset", False):
            return json.decode(recorded) if recorded else {}
        new = {}
        for setting, operation in operations.items():
            key = key_of(setting)
            value = getattr(attr, attribute_of(setting))
            if operation == "extend":
                old = settings[key]
                value = old if old[len(old) - len(value):] == value else old + value
            new[key] = value
        if original:
            new[key_of(original)] = recorded or json.encode({
                key: _plain(value)
                for key, value in settings.items()
            })
        return new

    keys = [key_of(setting) for setting in operations] + ([key_of(original)] if original else [])
    return transition(implementation = implementation, inputs = keys, outputs = keys)

def _plain(value):
    return value if type(value) in ("bool", "float", "int", "list", "string") else str(value)

def _settings_attributes(values):
    return {
        attribute_of(setting): getattr(attr, type_of(value))()
        for setting, value in values.items()
    }

def extended_rule(rule_info, values, operations, original):
    return rule(
        implementation = lambda ctx: ctx.super(),
        parent = rule_info.kind,
        cfg = _transition_of(operations, original),
        initializer = lambda **kwargs: kwargs | values_as_attributes(values),
        attrs = _settings_attributes(values),
    )

def alias_rule(values, operations, original):
    attributes = _settings_attributes(values)
    if original:
        attributes["internal_only_reset"] = attr.bool(default = True)
        attributes["_original_settings"] = attr.label(default = original)
    attributes["exports"] = attr.label(
        allow_files = True,
        cfg = _transition_of(operations, original),
    )
    attributes["_allowlist_function_transition"] = attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    )
    return rule(implementation = _implementation, attrs = attributes)

original_settings = rule(
    implementation = _implementation,
    build_setting = config.string(flag = False),
)

unwrap_template_variable_info = rule(
    implementation = _implementation,
    attrs = {"exports": attr.label(mandatory = True)},
)

_FRONTEND = {
    "data": attr.label_list(allow_files = True),
    "env": attr.string_dict(),
    "env_inherit": attr.string_list(),
    "exports": attr.label(mandatory = True),
    "_incompatible_same_depth_path_layout": attr.label(
        default = "//:incompatible_same_depth_path_layout",
    ),
    "_windows": attr.label(default = "@platforms//os:windows"),
}
_TOOLS_OF_TESTS = {
    "_collect_cc_coverage": attr.label(
        default = "@bazel_tools//tools/test:collect_cc_coverage",
        executable = True,
        cfg = config.exec("test"),
    ),
    "_lcov_merger": attr.label(
        default = configuration_field(fragment = "coverage", name = "output_generator"),
        executable = True,
        cfg = config.exec("test"),
    ),
}

_frontend_executable = rule(_implementation, attrs = _FRONTEND, executable = True)
_frontend_test = rule(_implementation, attrs = _FRONTEND | _TOOLS_OF_TESTS, test = True)

def _frontend_default(*, name, exports, **kwargs):
    native.alias(name = name, actual = exports, **kwargs)

def frontend_of(rule_info):
    if rule_info.test:
        return _frontend_test
    return _frontend_executable if rule_info.executable else _frontend_default
