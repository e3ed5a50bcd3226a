"""The options of a configuration as 4.2.3 writes them where it compares two configurations.

What stands there is what Java makes of a value: lists in brackets, `null` for none, enums by
their names there. Which class of options each belongs to, which decides on the order, and what
the defaults look like, was asked of `bazel config`. Bazel: `FragmentOptions`, `BuildOptions`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from bazelscope import starlark
from bazelscope.analysis.configuration.configuration import Configuration, ConfigurationKind
from bazelscope.analysis.configuration.flag_types import ValueTypeError, parse_value
from bazelscope.analysis.configuration.platforms import host_platform_label, target_platform_label
from bazelscope.analysis.graph.transition_steps import SET_BY
from bazelscope.base.errors import LabelError
from bazelscope.base.label import MAIN_ROOT, Label, parse_label
from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.flag_catalog import FlagDefinition, FlagKind
from bazelscope.query.formats.build_options import (
    JVMOPT_OF_TOOLS,
    java_hash,
    javabase_of_tools,
    platform_suffix,
)
from bazelscope.query.formats.proto import varint

_NULL = "null"
_HASH_LENGTH = 12
_PLAIN = frozenset({FlagKind.STRING, FlagKind.PATH, FlagKind.INTEGER, FlagKind.LONG})
_ASSIGNMENTS = frozenset({FlagKind.ASSIGNMENT, FlagKind.OPTIONAL_ASSIGNMENT})
_VERSIONS = ("_os", "_sdk_version", "_simulator_version")
"""How the names of options end that hold versions."""
_MADE_FOR_TOOLS = frozenset({"copt", "cxxopt", "features"})
"""Lists that Bazel makes anew for tools."""
_FISSION = {"no": (), "yes": ("fastbuild", "dbg", "opt")}
_TRISTATES = frozenset({"AUTO", "NO", "YES"})


@dataclass(frozen=True, slots=True)
class _Table:
    names: tuple[str, ...]
    """Class by class, in the order in which Bazel compares them."""
    defaults: Mapping[str, str]


@cache
def _table() -> _Table:
    path = Path(__file__).with_name("option_texts.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    names = tuple(name for own in data["classes"].values() for name in own)
    return _Table(names, data["defaults"])


def option_texts(configuration: Configuration, is_raw: bool) -> dict[str, str | Unknown]:
    """Every native option, in Bazel's order. `is_raw`: as a transition leaves them, before
    Bazel fills in the platform. What cannot be told is `Unknown`."""
    return dict(_option_texts(configuration, is_raw))


def _option_texts(
    configuration: Configuration, is_raw: bool
) -> Iterator[tuple[str, str | Unknown]]:
    is_for_tools = configuration.kind is not ConfigurationKind.TARGET
    base = replace(configuration, kind=ConfigurationKind.TARGET, changes={}, before_exec={})
    special: dict[str, Callable[[], str | Unknown]] = {
        "affected by starlark transition": lambda: _list(sorted(configuration.affected)),
        "is exec configuration": lambda: _bool(configuration.kind is ConfigurationKind.EXEC),
        "is host configuration": lambda: _bool(configuration.kind is ConfigurationKind.HOST),
        "output directory name": lambda: "host" if configuration.is_final else _NULL,
        "platform_suffix": lambda: platform_suffix(configuration) or _NULL,
        "platforms": lambda: _platforms(configuration, is_raw),
        "target libcTop label": lambda: _option_text(base, "grte_top"),
        "transition directory name fragment": lambda: _directory(configuration),
    }
    if not base.value("host_crosstool_top").value:
        # Bazel: `CppOptions.getNormalized`.
        special["host_crosstool_top"] = lambda: _option_text(base, "crosstool_top")
        special["host_compiler"] = lambda: _option_text(base, "compiler")
    if is_for_tools:
        special["javabase"] = lambda: _label(javabase_of_tools(configuration))
        special["jvmopt"] = lambda: _list([JVMOPT_OF_TOOLS])
    for name in _table().names:
        make = special.get(name)
        yield name, make() if make is not None else _option_text(configuration, name)


def _option_text(configuration: Configuration, name: str) -> str | Unknown:
    value = configuration.value(name)
    by_transition = bool(value.instances) and value.instances[-1].text.startswith(SET_BY)
    if configuration.kind is not ConfigurationKind.TARGET and name in _MADE_FOR_TOOLS:
        by_transition = False
    return _text(configuration, name, value.values, bool(value.instances), by_transition)


def _text(
    configuration: Configuration,
    name: str,
    values: tuple[str, ...],
    is_given: bool,
    is_starlark: bool,
) -> str | Unknown:
    """`is_starlark`: a list is one of Starlark's, which is written as Starlark does."""
    default = _table().defaults.get(name)
    if not is_given and default is not None and values == configuration.default(name).values:
        return default
    definition = configuration.definition(name)
    if definition is None:
        # Options of Bazel's own, which no command line can set.
        return values[-1] if values else default or _NULL
    if is_starlark and definition.repeats and definition.kind is FlagKind.STRING:
        return _list([starlark.repr_of(text) for text in values])
    try:
        return _given(definition, values, default or "")
    except (LabelError, ValueTypeError):
        return _unknown(name, values)


