"""Model of gazelle's module extension `go_deps` (0.30 to 0.51): one repository for each Go module.

It reads go.mod and go.sum of the modules that are here. What the go.mod files of these Go modules
ask for besides is listed in the root's go.mod already, since Go 1.17.
"""

def _go_repository(ctx):
    ctx.download_and_extract(
        url = "https://proxy.golang.org/%s/@v/%s.zip" % (ctx.attr.importpath, ctx.attr.version),
        stripPrefix = "%s@%s" % (ctx.attr.importpath, ctx.attr.version),
    )

go_repository = repository_rule(
    implementation = _go_repository,
    attrs = {
        "importpath": attr.string(),
        "version": attr.string(),
        "sum": attr.string(),
        "replace": attr.string(),
        "local_path": attr.string(),
        "urls": attr.string_list(),
        "strip_prefix": attr.string(),
        "sha256": attr.string(),
        "patches": attr.string_list(),
        "build_directives": attr.string_list(),
    },
)

def _repository_name(path):
    host, _, rest = path.partition("/")
    parts = reversed(host.split("."))
    name = "_".join(parts) + ("_" + rest if rest else "")
    made = ""
    for letter in name.elems():
        made += letter if letter.isalnum() else "_"
    return made.lower()

def _number(text):
    digits = ""
    for letter in text.elems():
        if not letter.isdigit():
            break
        digits += letter
    return int(digits) if digits else 0

def _order(version):
    release, dash, rest = version.removeprefix("v").partition("-")
    return ([_number(part) for part in release.split(".")], dash == "", rest)

def _read_go_mod(text):
    """The required modules of a go.mod, and what replaces some of them."""
    required, replaced = {}, {}
    block = ""
    for raw in text.splitlines():
        line = raw.partition("//")[0].strip()
        if not line:
            continue
        if line == ")":
            block = ""
            continue
        words = line.split()
        if words[-1] == "(" and len(words) == 2:
            block = words[0]
            continue
        if not block:
            keyword, words = words[0], words[1:]
        else:
            keyword = block
        words = [word.strip("\"") for word in words]
        if keyword == "require" and len(words) >= 2:
            required[words[0]] = words[1]
        elif keyword == "replace" and "=>" in words:
            at = words.index("=>")
            replaced[words[0]] = words[at + 1:]
    return required, replaced

_MODULES = [
    # Go modules that are modules of Bazel wherever gazelle is one.
    "github.com/bazelbuild/bazel-gazelle",
    "github.com/bazelbuild/rules_go",
]

def _go_deps(ctx):
    versions, sums, replacements, patches, directives, archives = {}, {}, {}, {}, {}, {}
    for module in ctx.modules:
        for tag in module.tags.from_file:
            if not tag.go_mod:
                continue
            required, replaced = _read_go_mod(ctx.read(tag.go_mod))
            if module.is_root:
                replacements.update(replaced)
            for path, version in required.items():
                if path not in versions or _order(versions[path]) < _order(version):
                    versions[path] = version
            go_sum = ctx.path(tag.go_mod).dirname.get_child("go.sum")
            if go_sum.exists:
                for line in ctx.read(go_sum).splitlines():
                    words = line.split()
                    if len(words) == 3 and not words[1].endswith("/go.mod"):
                        sums[(words[0], words[1])] = words[2]
        for tag in module.tags.module:
            if tag.sum:
                sums[(tag.path, tag.version)] = tag.sum
            if tag.path not in versions or _order(versions[tag.path]) < _order(tag.version):
                versions[tag.path] = tag.version
        if module.is_root:
            for tag in module.tags.module_override:
                patches[tag.path] = [str(patch) for patch in tag.patches]
            for tag in module.tags.gazelle_override:
                directives[tag.path] = tag.directives
            for tag in module.tags.archive_override:
                archives[tag.path] = tag
    for path, version in versions.items():
        if path in _MODULES:
            continue
        other = replacements.get(path)
        archive = archives.get(path)
        is_local = other != None and len(other) == 1
        source = other[0] if other and not is_local else path
        version = other[1] if other and not is_local else version
        go_repository(
            name = _repository_name(path),
            importpath = path,
            version = "" if archive or is_local else version,
            sum = sums.get((source, version), ""),
            replace = source if other and not is_local else "",
            local_path = other[0] if is_local else "",
            urls = archive.urls if archive else [],
            strip_prefix = archive.strip_prefix if archive else "",
            sha256 = archive.sha256 if archive else "",
            patches = patches.get(path, []),
            build_directives = directives.get(path, []),
        )

_NAMING = {
    "build_naming_convention": attr.string(),
    "build_file_proto_mode": attr.string(),
    "build_file_generation": attr.string(),
    "build_extra_args": attr.string_list(),
    "build_tags": attr.string_list(),
    "directives": attr.string_list(),
}

go_deps = module_extension(
    implementation = _go_deps,
    tag_classes = {
        "config": tag_class(attrs = {
            "check_direct_dependencies": attr.string(),
            "go_env": attr.string_dict(),
            "debug_mode": attr.bool(),
        }),
        "from_file": tag_class(attrs = {
            "go_mod": attr.label(),
            "go_work": attr.label(),
            "fail_on_version_conflict": attr.bool(default = True),
        }),
        "module": tag_class(attrs = {
            "path": attr.string(mandatory = True),
            "version": attr.string(mandatory = True),
            "sum": attr.string(),
            "indirect": attr.bool(),
            "local_path": attr.string(),
        } | _NAMING),
        "archive_override": tag_class(attrs = {
            "path": attr.string(mandatory = True),
            "urls": attr.string_list(),
            "strip_prefix": attr.string(),
            "sha256": attr.string(),
            "patches": attr.label_list(),
            "patch_strip": attr.int(),
        }),
        "gazelle_override": tag_class(attrs = {"path": attr.string(mandatory = True)} | _NAMING),
        "gazelle_default_attributes": tag_class(attrs = _NAMING),
        "module_override": tag_class(attrs = {
            "path": attr.string(mandatory = True),
            "patches": attr.label_list(),
            "patch_strip": attr.int(),
            "pre_patch_cmds": attr.string_list(),
            "post_patch_cmds": attr.string_list(),
        }),
    },
)
