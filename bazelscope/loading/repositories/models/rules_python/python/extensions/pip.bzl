"""Model of rules_python's module extension `pip` (0.24 to 1.9): a hub repository for each
`hub_name`, and one repository for each requirement and Python version.

With an `experimental_index_url` the real one asks an index which wheels there are, and makes a
repository for each of them, with longer names: here one stands for all wheels of a requirement.
"""

load("//:bazelscope.bzl", "RELEASE")

# The function is there, and not to be called.
_KNOWS_ENTRY_POINTS = RELEASE < (0, 36, 0)

def _whl_library(ctx):
    ctx.execute(["python", "-m", "pip", "wheel", "--no-deps", ctx.attr.requirement])

whl_library = repository_rule(
    implementation = _whl_library,
    attrs = {
        "requirement": attr.string(),
        "repo": attr.string(),
        "python_version": attr.string(),
        "requirements_lock": attr.string(),
    },
)

_KINDS = ["pkg", "whl", "data", "dist_info", "extracted_whl_files"]

def _hub_repository(ctx):
    names = sorted(ctx.attr.packages)
    for name in names:
        repositories = ctx.attr.packages[name]
        lines = ["package(default_visibility = [\"//visibility:public\"])"]
        lines.append("alias(name = \"%s\", actual = \":pkg\")" % name)
        for kind in _KINDS + ctx.attr.extra_hub_aliases.get(name, []):
            if len(repositories) == 1:
                actual = "\"@%s//:%s\"" % (repositories[0].partition("=")[2], kind)
            else:
                pairs = []
                for pair in repositories:
                    version, _, repository = pair.partition("=")
                    key = "@rules_python//python/config_settings:is_python_%s" % version
                    pairs.append("\"%s\": \"@%s//:%s\"" % (key, repository, kind))
                actual = "select({%s})" % ", ".join(pairs)
            lines.append("alias(name = \"%s\", actual = %s)" % (kind, actual))
        ctx.file(name + "/BUILD.bazel", "\n".join(lines) + "\n")
    ctx.file("BUILD.bazel", "exports_files([\"requirements.bzl\"])\n")
    hub = "@" + ctx.name
    lines = [
        "all_requirements = %s" % ["@%s//%s:pkg" % (hub, name) for name in names],
        "all_whl_requirements_by_package = %s" % {
            name: "@%s//%s:whl" % (hub, name)
            for name in names
        },
        "all_whl_requirements = all_whl_requirements_by_package.values()",
        "all_data_requirements = %s" % ["@%s//%s:data" % (hub, name) for name in names],
        "def _name(text):",
        "    return text.lower().replace(\"-\", \"_\").replace(\".\", \"_\").partition(\"[\")[0]",
        "def requirement(name):",
        "    return \"@%s//{}:pkg\".format(_name(name))" % hub,
        "def whl_requirement(name):",
        "    return \"@%s//{}:whl\".format(_name(name))" % hub,
        "def data_requirement(name):",
        "    return \"@%s//{}:data\".format(_name(name))" % hub,
        "def dist_info_requirement(name):",
        "    return \"@%s//{}:dist_info\".format(_name(name))" % hub,
    ]
    if _KNOWS_ENTRY_POINTS and RELEASE >= (0, 27, 0):
        lines.append("def entry_point(pkg, script = None):")
        lines.append("    fail(\"entry_point is now py_console_script_binary of @rules_python//python/entry_points:py_console_script_binary.bzl\")")
    elif _KNOWS_ENTRY_POINTS:
        lines.append("def entry_point(pkg, script = None):")
        lines.append("    print(\"not implemented\")")
    ctx.file("requirements.bzl", "\n".join(lines) + "\n")

hub_repository = repository_rule(
    implementation = _hub_repository,
    attrs = {
        "extra_hub_aliases": attr.string_list_dict(),
        "packages": attr.string_list_dict(),
        "repo_name": attr.string(),
    },
)

def _normalized(name):
    words = name.lower().replace("-", "_").replace(".", "_").split("_")
    return "_".join([word for i, word in enumerate(words) if word or i in (0, len(words) - 1)])

_ENDS_OF_NAMES = ("[", "<", ">", "!", "~", ";", "@", "(", "#", ",", "\\")

def _requirements(text):
    """The lines of a requirements file, continued ones joined: name and whole text."""
    found = {}
    joined = text.replace("\\\r\n", " ").replace("\\\n", " ")
    for raw in joined.splitlines():
        line = raw.partition(" #")[0].strip()
        if not line or line.startswith(("#", "-")):
            continue
        name = line.partition(" ")[0].partition("=")[0]
        for end in _ENDS_OF_NAMES:
            name = name.partition(end)[0]
        if name:
            found[_normalized(name)] = " ".join(line.split())
    return found

