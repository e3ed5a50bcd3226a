"""Model of @rules_python//python:pip.bzl (0.1 to 2.2), as it works in a WORKSPACE file.

What a lock file names is known from the lock file; what a wheel holds and needs is not.
"""

load("//:bazelscope.bzl", "RELEASE")
load("@rules_python//python:py_binary.bzl", "py_binary")
load("@rules_python//python:py_test.bzl", "py_test")
load("//python/private:lock_test.bzl", "declare_lock_test")

# Before, the hub had packages of its own only where it was asked for them.
_HUB_HAS_PACKAGES = RELEASE >= (0, 27, 0)
_RESOLVER = "@rules_python//python/%s.py" % (
    "private/pypi/dependency_resolver:dependency_resolver" if RELEASE >= (0, 34, 0) else
    "pip_install/tools/dependency_resolver:dependency_resolver" if RELEASE >= (0, 17, 0) else
    "pip_install:pip_compile"
)
_KNOWS_ENTRY_POINTS = RELEASE >= (0, 5, 0) and RELEASE < (0, 36, 0)

def _normalized(name):
    return name.lower().replace("-", "_").replace(".", "_")

def _name_of(requirement):
    name = requirement
    for end in [" ", "=", "<", ">", "!", "~", ";", "[", "@"]:
        name = name.split(end)[0]
    return name.strip()

def _requirements(text):
    """The first line of every requirement of a lock file, without options and comments."""
    found = []
    continued = False
    for line in text.split("\n"):
        shown = line.split(" #")[0].strip()
        starts = not continued and shown and not shown.startswith("#") and not shown.startswith("-")
        if starts:
            found.append(shown.rstrip("\\").strip())
        continued = shown.endswith("\\")
    return found

_HUB_BUILD = """\
package(default_visibility = ["//visibility:public"])

exports_files(["requirements.bzl"])
"""

_ALIASES = """\
package(default_visibility = ["//visibility:public"])

alias(name = "{package}", actual = ":pkg")
alias(name = "pkg", actual = "@{prefix}{package}//:pkg")
alias(name = "whl", actual = "@{prefix}{package}//:whl")
alias(name = "data", actual = "@{prefix}{package}//:data")
alias(name = "dist_info", actual = "@{prefix}{package}//:dist_info")
"""

_ALIAS = """\
alias(name = "{name}", actual = "@{prefix}{package}//:{name}")
"""

_REQUIREMENTS = """\
load("@rules_python//python:pip.bzl", "normalized_package", "whl_library")

_PACKAGES = {packages}
_ANNOTATIONS = {annotations}

all_requirements = {all_requirements}
all_whl_requirements_by_package = {all_wheels}
all_whl_requirements = all_whl_requirements_by_package.values()
all_data_requirements = {all_data}

def requirement(name):
    return "{begin}" + normalized_package(name) + "{middle}:pkg"

def whl_requirement(name):
    return "{begin}" + normalized_package(name) + "{middle}:whl"

def data_requirement(name):
    return "{begin}" + normalized_package(name) + "{middle}:data"

def dist_info_requirement(name):
    return "{begin}" + normalized_package(name) + "{middle}:dist_info"

def install_deps(**whl_library_kwargs):
    for name, package, requirement in _PACKAGES:
        whl_library(
            name = name,
            annotation = _ANNOTATIONS.get(package),
            repo = "{hub}",
            repo_prefix = "{prefix}",
            requirement = requirement,
            **whl_library_kwargs
        )
"""

_ENTRY_POINT = """
def entry_point(pkg, script = None):
    script = script or pkg
    return "@{prefix}" + normalized_package(pkg) + "//:rules_python_wheel_entry_point_" + script
"""

def _lock_of(ctx):
    """The lock file for the machine that Bazel runs on; `requirements` is its name of old."""
    system = ctx.os.name
    anywhere = ctx.attr.requirements_lock or ctx.attr.requirements
    if system.startswith("mac os"):
        return ctx.attr.requirements_darwin or anywhere
    if system.startswith("windows"):
        return ctx.attr.requirements_windows or anywhere
    return ctx.attr.requirements_linux or anywhere

def _pip_repository_impl(ctx):
    lock = _lock_of(ctx)
    if not lock:
        fail("no requirements lock file for " + ctx.os.name)
    prefix = ctx.attr.repo_prefix or (ctx.name + "_")
    packages = []
    seen = {}
    for requirement in _requirements(ctx.read(ctx.path(lock))):
        package = _normalized(_name_of(requirement))
        if not package or package in seen:
            continue
        seen[package] = True
        packages.append((prefix + package, package, requirement))
        aliases = _ALIASES.format(prefix = prefix, package = package)
        for extra in ctx.attr.extra_hub_aliases.get(package, []):
            aliases += _ALIAS.format(name = extra, package = package, prefix = prefix)
        if ctx.attr.incompatible_generate_aliases:
            ctx.file(package + "/BUILD.bazel", aliases)
    annotations = {_normalized(name): text for name, text in ctx.attr.annotations.items()}
    ctx.file("BUILD.bazel", _HUB_BUILD)
    begin, middle = "@%s" % prefix, "//"
    if ctx.attr.incompatible_generate_aliases:
        begin, middle = "@%s//" % ctx.name, ""
    label = begin + "%s" + middle + ":%s"
    requirements = _REQUIREMENTS.format(
        all_data = repr([label % (name, "data") for _, name, _ in packages]),
        all_requirements = repr([label % (name, "pkg") for _, name, _ in packages]),
        all_wheels = repr({name: label % (name, "whl") for _, name, _ in packages}),
        annotations = repr(annotations),
        begin = begin,
        hub = ctx.name,
        middle = middle,
        packages = repr(packages),
        prefix = prefix,
    )
    if _KNOWS_ENTRY_POINTS:
        requirements += _ENTRY_POINT.format(prefix = prefix)
    ctx.file("requirements.bzl", requirements)

