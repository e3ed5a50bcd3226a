"""What a configuration is in every state: the options that it sets."""

from __future__ import annotations

import hashlib

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.bazel.native_options import is_configuration_option


def configuration_digest(top: Configuration, configuration: Configuration) -> str:
    """A hash of every option that a configuration sets which transitions made of `top`."""
    kind, platform, changed, *rest = configuration.key
    assert isinstance(changed, tuple)
    values = dict(changed)
    given = options_of(top).items()
    # What a transition sets does not hang on what the line says.
    options = {name: text for name, text in given if name.partition("=")[0] not in values}
    facts = (sorted({**options, **values}.items()), configuration.release)
    text = repr((facts, _key((kind, platform, *rest))))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def options_of(configuration: Configuration) -> dict[str, tuple[str, ...]]:
    """The options that make up a top-level configuration, and their values."""
    texts: dict[str, tuple[str, ...]] = {"Bazel": (configuration.bazel_version,)}
    flags = configuration.flags
    for name in flags.values:
        definition = configuration.definition(name)
        if definition is not None and is_configuration_option(definition, configuration.release):
            texts[name] = configuration.value(name).values
    texts.pop("define", None)
    for name, define in flags.defines.items():
        texts[f"define={name}"] = (define.value,)
    for name, value in flags.starlark_flags.items():
        texts[name] = value.values
    texts["host"] = (str(configuration.host),)
    return texts


def _key(value: object) -> object:
    """The key of a configuration in one order."""
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    return [_key(one) for one in value] if isinstance(value, tuple) else str(value)
