"""Model of @rules_fuzzing//fuzzing:cc_defs.bzl (0.5), without the transition of what it builds."""

load("@rules_cc//cc:cc_binary.bzl", "cc_binary")

def _nothing(ctx):
    return []

_BINARY = {
    "binary": attr.label(executable = True, mandatory = True, cfg = "target"),
    "corpus": attr.label(),
    "dictionary": attr.label(),
    "engine": attr.label(mandatory = True),
}

fuzzing_binary = rule(_nothing, attrs = _BINARY, executable = True)
fuzzing_binary_uninstrumented = rule(_nothing, attrs = _BINARY, executable = True)
fuzzing_corpus = rule(_nothing, attrs = {"srcs": attr.label_list(allow_files = True)})

fuzzing_dictionary = rule(
    _nothing,
    attrs = {
        "dicts": attr.label_list(allow_files = True, mandatory = True),
        "output": attr.string(mandatory = True),
    },
)

fuzzing_launcher = rule(
    _nothing,
    attrs = {"binary": attr.label(executable = True, mandatory = True, cfg = "target")},
    executable = True,
)

fuzzing_regression_test = rule(
    _nothing,
    attrs = {"binary": attr.label(executable = True, mandatory = True, cfg = "target")},
    test = True,
)

oss_fuzz_package = rule(
    _nothing,
    attrs = {
        "base_name": attr.string(mandatory = True),
        "binary": attr.label(executable = True, mandatory = True, cfg = "target"),
    },
)

def fuzzing_decoration(
        name,
        raw_binary,
        engine,
        corpus = None,
        dicts = None,
        instrument_binary = True,
        define_regression_test = True,
        test_size = None,
        test_tags = None,
        test_timeout = None):
    binary = fuzzing_binary if instrument_binary else fuzzing_binary_uninstrumented
    binary(
        name = name + "_bin",
        binary = raw_binary,
        engine = engine,
        corpus = name + "_corpus",
        dictionary = name + "_dict" if dicts else None,
        testonly = True,
        tags = ["manual"],
    )
    fuzzing_corpus(name = name + "_corpus", srcs = corpus, testonly = True)
    if dicts:
        fuzzing_dictionary(
            name = name + "_dict",
            dicts = dicts,
            output = name + ".dict",
            testonly = True,
        )
    fuzzing_launcher(
        name = name + "_run",
        binary = name + "_bin",
        testonly = True,
        tags = ["manual"],
    )
    if define_regression_test:
        fuzzing_regression_test(
            name = name,
            binary = name + "_bin",
            size = test_size,
            tags = test_tags,
            timeout = test_timeout,
        )
    oss_fuzz_package(
        name = name + "_oss_fuzz",
        base_name = name,
        binary = name + "_bin",
        testonly = True,
        tags = ["manual"],
    )

def cc_fuzz_test(
        name,
        corpus = None,
        dicts = None,
        engine = Label("//fuzzing:cc_engine"),
        size = None,
        tags = None,
        timeout = None,
        deps = [],
        **attrs):
    cc_binary(name = name + "_raw_", deps = deps + [engine], tags = ["manual"], **attrs)
    fuzzing_decoration(
        name = name,
        raw_binary = name + "_raw_",
        engine = engine,
        corpus = corpus,
        dicts = dicts,
        test_size = size,
        test_tags = (tags or []) + ["fuzz-test"],
        test_timeout = timeout,
    )
