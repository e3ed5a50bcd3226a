"""Asks a real Bazel what its native rules hold, beyond what `info build-language` tells.

    python scripts/measure_native_rules.py --source FOLDER/VERSION.json \\
        --scratch FOLDER --output MEASURED/VERSION.json BAZEL [STARTUP OPTION...]

One rule of each class, with nothing but what is mandatory, is loaded, and written down as
`query --output=xml --xml:default_values` shows it: the attributes in the order of their
definition, with their defaults, late-bound and computed ones included. Further rules set each
list to values out of order, which tells the lists that Bazel sorts (`orderIndependent`). Rules
of Starlark stand among them, by names that begin with `@`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

REPOSITORY_RULES = frozenset(
    {
        *("android_ndk_repository", "android_sdk_repository", "bind", "local_config_platform"),
        *("local_repository", "maven_jar", "maven_server", "new_local_repository"),
    }
)
FILLERS: dict[str, object] = {
    "boolean": False,
    "integer": 1,
    "label": "//:x",
    "label_dict_unary": {"x": "//:x"},
    "label_keyed_string_dict": {"//:x": "x"},
    "label_list": ["//:x"],
    "output": "out.x",
    "output_list": ["out.x"],
    "string": "x",
    "string_dict": {"x": "x"},
    "string_list": ["x"],
}
# Values that Bazel checks while it loads.
SPECIAL: dict[tuple[str, str], object] = {
    ("config_setting", "values"): {"cpu": "x"},
    ("java_import", "jars"): ["x.jar"],
    ("local_repository", "path"): "/",
    ("new_local_repository", "path"): "/",
}
UNSORTED: dict[str, list[str]] = {
    "label_list": ["//m:z", "//a:m", "//m:a", "//a-b:c"],
    "output_list": ["m", "z", "a", "B"],
    "string_list": ["m", "z", "a", "B"],
}
# What a default does not tell of: a package's own, and what depends on `size`.
PACKAGE_GIVEN = frozenset(
    {
        *("generator_function", "generator_location", "generator_name", "name", "timeout"),
        "visibility",
    }
)
# A `config_setting` is public whatever it says.
KEPT = [[value.rpartition(":")[2] for value in values] for values in UNSORTED.values()] + [
    ["public"],
]
STARLARK_RULES = ("plain", "executable", "example_test")
STARLARK = """def _nothing(ctx):
    pass

