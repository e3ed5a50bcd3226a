"""Reads from real Bazels what their builtins are called with, and what these have.

    python scripts/measure_builtins.py VERSION=BAZEL ...

`BAZEL` is a binary of Bazel, or its `A-server.jar`, whose class files have annotations of all that
Starlark sees: one line for a member, below the name of what has it.

    actions
     run *outputs:sequence(File) *inputs:sequence(File)|depset= *mnemonic:string|NoneType=
     args
    CppConfiguration
     .copts

`*` is before what is given by name alone, `/` before what is given by position alone, `=` behind
what may be left out, `?` behind what depends on a flag. `name .`: a field. `name ~ ...` is what a
value is called with itself. `any` takes everything. `<` names what a module has members of.
"""

from __future__ import annotations

import io
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

from class_files import ClassFile, Method, classes_of

GLOBALS = "globals"
"""What stands for the functions that no module has: `rule`, `depset`."""
TARGET = Path(__file__).parent.parent / "bazelscope" / "bazel" / "builtins"
_MODULES = ("StarlarkBuiltin", "SkylarkModule")
_MEMBERS = ("StarlarkMethod", "SkylarkCallable")
_GLOBALS = frozenset({"DocumentMethods", "SkylarkGlobalLibrary"})
_LEFT_OUT = frozenset(
    {
        *("bool", "dict", "float", "function", "int", "list", "native", "range"),
        *(
            "repository_ctx",
            "repository_os",
            "module_ctx",
            "string",
            "tuple",
            "exec_result",
            "path",
        ),
        *("proto_text", "json", "bazel_module", "toolchain_context"),
    }
)
"""What rule implementations never see, or what is the language's own."""
_OF_JAVA = {
    "Object": "any", "StarlarkValue": "any", "String": "string", "Boolean": "bool", "Z": "bool",
    "Integer": "int", "I": "int", "StarlarkInt": "int", "SkylarkList": "sequence",
    "Sequence": "sequence", "StarlarkList": "list", "List": "sequence", "Iterable": "sequence",
    "MutableList": "list", "SkylarkList$MutableList": "list", "Tuple": "tuple",
    "SkylarkDict": "dict", "Dict": "dict", "Map": "dict", "SkylarkNestedSet": "depset",
    "Depset": "depset", "NoneType": "NoneType", "Runtime$NoneType": "NoneType",
    "StarlarkCallable": "function", "BaseFunction": "function", "StarlarkFunction": "function",
    "StarlarkFloat": "float", "UserDefinedFunction": "function",
}  # fmt: skip


def main() -> None:
    for word in sys.argv[1:]:
        version, _, path = word.partition("=")
        (TARGET / f"{version}.txt").write_text(table(jar_of(path)), encoding="utf-8")


def jar_of(path: str) -> Any:
    """The jar itself, or the one that a binary holds."""
    with zipfile.ZipFile(path) as opened:
        if "A-server.jar" in opened.namelist():
            return io.BytesIO(opened.read("A-server.jar"))
    return path


def table(jar: Any) -> str:
    classes = {one.name: one for one in classes_of(jar)}
    members: dict[str, set[str]] = {}
    for one in classes.values():
        module = module_of(one, classes)
        if module in _LEFT_OUT:
            continue
        for method in one.methods:
            found = annotation(method.annotations, _MEMBERS)
            if found is None or (found.get("documented") == 0 and found.get("name") == ""):
                continue
            of_globals = not _GLOBALS.isdisjoint(one.annotations)
            if not module and not of_globals:
                continue
            members.setdefault(module or GLOBALS, set()).add(line(method, found, classes))
    for one in classes.values():
        module, above = module_of(one, classes), one.above
        if not annotation(one.annotations, _MODULES) or module in _LEFT_OUT:
            continue
        for name in sorted(ancestors(above, classes)):
            parent = module_of(classes[name], classes)
            if parent not in ("", module) and parent in members:
                members.setdefault(module, set()).add(f"< {parent}")
    lines = []
    for module in sorted(filter(None, members)):
        lines += [module, *(f" {one}" for one in sorted(members[module]))]
    return "\n".join([*lines, ""])