pip_repository = repository_rule(
    implementation = _pip_repository_impl,
    attrs = {
        "annotations": attr.string_dict(),
        "download_only": attr.bool(),
        "enable_implicit_namespace_pkgs": attr.bool(default = False),
        "environment": attr.string_dict(),
        "envsubst": attr.string_list(),
        "experimental_requirement_cycles": attr.string_list_dict(),
        "experimental_target_platforms": attr.string_list(),
        "extra_hub_aliases": attr.string_list_dict(),
        "extra_pip_args": attr.string_list(),
        "incompatible_generate_aliases": attr.bool(default = _HUB_HAS_PACKAGES),
        "isolated": attr.bool(default = True),
        "pip_data_exclude": attr.string_list(),
        "python_interpreter": attr.string(),
        "python_interpreter_target": attr.label(allow_single_file = True),
        "quiet": attr.bool(default = True),
        "repo_prefix": attr.string(),
        "requirements": attr.label(allow_single_file = True),
        "requirements_by_platform": attr.label_keyed_string_dict(),
        "requirements_darwin": attr.label(allow_single_file = True),
        "requirements_linux": attr.label(allow_single_file = True),
        "requirements_lock": attr.label(allow_single_file = True),
        "requirements_windows": attr.label(allow_single_file = True),
        "timeout": attr.int(default = 600),
        "use_hub_alias_dependencies": attr.bool(default = False),
    },
)

pip_parse = pip_repository

_WHEEL_BUILD = """\
load("@rules_python//python:py_library.bzl", "py_library")

package(default_visibility = ["//visibility:public"])

filegroup(name = "dist_info", srcs = glob(["site-packages/*.dist-info/**"], allow_empty = True))
filegroup(name = "data", srcs = glob(["data/**"], allow_empty = True))
filegroup(name = "whl", srcs = glob(["*.whl"], allow_empty = True), data = [{needs}])
py_library(
    name = "pkg",
    srcs = glob(["site-packages/**/*.py"], allow_empty = True),
    data = glob(["site-packages/**/*"], exclude = ["**/*.py"], allow_empty = True),
    imports = ["site-packages"],
    deps = [{needs}],
)

{more}
"""

def _whl_library_impl(ctx):
    # What a wheel needs stands in its metadata.
    needs = ctx.execute(["pip", "wheel", ctx.attr.requirement.split(" ")[0]]).stdout
    more = ""
    if ctx.attr.annotation:
        more = json.decode(ctx.attr.annotation).get("additive_build_content") or ""
    ctx.file("BUILD.bazel", _WHEEL_BUILD.format(more = more, needs = needs))

whl_library = repository_rule(
    implementation = _whl_library_impl,
    attrs = {
        "annotation": attr.string(),
        "extra_pip_args": attr.string_list(),
        "group_deps": attr.string_list(),
        "group_name": attr.string(),
        "python_interpreter": attr.string(),
        "python_interpreter_target": attr.label(allow_single_file = True),
        "quiet": attr.bool(default = True),
        "repo": attr.string(),
        "repo_prefix": attr.string(),
        "requirement": attr.string(mandatory = True),
        "timeout": attr.int(default = 600),
        "whl_file": attr.label(),
    },
)

def normalized_package(name):
    return _normalized(name)

def package_annotation(additive_build_content = None, copy_files = {}, copy_executables = {}, data = [], data_exclude_glob = [], srcs_exclude_glob = []):
    return json.encode(struct(
        additive_build_content = additive_build_content,
        copy_executables = copy_executables,
        copy_files = copy_files,
        data = data,
        data_exclude_glob = data_exclude_glob,
        srcs_exclude_glob = srcs_exclude_glob,
    ))

def compile_pip_requirements(name, srcs = None, src = None, extra_args = [], extra_deps = [], generate_hashes = True, py_binary = py_binary, py_test = py_test, requirements_in = None, requirements_txt = None, requirements_darwin = None, requirements_linux = None, requirements_windows = None, visibility = ["//visibility:private"], tags = None, **kwargs):
    requirements_txt = requirements_txt or name + ".txt"
    given = srcs or [requirements_in or src or "pyproject.toml"]
    tags = (tags or []) + ["no-sandbox", "no-remote-exec", "requires-network"]
    locks = [lock for lock in [requirements_txt, requirements_darwin, requirements_linux, requirements_windows] if lock]
    attributes = dict(
        args = extra_args,
        data = [name, requirements_txt] + given + locks[1:],
        deps = extra_deps,
        srcs = [_RESOLVER],
        main = _RESOLVER,
        tags = tags,
        visibility = visibility,
    )
    native.filegroup(name = name, srcs = given + locks[:1], visibility = visibility)
    py_binary(name = name + ".update", **attributes)
    declare_lock_test(py_test, name, dict(attributes, **kwargs))
