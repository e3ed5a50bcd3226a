"""Model of @with_cfg.bzl//with_cfg:defs.bzl (0.8 to 1.0)."""

load("@bazel_features//:features.bzl", "bazel_features")
load(
    "//with_cfg/private:rules.bzl",
    "alias_rule",
    "extended_rule",
    _original_settings = "original_settings",
)
load("//with_cfg/private:values.bzl", "attribute_of")
load("//with_cfg/private:wrapper.bzl", "wrapper_of")

_CC_OUTPUTS = ["{name}.dwp", "{name}.stripped"]
_IMPLICIT_TARGETS = {
    "cc_binary": _CC_OUTPUTS,
    "cc_test": _CC_OUTPUTS,
    "java_binary": ["{name}.jar", "{name}-src.jar", "{name}_deploy.jar", "{name}_deploy-src.jar"],
    "java_library": ["lib{name}.jar", "lib{name}-src.jar"],
    "java_test": ["{name}.jar"],
}
_NOT_EXTENDABLE = [] if bazel_features.cc.rules_support_extension else ["cc_binary", "cc_test"]

def original_settings(*, name):
    _original_settings(
        name = name,
        build_setting_default = "",
        visibility = ["//visibility:private"],
    )

def with_cfg(kind, *, executable = None, implicit_targets = None, extra_providers = []):
    shown = str(kind).removeprefix("<").removesuffix(">")
    native = shown.startswith("built-in ")
    sort, _, name = shown.removeprefix("built-in ").partition(" ")
    name = name.partition(" from ")[0]
    if implicit_targets == None:
        implicit_targets = _IMPLICIT_TARGETS.get(name, [])
    return _builder(struct(
        kind = kind,
        executable = name.endswith("_binary") if executable == None else executable,
        test = name.endswith("_test") or name == "go_test_macro",
        implicit_targets = implicit_targets,
        native = native,
        supports_inheritance = sort != "function",
        supports_extension = sort == "rule" and not native and name not in _NOT_EXTENDABLE,
    ), {}, {})

def _builder(rule_info, values, operations):
    values = dict(values)
    operations = dict(operations)
    inherited = {setting: None for setting in values}
    state = {"built": False, "original": None, "reset": ()}
    builders = []

    def change(operation, setting, value):
        _check_not_built(state, operation)
        attribute_of(setting)
        if setting in values and setting not in inherited:
            fail("Cannot %s setting '%s' because it has already been added to this builder" % (operation, setting) +
                 " (consider using clone())")
        inherited.pop(setting, None)
        values[setting] = value
        operations[setting] = operation
        return builders[0]

    def resettable(label):
        _check_not_built(state, "resettable")
        if state["original"]:
            fail("resettable() can only be called once")
        state["original"] = label
        return builders[0]

    def reset_on_attrs(*attrs):
        _check_not_built(state, "reset_on_attrs")
        if not attrs:
            fail("reset_on_attrs() must be called with at least one attribute name")
        if state["reset"]:
            fail("reset_on_attrs() can only be called once")
        state["reset"] = attrs
        return builders[0]

    def build():
        if state["built"]:
            fail("build() can only be called once")
        state["built"] = True
        if state["reset"] and not state["original"]:
            fail("reset_on_attrs() can only be used together with resettable()")
        return _built(rule_info, values, operations, state["original"], state["reset"])

    builders.append(struct(
        build = build,
        clone = lambda: _builder(rule_info, values, operations),
        extend = lambda setting, value: change("extend", setting, value),
        reset_on_attrs = reset_on_attrs,
        resettable = resettable,
        set = lambda setting, value: change("set", setting, value),
    ))
    return builders[0]

def _check_not_built(state, method):
    if state["built"]:
        fail("%s() can only be called before build()" % method)

def _built(rule_info, values, operations, original, reset):
    extends = bazel_features.rules.rule_extension_apis_available and rule_info.supports_extension
    if extends and not reset:
        rule = extended_rule(rule_info, values, operations, original)
        return rule, alias_rule(values, operations, original) if original else None
    alias = alias_rule(values, operations, original)
    wrapper = wrapper_of(rule_info, alias, values, original, reset)
    if bazel_features.globals.macro and rule_info.supports_inheritance:
        wrapper = bazel_features.globals.macro(
            implementation = wrapper,
            inherit_attrs = rule_info.kind,
        )
    return wrapper, alias
