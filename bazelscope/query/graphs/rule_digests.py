"""Bazel's hash of the `.bzl` files that a Starlark rule is made of: `$rule_implementation_hash`.

The digest of a file is SHA-256 of the SHA-256 of its text and of the digests of what it loads, in
the order of its `load` statements. Before Bazel 3 all of them are in hexadecimal, each with its
length in front, and in the order of the labels as written; before Bazel 1, MD5 of all that. From
5.0 on, Bazel's built-in Starlark code is hashed, too, which the files of a workspace do not tell.
Bazel: `BzlLoadFunction`, `Fingerprint`.
"""

from __future__ import annotations

import hashlib

from bazelscope.base.label import Label
from bazelscope.base.source import SHIPPED
from bazelscope.bazel.release import Release
from bazelscope.loading.loader import Loader
from bazelscope.loading.packages.targets import Rule
from bazelscope.query.graphs.load_order import LoadOrder


class RuleDigests:
    """Hashes each file once."""

    def __init__(self, loader: Loader, load_order: LoadOrder, release: Release) -> None:
        self._loader = loader
        self._load_order = load_order
        self._hash = hashlib.md5 if release.rule_digests_are_short else hashlib.sha256
        self._takes_texts = bool(release.rule_digests_of_texts)
        self._is_known = release.rule_digests or self._takes_texts
        self._digests: dict[Label, bytes | None] = {}

    def of(self, rule: Rule) -> str | None:
        """The hash in hexadecimal; None for a native rule, and where a file is not there or
        is one that bazelscope ships in the place of Bazel's."""
        defined_at = rule.rule_class.defined_at
        if not defined_at or not self._is_known:
            return None
        label = self._loader.label_of(defined_at[-1].location.path)
        digest = self._digest(label) if label is not None else None
        return digest.hex() if digest is not None else None

    def _digest(self, file: Label) -> bytes | None:
        if file not in self._digests:
            self._digests[file] = None  # A cycle of loads has no digest.
            self._digests[file] = self._computed(file)
        return self._digests[file]

    def _computed(self, file: Label) -> bytes | None:
        path = self._loader.display_path(file)
        if path is None or path.startswith(SHIPPED):
            return None
        source = self._loader.read_source(path)
        loaded = self._load_order.written_loads(file)
        if source is None or loaded is None:
            return None
        text = source.text.encode("utf-8", "surrogateescape")
        parts = [hashlib.sha256(text).digest()]
        for _, label in sorted(dict(loaded).items()) if self._takes_texts else loaded:
            part = self._digest(label)
            if part is None:
                return None
            parts.append(part)
        if self._takes_texts:
            parts = [bytes((2 * len(part),)) + part.hex().encode() for part in parts]
        return self._hash(b"".join(parts), usedforsecurity=False).digest()
