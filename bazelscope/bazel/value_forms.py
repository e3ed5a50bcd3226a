"""Forms that the values of single options must have beyond what their types say.

Asked of `canonicalize-flags` of 0.24.1, 2.1.0 and 4.2.3; later releases may read these options
otherwise, and are not held to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, parse_label

_LAST_MAJOR_ASKED = 4

Form = Callable[[str], bool]


def _matches(pattern: str) -> Form:
    # Compiled when it is first asked: a line has few of the options that have a form.
    return lambda text: re.fullmatch(pattern, text) is not None


def _one_of(*words: str) -> Form:
    return lambda text: text.lower() in words


def _list_of(form: Form, marks: str = "") -> Form:
    """Parts between commas, each perhaps behind one of the marks; nothing at all will do."""
    return lambda text: (
        not text
        or all(
            form(part[1:] if part[:1] and part[0] in marks else part) for part in text.split(",")
        )
    )


def is_regex(text: str) -> bool:
    """Whether a text is a regular expression of Java."""
    from bazelscope.base.java_regex import PatternError, to_python  # Few lines have one.

    try:
        to_python(text)
    except PatternError:
        return False
    return True


def is_dotted_version(text: str) -> bool:
    """Whether a text is a version as Apple's tools have them. Bazel: `DottedVersion`."""
    component = r"\d[a-z0-9]*"
    whole = rf"{component}(?:\.{component})*(?:\.[a-z]\w*(?:\..*)?)?"
    return re.fullmatch(whole, text, re.ASCII | re.IGNORECASE) is not None


def _is_filter(text: str) -> bool:
    """Regular expressions between commas. Bazel: `RegexFilterConverter`."""
    pieces = (piece.replace("\\,", ",") for piece in re.split(r"(?<!\\),", text))
    return all(is_regex(piece[1:] if piece[:1] in ("+", "-") else piece) for piece in pieces)


def _filter_before(mark: str) -> Form:
    return lambda text: _is_filter(text.partition(mark)[0])


def is_label(text: str) -> bool:
    """Whether a text is a label, of the main repository where it names none."""
    try:
        parse_label(text, MAIN_ROOT)
    except LabelError:
        return False
    return True


# Bazel: `Converters`, and the converters of single options.
_INTEGER = _matches(r"[+-]?(?:0[xX][0-9a-fA-F]+|\d+)")
_DECIMAL = _matches(r"[+-]?\d+")
_DOTTED = _matches(r"\d+[a-z0-9]*(?:\.\d+[a-z0-9]*)*")
# In 4.2.3, a word ends the numbers; nothing after it counts. Bazel: `DottedVersion.fromString`.
_DOTTED_OF_4 = _matches(r"(?i:\d+[a-z0-9]*(?:\.\d+[a-z0-9]*)*(?:\.[a-z]\w*(?:\..*)?)?)")
_UUID = r"[0-9a-fA-F]{1,8}(?:-[0-9a-fA-F]{1,4}){3}-[0-9a-fA-F]{1,12}"
_PLATFORM = "ios|watchos|tvos|macos|catalyst"
_AMOUNT = r"(?:\d+|0[xX][0-9a-fA-F]+|(?:auto|HOST_CPUS|HOST_RAM)(?:[-*][0-9]?(?:.[0-9]+)?)?)"
# A number in older releases; 4.2.3 takes words that stand for one, too.
_THREADS = _matches(rf"[+-]?{_AMOUNT}")
_WORKERS = _matches(rf"(?:[^=]+=)?{_AMOUNT}")
_EVENTS = _one_of(
    *("fatal", "error", "warning", "info", "progress", "debug", "start", "finish", "subcommand"),
    *("stdout", "stderr", "pass", "fail", "timeout", "cancelled", "depchecker"),
)
_LIBC = _matches(r"default|//.*")
_REGEX_WITH_VALUES = _matches(r"[^=]+=.*")

