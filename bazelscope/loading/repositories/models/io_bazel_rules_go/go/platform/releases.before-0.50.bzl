"""What rules_go lists since 0.49."""

MORE_SYSTEMS = {"ios": "ios"}
MORE_CPUS = {
    "arm": "armv7",
    "ppc64": "ppc",
    "ppc64le": "ppc64le",
}
MORE_TARGETS = {
    "ios": "amd64 arm64",
    "windows": "arm64",
}
