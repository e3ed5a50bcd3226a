"""What TypeScript's compiler writes for a source, as @aspect_rules_ts (3.8 to 3.10) declares it."""

_TYPINGS = (".d.ts", ".d.mts", ".d.cts")

# What becomes of an ending: that of the JavaScript and of the declarations.
_ENDINGS = {
    "cjs": ("cjs", "d.cts"),
    "cts": ("cjs", "d.cts"),
    "js": ("js", "d.ts"),
    "jsx": ("js", "d.ts"),
    "mjs": ("mjs", "d.mts"),
    "mts": ("mjs", "d.mts"),
    "ts": ("js", "d.ts"),
    "tsx": ("js", "d.ts"),
}
_OF_JAVASCRIPT = ("cjs", "js", "jsx", "mjs")

def _moved(path, out_dir, root_dir):
    path = path[path.find(":") + 1:]
    if root_dir:
        path = path.removeprefix(root_dir + "/")
    return out_dir + "/" + path if out_dir else path

def outputs_of(srcs, options, out_dir, typings_dir, root_dir, with_js, with_typings):
    """Returns the outputs by attribute: `js_outs`, `map_outs`, `typings_outs`, `typing_maps_outs`."""
    outs = {"js_outs": [], "map_outs": [], "typing_maps_outs": [], "typings_outs": []}
    with_js = with_js and not options["emit_declaration_only"]

    def add(attribute, source, path):
        if path != source:
            outs[attribute].append(path)

    for source in srcs:
        ending = source.rpartition(".")[2]
        if ending == "json" and options["resolve_json_module"] and with_js:
            add("js_outs", source, _moved(source, out_dir, root_dir))
        if ending not in _ENDINGS or source.endswith(_TYPINGS):
            continue
        if ending in _OF_JAVASCRIPT and not options["allow_js"]:
            continue
        script, typings = _ENDINGS[ending]
        if options["preserve_jsx"] and ending in ("jsx", "tsx"):
            script = "jsx"
        stem = _moved(source, out_dir, root_dir).removesuffix(ending)
        typings_stem = _moved(source, typings_dir, root_dir).removesuffix(ending)
        if with_js:
            add("js_outs", source, stem + script)
            if options["source_map"]:
                add("map_outs", source, stem + script + ".map")
        if with_typings:
            if options["declaration"] or options["composite"]:
                add("typings_outs", source, typings_stem + typings)
            if options["declaration_map"]:
                add("typing_maps_outs", source, typings_stem + typings + ".map")
    return outs
