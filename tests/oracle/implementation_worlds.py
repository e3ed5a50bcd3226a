"""Random rules with implementations, over native and Starlark dependencies: one package of them.

Each rule gathers what it sees into its own provider, as strings, numbers and lists of these, so
that two Bazels (or one and us) can be compared by what `--output=starlark` prints.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.support.files import write_files

FORMAT = """
def format(target):
    held = providers(target)
    keys = held.keys() if held else []
    infos = [str(held[key]) for key in keys if key.endswith("Info") and "//" in key]
    return " | ".join([
        str(target.label),
        str(keys),
        str(infos),
        str([f.path for f in target.files.to_list()]),
    ])
"""
_HEAD = """
Info = provider()
Other = provider(fields = ["names", "files"])
def _upper(f):
    return f.basename.upper()
def _setting(ctx):
    return [Info(value = ctx.build_setting_value, name = ctx.label.name)]
bool_setting = rule(_setting, build_setting = config.bool(flag = True))
text_setting = rule(_setting, build_setting = config.string(flag = True))
list_setting = rule(_setting, build_setting = config.string_list(flag = True))
number_setting = rule(_setting, build_setting = config.int(flag = True))
def _fails(ctx):
    if ctx.attr.when[Info].value:
        fail("it is", ctx.attr.when[Info].value)
    return []
