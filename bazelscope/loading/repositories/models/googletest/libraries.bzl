"""What the root of @googletest declares in releases 1.10 to 1.18, without samples."""

load("//:bazelscope.bzl", "RELEASE")

_FILES = {
    "googlemock/include/gmock/*.h": [
        "gmock-actions",
        "gmock-cardinalities",
        "gmock-function-mocker",
    ] + (["gmock-generated-actions", "gmock-generated-function-mockers", "gmock-generated-matchers"] if RELEASE < (1, 11, 0) else []) + [
        "gmock-matchers",
        "gmock-more-actions",
        "gmock-more-matchers",
        "gmock-nice-strict",
        "gmock-spec-builders",
        "gmock",
    ],
    "googlemock/include/gmock/internal/*.h": [
        "custom/gmock-generated-actions",
        "custom/gmock-matchers",
        "custom/gmock-port",
        "gmock-internal-utils",
        "gmock-port",
        "gmock-pp",
    ],
    "googlemock/src/*.cc": [
        "gmock-cardinalities",
        "gmock-internal-utils",
        "gmock-matchers",
        "gmock-spec-builders",
        "gmock",
    ],
    "googletest/include/gtest/*.h": (["gtest-assertion-result"] if RELEASE >= (1, 12, 0) else []) + [
        "gtest-death-test",
        "gtest-matchers",
        "gtest-message",
        "gtest-param-test",
        "gtest-printers",
        "gtest-spi",
        "gtest-test-part",
        "gtest-typed-test",
        "gtest",
        "gtest_pred_impl",
        "gtest_prod",
    ],
    "googletest/include/gtest/internal/*.h": [
        "custom/gtest-port",
        "custom/gtest-printers",
        "custom/gtest",
        "gtest-death-test-internal",
        "gtest-filepath",
        "gtest-internal",
        "gtest-param-util",
        "gtest-port-arch",
        "gtest-port",
        "gtest-string",
        "gtest-type-util",
    ],
    "googletest/src/*.cc": (["gtest-assertion-result"] if RELEASE >= (1, 12, 0) else []) + [
        "gtest-death-test",
        "gtest-filepath",
        "gtest-matchers",
        "gtest-port",
        "gtest-printers",
        "gtest-test-part",
        "gtest-typed-test",
        "gtest",
    ],
    "googletest/src/*.h": ["gtest-internal-inl"],
}

def _files(*patterns):
    return sorted([
        pattern.replace("*", name)
        for pattern in patterns
        for name in _FILES[pattern]
    ])

_HAS_SYSTEMS = RELEASE >= (1, 12, 0)
_HAS_FUCHSIA = RELEASE >= (1, 15, 0)
_HAS_EMSCRIPTEN = RELEASE > (1, 17, 0) and RELEASE < (1, 18, 0)
_NAMES_MODULES = RELEASE >= (1, 16, 0)
_ABSL = "@abseil-cpp//absl/" if _NAMES_MODULES else "@com_google_absl//absl/"
_RE2 = "@re2//:re2" if _NAMES_MODULES else "@com_googlesource_code_re2//:re2"

_OTHERS = [
    _ABSL + label
    for label, is_named in [
        ("container:flat_hash_set", RELEASE >= (1, 14, 0)),
        ("debugging:failure_signal_handler", True),
        ("debugging:stacktrace", True),
        ("debugging:symbolize", True),
        ("flags:flag", _HAS_SYSTEMS),
        ("flags:parse", _HAS_SYSTEMS),
        ("flags:reflection", _HAS_SYSTEMS),
        ("flags:usage", _HAS_SYSTEMS),
        ("strings", True),
        ("types:any", RELEASE >= (1, 11, 0) and RELEASE < (1, 18, 0)),
        ("types:optional", RELEASE < (1, 18, 0)),
        ("types:variant", RELEASE < (1, 18, 0)),
    ]
    if is_named
] + ([_RE2] if _HAS_SYSTEMS else [])
_FUCHSIA = ["fdio"] + (["syslog"] if RELEASE < (1, 18, 0) else []) + ["zx"]

def _on(flags, **systems):
    """A select() by those systems that the release has conditions for, else `flags`."""
    known = {
        "qnx": _HAS_SYSTEMS,
        "windows": True,
        "freebsd": _HAS_SYSTEMS,
        "openbsd": _HAS_SYSTEMS,
        "has_absl": True,
        "emscripten_without_threads": _HAS_EMSCRIPTEN,
    }
    chosen = {":" + name: systems[name] for name in known if known[name] and name in systems}
    chosen["//conditions:default"] = flags
    return select(chosen)

_OF_ABSL = _on([], has_absl = _OTHERS)
_DEPS = _OF_ABSL + select({
    ":fuchsia": ["@fuchsia_sdk//pkg/" + name for name in _FUCHSIA],
    "//conditions:default": [],
}) if _HAS_FUCHSIA else _OF_ABSL
_EXPORTED = _on([], windows = ["windows_export_all_symbols"])

def _condition(name, is_known = True, **kwargs):
    return [dict(name = name, **kwargs)] if is_known else []

def _of(system, is_known):
    return _condition(system, is_known, constraint_values = ["@platforms//os:" + system])

CONDITIONS = (
    _of("qnx", _HAS_SYSTEMS) +
    _condition("windows", constraint_values = [
        "@platforms//os:windows" if RELEASE >= (1, 11, 0) else "@bazel_tools//platforms:windows",
    ]) +
    _of("freebsd", _HAS_SYSTEMS) +
    _of("openbsd", _HAS_SYSTEMS) +
    _condition(
        "emscripten_without_threads",
        _HAS_EMSCRIPTEN,
        constraint_values = ["@platforms//os:emscripten"],
        values = {"features": "-use_pthreads"},
    ) +
    _of("fuchsia", _HAS_FUCHSIA) +
    _condition(
        "msvc_compiler",
        RELEASE >= (1, 11, 0),
        flag_values = {"@bazel_tools//tools/cpp:compiler": "msvc-cl"},
        visibility = [":__subpackages__"],
    ) +
    _condition("has_absl", values = {"define": "absl=1"})
)

LIBRARIES = [
    {
        "name": "gtest_prod",
        "hdrs": ["googletest/include/gtest/gtest_prod.h"],
        "includes": ["googletest/include"],
    },
    {
        "name": "gtest",
        "srcs": _files(*_FILES),
        "hdrs": _files("googletest/include/gtest/*.h", "googlemock/include/gmock/*.h"),
        "copts": _on(["-pthread"], qnx = [], windows = [], emscripten_without_threads = []),
        "defines": _on(
            [],
            has_absl = ["GTEST_HAS_ABSL=1"],
            emscripten_without_threads = ["GTEST_HAS_PTHREAD=0"],
        ),
        "features": _EXPORTED,
        "includes": ["googlemock", "googlemock/include", "googletest", "googletest/include"],
        "linkopts": _on(
            ["-pthread"],
            qnx = ["-lregex"],
            windows = [],
            freebsd = ["-lm", "-pthread"],
            openbsd = ["-lm", "-pthread"],
            emscripten_without_threads = [],
        ),
        "deps": _DEPS,
    },
    dict(
        {
            "name": "gtest_main",
            "srcs": ["googlemock/src/gmock_main.cc"],
            "features": _EXPORTED,
            "deps": [":gtest"],
        },
        **({"alwayslink": True} if RELEASE >= (1, 18, 0) else {})
    ),
]

EXPORTED = ["LICENSE"] if RELEASE >= (1, 11, 0) else []
