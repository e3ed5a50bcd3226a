"""The entries of `package_group(packages = ...)`: `//a`, `//a/...`, `-//b`, `public`.

Bazel: `PackageSpecification`.
"""

from __future__ import annotations

from bazelscope.base.errors import LabelError
from bazelscope.base.label import PackageId, parse_label
from bazelscope.bazel.release import Release


def specification_problem(text: str, release: Release) -> str | None:
    """What Bazel finds wrong with one entry; None if it is sound."""
    if text in ("public", "private") and release.package_group_words:
        return None
    body = text.removeprefix("-")
    if not body.startswith("//"):
        return f"invalid package name '{body}': must start with '//'"
    package = body.removesuffix("...").rstrip("/") if body.endswith("/...") else body
    if package in ("", "//"):
        return None
    if ":" in package:
        return (
            f"invalid package name '{body}': package names may not contain ':'"
            " (a package_group takes packages, not targets)"
        )
    try:
        parse_label(f"{package}:x", PackageId("", ""))
    except LabelError as error:
        return f"invalid package name '{body}': {error.diagnostic.message}"
    return None