def ancestors(names: list[str], classes: dict[str, ClassFile]) -> set[str]:
    found: set[str] = set()
    pending = [*names]
    while pending:
        one = pending.pop()
        if one in classes and one not in found:
            found.add(one)
            pending += classes[one].above
    return found


def annotation(held: dict[str, dict[str, Any]], kinds: tuple[str, ...]) -> dict[str, Any] | None:
    return next((held[kind] for kind in kinds if kind in held), None)


def module_of(one: ClassFile, classes: dict[str, ClassFile]) -> str:
    """What Starlark calls a class, by its own annotation or the nearest above."""
    pending = [one.name]
    while pending:
        name = pending.pop(0)
        if name in classes:
            found = annotation(classes[name].annotations, _MODULES)
            if found is not None:
                return str(found.get("name", ""))
            pending += classes[name].above
    return ""


def line(method: Method, found: dict[str, Any], classes: dict[str, ClassFile]) -> str:
    flag = any(found.get(one) for one in ("enableOnlyWithFlag", "disableWithFlag"))
    name = str(found.get("name") or method.name) + ("?" if flag else "")
    if found.get("structField"):
        return f".{name}"
    if found.get("selfCall"):
        name = f"~ {name}"
    types = descriptor_types(method.descriptor)
    words = [name]
    for index, parameter in enumerate(found.get("parameters", ())):
        words.append(parameter_text(parameter, types[index : index + 1], classes))
    if "extraPositionals" in found:
        words.append("**args")
    if "extraKeywords" in found:
        words.append("**kwargs")
    return " ".join(words)


def descriptor_types(descriptor: str) -> list[str]:
    inside = descriptor[1 : descriptor.index(")")]
    return [
        one.strip("L;") if len(one) > 1 else one
        for one in re.findall(r"\[?(?:L[^;]*;|[A-Z])", inside)
    ]


def parameter_text(parameter: dict[str, Any], own: list[str], classes: dict[str, ClassFile]) -> str:
    mark = "" if parameter.get("positional", 1) else "*"
    is_named = parameter.get("named", 0) or parameter.get("legacyNamed", 0)
    if not is_named and not mark:
        mark = "/"
    kinds = []
    of_old = "type" in parameter and parameter["type"].rpartition("/")[2] != "Object;"
    allowed = parameter.get("allowedTypes") or (
        [{"type": parameter["type"]}] if of_old else [{"type": one} for one in own]
    )
    for one in allowed:
        kind = starlark_type(one["type"], classes)
        inner = one.get("generic1") or parameter.get("generic1")
        if inner and kind in ("sequence", "list", "depset"):
            kind += f"({starlark_type(inner, classes)})"
        kinds.append(kind)
    if parameter.get("noneable") and "NoneType" not in kinds and "any" not in kinds:
        kinds.append("NoneType")
    flag = any(parameter.get(one) for one in ("enableOnlyWithFlag", "disableWithFlag"))
    flag = flag or bool(parameter.get("enableOnlyWithFlag"))
    is_optional = bool(parameter.get("defaultValue"))
    text = f"{mark}{parameter['name']}:{'|'.join(kinds)}"
    return f"{text}{'=' if is_optional else ''}{'?' if flag else ''}"


def starlark_type(java: str, classes: dict[str, ClassFile]) -> str:
    name = java.removeprefix("L").rstrip(";") if java.endswith(";") else java
    short = name.rpartition("/")[2]
    if short in _OF_JAVA:
        return _OF_JAVA[short]
    module = module_of(classes[name], classes) if name in classes else ""
    return module.replace(" ", "_") or "any"


if __name__ == "__main__":
    main()
