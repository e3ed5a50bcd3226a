"""Asks a real Bazel what the attributes of its native rules take.

    python scripts/measure_prerequisites.py --scratch FOLDER VERSION

Each attribute of labels of each native rule is given a file of a made-up type, a filegroup of
two such files, an empty one, a Starlark rule that provides nothing, and one target of each native
rule. What `build --nobuild --keep_going` says of them names the endings, the rule classes and
the providers that it takes; all of it is written to `bazelscope/bazel/native_prerequisites.json`,
where the other versions stay as they are. Bazel: `RuleContext.Builder.validateDirectPrerequisite`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bazelscope.bazel.attribute_types import AttributeDefinition, AttributeType
from bazelscope.bazel.rule_classes import NativeRules
from tests.oracle.native_rules_world import REPOSITORY_RULES
from tests.oracle.query_language_world import STUBS
from tests.support.bazel import Bazel

TARGET = Path(__file__).parent.parent / "bazelscope" / "bazel" / "native_prerequisites.json"

SAMPLES: dict[str, str] = {
    "cc_binary": 'srcs = ["a.cc"]',
    "cc_test": 'srcs = ["a.cc"]',
    "cc_proto_library": 'deps = ["//d/proto_library"]',
    "config_feature_flag": 'allowed_values = ["a"], default_value = "a"',
    "config_setting": 'values = {"cpu": "k8"}',
    "constraint_value": 'constraint_setting = "//d/constraint_setting"',
    "genrule": 'outs = ["genrule.zzz"], cmd = "x"',
    "genquery": 'expression = "//d/filegroup", scope = ["//d/filegroup"]',
    "java_binary": 'main_class = "x", runtime_deps = ["//d/java_library"]',
    "java_test": 'test_class = "x", runtime_deps = ["//d/java_library"]',
    "java_import": 'jars = ["a.jar"]',
    "java_lite_proto_library": 'deps = ["//d/proto_library"]',
    "java_proto_library": 'deps = ["//d/proto_library"]',
    "label_flag": 'build_setting_default = "//d/filegroup"',
    "label_setting": 'build_setting_default = "//d/filegroup"',
    "proto_lang_toolchain": 'command_line = "x"',
    "py_binary": 'srcs = ["py_binary.py"]',
    "py_test": 'srcs = ["py_test.py"]',
    "py_runtime": 'interpreter_path = "/usr/bin/python", python_version = "PY3"',
    "sh_binary": 'srcs = ["a.sh"]',
    "sh_test": 'srcs = ["a.sh"]',
    "toolchain": 'toolchain_type = "//d/toolchain_type", toolchain = "//d/filegroup"',
    "xcode_version": 'version = "1.0"',
    "java_runtime": 'java_home = "/usr"',
    "fdo_profile": 'profile = "a.profdata"',
    "fdo_prefetch_hints": 'profile = "a.afdo"',
    "objc_library": 'srcs = ["a.m"]',
    "cc_toolchain_suite": 'toolchains = {"x": "//d/filegroup"}',
    "extra_action": 'cmd = "x"',
    "action_listener": 'mnemonics = ["x"], extra_actions = ["//d/extra_action"]',
}
"""What a rule must be given to be analysed at all; most need nothing."""
UNASKED = REPOSITORY_RULES | {"alias", "environment", "ninja_build", "ninja_graph"}
PROBES = ("x.zzz", ":two", ":none", ":plain")
FILLERS: dict[AttributeType, str] = {
    AttributeType.LABEL: '"x.zzz"',
    AttributeType.LABEL_LIST: '["x.zzz"]',
    AttributeType.LABEL_KEYED_STRING_DICT: '{"x.zzz": "x"}',
    AttributeType.LABEL_DICT_UNARY: '{"x": "x.zzz"}',
    AttributeType.STRING: '"x"',
    AttributeType.STRING_LIST: '["x"]',
    AttributeType.STRING_DICT: '{"cpu": "x"}',
    AttributeType.OUTPUT_LIST: '["%s.out"]',
    AttributeType.OUTPUT: '"%s.out"',
    AttributeType.INTEGER: "1",
    AttributeType.BOOLEAN: "True",
}
LABELS = (
    AttributeType.LABEL,
    AttributeType.LABEL_LIST,
    AttributeType.LABEL_KEYED_STRING_DICT,
)
COMMON = frozenset(
    {
        *("visibility", "distribs", "exec_compatible_with", "compatible_with", "restricted_to"),
        *("applicable_licenses", "target_compatible_with", "toolchains"),
    }
)
"""What every rule has alike."""
CRASHING = frozenset({"label_flag", "label_setting"})

_SAID = re.compile(r"in (\S+) attribute of \S+ rule (//\w+:\w+): (.*)")
_EXPECTED = re.compile(r"is misplaced here \(expected (.*?)\)")
_ENDINGS = re.compile(r"does not produce any \S+ \S+ files \(expected (.*)\)")
_PROVIDERS = re.compile(r"does not have mandatory providers: (.*)")
_JAVA_DEPS = {
    "files": [".jar"],
    "rules": [
        *("cc_binary", "cc_library", "genrule", "genproto", "java_import", "java_library"),
        *("java_proto_library", "java_lite_proto_library", "proto_library", "sh_binary"),
        "sh_library",
    ],
    "listed": 11,
    "providers": ["CcInfo", "JavaInfo"],
}
_JAVA: dict[str, dict[str, object]] = {
    "srcs": {"files": [".java", ".srcjar", ".properties"], "asks_files": True},
    "deps": _JAVA_DEPS,
    "runtime_deps": _JAVA_DEPS | {"providers": ["JavaInfo"]},
    "exports": _JAVA_DEPS | {"providers": ["JavaInfo"], "files": []},
    "plugins": {"rules": ["java_plugin"], "listed": 1},
}
_PROTO: dict[str, dict[str, object]] = {
    "srcs": {"files": [".proto", ".protodevel"], "asks_files": True},
    "deps": {"files": [], "rules": ["proto_library"], "listed": 1, "providers": ["ProtoInfo"]},
}
READ: dict[str, dict[str, dict[str, object]]] = {
    "java_library": _JAVA,
    "java_binary": _JAVA,
    "java_test": _JAVA,
    "java_plugin": _JAVA,
    "java_import": {"jars": {"files": [".jar"], "asks_files": True}},
    "proto_library": _PROTO,
}
"""What cannot be asked where nothing may be downloaded, as Bazel 4.2.3's sources have it:
`BazelJavaRuleClasses`, `JavaImportBaseRule`, `BazelProtoLibraryRule`."""


def summed_up(
    version: str, asked: dict[str, tuple[str, str, str]], text: str, healthy: list[str]
) -> dict[str, dict[str, dict[str, object]]]:
    """By rule and attribute: what it takes, as far as it does not take all."""
    said: dict[str, list[str]] = {}
    for line in text.splitlines():
        match = _SAID.search(line)
        if line.startswith("ERROR") and match and asked.get(match[2], "??")[1] == match[1]:
            said.setdefault(match[2], []).append(match[3])
    attributes: dict[tuple[str, str], dict[str, list[str]]] = {}
    for target, (rule, attribute, value) in asked.items():
        by_value = attributes.setdefault((rule, attribute), {})
        by_value[value.removeprefix("//d/")] = said.get(target, [])
    table: dict[str, dict[str, dict[str, object]]] = {}
    for (rule, attribute), by_value in attributes.items():
        facts: dict[str, object] = {}
        for message in by_value["x.zzz"]:
            if (match := _EXPECTED.search(message)) is not None:
                facts["files"] = [] if match[1] == "no files" else parse_words(match[1])
        two = by_value[":two"]
        if any("must produce a single file" in message for message in two):
            facts["single"] = True
        if any(_ENDINGS.search(message) for message in two):
            facts["asks_files"] = True
        plain = " ".join(by_value[":plain"])
        wanted = _EXPECTED.search(plain)
        provided = _PROVIDERS.search(plain)
        if wanted is not None or provided is not None:
            taken = [name for name in healthy if not _refused(by_value[name])]
            listed = parse_words(wanted[1]) if wanted is not None else []
            facts["rules"] = list(dict.fromkeys([*listed, *taken]))
            if wanted is not None:
                facts["listed"] = len(listed)
            if provided is not None:
                facts["providers"] = re.findall(r"'(\w+)'", provided[1])
        if facts:
            table.setdefault(rule, {})[attribute] = facts
    for rule, own in READ.items():
        table[rule] = {**own, **table.get(rule, {})}
    return table


def _refused(messages: list[str]) -> bool:
    return any(_EXPECTED.search(one) or _PROVIDERS.search(one) for one in messages)


def asked_rules(rules: NativeRules) -> list[str]:
    """The rules that BUILD files may call; Debian's Bazel was built without those of Android."""
    return [
        name
        for name in sorted(rules.names - UNASKED)
        if not name.startswith(("aar_import", "android_"))
    ]


