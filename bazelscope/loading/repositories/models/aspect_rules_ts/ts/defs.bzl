"""Model of @aspect_rules_ts//ts:defs.bzl (3.8 to 3.10)."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("//ts/private:build_test.bzl", "build_test")
load("//ts/private:outputs.bzl", "outputs_of")
load("//ts/private:ts_project.bzl", _ts_project = "ts_project")

def _nothing(ctx):
    return []

ts_project_rule = _ts_project

TsConfigInfo = provider(fields = ["deps"])

ts_config = rule(
    _nothing,
    attrs = {
        "deps": attr.label_list(allow_files = True),
        "src": attr.label(
            allow_single_file = True,
            mandatory = True,
        ),
    },
)

write_tsconfig_rule = rule(
    _nothing,
    attrs = {
        "allow_js": attr.bool(),
        "content": attr.string(),
        "extends": attr.label(allow_single_file = True),
        "files": attr.label_list(allow_files = True),
        "out": attr.output(),
        "resolve_json_module": attr.bool(),
    },
)

# The options of tsconfig.json that a dictionary may give, and the arguments that they stand for.
_IN_DICTIONARY = {
    "allowJs": "allow_js",
    "declaration": "declaration",
    "declarationMap": "declaration_map",
    "emitDeclarationOnly": "emit_declaration_only",
    "noEmit": "no_emit",
    "resolveJsonModule": "resolve_json_module",
    "sourceMap": "source_map",
}

def _sources(options):
    include, exclude = ["**/*.ts", "**/*.tsx"], []
    if options["allow_js"] == True:
        include += ["**/*.js", "**/*.jsx"]
    if options["resolve_json_module"] == True:
        include.append("**/*.json")
        exclude = ["**/package.json", "**/package-lock.json", "**/tsconfig*.json"]
    return native.glob(include, exclude, allow_empty = True)

def _directory(path):
    return path.removeprefix("./") if path and path not in (".", "./") else None

def _transpile(transpiler, **arguments):
    if partial.is_instance(transpiler):
        partial.call(transpiler, **arguments)
    else:
        transpiler(**arguments)

def ts_project(name, tsconfig = None, srcs = None, args = [], data = [], deps = [], assets = [], extends = None, allow_js = False, isolated_typecheck = False, declaration = False, source_map = False, declaration_map = False, resolve_json_module = None, preserve_jsx = False, composite = False, incremental = False, no_emit = False, emit_declaration_only = False, transpiler = None, declaration_transpiler = None, ts_build_info_file = None, generate_trace = None, tsc = "@npm_typescript//:tsc", tsc_worker = "@npm_typescript//:tsc_worker", validate = True, validator = "@npm_typescript//:validator", declaration_dir = None, out_dir = None, root_dir = None, supports_workers = -1, **kwargs):
    common = {key: kwargs.get(key, []) for key in ["tags"]} | {key: kwargs.get(key) for key in ["testonly", "visibility"]}
    options = {
        "allow_js": allow_js,
        "composite": composite,
        "declaration": declaration,
        "declaration_map": declaration_map,
        "emit_declaration_only": emit_declaration_only,
        "no_emit": no_emit,
        "preserve_jsx": preserve_jsx,
        "resolve_json_module": resolve_json_module,
        "source_map": source_map,
    }
    if type(tsconfig) == "dict":
        compiler = dict(tsconfig.get("compilerOptions", {}))
        for key, option in _IN_DICTIONARY.items():
            options[option] = compiler.setdefault(key, options[option])
        out_dir = compiler.get("outDir", out_dir)
        declaration_dir = compiler.get("declarationDir", declaration_dir)
        root_dir = compiler.get("rootDir", root_dir)
        written = dict(tsconfig, compilerOptions = compiler, files = "__files__")
        if root_dir != None:
            written.setdefault("exclude", [])
        if extends:
            written["extends"] = "__extends__"
        srcs = _sources(options) if srcs == None else srcs
        tsconfig = "tsconfig_%s.json" % name
        write_tsconfig_rule(
            name = "_gen_tsconfig_" + name,
            allow_js = options["allow_js"],
            content = json.encode(written),
            extends = extends,
            files = srcs,
            out = tsconfig,
            resolve_json_module = options["resolve_json_module"],
            **common
        )
    else:
        if tsconfig == None and not native.glob(["tsconfig.json"], allow_empty = True):
            fail("%s needs a tsconfig, as its package has no tsconfig.json" % name)
        tsconfig = tsconfig or "tsconfig.json"
        srcs = _sources(options) if srcs == None else srcs
    out_dir, root_dir, declaration_dir = _directory(out_dir), _directory(root_dir), _directory(declaration_dir)

    emits_js = not options["no_emit"] and not options["emit_declaration_only"]
    emits_typings = not options["no_emit"] and (options["declaration"] or options["emit_declaration_only"])
    js_by_other = emits_js and transpiler and transpiler != "tsc"
    typings_by_other = emits_typings and declaration_transpiler
    tsc_js, tsc_typings = emits_js and not js_by_other, emits_typings and not typings_by_other
    transpiled, declarations = None, None
    if typings_by_other:
        declarations = name + "_declarations"
        _transpile(declaration_transpiler, name = declarations, srcs = srcs, **common)
    if js_by_other:
        transpiled = name + "_transpile"
        _transpile(transpiler, name = transpiled, srcs = srcs, **common)

    if not options["no_emit"]:
        if declarations:
            native.alias(
                name = name + "_types",
                actual = declarations,
                tags = common["tags"],
                visibility = common["visibility"],
            )
        else:
            native.filegroup(
                name = name + "_types",
                srcs = [name],
                output_group = "types",
                **common
            )
    if not tsc_js or not tsc_typings or isolated_typecheck:
        for kind, manual in [("typecheck", []), ("transitive_typecheck", ["manual"])]:
            tags = manual + common["tags"]
            native.filegroup(
                name = name + "_" + kind,
                srcs = [name],
                output_group = kind,
                tags = tags,
                testonly = common["testonly"],
                visibility = common["visibility"],
            )
            build_test(
                name = name + "_%s_test" % kind,
                size = "small",
                tags = tags,
                targets = [name + "_" + kind],
                visibility = common["visibility"],
            )
    outs = outputs_of(srcs, options, out_dir, declaration_dir or out_dir, root_dir, tsc_js, tsc_typings)
    with_info = (composite or incremental) and (tsc_js or tsc_typings)
    ts_project_rule(
        name = name,
        args = args,
        assets = assets,
        buildinfo_out = (ts_build_info_file or name + ".tsbuildinfo") if with_info else None,
        data = data,
        declaration_dir = declaration_dir,
        declaration_transpile = declaration_transpiler != None,
        deps = deps,
        extends = extends,
        generate_trace = generate_trace,
        incremental = incremental,
        is_typescript_5_or_greater = select({
            "@npm_typescript//:is_typescript_5_or_greater": True,
            "//conditions:default": False,
        }),
        isolated_typecheck = isolated_typecheck,
        out_dir = out_dir,
        pretranspiled_dts = declarations,
        pretranspiled_js = transpiled,
        root_dir = root_dir,
        srcs = srcs,
        supports_workers = supports_workers,
        transpile = int(transpiler == "tsc") if transpiler else -1,
        ts_build_info_file = ts_build_info_file,
        tsc = tsc,
        tsc_worker = tsc_worker,
        tsconfig = tsconfig,
        validate = validate,
        validator = validator,
        **(options | outs | kwargs)
    )
