"""Model of what rules_testing (0.1 to 0.9) makes its tests with: what declares targets."""

load("//lib:util.bzl", _testing_aspect = "testing_aspect")

def _runs(ctx):
    return None

def analysis_test(
        name,
        impl,
        target = None,
        targets = None,
        expect_failure = False,
        attrs = {},
        attr_values = {},
        fragments = [],
        config_settings = {},
        testing_aspect = _testing_aspect,
        extra_target_under_test_aspects = [],
        collect_actions_recursively = False,
        provider_subject_factories = []):
    if bool(target) == bool(targets):
        fail("only one of target or targets can be provided")
    values = dict(attr_values)
    values["tags"] = list(values.get("tags") or []) + ["starlark_analysis_test"]
    values["target_compatible_with"] = select({
        Label("//lib/private:coverage_enabled"): [Label("@platforms//:incompatible")],
        "//conditions:default": [],
    }) + (values.get("target_compatible_with") or [])
    settings = dict(config_settings)
    if expect_failure:
        settings["//command_line_option:allow_analysis_failures"] = "True"
    aspects = [testing_aspect] + extra_target_under_test_aspects
    declared = dict(attrs)
    for attribute, value in (targets or {"target": target}).items():
        values[attribute] = value
        kind = attr.label
        if type(value) == "list":
            kind = attr.label_list
        elif type(value) == "dict":
            kind = attr.label_keyed_string_dict
        declared.setdefault(attribute, {"@attr": kind})
    for attribute, described in declared.items():
        if type(described) != "dict":
            continue
        words = dict(described)
        kind = words.pop("@attr", attr.label)
        own = words.pop("@config_settings", {})
        words.setdefault("mandatory", True)
        words["aspects"] = aspects + words.get("aspects", [])
        if settings or own:
            words["cfg"] = analysis_test_transition(settings = settings | own)
        declared[attribute] = kind(**words)
    testing.analysis_test(
        name,
        _runs,
        attrs = declared,
        fragments = fragments,
        attr_values = values,
    )
