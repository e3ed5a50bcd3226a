"""Addresses that nothing can be downloaded from. Bazel: `StarlarkBaseExternalContext.getUrls`."""

from __future__ import annotations

from collections.abc import Sequence

from bazelscope.base.lazy_pattern import lazy_pattern

_SCHEME = lazy_pattern(r"([A-Za-z][\w+.-]*):")
_SUPPORTED = frozenset({"file", "http", "https"})
_KNOWN_TO_JAVA = frozenset({"ftp", "jar", "jmod", "jrt", "mailto"})
"""The other protocols that `java.net.URL` reads; any further one is none to it."""


def wrong_addresses(addresses: Sequence[str], needs_checksum: bool, may_fail: bool) -> str | None:
    """Returns Bazel's error for a download of `addresses`; None where there is none.

    `needs_checksum`: there is no checksum, without which plain http does not count; `may_fail`: a
    download without any address is no error. Measured: 0.24.1, 2.1.0, 4.2.3.
    """
    left = 0
    for address in addresses:
        match = _SCHEME.match(address)
        scheme = match.group(1).lower() if match is not None else ""
        if scheme in _KNOWN_TO_JAVA:
            return f"java.io.IOException: Unsupported protocol: {scheme}"
        if scheme not in _SUPPORTED:
            return f"java.io.IOException: Bad URL: {address}"
        left += scheme != "http" or not needs_checksum
    if may_fail or left:
        return None
    if not addresses:
        return "java.io.IOException: urls not set"
    return (
        "java.io.IOException: No URLs left after removing plain http URLs due to missing checksum."
        " Please provide either a checksum or an https download location."
    )
