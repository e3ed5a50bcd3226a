"""What of the lines of a target is not modelled, so that an answer says it instead of passing over
it: profiles, link time optimisation, modules, further actions."""

from __future__ import annotations

from collections.abc import Iterator

from bazelscope.analysis.configuration.configuration import Configuration
from bazelscope.base.label import Label
from bazelscope.base.unknown import Reason, Unknown

_PROFILES = (
    *("fdo_instrument", "fdo_optimize", "fdo_profile", "cs_fdo_instrument", "cs_fdo_profile"),
    *("xbinary_fdo", "fdo_prefetch_hints", "propeller_optimize", "memprof_profile"),
)
_MODULES = {
    "layering_check": "words for module maps",
    "use_header_modules": "words for header modules",
    "header_modules": "words for header modules",
}
_INTERFACES = "supports_interface_shared_libraries"


def gaps_in_words(configuration: Configuration, enabled: frozenset[str]) -> Iterator[Unknown]:
    """Why a compiler's or linker's line may have words that are not shown."""
    for name in _PROFILES:
        value = configuration.value(name)
        if value.set_by is not None and value.value:
            detail = "what profiles add to the line is not modelled"
            place = value.set_by.location
            yield Unknown(Reason.NOT_MODELLED, f"--{name}={value.value}", detail, place)
    if "thin_lto" in enabled:
        detail = "what link time optimisation adds to the line is not modelled"
        yield Unknown(Reason.NOT_MODELLED, "feature thin_lto", detail)
    if "module_maps" in enabled:
        for name, what in _MODULES.items():
            if name in enabled:
                detail = f"{what} are not modelled"
                yield Unknown(Reason.NOT_MODELLED, f"feature {name}", detail)


def further_actions(configuration: Configuration, enabled: frozenset[str]) -> Iterator[Unknown]:
    """Actions of a target that are not shown."""
    if configuration.is_on("save_temps"):
        asked = configuration.value("save_temps").set_by
        place = asked.location if asked is not None else None
        detail = "its actions that preprocess and assemble each source are not shown"
        yield Unknown(Reason.NOT_MODELLED, "--save_temps", detail, place)
    if "parse_headers" in enabled and configuration.is_on("process_headers_in_dependencies"):
        detail = "the actions that compile headers are not shown"
        yield Unknown(Reason.NOT_MODELLED, "feature parse_headers", detail)
    if _INTERFACES in enabled:
        detail = "interface libraries, and what builds them, are not shown"
        yield Unknown(Reason.NOT_MODELLED, f"feature {_INTERFACES}", detail)


def links_of_shared_libraries(label: Label) -> Unknown:
    """Why a link may have other libraries than those of `deps`: a `cc_shared_library` takes some of
    them away, and what its own link has is not modelled."""
    detail = "which libraries a cc_shared_library links, and takes from those who link it"
    return Unknown(Reason.NOT_MODELLED, str(label), f"{detail}, is not modelled")