def samples(rules: NativeRules) -> Iterator[tuple[str, str]]:
    """One rule of each class."""
    for name in asked_rules(rules):
        yield name, f'{name}(name = "{name}", {SAMPLES.get(name, "")})\n'


def asked_attributes(rules: NativeRules) -> Iterator[tuple[str, AttributeDefinition]]:
    """Every attribute that takes dependencies, with the rule's class."""
    for name in asked_rules(rules):
        if name in CRASHING or name.startswith("apple_"):
            continue
        for attribute in rules.get(name).attributes.values():
            if (
                not attribute.is_implicit
                and not attribute.nodep
                and attribute.type in LABELS
                and attribute.name not in COMMON
            ):
                yield name, attribute


def call(
    rules: NativeRules, rule: str, target: str, attribute: AttributeDefinition, value: Any
) -> str:
    words = [f'name = "{target}"']
    for other in rules.get(rule).attributes.values():
        if other.mandatory and other.name not in ("name", attribute.name) and not other.is_implicit:
            filler = FILLERS[other.type]
            words.append(f"{other.name} = {filler % target if '%' in filler else filler}")
    if rule == "java_import" and attribute.name != "jars" and not any("jars" in w for w in words):
        words.append('jars = ["a.jar"]')
    written = json.dumps(value)
    if attribute.type is AttributeType.LABEL_LIST:
        written = json.dumps([value] if isinstance(value, str) else value)
    elif attribute.type is AttributeType.LABEL_KEYED_STRING_DICT:
        written = json.dumps(dict.fromkeys([value] if isinstance(value, str) else value, "x"))
    return f"{rule}({', '.join(words)}, {attribute.name} = {written})\n"


