"""Model of @io_bazel_rules_go//go/platform:list.bzl (0.22.7 to 0.62): what Go can be built for."""

load(":releases.bzl", "MORE_CPUS", "MORE_SYSTEMS", "MORE_TARGETS")

_TARGETS = {
    "aix": "ppc64",
    "android": "386 amd64 arm arm64",
    "darwin": "386 amd64 arm arm64",
    "dragonfly": "amd64",
    "freebsd": "386 amd64 arm arm64",
    "illumos": "amd64",
    "js": "wasm",
    "linux": "386 amd64 arm arm64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x",
    "nacl": "386 amd64p32 arm",
    "netbsd": "386 amd64 arm arm64",
    "openbsd": "386 amd64 arm arm64",
    "plan9": "386 amd64 arm",
    "solaris": "amd64",
    "windows": "386 amd64 arm",
}

_WELL_KNOWN_OS = dict({
    "android": "android",
    "darwin": "osx",
    "freebsd": "freebsd",
    "linux": "linux",
    "windows": "windows",
}, **MORE_SYSTEMS)

_WELL_KNOWN_CPU = dict({
    "386": "x86_32",
    "amd64": "x86_64",
    "arm": "arm",
    "arm64": "aarch64",
    "ppc64le": "ppc",
    "s390x": "s390x",
}, **MORE_CPUS)

def _own(name):
    return "@io_bazel_rules_go//go/toolchain:" + name

def _os(goos):
    known = _WELL_KNOWN_OS.get(goos)
    return "@platforms//os:" + known if known else _own(goos)

def _cpu(goarch):
    known = _WELL_KNOWN_CPU.get(goarch)
    return "@platforms//cpu:" + known if known else _own(goarch)

GOOS_GOARCH = tuple([
    (goos, goarch)
    for targets in [_TARGETS, MORE_TARGETS]
    for goos, goarchs in targets.items()
    for goarch in goarchs.split(" ")
])
GOOS = {goos: _os(goos) for goos, _ in GOOS_GOARCH}
GOARCH = {goarch: _cpu(goarch) for _, goarch in GOOS_GOARCH}
RACE_GOOS_GOARCH = {
    (goos, "amd64"): None
    for goos in ("darwin", "freebsd", "linux", "windows")
}
MSAN_GOOS_GOARCH = {("linux", "amd64"): None}