def _files(tag):
    one = [tag.requirements_lock, tag.requirements_linux, tag.requirements_darwin]
    return [file for file in one + [tag.requirements_windows] if file] + [
        file
        for file in tag.requirements_by_platform
    ]

def _pip(ctx):
    hubs = {}
    aliases = {}
    files = {}
    for module in ctx.modules:
        for tag in module.tags.parse:
            packages = hubs.setdefault(tag.hub_name, {})
            extra = aliases.setdefault(tag.hub_name, {})
            for name, kinds in tag.extra_hub_aliases.items():
                known = extra.setdefault(_normalized(name), [])
                known.extend([kind for kind in kinds if kind not in known])
            version = ".".join(tag.python_version.split(".")[:2])
            for file in _files(tag):
                if file not in files:
                    files[file] = _requirements(ctx.read(file))
                prefix = "%s_%s" % (tag.hub_name, version.replace(".", ""))
                for name, text in files[file].items():
                    repository = "%s_%s" % (prefix, name)
                    pair = "%s=%s" % (version, repository)
                    known = packages.setdefault(name, [])
                    if pair in known:
                        continue
                    known.append(pair)
                    whl_library(
                        name = repository,
                        requirement = text,
                        repo = prefix,
                        python_version = version,
                        requirements_lock = str(file),
                    )
    for hub, packages in hubs.items():
        hub_repository(
            name = hub,
            extra_hub_aliases = aliases[hub],
            packages = packages,
            repo_name = hub,
        )

_STRINGS = [
    "experimental_extra_index_urls",
    "experimental_target_platforms",
    "extra_pip_args",
    "python_interpreter_args",
    "target_platforms",
]
_TEXTS = [
    "experimental_index_url",
    "python_interpreter",
    "python_version",
    "index_url",
]
_SWITCHES = [
    "add_libdir_to_library_search_path",
    "download_only",
    "enable_implicit_namespace_pkgs",
    "isolated",
    "parse_all_requirements_files",
    "quiet",
]

pip = module_extension(
    implementation = _pip,
    tag_classes = {
        "parse": tag_class(attrs = {
            "hub_name": attr.string(mandatory = True),
            "requirements_lock": attr.label(),
            "requirements_linux": attr.label(),
            "requirements_darwin": attr.label(),
            "requirements_windows": attr.label(),
            "requirements_by_platform": attr.label_keyed_string_dict(),
            "auth_patterns": attr.string_dict(),
            "envsubst": attr.string_list(),
            "environment": attr.string_dict(),
            "experimental_index_url_overrides": attr.string_dict(),
            "experimental_requirement_cycles": attr.string_list_dict(),
            "extra_hub_aliases": attr.string_list_dict(),
            "netrc": attr.string(),
            "pip_data_exclude": attr.string_list(),
            "python_interpreter_target": attr.label(),
            "timeout": attr.int(),
            "use_hub_alias_dependencies": attr.bool(),
            "whl_modifications": attr.label_keyed_string_dict(),
            "requirements": attr.string(),
            "uv_lock": attr.label(),
            "simpleapi_skip": attr.string_list(),
            "experimental_index_url": attr.string(),
        } | {name: attr.string_list() for name in _STRINGS} |
          {name: attr.string() for name in _TEXTS if name != "experimental_index_url"} |
          {name: attr.bool() for name in _SWITCHES}),
        "whl_mods": tag_class(attrs = {
            "additive_build_content": attr.string(),
            "additive_build_content_file": attr.label(),
            "copy_executables": attr.string_dict(),
            "copy_files": attr.string_dict(),
            "data": attr.string_list(),
            "data_exclude_glob": attr.string_list(),
            "hub_name": attr.string(),
            "srcs_exclude_glob": attr.string_list(),
            "whl_name": attr.string(),
        }),
        "override": tag_class(attrs = {
            "file": attr.string(),
            "patch_strip": attr.int(),
            "patches": attr.label_list(),
        }),
        "default": tag_class(attrs = {
            "arch_name": attr.string(),
            "auth_patterns": attr.string_dict(),
            "config_settings": attr.label_list(),
            "env": attr.string_dict(),
            "index_url": attr.string(),
            "marker": attr.string(),
            "netrc": attr.string(),
            "os_name": attr.string(),
            "platform": attr.string(),
            "whl_abi_tags": attr.string_list(),
            "whl_limit": attr.int(),
            "whl_platform_tags": attr.string_list(),
            "requires_python": attr.string(),
        }),
    },
)
