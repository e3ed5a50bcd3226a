"""A package whose targets are named as what builtins have, and the names as measured."""

from __future__ import annotations

FILES = {
    "WORKSPACE": "",
    "d.bzl": """
_NAMES = {
    "attr": ["bool", "license", "string_keyed_label_dict"],
    "label": ["name", "repo_name", "same_package_label", "workspace_name"],
}

def declare():
    for name, value in {"attr": attr, "label": Label("//:x")}.items():
        for member in _NAMES[name]:
            if hasattr(value, member) != (member in dir(value)):
                fail("%s.%s is and is not" % (name, member))
            if hasattr(value, member):
                native.filegroup(name = "%s.%s" % (name, member))
""",
    "BUILD": 'load(":d.bzl", "declare")\ndeclare()\n',
}
_ALWAYS = "attr.bool label.name label.workspace_name"
MEASURED = {
    "0.24.1": f"{_ALWAYS} attr.license",
    "0.26.1": _ALWAYS,
    "2.1.0": _ALWAYS,
    "4.2.3": _ALWAYS,
}
