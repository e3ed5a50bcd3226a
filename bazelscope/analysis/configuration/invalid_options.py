"""Options that Bazel takes one by one and refuses where it makes a configuration of them.

Bazel: `Fragment.reportInvalidOptions`, the constructors of fragments, `PlatformMappingFunction`.
Measured: 0.24.1, 2.1.0, 4.2.3; later releases by their sources.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterator

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.errors import Diagnostic
from bazelscope.bazel.value_forms import is_label

_OF_J2OBJC = ("--prefixes", "--prefix", "-x")

Problem = tuple[str, str, str]
"""The option, what Bazel says of it, and what would mend it."""


def problems_of_options(
    options: Configuration, is_file: Callable[[str], bool], root: str
) -> Iterator[Diagnostic]:
    """What Bazel says of the options of a top-level configuration, each at the word that is to
    blame. `is_file` looks for a path of the workspace, which lies in `root`."""
    for option, message, hint in (
        *_of_processors(options),
        *problems_of_directories(options, _IN_DIRECTORIES),
        *_of_python(options),
        *_of_fdo(options),
        *_of_languages(options),
        *_of_mappings(options, is_file, root),
    ):
        by = options.value(option).set_by
        span = by.span if by is not None else None
        yield Diagnostic("invalid-options", message, span, hint=hint or None)


def _given(options: Configuration, name: str) -> str | None:
    """The value of an option that the release has, where something sets it."""
    value = options.value(name)
    return value.value if options.definition(name) is not None and not value.is_default else None


def _of_processors(options: Configuration) -> Iterator[Problem]:
    cpu, texts = options.value("cpu").value, options.value("allowed_cpu_values").values
    allowed = sorted({one.strip() for text in texts for one in text.split(",") if one})
    if allowed and cpu not in allowed:
        message = f'Invalid --cpu value "{cpu}": allowed values are {", ".join(allowed)}.'
        yield "cpu", message, ""


def problems_of_directories(options: Configuration, changed: Collection[str]) -> Iterator[Problem]:
    """What is wrong with the names that outputs' directories get of the options in `changed`.
    Measured: 4.2.3, 2.1.0 ends for some. Bazel: `InvalidMnemonicException`."""
    release = options.release
    processor = "CPU name {}" if release.names_cpu_of_directory else _BY_CPP
    for name, words in (*((one, processor) for one in _PROCESSORS), ("platform_suffix", _SUFFIX)):
        value = options.value(name).value if name in changed else None
        is_named = name not in _PROCESSORS or not options.is_on(_BY_PLATFORM)
        if value and "/" in value and is_named and release.checks_names_of_directories:
            shown = words.format(f"'{value}'")
            yield name, f"{shown} is invalid as part of a path: must not contain /", ""


_BY_CPP = "Output directory name {} specified by CppConfiguration"
_BY_PLATFORM = "experimental_platform_in_output_dir"
_PROCESSORS = ("cpu", "host_cpu")
_SUFFIX = "Platform suffix {}"
_IN_DIRECTORIES = (*_PROCESSORS, "platform_suffix")


def _of_python(options: Configuration) -> Iterator[Problem]:
    path = _given(options, "python_path")
    if path is not None and not (path.startswith("python") or _is_absolute(path, options)):
        message = "python_path must be an absolute path when it is set."
        yield "python_path", message, "write the interpreter's absolute path"
    toolchains = "incompatible_use_python_toolchains"
    if options.is_on(toolchains) and options.release.refuses_python_top:
        for name in ("python2_path", "python3_path", "python_top"):
            if _given(options, name):
                hint = "delete it: it does nothing"
                if name == "python_top":
                    hint = f"register a Python toolchain, or set --{toolchains}=false"
                yield name, f"`--{name}` is disabled by `--{toolchains}`.", hint
    if not options.release.checks_python_versions:
        return
    former = "incompatible_remove_old_python_version_api"
    if _given(options, "force_python") and options.is_on(former):
        message = f"`--force_python` is disabled by `--{former}`"
        yield "force_python", message, "write --python_version"
    default = "incompatible_py3_is_default"
    transitions = "incompatible_allow_python_version_transitions"
    if options.is_on(default) and not options.is_on(transitions):
        blamed = transitions if options.value(transitions).set_by else default
        message = f"cannot enable `--{default}` without also enabling `--{transitions}`"
        yield blamed, message, f"set --{transitions}"


def _of_fdo(options: Configuration) -> Iterator[Problem]:
    optimize, profile = _given(options, "fdo_optimize"), _given(options, "fdo_profile")
    instrument = _given(options, "fdo_instrument")
    if optimize and profile:
        yield "fdo_profile", "Both --fdo_optimize and --fdo_profile specified", "delete one of them"
    if instrument and (optimize or profile):
        message = (
            "Cannot instrument and optimize for FDO at the same time. Remove one of the"
            " '--fdo_instrument' and '--fdo_optimize/--fdo_profile' options"
        )
        yield "fdo_instrument", message, ""
    if optimize is not None and optimize.startswith("//"):
        if not is_label(optimize):
            yield "fdo_optimize", f"`{optimize}` is no label", ""
    elif optimize and posixpath.normpath(optimize) in (".", "/"):
        yield "fdo_optimize", f"`{optimize}` names no file", ""
    absolute = _given(options, "cs_fdo_absolute_path")
    if absolute is not None and not _is_absolute(absolute, options):
        message = f"Path of '{absolute}' in --cs_fdo_absolute_path is not an absolute path."
        yield "cs_fdo_absolute_path", message, ""


def _of_languages(options: Configuration) -> Iterator[Problem]:
    targets = options.value("message_translations").values
    for target in targets if _given(options, "message_translations") is not None else ():
        for label in target.split(","):
            if not (label.startswith(("//", "@")) and is_label(label)):
                message = f"Invalid translations target '{label}', make sure it uses correct"
                yield "message_translations", f"{message} absolute path syntax.", ""
    if options.is_on("translations") and not targets:
        message = "Translations enabled, but no message translations specified."
        hint = "select the message translations to use with --message_translations"
        yield "translations", message, hint
    flags = options.value("j2objc_translation_flags").values
    if _given(options, "j2objc_translation_flags") and not set(flags).isdisjoint(_OF_J2OBJC):
        message = f"J2Objc translation flags: {','.join(flags)} not supported."
        message += f" Unsupported flags are: {','.join(_OF_J2OBJC)}"
        yield "j2objc_translation_flags", message, ""
    optimizer = _given(options, "experimental_bytecode_optimizers")
    if optimizer and "=" not in optimizer and optimizer != "Proguard":
        message = f"Must supply label for optimizer {optimizer}"
        yield "experimental_bytecode_optimizers", message, ""


def _of_mappings(
    options: Configuration, is_file: Callable[[str], bool], root: str
) -> Iterator[Problem]:
    path = _given(options, "platform_mappings")
    if path and not is_file(path):
        message = f"--platform_mappings was set to '{path}' but no such file exists relative to"
        yield "platform_mappings", f"{message} the package path roots, '[{root}]'", ""


def _is_absolute(path: str, options: Configuration) -> bool:
    """Whether a path is absolute on the host, where Windows has drives."""
    return path.startswith("/") or (options.host.os == "windows" and path[1:2] == ":")
