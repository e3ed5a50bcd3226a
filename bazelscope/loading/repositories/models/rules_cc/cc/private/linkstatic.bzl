"""How tests are linked that do not say it: cc_test of Bazel 7 and 8, and of rules_cc with Bazel 9."""

def of_tests(attrs):
    if "linkstatic" not in attrs:
        attrs["linkstatic"] = select({
            Label("@platforms//os:windows"): True,
            "//conditions:default": False,
        })
    return attrs
