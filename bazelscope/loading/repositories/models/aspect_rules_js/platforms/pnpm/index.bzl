"""Model of @aspect_rules_js//platforms/pnpm:index.bzl (3.0 to 3.4): what the words of package.json
for systems and processors are called in Bazel; None where Bazel has no word."""

PNPM_ARCHS = {
    "arm64": "@platforms//cpu:arm64",
    "arm": "@platforms//cpu:arm",
    "ppc": "@platforms//cpu:ppc",
    "ppc64": "@platforms//cpu:ppc64le",
    "riscv64": "@platforms//cpu:riscv64",
    "s390x": "@platforms//cpu:s390x",
    "ia32": "@platforms//cpu:x86_32",
    "x64": "@platforms//cpu:x86_64",
    "mips": "@platforms//cpu:mips64",
    "wasm32": "@platforms//cpu:wasm32",
}

PNPM_ARCH_ALIASES = {
    "loong64": None,
    "mips64el": "mips",
    "mipsel": "mips",
    "s390": "s390x",
    "x32": "ia32",
    "x86": "ia32",
}

PNPM_PLATFORMS = {
    "aix": "@platforms//os:linux",
    "darwin": "@platforms//os:macos",
    "freebsd": "@platforms//os:freebsd",
    "linux": "@platforms//os:linux",
    "openbsd": "@platforms//os:openbsd",
    "win32": "@platforms//os:windows",
    "sunos": None,
    "android": "@platforms//os:android",
    "netbsd": "@platforms//os:netbsd",
    "openharmony": None,
    "alpine": None,
}