_FORMS: Mapping[str, Form] = {
    **dict.fromkeys(
        (
            *("build_event_upload_max_threads", "cache_computed_file_digests"),
            *("command_wait_time", "experimental_incremental_dexing_after_proguard"),
            "experimental_local_retries_on_crash",
            "experimental_max_directories_to_eagerly_visit_in_globbing",
            "experimental_nested_set_as_skykey_threshold",
            *("experimental_skylark_debug_server_port", "extract_data_time"),
            *("graph:conditional_edges_limit", "graph:node_limit", "log_top_n_packages"),
            *("min_param_file_size", "startup_time"),
            *("terminal_columns", "version_window_for_dirty_node_gc"),
        ),
        _INTEGER,
    ),
    "experimental_fsvc_threads": _THREADS,
    "legacy_globbing_threads": _THREADS,
    **dict.fromkeys(
        (
            *("ios_minimum_os", "ios_sdk_version", "ios_simulator_version", "macos_minimum_os"),
            *("macos_sdk_version", "tvos_minimum_os", "tvos_sdk_version"),
            *("tvos_simulator_version", "watchos_minimum_os"),
            *("watchos_sdk_version", "watchos_simulator_version"),
        ),
        _DOTTED,
    ),
    **dict.fromkeys(("android_grte_top", "grte_top", "host_grte_top"), _LIBC),
    **dict.fromkeys(
        (
            "experimental_worker_max_multiplex_instances",
            "worker_max_instances",
            "worker_max_multiplex_instances",
        ),
        _WORKERS,
    ),
    **dict.fromkeys(
        ("experimental_add_exec_constraints_to_targets", "strategy_regexp"), _REGEX_WITH_VALUES
    ),
    **dict.fromkeys(
        ("genrule_strategy", "spawn_strategy", "strategy"),
        lambda text: ",," not in text and not text.endswith(","),
    ),
    **dict.fromkeys(("extra_proguard_specs", "j2objc_dead_code_report"), is_label),
    "apple_bitcode": _matches(rf"(?i:(?:(?:{_PLATFORM})=)?(?:none|embedded_markers|embedded))"),
    "apple_platform_type": _one_of(*_PLATFORM.split("|")),
    "bes_upload_mode": _one_of(
        "wait_for_upload_complete", "nowait_for_upload_complete", "fully_async"
    ),
    "build_request_id": _matches(rf"|.*{_UUID}"),
    "client_env": _matches(r"[^=]+=(?s:.*)"),
    "default_override": _matches(r"\d+:[^=]+=(?s:.*)"),
    "default_visibility": _one_of("public", "private"),
    "deleted_packages": _list_of(
        lambda part: re.fullmatch(r"(@[^/:]*//|//)?([^@:/][^:/]*(/[^:/]+)*)?", part) is not None
    ),
    "dump": str.islower,
    "experimental_dynamic_configs": _one_of("on", "notrim", "retroactive"),
    "experimental_one_version_enforcement": _one_of("off", "warning", "error"),
    "experimental_output_paths": _one_of("off", "content"),
    "experimental_query_failure_exit_code_behavior": _one_of(
        "three_and_seven", "seven", "underlying"
    ),
    "fission": lambda text: (
        text in ("yes", "no") or (bool(text) and _list_of(_one_of("fastbuild", "dbg", "opt"))(text))
    ),
    "flag_alias": _matches(r"[^=]+=(?://|@).*"),
    "force_python": _matches(r"PY[23]"),
    "include_config_fragments_provider": _one_of("off", "direct_host_only", "direct", "transitive"),
    "invocation_id": _matches(rf"|{_UUID}"),
    "local_resources": _matches(r"[^,]*\d[^,]*(?:,[^,]*\d[^,]*){2}"),
    "memory_profile_stable_heap_parameters": _matches(r"\d+,\d+"),
    "modify_execution_info": _list_of(_matches(r".+=[+-].+")),
    "override_repository": _matches(r"[^=]+=/.*"),
    "platform_mappings": lambda text: not text.startswith("/"),
    "run_under": lambda text: bool(text.strip()),
    "sandbox_add_mount_pair": _matches(r"[^:]+(?::[^:]+)?"),
    "test_size_filters": _list_of(_one_of("small", "medium", "large", "enormous"), "-"),
    "test_timeout": lambda text: text.count(",") in (0, 3) and all(map(_DECIMAL, text.split(","))),
    "test_timeout_filters": _list_of(_one_of("short", "moderate", "long", "eternal"), "-"),
    "ui_event_filters": _list_of(_EVENTS, "+-"),
}

_REGULAR_EXPRESSIONS: Mapping[str, Form] = {
    "output_filter": is_regex,
    "instrumentation_filter": _is_filter,
    **dict.fromkeys(
        ("host_per_file_copt", "per_file_copt", "per_file_ltobackendopt"), _filter_before("@")
    ),
    **dict.fromkeys(
        ("experimental_add_exec_constraints_to_targets", "strategy_regexp"), _filter_before("=")
    ),
}
"""Options that every release reads so."""

OF_CONFIGURATIONS = frozenset(
    {
        *("cs_fdo_absolute_path", "experimental_bytecode_optimizers", "fdo_instrument"),
        *("fdo_optimize", "fdo_profile", "force_python", "incompatible_py3_is_default"),
        *("incompatible_allow_python_version_transitions", "j2objc_translation_flags"),
        *("message_translations", "platform_mappings", "python2_path", "python3_path"),
        *("python_path", "python_top", "translations"),
    }
)
"""Options whose values are looked at once more where a configuration is made of them:
`analysis.configuration.invalid_options`."""

_EMPTY_LABELS = frozenset(
    {
        *("android_crosstool_top", "auto_cpu_environment_group"),
        *("default_ios_provisioning_profile", "enabled_toolchain_types"),
        *("experimental_action_listener", "host_platform", "platforms", "plugin"),
        *("proto_toolchain_for_cc", "proto_toolchain_for_j2objc", "proto_toolchain_for_java"),
        *("proto_toolchain_for_javalite", "target_environment"),
        *("target_platform_fallback", "xbinary_fdo"),
    }
)
"""Options of labels that may be empty."""


def has_form(name: str, text: str, release: str) -> bool:
    """Whether `text` may be a value of the option, as far as that was asked of its release."""
    expression = _REGULAR_EXPRESSIONS.get(name)
    if expression is not None and not expression(text):
        return False
    form = _FORMS.get(name)
    if form is _DOTTED and not release.startswith(("0.", "1.", "2.", "3.")):
        form = _DOTTED_OF_4
    return form is None or not was_asked(release) or form(text)


def is_label_value(name: str, text: str, release: str) -> bool:
    """Whether `text` may be a value of an option whose values are labels."""
    if not text:
        if name in ("host_java_launcher", "java_launcher") and not release.startswith(("0.", "2.")):
            return True
        return name in _EMPTY_LABELS or not was_asked(release)
    if text.startswith("@@"):
        return not was_asked(release) and is_label(text[1:])
    return is_label(text)


def was_asked(release: str) -> bool:
    """Whether a release is among those that the forms were asked of."""
    return release != "" and int(release.partition(".")[0]) <= _LAST_MAJOR_ASKED
