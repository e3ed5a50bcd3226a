"""What rules_go lists since 0.43."""

MORE_SYSTEMS = {"ios": "ios"}
MORE_CPUS = {
    "arm": "armv7",
    "ppc64": "ppc",
}
MORE_TARGETS = {
    "ios": "amd64 arm64",
    "windows": "arm64",
}
