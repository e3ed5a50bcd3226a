"""Where Bazel puts the outputs of a configuration. Bazel: `BuildConfiguration.buildMnemonic`."""

from __future__ import annotations

from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.base.unknown import Reason, Unknown

_DIRECTORY_OPTIONS = ("platform_suffix", "cc_output_directory_tag")


def output_directory(configuration: Configuration) -> str | Unknown:
    """The directory of a configuration's outputs. Those that a transition made are named by a
    hash of its options, which files do not tell."""
    if configuration.kind is ConfigurationKind.HOST:
        return "bazel-out/host"
    options = [configuration.value(name).value for name in _DIRECTORY_OPTIONS]
    if configuration.kind is ConfigurationKind.EXEC or not configuration.is_top:
        detail = "its output directory is named by a hash of Bazel's own"
        return Unknown(Reason.NEEDS_ANALYSIS, f"configuration {configuration.kind.value}", detail)
    if any(options):
        detail = f"{' or '.join(f'--{name}' for name in _DIRECTORY_OPTIONS)} names it"
        return Unknown(Reason.NEEDS_ANALYSIS, "the output directory", detail)
    mode = configuration.value("compilation_mode").value
    return f"bazel-out/{configuration.value('cpu').value}-{mode}"