def _given(definition: FlagDefinition, values: tuple[str, ...], default: str) -> str | Unknown:
    """What values look like that something has set."""
    kind, name = definition.kind, definition.name
    if name == "fission":
        word = values[-1] if values else "no"
        return _list(_FISSION.get(word, word.split(",")))
    parts = [part for text in values for part in text.split(",") if part]
    if kind is FlagKind.LIST:
        return _list(parts)
    if name == "platforms":
        return _list(map(_label, parts))
    one = _one_maker(definition, default)
    if one is None:
        return _unknown(name, values)
    if definition.repeats:
        return _list([one(text) for text in values])
    return one(values[-1]) if values else _NULL


def _one_maker(definition: FlagDefinition, default: str) -> Callable[[str], str] | None:
    """What makes the text of a single value; None where that cannot be told."""
    kind, name = definition.kind, definition.name
    if kind is FlagKind.TRISTATE or default in _TRISTATES:
        return _tristate
    if kind is FlagKind.LABEL:
        return _libc if name in ("grte_top", "host_grte_top") else _label
    if kind in _ASSIGNMENTS:
        return lambda text: text if "=" in text else f"{text}={_NULL}"
    if kind is FlagKind.OTHER and name.endswith(_VERSIONS):
        return _version
    if kind is FlagKind.STRING or kind is FlagKind.PATH:
        return str
    if kind is FlagKind.BOOLEAN or kind is FlagKind.ENUM or kind in _PLAIN or definition.negatable:
        is_upper = kind is FlagKind.ENUM and default.isupper()
        return lambda text: _typed(definition, text, is_upper)
    if kind is FlagKind.UNKNOWN and default.isupper():
        return str.upper
    if kind is FlagKind.UNKNOWN and default == "":
        return str
    return None


def _typed(definition: FlagDefinition, text: str, is_upper: bool) -> str:
    parsed = parse_value(definition, text).text
    return parsed.upper() if is_upper else parsed


def _tristate(text: str) -> str:
    lowered = text.lower()
    if lowered == "auto":
        return "AUTO"
    return "YES" if lowered in ("yes", "true", "1", "y", "t") else "NO"


def _label(text: str) -> str:
    if not text:
        return _NULL
    spelled = text if text[:1] in "/@" else f"//{text}"
    return str(parse_label(spelled, MAIN_ROOT))


def _libc(text: str) -> str:
    """Bazel: `LibcTopLabelConverter`, which takes the package alone."""
    return _NULL if text == "default" else f"{_label(text).partition(':')[0]}:everything"


def _version(text: str) -> str:
    """An object without a text of its own: its class, and its hash. Bazel: `DottedVersion`."""
    return f"com.google.devtools.build.lib.rules.apple.DottedVersion$Option@{java_hash(text):x}"


def _platforms(configuration: Configuration, is_raw: bool) -> str:
    changed = configuration.changes.get("platforms")
    given = configuration.value("platforms").values
    labels = [_label(part) for text in given for part in text.split(",") if part]
    is_left = is_raw and (changed is not None or configuration.is_final)
    if not labels and not is_left:
        is_for_tools = configuration.kind is not ConfigurationKind.TARGET
        find = host_platform_label if is_for_tools else target_platform_label
        labels = [str(find(configuration))]
    return _list(labels)


def _directory(configuration: Configuration) -> str:
    """Bazel: `FunctionTransitionUtil.transitionDirectoryNameFragment`, which makes a hash of all
    options that transitions changed, and of all settings that are held, by name."""
    if not configuration.fragment:
        return _NULL
    digest = hashlib.sha256()
    for name, value in sorted(configuration.fragment, key=lambda entry: entry[0]):
        assert isinstance(value, tuple)
        if name.startswith(("/", "@")):
            text = setting_text(value)
        else:
            text = str(_text(configuration, name, value, is_given=False, is_starlark=True))
        written = f"{name}={text}".encode()
        digest.update(varint(len(written)) + written)
    return f"ST-{digest.hexdigest()[:_HASH_LENGTH]}"


def setting_text(elements: Sequence[Hashable]) -> str:
    """The value of a build setting."""
    texts = [_element(element) for element in elements]
    return texts[0] if len(texts) == 1 else _list(texts)


def _element(element: Hashable) -> str:
    if isinstance(element, tuple) and not isinstance(element, Label):
        # A parsed number or boolean carries its type beside it.
        value = element[1]
        return _bool(value) if isinstance(value, bool) else str(value)
    return str(element)


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(texts)}]"


def _unknown(name: str, values: tuple[str, ...]) -> Unknown:
    detail = f"how Bazel writes `{' '.join(values)}` there is not known"
    return Unknown(Reason.NOT_MODELLED, f"--{name}", detail)
