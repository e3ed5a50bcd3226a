"""Model of @aspect_bazel_lib//lib:repo_utils.bzl (1.0 to 3.7), without what applies patches."""

_SYSTEMS = {
    "freebsd": "freebsd",
    "linux": "linux",
    "mac os": "darwin",
}

def _os(rctx):
    name = rctx.os.name.lower()
    for beginning, system in _SYSTEMS.items():
        if name.startswith(beginning):
            return system
    if "windows" in name:
        return "windows"
    fail("unrecognized os")

def _is(system):
    return lambda rctx: _os(rctx) == system

def _get_env_var(rctx, name, default):
    if name == "HOME" and _os(rctx) == "windows":
        name = "USERPROFILE"
    return rctx.os.environ.get(name, default)

def _arch(rctx):
    if hasattr(rctx.os, "arch"):
        arch = rctx.os.arch
    elif _os(rctx) == "windows":
        variables = ["PROCESSOR_ARCHITECTURE", "PROCESSOR_ARCHITEW6432"]
        told = [one for one in [_get_env_var(rctx, name, "") for name in variables] if one]
        arch = "arm64" if told and told[0] == "ARM64" else "amd64"
    else:
        arch = rctx.execute(["uname", "-m"]).stdout.strip()
    return {"aarch64": "arm64", "x86_64": "amd64"}.get(arch, arch)

repo_utils = struct(
    arch = _arch,
    get_env_var = _get_env_var,
    get_home_directory = lambda rctx: _get_env_var(rctx, "HOME", None),
    is_darwin = _is("darwin"),
    is_linux = _is("linux"),
    is_windows = _is("windows"),
    os = _os,
    platform = lambda rctx: "%s_%s" % (_os(rctx), _arch(rctx)),
)
