"""What rules_go lists since 0.30."""

MORE_SYSTEMS = {"ios": "ios"}
MORE_CPUS = {}
MORE_TARGETS = {"ios": "amd64 arm64"}
