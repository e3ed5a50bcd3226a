"""Model of rules_apple's //apple:macos.bzl (0.30 to 3); rules that it lacks are unknown."""

load("//apple/internal:rules.bzl", "APPLICATION", "BINARY", "TEST_BUNDLE", "ZIP", "declare_test", "joined", "nothing")
load("//apple/internal/testing:test_rules.bzl", _macos_ui_test = "macos_ui_test", _macos_unit_test = "macos_unit_test")

# The rules behind the macros are named as the macros are.
_LAUNCHED = joined(BINARY, {"launchdplists": attr.label_list(allow_files = [".plist"])})

macos_application = rule(nothing, attrs = APPLICATION, executable = True, outputs = ZIP)

macos_command_line_application = rule(nothing, attrs = _LAUNCHED, executable = True)

macos_dylib = rule(nothing, attrs = BINARY)

macos_internal_unit_test_bundle = rule(nothing, attrs = TEST_BUNDLE, outputs = ZIP)

macos_internal_ui_test_bundle = rule(nothing, attrs = TEST_BUNDLE, outputs = ZIP)

_RUNNER = str(Label("//apple/testing/default_runner:macos_default_runner"))

def macos_unit_test(name, runner = None, **kwargs):
    declare_test(name, macos_internal_unit_test_bundle, _macos_unit_test, runner or _RUNNER, kwargs)

def macos_ui_test(name, runner = None, **kwargs):
    declare_test(name, macos_internal_ui_test_bundle, _macos_ui_test, runner or _RUNNER, kwargs)
