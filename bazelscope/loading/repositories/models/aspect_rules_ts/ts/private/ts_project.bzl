"""The rule behind ts_project of @aspect_rules_ts (3.8 to 3.10)."""

def _nothing(ctx):
    return []

ts_project = rule(
    _nothing,
    attrs = {
        "args": attr.string_list(),
        "assets": attr.label_list(allow_files = True),
        "build_progress_message": attr.string(),
        "buildinfo_out": attr.output(),
        "data": attr.label_list(allow_files = True),
        "declaration_dir": attr.string(),
        "declaration_transpile": attr.bool(),
        "deps": attr.label_list(),
        "eslintconfig": attr.label(allow_single_file = True),
        "extends": attr.label(allow_files = True),
        "is_typescript_5_or_greater": attr.bool(),
        "isolated_typecheck": attr.bool(),
        "isolated_typecheck_progress_message": attr.string(),
        "js_outs": attr.output_list(),
        "map_outs": attr.output_list(),
        "out_dir": attr.string(),
        "pretranspiled_dts": attr.label(),
        "pretranspiled_js": attr.label(),
        "root_dir": attr.string(),
        "srcs": attr.label_list(
            allow_files = True,
            mandatory = True,
        ),
        "supports_workers": attr.int(values = [-1, 0, 1]),
        "transpile": attr.int(
            default = -1,
            values = [-1, 0, 1],
        ),
        "ts_build_info_file": attr.string(),
        "tsc": attr.label(
            cfg = "exec",
            executable = True,
            mandatory = True,
        ),
        "tsc_worker": attr.label(
            cfg = "exec",
            executable = True,
            mandatory = True,
        ),
        "tsconfig": attr.label(
            allow_single_file = [".json"],
            mandatory = True,
        ),
        "typing_maps_outs": attr.output_list(),
        "typings_outs": attr.output_list(),
        "validate": attr.bool(default = True),
        "validator": attr.label(
            cfg = "exec",
            executable = True,
            mandatory = True,
        ),
        "_options": attr.label(default = "@aspect_rules_ts//ts:options"),
    } | {
        name: attr.bool()
        for name in [
            "allow_js",
            "composite",
            "declaration",
            "declaration_map",
            "emit_declaration_only",
            "generate_trace",
            "incremental",
            "no_emit",
            "preserve_jsx",
            "resolve_json_module",
            "source_map",
        ]
    },
)
