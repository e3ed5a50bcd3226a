"""What rules_go lists since 0.32."""

MORE_SYSTEMS = {"ios": "ios"}
MORE_CPUS = {}
MORE_TARGETS = {
    "ios": "amd64 arm64",
    "windows": "arm64",
}