fails = rule(_fails, attrs = {"when": attr.label(mandatory = True)})
"""
_BUILD = """
load(":rules.bzl", {names})
bool_setting(name = "s_bool", build_setting_default = False)
text_setting(name = "s_text", build_setting_default = "plain")
list_setting(name = "s_list", build_setting_default = ["a", "b"])
number_setting(name = "s_number", build_setting_default = 7)
config_setting(name = "on", define_values = {{"on": "1"}})
genrule(name = "g", outs = ["g1.txt", "dir/g2.h"], cmd = "touch $(OUTS)")
genrule(name = "prog", outs = ["prog.sh"], cmd = "touch $@", executable = 1)
filegroup(name = "fg", srcs = ["a.txt", ":g", "@ext//q:e.txt"], data = ["d.txt"])
filegroup(name = "fg1", srcs = ["a.txt"])
sh_binary(name = "sh", srcs = ["s.sh"], data = ["d.txt"])
sh_library(name = "shl", srcs = ["s.sh"], data = ["a.txt"])
alias(name = "al", actual = ":fg")
alias(name = "al2", actual = select({{":on": ":g", "//conditions:default": "a.txt"}}))
fails(name = "fails_if_bool", when = ":s_bool")
fails(name = "fails", when = ":s_number")
exports_files(["a.txt", "b.h"])
"""
_EXT = """
exports_files(["e.txt"])
genrule(name = "eg", outs = ["eg.txt"], cmd = "", visibility = ["//visibility:public"])
"""
NATIVE = (
    *(":g", ":prog", ":fg", ":fg1", ":sh", ":shl", ":al", ":al2", "a.txt", "b.h", "g1.txt"),
    *("@ext//q:eg", "@ext//q:e.txt", ":on"),
)
SETTINGS = (":s_bool", ":s_text", ":s_list", ":s_number")

# Statements that gather something; each is run with `out`, a dictionary.
_GATHERING = (
    'out["names"] = [d.label.name for d in ctx.attr.deps]',
    'out["labels"] = [str(d.label) for d in ctx.attr.deps]',
    'out["paths"] = [f.path for f in ctx.files.deps]',
    'out["short"] = [f.short_path for f in ctx.files.deps]',
    'out["parts"] = [(f.basename, f.extension, f.dirname, f.is_source) for f in ctx.files.deps]',
    'out["owners"] = [str(f.owner) for f in ctx.files.deps]',
    'out["roots"] = [f.root.path for f in ctx.files.deps]',
    'out["reprs"] = [str(f) for f in ctx.files.deps]',
    'out["infos"] = [getattr(d[Info], "name", "no") for d in ctx.attr.deps if Info in d]',
    'out["has"] = [(Info in d, Other in d, DefaultInfo in d) for d in ctx.attr.deps]',
    'out["groups"] = [OutputGroupInfo in d for d in ctx.attr.deps]',
    'out["cc"] = [CcInfo in d for d in ctx.attr.deps]',
    'out["programs"] = [str(d[DefaultInfo].files_to_run.executable) for d in ctx.attr.deps]',
    (
        'out["runfiles"] = [[f.path for f in d[DefaultInfo].default_runfiles.files.to_list()]'
        " for d in ctx.attr.deps]"
    ),
    (
        'out["data"] = [[f.path for f in d[DefaultInfo].data_runfiles.files.to_list()]'
        " for d in ctx.attr.deps]"
    ),
    'out["counts"] = [len(d.files.to_list()) for d in ctx.attr.deps]',
    'out["types"] = [type(d) for d in ctx.attr.deps] + [type(f) for f in ctx.files.deps]',
    'out["single"] = ctx.file.single.path if ctx.file.single else None',
    'out["single_name"] = ctx.attr.single.label.name if ctx.attr.single else None',
    'out["dict"] = [(str(k.label), v) for k, v in ctx.attr.dict.items()]',
    'out["tool"] = ctx.executable.tool.short_path if ctx.executable.tool else None',
    'out["text"] = ctx.attr.text + str(ctx.attr.num) + str(ctx.attr.flag)',
    'out["texts"] = sorted(ctx.attr.texts)',
    'out["where"] = (ctx.label.package, ctx.label.name, ctx.workspace_name, ctx.build_file_path)',
    'out["dirs"] = (ctx.bin_dir.path, ctx.genfiles_dir.path)',
    'out["status"] = (ctx.info_file.path, ctx.version_file.short_path)',
    'out["var"] = [(k, ctx.var[k]) for k in sorted(ctx.var.keys())]',
    'out["named"] = ctx.var.get("on", "no")',
    'out["location"] = ctx.expand_location("$(location :g1.txt) $(rootpath b.h)", ctx.attr.some)',
    'out["locations"] = ctx.expand_location("x $(locations :g)", ctx.attr.some)',
    'out["make"] = ctx.expand_make_variables("m", "$$x $(TARGET_CPU) $(Y)", {"Y": "y"})',
    'out["words"] = ctx.tokenize("a \'b c\' \\"d e\\" f")',
    'out["setting"] = [ctx.attr.setting[Info].value, ctx.attr.setting[Info].name]',
    'out["attrs"] = [n for n in dir(ctx.attr) if n in ("deps", "text", "name", "nothing")]',
    'out["hasattr"] = [hasattr(one, "deps") for one in (ctx.attr, ctx.file, ctx.files)]',
    'out["covered"] = ctx.coverage_instrumented()',
    'out["tags"] = ctx.attr.tags',
    'out["testonly"] = ctx.attr.testonly',
    'out["struct"] = struct(a = 1, b = [ctx.label.name]).to_json()',
    (
        'out["depset"] = depset(["z", "a"], order = "ORDER", transitive = ['
        "d[Other].names for d in ctx.attr.deps if Other in d]).to_list()"
    ),
    (
        'out["below"] = [f.path for f in depset(transitive = [d.files for d in ctx.attr.deps],'
        ' order = "ORDER").to_list()]'
    ),
    'out["declared"] = declared.path + " " + declared.short_path',
    'out["outputs"] = sorted([n for n in dir(ctx.outputs)])',
    'out["implicit"] = ctx.outputs.implicit.path',
    'out["strings"] = "%s|%r|{}".format(ctx.label) % (ctx.attr.num, ctx.attr.text)',
    'out["max"] = max([len(f.path) for f in ctx.files.deps] + [0])',
    'out["sets"] = {f.extension: True for f in ctx.files.deps}.keys()',
    'out["targets"] = [str(d) for d in ctx.attr.deps]',
)
_RETURNS = (
    "[Info(**out), Other(names = depset([ctx.label.name]), files = depset([declared])){default}]",
    "[Info(**out){default}]",
    "struct(legacy = 3, providers = [Info(**out){default}])",
    "[Info(**out), OutputGroupInfo(some = [declared], none = depset()){default}]",
)
_DEFAULTS = (
    "",
    ", DefaultInfo()",
    ", DefaultInfo(files = depset([declared]))",
    (
        ", DefaultInfo(files = depset([declared], transitive = [d.files for d in ctx.attr.deps],"
        ' order = "ORDER"))'
    ),
    ", DefaultInfo(runfiles = ctx.runfiles(files = ctx.files.deps + [declared]))",
    (
        ", DefaultInfo(runfiles = ctx.runfiles(transitive_files = depset(ctx.files.some)).merge("
        "ctx.runfiles([declared])))"
    ),
    ", DefaultInfo(data_runfiles = ctx.runfiles([declared]))",
    ", DefaultInfo(default_runfiles = ctx.runfiles(collect_default = True), files = depset())",
    ", DefaultInfo(runfiles = ctx.runfiles(collect_data = True, files = [declared]))",
)
_ORDERS = ("default", "postorder", "preorder", "topological")


def _kind(random: Random, index: int) -> str:
    """The definition of one rule."""
    order = random.choice(_ORDERS)
    is_executable = random.random() < 0.25
    lines = [f"def _impl{index}(ctx):", "    out = {}"]
    name = random.choice(
        ('"%s.o" % ctx.label.name', '"d/" + ctx.label.name', 'ctx.label.name + "_f"')
    )
    sibling = ", sibling = ctx.outputs.implicit" if random.random() < 0.2 else ""
    lines.append(f"    declared = ctx.actions.declare_file({name}{sibling})")
    lines.append('    ctx.actions.write(declared, "x", is_executable = True)')
    lines.append('    ctx.actions.write(ctx.outputs.implicit, "y")')
    lines.append("    for o in ctx.outputs.many + ([ctx.outputs.one] if ctx.outputs.one else []):")
    lines.append('        ctx.actions.write(o, "z")')
    for statement in random.sample(_GATHERING, random.randint(3, 9)):
        lines.append(f"    {statement}")
    default = random.choice(_DEFAULTS)
    if is_executable:
        way = random.random()
        if way < 0.5 or "DefaultInfo(" not in default:
            lines.append('    ctx.actions.write(ctx.outputs.executable, "e")')
        else:
            default = default.replace("DefaultInfo(", "DefaultInfo(executable = declared, ", 1)
    result = random.choice(_RETURNS).format(default=default)
    lines.append(f"    return {result}")
    options = ["executable = True"] if is_executable else []
    options.append('outputs = {"implicit": "%{name}.imp"}')
    if random.random() < 0.2:
        options.append("provides = [Info]")
    attributes = {
        "deps": "attr.label_list(allow_files = True)",
        "dict": "attr.label_keyed_string_dict(allow_files = True)",
        "flag": "attr.bool()",
        "many": "attr.output_list()",
        "num": f"attr.int(default = {random.randint(0, 9)})",
        "one": "attr.output()",
        "setting": 'attr.label(default = ":s_bool")',
        "single": "attr.label(allow_single_file = True)",
        "some": 'attr.label_list(default = [":g", "g1.txt", "b.h"], allow_files = True)',
        "text": 'attr.string(default = "t")',
        "texts": "attr.string_list()",
        "tool": 'attr.label(executable = True, cfg = "host")',
    }
    held = ", ".join(f'"{key}": {value}' for key, value in attributes.items())
    lines.append(f"r{index} = rule(_impl{index}, {', '.join(options)}, attrs = {{{held}}})")
    return "\n".join(lines).replace("ORDER", order)


def _target(random: Random, name: str, kinds: int, earlier: list[str]) -> str:
    pool = [*NATIVE, *(f":{one}" for one in random.sample(earlier, min(6, len(earlier))))]
    chosen = random.sample(pool, random.randint(0, 4))
    deps = ", ".join(f'"{one}"' for one in chosen)
    given = [f'name = "{name}"', f"deps = [{deps}]"]
    if random.random() < 0.3:
        given[1] += (
            ' + select({":on": ["b.h"], "//conditions:default": []})'
            if ("b.h" not in chosen)
            else ""
        )
    if random.random() < 0.3:
        given.append(f'single = "{random.choice(("a.txt", "g1.txt", ":fg1", "@ext//q:eg"))}"')
    if random.random() < 0.3:
        keys = random.sample(pool, 2)
        given.append(f'dict = {{"{keys[0]}": "x", "{keys[1]}": "y"}}')
    if random.random() < 0.3:
        given.append(f'tool = "{random.choice((":sh", ":prog"))}"')
    if random.random() < 0.3:
        given.append(f'setting = "{random.choice(SETTINGS)}"')
    if random.random() < 0.2:
        given.append(f'one = "{name}.one"')
    if random.random() < 0.2:
        given.append(f'many = ["{name}.m1", "sub/{name}.m2"]')
    if random.random() < 0.2:
        given.append('text = select({":on": "on", "//conditions:default": "off"})')
    if random.random() < 0.2:
        given.append('tags = ["manual", "b"]')
    if random.random() < 0.2:
        given.append('texts = ["y", "x"]')
    return f"r{random.randrange(kinds)}({', '.join(given)})"


# What Bazel's own toolchains load, which may not be fetched.
_STUBS = {
    "rules_cc": (
        "cc",
        ("cc_binary", "cc_import", "cc_library", "cc_toolchain", "cc_toolchain_suite"),
    ),
    "rules_java": (
        "java",
        ("java_binary", "java_import", "java_library", "java_runtime", "java_toolchain"),
    ),
}


def write_stubs(folder: Path) -> tuple[str, ...]:
    """Writes the repositories that Bazel's own toolchains load; the flags that put them there."""
    flags = []
    for name, (package, rules) in _STUBS.items():
        text = "".join(f"{rule} = native.{rule}\n" for rule in (*rules, f"{package}_test"))
        files = {"WORKSPACE": "", f"{package}/BUILD": "", f"{package}/defs.bzl": text}
        write_files(folder / name, files)
        flags.append(f"--override_repository={name}={folder / name}")
    return tuple(flags)


