"""Model of @platforms//host:extension.bzl (0.0.9 to 1.1)."""

_CPUS = {
    "aarch64": "aarch64",
    "amd64": "x86_64",
    "arm": "arm",
    "armv7l": "arm",
    "ppc": "ppc",
    "ppc64": "ppc",
    "ppc64le": "ppc64le",
    "riscv64": "riscv64",
    "s390": "s390x",
    "s390x": "s390x",
    "x64": "x86_64",
    "x86": "x86_32",
    "x86_64": "x86_64",
}
_SYSTEMS = {
    "freebsd": "freebsd",
    "linux": "linux",
    "mac os": "osx",
    "openbsd": "openbsd",
    "windows": "windows",
}

def _host_platform_repo(repository_ctx):
    cpu = _CPUS.get(repository_ctx.os.arch)
    systems = [
        value
        for prefix, value in _SYSTEMS.items()
        if repository_ctx.os.name.startswith(prefix)
    ]
    values = ["@platforms//cpu:" + cpu] if cpu else []
    values += ["@platforms//os:" + system for system in systems]
    repository_ctx.file("BUILD.bazel", "exports_files([\"constraints.bzl\"])\n")
    repository_ctx.file("constraints.bzl", "HOST_CONSTRAINTS = %r\n" % values)

host_platform_repo = repository_rule(_host_platform_repo, local = True)

def _host_platform(module_ctx):
    host_platform_repo(name = "host_platform")

host_platform = module_extension(_host_platform)
