"""Model of rules_apple's //apple:tvos.bzl (0.30 to 3); rules that it lacks are unknown."""

load("//apple/internal:rules.bzl", "APPLICATION", "BUNDLE", "IPA", "TEST_BUNDLE", "ZIP", "declare_test", "nothing")
load("//apple/internal/testing:test_rules.bzl", _tvos_ui_test = "tvos_ui_test", _tvos_unit_test = "tvos_unit_test")

tvos_application = rule(nothing, attrs = APPLICATION, executable = True, outputs = IPA)

tvos_extension = rule(nothing, attrs = BUNDLE, outputs = ZIP)

tvos_internal_unit_test_bundle = rule(nothing, attrs = TEST_BUNDLE, outputs = ZIP)

tvos_internal_ui_test_bundle = rule(nothing, attrs = TEST_BUNDLE, outputs = ZIP)

_RUNNER = str(Label("//apple/testing/default_runner:tvos_default_runner"))

def tvos_unit_test(name, runner = None, **kwargs):
    declare_test(name, tvos_internal_unit_test_bundle, _tvos_unit_test, runner or _RUNNER, kwargs)

def tvos_ui_test(name, runner = None, **kwargs):
    declare_test(name, tvos_internal_ui_test_bundle, _tvos_ui_test, runner or _RUNNER, kwargs)
