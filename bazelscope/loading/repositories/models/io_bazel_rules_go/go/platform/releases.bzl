"""What rules_go lists since 0.61."""

MORE_SYSTEMS = {
    "ios": "ios",
    "qnx": "qnx",
}
MORE_CPUS = {
    "arm": "armv7",
    "ppc64": "ppc",
    "ppc64le": "ppc64le",
    "riscv64": "riscv64",
    "loong64": "loongarch64",
}
MORE_TARGETS = {
    "ios": "amd64 arm64",
    "linux": "loong64",
    "windows": "arm64",
    "osx": "386 amd64 arm arm64",
    "qnx": "386 amd64 arm arm64",
    "wasip1": "wasm",
}