def write_world(root: Path, seed: int, kinds: int, targets: int) -> None:
    """Writes a workspace: `//p` has `targets` targets of `kinds` rules, `@ext` is beside it."""
    random = Random(seed)
    bzl = "\n".join([_HEAD, *(_kind(random, index) for index in range(kinds))])
    made = (*(f"r{index}" for index in range(kinds)), "fails")
    settings = ("bool_setting", "text_setting", "list_setting", "number_setting")
    names = ", ".join(f'"{name}"' for name in (*made, *settings))
    earlier: list[str] = []
    lines = [_BUILD.format(names=names)]
    for index in range(targets):
        lines.append(_target(random, f"t{index}", kinds, earlier))
        earlier.append(f"t{index}")
    files = {
        "WORKSPACE": 'workspace(name = "ws")\nlocal_repository(name = "ext", path = "ext")\n',
        "ext/WORKSPACE": 'workspace(name = "ext")\n',
        "ext/q/BUILD": _EXT,
        "format.cquery": FORMAT,
        "p/BUILD": "\n".join(lines),
        "p/rules.bzl": bzl,
    }
    write_files(root, {**files, **{f"p/{name}": "" for name in ("a.txt", "b.h", "d.txt", "s.sh")}})
    (root / "ext" / "q" / "e.txt").write_text("")
    (root / "p" / "s.sh").chmod(0o755)
