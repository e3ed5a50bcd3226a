"""What Bazel takes from the machine it runs on: the default `--cpu` and the host platform.

Bazel: `AutoCpuConverter`, `LocalConfigPlatformFunction`.
"""

from __future__ import annotations

from bazelscope.base.label import Label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.release import Release

SYSTEMS = ("linux", "macos", "windows", "freebsd", "openbsd")
OS_NAMES = {**{name: name for name in SYSTEMS}, "osx": "macos", "darwin": "macos"}
"""Operating systems as users name them; what Bazel enables on each is the config of that name."""
_CPU_NAMES = {
    name: cpu
    for cpu, names in (
        ("x86_64", ("x86_64", "amd64", "k8", "x64")),
        ("aarch64", ("aarch64", "arm64")),
        ("x86_32", ("x86_32", "i386", "i686")),
        ("arm", ("arm", "armv7l")),
        ("ppc", ("ppc", "ppc64le")),
        ("s390x", ("s390x",)),
    )
    for name in names
}
_JAVA_ARCHITECTURES = {"x86_64": "amd64", "x86_32": "i386", "ppc": "ppc64le"}
_UNAME_SYSTEMS = {"linux": "Linux", "macos": "Darwin", "freebsd": "FreeBSD"}
_UNAME_CPUS = {
    ("linux", "x86_64"): "x86_64",
    ("linux", "aarch64"): "aarch64",
    ("macos", "x86_64"): "x86_64",
    ("macos", "aarch64"): "arm64",
    ("freebsd", "x86_64"): "amd64",
}
_LINUX_CPU = {
    "x86_64": "k8",
    "aarch64": "aarch64",
    "x86_32": "piii",
    "arm": "arm",
    "ppc": "ppc",
    "s390x": "s390x",
}


@dataclass(frozen=True, slots=True)
class Host:
    """An operating system (`linux`, `macos`, `windows`, ...) and a CPU family."""

    os: str
    cpu: str = "x86_64"

    @classmethod
    def parse(cls, text: str) -> Host:
        """`linux`, `macos-arm64`, `linux_aarch64`: a CPU not named is x86_64."""
        lowered = text.lower()
        for name, os in OS_NAMES.items():
            if lowered.startswith(name):
                cpu = lowered[len(name) :].lstrip("-_/ ")
                return cls(os, _CPU_NAMES.get(cpu, cpu or "x86_64"))
        return cls(lowered)

    @staticmethod
    def is_known(text: str) -> bool:
        """Whether a text begins with an operating system that Bazel runs on."""
        return text.lower().startswith(tuple(OS_NAMES))

    def default_cpu(self, release: Release) -> str:
        """The value of `--cpu` and `--host_cpu` that are not set."""
        if self.os == "macos":
            if self.cpu == "aarch64":
                return "darwin_arm64" if release.darwin_arm64_cpu else "darwin"
            return "darwin_x86_64" if release.darwin_x86_64_cpu else "darwin"
        if self.os == "windows":
            return "arm64_windows" if self.cpu == "aarch64" else "x64_windows"
        if self.os in ("freebsd", "openbsd"):
            return self.os
        return _LINUX_CPU.get(self.cpu, "unknown")

    @property
    def has_cpu_constraint(self) -> bool:
        """Whether every Bazel has a constraint value for the CPU."""
        return self.cpu in _LINUX_CPU

    @property
    def architecture(self) -> str:
        """The `os.arch` of the Java that Bazel runs in, which `repository_ctx.os.arch` says."""
        return self.cpu if self.os == "macos" else _JAVA_ARCHITECTURES.get(self.cpu, self.cpu)

    @property
    def uname(self) -> dict[str, str]:
        """What `uname` says with an option, as far as that can be told."""
        names = {"-s": _UNAME_SYSTEMS.get(self.os), "-m": _UNAME_CPUS.get((self.os, self.cpu))}
        return {option: name for option, name in names.items() if name is not None}

    def constraint_values(self, release: Release) -> tuple[Label, ...]:
        """The constraint values of the automatic host platform."""
        os = self.os
        if os == "macos" and not release.macos_constraint:
            os = "osx"
        repository, cpu_package, os_package = "platforms", "cpu", "os"
        if not release.constraints_in_platforms:
            # Bazel had its own constraints before @platforms was split off.
            repository, cpu_package, os_package = "bazel_tools", "platforms", "platforms"
        return (Label(repository, cpu_package, self.cpu), Label(repository, os_package, os))