def parse_words(text: str) -> list[str]:
    """`a, b, c or d`, as Bazel writes lists."""
    return [one for one in re.split(r", | or ", text) if one]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument("version")
    options = parser.parse_args()
    rules = NativeRules(options.version)
    world = options.scratch / f"prerequisites-{options.version}"
    for name, files in STUBS.items():
        for path, text in {"WORKSPACE": "", **files}.items():
            file = world / "stubs" / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    (world / "WORKSPACE").write_text(
        "".join(f'local_repository(name = "{n}", path = "stubs/{n}")\n' for n in STUBS)
    )
    d = world / "d"
    d.mkdir(exist_ok=True)
    for name in ("x.zzz", "y.zzz", "a.cc", "a.sh", "a.jar", "a.m", "a.profdata", "a.afdo"):
        (d / name).touch()
    for name in ("py_binary.py", "py_test.py"):
        (d / name).touch()
    (d / "defs.bzl").write_text(
        "def _impl(ctx):\n"
        "    out = ctx.actions.declare_file(ctx.label.name + '.zzz')\n"
        "    ctx.actions.write(out, '')\n"
        "    return [DefaultInfo(files = depset([out]))]\n"
        "plain = rule(_impl)\n"
    )
    head = (
        'load(":defs.bzl", "plain")\npackage(default_visibility = ["//visibility:public"])\n'
        'exports_files(["x.zzz"])\n'
        'plain(name = "plain")\nfilegroup(name = "two", srcs = ["x.zzz", "y.zzz"])\n'
        'filegroup(name = "none")\n'
    )
    (d / "BUILD").write_text(head)
    for name, text in samples(rules):
        (d / name).mkdir(exist_ok=True)
        for file in d.iterdir():
            if file.is_file() and file.name not in ("BUILD", "defs.bzl"):
                (d / name / file.name).touch()
        (d / name / "BUILD").write_text(
            f'package(default_visibility = ["//visibility:public"])\n{text}'
        )
    bazel = Bazel(options.version, options.scratch / "bazel")
    flags = ("--nobuild", "--keep_going", "--color=no", "--noshow_progress")
    if options.version != "0.24.1":
        flags += ("--incompatible_use_python_toolchains=false",) if options.version == "x" else ()
    try:
        healthy = []
        for name, _ in samples(rules):
            if name.endswith("_alias") or name in CRASHING:
                continue
            out = bazel.run(world, "build", *flags, f"//d/{name}", timeout=600)
            if out.exit_code == 0:
                healthy.append(name)
            else:
                print("not analysed:", name, *[e[:150] for e in out.errors[:1]])
        print(len(healthy), "healthy")
        asked: dict[str, tuple[str, str, str]] = {}
        by_package: dict[str, list[str]] = {}
        deps = [*PROBES, *(f"//d/{name}" for name in healthy)]
        for rule, attribute in asked_attributes(rules):
            for number, value in enumerate(deps):
                label = value if value[:1] == "/" else f"//d:{value.lstrip(':')}"
                target = f"{attribute.name}_{number}" + ("_test" if rule.endswith("_test") else "")
                asked[f"//{rule}:{target}"] = (rule, attribute.name, value)
                by_package.setdefault(rule, []).append(call(rules, rule, target, attribute, label))
        for rule, calls in by_package.items():
            (world / rule).mkdir(exist_ok=True)
            (world / rule / "BUILD").write_text("package(default_testonly = 1)\n" + "".join(calls))
            (world / rule / "x.zzz").touch()
            (world / rule / "a.jar").touch()
        text = ""
        for rule in by_package:  # One by one: some crash the server.
            text += bazel.run(world, "build", *flags, f"//{rule}:all", timeout=600).stderr
        (options.scratch / f"{options.version}.stderr").write_text(text)
        (options.scratch / f"{options.version}.asked.json").write_text(json.dumps(asked))
        (options.scratch / f"{options.version}.healthy.json").write_text(json.dumps(healthy))
    finally:
        bazel.shutdown()
    kept = json.loads(TARGET.read_text()) if TARGET.exists() else {"measured": {}, "rules": {}}
    kept["measured"][options.version] = healthy
    kept["rules"][options.version] = summed_up(options.version, asked, text, healthy)
    TARGET.write_text(json.dumps(kept, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
