"""Model of @rules_testing//lib:unit_test.bzl (0.3 to 0.9)."""

load("//lib/private:analysis_test.bzl", "analysis_test")

def unit_test(name, impl, attrs = {}):
    analysis_test(
        name = name,
        impl = impl,
        target = Label("//lib:_stub_target_for_unit_tests"),
        attrs = attrs,
    )
