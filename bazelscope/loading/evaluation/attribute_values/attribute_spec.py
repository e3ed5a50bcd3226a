"""What one `attr.*` call says of an attribute, before a rule gives it a name."""

from __future__ import annotations

from collections.abc import Callable

from bazelscope.base.lazy_dataclass import dataclass
from bazelscope.bazel.attribute_types import (
    OUTPUT_TYPES,
    AttributeDefinition,
    AttributeType,
    Configured,
)


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    """What one `attr.*` call says; the name comes with the rule."""

    type: AttributeType
    default: object
    mandatory: bool
    executable: bool
    configured: Configured
    transition: str | None
    aspects: tuple[object, ...]
    compute: Callable[..., object] | None = None
    late_bound: bool = False
    allowed: tuple[str | int, ...] = ()
    configurable: bool = True
    """Whether a macro's argument may be a select(), and becomes one (Bazel 8 and newer)."""
    says_configurable: bool = False
    """Whether the call says so itself, which it may for macros alone."""
    cfg: object = None
    """What the call's `cfg` was: the transition itself, where it is one."""
    files: object = None
    """Which files it takes, as `allow_files` or `allow_single_file` says: None or False none, True
    any, else names' endings."""
    is_single_file: bool = False
    rules: tuple[str, ...] | None = None
    """Of which classes rules have to be, unless they provide what is asked; None: of any."""
    providers: object = ()
    """What targets must provide, as `providers` says."""
    may_be_empty: bool = True
    """Whether a list or a dict may be empty, the default one, too (`allow_empty`)."""

    def definition(self, name: str) -> AttributeDefinition:
        """The definition of the attribute `name`."""
        return AttributeDefinition(
            name,
            self.type,
            self.default,
            mandatory=self.mandatory,
            configurable=self.type not in OUTPUT_TYPES,
            configured=self.configured,
            executable=self.executable,
            transition=self.transition,
            aspects=tuple(getattr(aspect, "name", "") or "aspect" for aspect in self.aspects),
            computed_default=self.compute is not None or self.late_bound,
            allowed=self.allowed,
        )
