"""Model of @bazel_skylib//lib:modules.bzl (1.5 to 1.9)."""

def _use_all_repos(module_ctx, reproducible = False):
    is_dev = not module_ctx.root_module_has_non_dev_dependency
    return module_ctx.extension_metadata(
        root_module_direct_deps = [] if is_dev else "all",
        root_module_direct_dev_deps = "all" if is_dev else [],
        reproducible = reproducible,
    )

def _as_extension(macro, doc = None):
    def extension(module_ctx):
        macro()
        return _use_all_repos(module_ctx, reproducible = True)

    return module_extension(extension, doc = doc or "")

modules = struct(as_extension = _as_extension, use_all_repos = _use_all_repos)
