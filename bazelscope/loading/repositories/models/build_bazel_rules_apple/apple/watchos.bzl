"""Model of rules_apple's //apple:watchos.bzl (0.30 to 3); rules that it lacks are unknown."""

load("//apple/internal:rules.bzl", "TEST_BUNDLE", "WATCH", "ZIP", "declare_test", "nothing")
load("//apple/internal/testing:test_rules.bzl", _watchos_ui_test = "watchos_ui_test", _watchos_unit_test = "watchos_unit_test")

watchos_application = rule(nothing, attrs = WATCH, outputs = ZIP)

watchos_extension = rule(nothing, attrs = WATCH, outputs = ZIP)

watchos_internal_unit_test_bundle = rule(nothing, attrs = TEST_BUNDLE, outputs = ZIP)

watchos_internal_ui_test_bundle = rule(nothing, attrs = TEST_BUNDLE, outputs = ZIP)

_RUNNER = str(Label("//apple/testing/default_runner:watchos_default_runner"))

def watchos_unit_test(name, runner = None, **kwargs):
    declare_test(name, watchos_internal_unit_test_bundle, _watchos_unit_test, runner or _RUNNER, kwargs)

def watchos_ui_test(name, runner = None, **kwargs):
    declare_test(name, watchos_internal_ui_test_bundle, _watchos_ui_test, runner or _RUNNER, kwargs)
