"""Model of rules_apple's //apple:ios.bzl (0.30 to 3); rules that it lacks are unknown."""

load("//apple/internal:rules.bzl", "APPLICATION", "BUNDLE", "FRAMEWORK", "IPA", "TEST_BUNDLE", "ZIP", "declare_test", "nothing")
load("//apple/internal/testing:test_rules.bzl", _ios_ui_test = "ios_ui_test", _ios_unit_test = "ios_unit_test")
load("//apple/testing/default_runner:ios_test_runner.bzl", _ios_test_runner = "ios_test_runner")

ios_test_runner = _ios_test_runner

ios_application = rule(nothing, attrs = APPLICATION, executable = True, outputs = IPA)

ios_extension = rule(nothing, attrs = BUNDLE, outputs = ZIP)

ios_framework = rule(nothing, attrs = FRAMEWORK, outputs = ZIP)

ios_static_framework = rule(nothing, attrs = FRAMEWORK, outputs = ZIP)

ios_internal_unit_test_bundle = rule(nothing, attrs = TEST_BUNDLE, outputs = ZIP)

ios_internal_ui_test_bundle = rule(nothing, attrs = TEST_BUNDLE, outputs = ZIP)

_RUNNER = str(Label("//apple/testing/default_runner:ios_default_runner"))

def ios_unit_test(name, runner = None, **kwargs):
    declare_test(name, ios_internal_unit_test_bundle, _ios_unit_test, runner or _RUNNER, kwargs)

def ios_ui_test(name, runner = None, **kwargs):
    declare_test(name, ios_internal_ui_test_bundle, _ios_ui_test, runner or _RUNNER, kwargs)
