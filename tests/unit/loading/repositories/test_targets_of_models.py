"""Targets that other repositories name in models, release by release, as the originals of these
releases declare them: laid out from their tags and compared by `query --output=build`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazelscope.cli import main

TARGETS = {
    "protobuf 3.11.4, before what is known": ("com_google_protobuf", "//:api_proto", {}),
    "protobuf 3.21.12": (
        "com_google_protobuf",
        "//:api_proto",
        {
            "//:api_proto": "proto_library rule",
            "//:any_proto": "proto_library rule",
            "//:source_context_proto": "proto_library rule",
            "//:type_proto": "proto_library rule",
            "//:src/google/protobuf/any.proto": "source file",
            "//:src/google/protobuf/api.proto": "source file",
            "//:src/google/protobuf/source_context.proto": "source file",
            "//:src/google/protobuf/type.proto": "source file",
        },
    ),
    "protobuf 21.9": (
        "com_google_protobuf",
        "//:any_proto",
        {
            "//:any_proto": "proto_library rule",
            "//:src/google/protobuf/any.proto": "source file",
        },
    ),
    "protobuf 25.3": (
        "com_google_protobuf",
        "//:compiler_plugin_proto",
        {
            "//:compiler_plugin_proto": "alias rule",
            "//:descriptor_proto": "alias rule",
            "//src/google/protobuf/compiler:plugin.proto": "source file",
            "//src/google/protobuf/compiler:plugin_proto": "proto_library rule",
            "//src/google/protobuf:descriptor.proto": "source file",
            "//src/google/protobuf:descriptor_proto": "proto_library rule",
        },
    ),
    "protobuf 3.19.1, a program that only a default of its rules names": (
        "com_google_protobuf",
        "//:protoc",
        {},
    ),
    "protobuf of a commit": ("com_google_protobuf", "//:any_proto", {}),
    "rules_java 7.6.0": (
        "rules_java",
        "//toolchains:jni_header",
        {
            "//toolchains:jni_header": "filegroup rule",
            "//toolchains:include/jni.h": "generated file",
            "//toolchains:gen_include/jni.h": "genrule rule",
            "//toolchains:current_java_runtime": "java_runtime_alias rule",
        },
    ),
    "rules_java 5.1.0, before what is known": ("rules_java", "//toolchains:jni_header", {}),
    "rules_python 1.8.0, before there was one": (
        "rules_python",
        "//command_line_option:enable_runfiles",
        {},
    ),
    "rules_python 1.9.0": (
        "rules_python",
        "//command_line_option:enable_runfiles",
        {
            "//command_line_option:enable_runfiles": "alias rule",
            "//python:none": "alias rule",
            "//python/private:sentinel": "sentinel rule",
        },
    ),
    "rules_python 2.0.0, before another": (
        "rules_python",
        "//command_line_option:extra_toolchains",
        {},
    ),
    "rules_python 0.24.0": (
        "rules_python",
        "//python/cc:current_py_cc_headers",
        {"//python/cc:current_py_cc_headers": "current_py_cc_headers rule"},
    ),
    "rules_python 0.29.0, before it": ("rules_python", "//python/cc:current_py_cc_libs", {}),
}


@pytest.mark.parametrize("case", TARGETS)
def test_what_a_target_of_a_model_leads_to(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, target, expected = TARGETS[case]
    release = case.partition(",")[0].partition(" ")[2]
    if release == "of a commit":
        release = "b1c40e1de81913a3c40e5948f78719c28152486d"
    files = {
        "WORKSPACE": 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        f'http_archive(name = "{name}", urls = ["https://example.org/{name}-{release}.tar.gz"])\n',
        "BUILD": "",
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    line = ["query", "-w", str(tmp_path), "--bazel-version=6.5.0", "--no-cache", "--keep_going"]
    own = f"deps(@{name}{target}) intersect filter('^@{name}//', deps(@{name}{target}))"
    main([*line, "--noimplicit_deps", "--notool_deps", "--output=label_kind", own])
    printed, _ = capsys.readouterr()
    found = {}
    for text in printed.splitlines():
        kind, _, label = text.rpartition(" ")
        found[label.removeprefix(f"@{name}")] = kind
    assert found == (expected or {target: "unknown target"})


_ARTIFACTS = {
    "g.h:i-j": ("g_h_i_j", "g_h_i_j"),
    "g:a:1.2": ("g_a", "g_a"),
    "g:b:jar:1": ("g_b", "g_b"),
    "g:c:aar:x-y:1": ("g_c_x_y", "g_c"),
    "g:d:jar:sources:1": ("g_d", "g_d"),
    "g:e:zip:1": ("g_e_zip", "g_e"),
    "g:f:exe:1": ("g_f", "g_f"),
    "g:g:so:1": ("g_g", "g_g"),
}
"""Labels of artifacts in `@maven`, as rules_jvm_external 6.10 and 4.0 name them."""


@pytest.mark.parametrize(("release", "column"), [("6.10", 0), ("4.0", 1)])
def test_labels_of_artifacts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], release: str, column: int
) -> None:
    calls = ", ".join(f'artifact("{one}")' for one in _ARTIFACTS)
    files = {
        "WORKSPACE": 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n'
        f'http_archive(name = "rules_jvm_external", urls = ["https://x.example/{release}.zip"])\n',
        "BUILD": 'load("@rules_jvm_external//:defs.bzl", "artifact")\n'
        f'filegroup(name = "it", tags = [{calls}])\n',
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    main(["query", "-w", str(tmp_path), "--bazel-version=6.5.0", "--output=build", "//:it"])
    printed, _ = capsys.readouterr()
    labels = ", ".join(
        f'"@maven//:{one}"' for one in sorted(row[column] for row in _ARTIFACTS.values())
    )
    assert f"tags = [{labels}]," in printed