plain = rule(_nothing)
executable = rule(_nothing, executable = True)
example_test = rule(_nothing, test = True)
"""
Facts = dict[str, dict[str, object]]


def calls(rule: str, attributes: Facts) -> Iterator[tuple[str, dict[str, object]]]:
    """The rule with what it must have, and once for each list: what is asked, and the call."""
    needed = {
        name: SPECIAL.get((rule, name), FILLERS[str(facts["type"])])
        for name, facts in attributes.items()
        if (facts.get("mandatory") or (rule, name) in SPECIAL) and name != "name"
    }
    yield "", needed
    for attribute, facts in attributes.items():
        values = UNSORTED.get("label_list" if attribute == "visibility" else str(facts["type"]))
        if attribute[0] not in "$:" and values:
            yield attribute, {**needed, attribute: values}


def text_of(rule: str, name: str, attributes: dict[str, object]) -> str:
    given = {"name": name, **attributes}
    return f"{rule}({', '.join(f'{key} = {value!r}' for key, value in given.items())})\n"


def lay_out(folder: Path, rules: dict[str, Facts]) -> None:
    """Writes the workspace: each call in a package of its own, which bears its errors alone."""
    shutil.rmtree(folder, ignore_errors=True)
    workspace = ""
    lists: Facts = {name: {"type": "string_list"} for name in ("features", "tags", "visibility")}
    for rule, attributes in {**rules, **dict.fromkeys(STARLARK_RULES, lists)}.items():
        load = f'load("//:rules.bzl", "{rule}")\n' if rule in STARLARK_RULES else ""
        for asked, given in calls(rule, attributes):
            if rule in REPOSITORY_RULES:
                workspace += text_of(rule, rule, given) if not asked else ""
                continue
            package = folder / "rules" / rule / (asked or "PLAIN")
            package.mkdir(parents=True)
            suffix = "_test" if rule.endswith("_test") else ""
            (package / "BUILD").write_text(load + text_of(rule, f"rule{suffix}", given))
    (folder / "WORKSPACE").write_text(workspace)
    (folder / "BUILD").touch()
    (folder / "rules.bzl").write_text(STARLARK)


def ask(command: list[str], folder: Path, expression: str) -> ElementTree.Element:
    words = ["query", "--keep_going", "--noshow_progress", "--output=xml", "--xml:default_values"]
    done = subprocess.run([*command, *words, expression], cwd=folder, capture_output=True)
    if not done.stdout:
        raise SystemExit(done.stderr.decode())
    print(done.stderr.decode(), file=sys.stderr)
    return ElementTree.fromstring(done.stdout.replace(b'version="1.1"', b'version="1.0"', 1))


def value_of(element: ElementTree.Element) -> object:
    """What an attribute holds: a text, a list or a dictionary; None for nothing."""
    if element.tag == "list":
        return [child.get("value") for child in element]
    if element.tag == "dict":
        return {pair[0].get("value"): pair[1].get("value") for pair in element}
    if element.tag == "license":
        return [child.get("value") for child in element[1]]
    return element.get("value")


def names_of(values: object) -> list[str]:
    """A list without the packages that Bazel put before each name."""
    return [str(value).rpartition(":")[2] for value in values] if isinstance(values, list) else []


def aspect_inputs(element: ElementTree.Element, attributes: dict[str, object]) -> list[str]:
    """The labels that aspects add: they stand after the rule's own."""
    found = [str(child.get("name")) for child in element if child.tag == "rule-input"]
    own: set[object] = set()
    for value in attributes.values():
        if isinstance(value, dict):
            own |= {*value, *value.values()}
        else:
            own |= set(value) if isinstance(value, list) else {value}
    return found[len({label for label in found if label in own}) :]


def measured(rules: dict[str, Facts], found: list[ElementTree.Element]) -> dict[str, object]:
    """The attributes and defaults of each rule, in order, and the lists that Bazel sorts."""
    order: dict[str, list[list[object]]] = {}
    lists: dict[str, list[str]] = {}
    inputs: dict[str, list[str]] = {}
    for element in found:
        kind = str(element.get("class"))
        rule = f"@{kind}" if kind in STARLARK_RULES else kind
        attributes = {
            str(child.get("name")): value_of(child)
            for child in element
            if child.get("name") and not child.tag.startswith("rule-")
        }
        package = str(element.get("name")).partition(":")[0]
        asked = package.rpartition("/")[2]
        if package == "//external" and kind not in REPOSITORY_RULES:
            continue  # Bazel's own
        if asked in ("PLAIN", "external"):
            given = {*PACKAGE_GIVEN, *dict(calls(rule, rules.get(rule, {})))[""]}
            order[rule] = [
                [name] if name in given or asked == "external" else [name, value]
                for name, value in attributes.items()
            ]
            if more := aspect_inputs(element, attributes):
                inputs[rule] = more
        elif names_of(attributes[asked]) not in KEPT:
            lists.setdefault(rule, []).append(asked)
    print("not loaded:", ", ".join(sorted(set(rules) - set(order))) or "none")
    return {
        "rules": dict(sorted(order.items())),
        "sorted": dict(sorted(lists.items())),
        "aspect_inputs": inputs,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("bazel", nargs="+")
    options, startup = parser.parse_known_args()
    rules: dict[str, Facts] = json.loads(options.source.read_text(encoding="utf-8"))["rules"]
    folder = options.scratch / "workspace"
    lay_out(folder, rules)
    command = [*options.bazel, *startup, f"--output_user_root={options.scratch / 'root'}"]
    try:
        found = list(ask(command, folder, "//rules/...:all"))
        found += list(ask(command, folder, "//external:all"))
    finally:
        subprocess.run([*command, "shutdown"], cwd=folder, check=False)
    text = json.dumps(measured(rules, found), indent=1)
    options.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
