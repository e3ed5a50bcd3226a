"""Model of the test rules behind rules_apple's macros (0.30 to 3)."""

load("//apple/internal:rules.bzl", "TEST", "nothing")

ios_unit_test = rule(nothing, attrs = TEST, test = True)

ios_ui_test = rule(nothing, attrs = TEST, test = True)

macos_unit_test = rule(nothing, attrs = TEST, test = True)

macos_ui_test = rule(nothing, attrs = TEST, test = True)

tvos_unit_test = rule(nothing, attrs = TEST, test = True)

tvos_ui_test = rule(nothing, attrs = TEST, test = True)

watchos_unit_test = rule(nothing, attrs = TEST, test = True)

watchos_ui_test = rule(nothing, attrs = TEST, test = True)
