"""Model of @bazel_skylib//lib:unittest.bzl (1.0 to 1.9): what declares targets; assertions do nothing."""

load(":partial.bzl", "partial")

TOOLCHAIN_TYPE = "@bazel_skylib//toolchains/unittest:toolchain_type"

def _make(impl, attrs = {}, doc = "", toolchains = []):
    return rule(
        impl,
        attrs = dict(attrs, _impl_name = attr.string(default = "")),
        test = True,
        toolchains = toolchains + [TOOLCHAIN_TYPE],
    )

def _analysis_make(impl, expect_failure = False, attrs = {}, fragments = [], config_settings = {}, extra_target_under_test_aspects = [], doc = ""):
    settings = dict(config_settings)
    if expect_failure:
        settings["//command_line_option:allow_analysis_failures"] = "True"
    words = {"cfg": analysis_test_transition(settings = settings)} if settings else {}
    return rule(
        impl,
        analysis_test = True,
        attrs = dict(attrs, target_under_test = attr.label(mandatory = True, **words)),
        fragments = fragments,
        test = True,
        toolchains = [TOOLCHAIN_TYPE],
    )

def _suite(name, *test_rules):
    names = []
    for index, test_rule in enumerate(test_rules):
        test_name = "%s_test_%d" % (name, index)
        if partial.is_instance(test_rule):
            partial.call(test_rule, name = test_name)
        else:
            test_rule(name = test_name)
        names.append(test_name)
    native.test_suite(name = name, tests = [":" + test_name for test_name in names])

def _nothing(ctx):
    return []

_loading_test = rule(
    _nothing,
    attrs = {"failure_message": attr.string()},
    test = True,
    toolchains = [TOOLCHAIN_TYPE],
)

def _loading_make(name):
    native.test_suite(name = name + "_tests", tags = [name + "_test_case"])
    return struct(name = name)

def _loading_assert_equals(env, test_case, expected, actual):
    problem = None if expected == actual else 'Expected "%s", but got "%s"' % (expected, actual)
    _loading_test(
        name = "%s_%s" % (env.name, test_case),
        failure_message = problem,
        tags = [env.name + "_test_case"],
    )

def _assertion(env, *args, **kwargs):
    return None

unittest = struct(
    begin = _assertion,
    end = _assertion,
    fail = _assertion,
    make = _make,
    suite = _suite,
)
analysistest = struct(
    begin = _assertion,
    end = _assertion,
    fail = _assertion,
    make = _analysis_make,
    target_actions = _assertion,
    target_bin_dir_path = _assertion,
    target_under_test = _assertion,
)
asserts = struct(
    equals = _assertion,
    expect_failure = _assertion,
    false = _assertion,
    new_set_equals = _assertion,
    set_equals = _assertion,
    true = _assertion,
)
loadingtest = struct(
    equals = _loading_assert_equals,
    make = _loading_make,
)
