"""What `package()` says of all rules of a package, and `repo()` of all packages.

Bazel: `PackageCallable`, `PackageArgs`.
"""

from __future__ import annotations

from collections.abc import Mapping

from bazelscope.bazel.attribute_types import AttributeType
from bazelscope.bazel.encoded_values import Encoded
from bazelscope.bazel.later_rules import is_metadata, metadata_attribute
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.attribute_values.conversion import Conversion, ConversionError
from bazelscope.loading.evaluation.attribute_values.converters import converter_for
from bazelscope.loading.evaluation.evaluation_context import CurrentPackage

# The arguments of package(): the attribute of every rule that each one sets, and its type.
_PACKAGE_ARGUMENTS: Mapping[str, tuple[str, AttributeType]] = {
    "default_applicable_licenses": ("applicable_licenses", AttributeType.LABEL_LIST),
    "default_compatible_with": ("compatible_with", AttributeType.LABEL_LIST),
    "default_copts": ("copts", AttributeType.STRING_LIST),
    "default_deprecation": ("deprecation", AttributeType.STRING),
    "default_hdrs_check": ("hdrs_check", AttributeType.STRING),
    "default_package_metadata": ("package_metadata", AttributeType.LABEL_LIST),
    "default_restricted_to": ("restricted_to", AttributeType.LABEL_LIST),
    "default_testonly": ("testonly", AttributeType.BOOLEAN),
    "default_visibility": ("visibility", AttributeType.LABEL_LIST),
    "distribs": ("distribs", AttributeType.DISTRIBUTION_SET),
    "features": ("features", AttributeType.STRING_LIST),
    "licenses": ("licenses", AttributeType.LICENSE),
}

_ENVIRONMENTS = ("default_compatible_with", "default_restricted_to")

_LATER_ARGUMENTS = ("default_copts", "default_hdrs_check", "default_package_metadata")


_METADATA = ("default_applicable_licenses", "default_package_metadata")
_TWICE_METADATA = (
    "Can not set both default_package_metadata and default_applicable_licenses. Move all"
    " declarations to default_package_metadata."
)


def set_defaults(
    builder: CurrentPackage, arguments: Mapping[str, object], conversion: Conversion
) -> None:
    """What `package()` says of all rules of a package, or `repo()` of all packages.

    The later word wins; features are added. Bazel: `PackageArgs.mergeWith`.
    """
    for name, value in arguments.items():
        known = _PACKAGE_ARGUMENTS.get(name)
        if known is None or not _takes(builder.release, name):
            builder.refuse("bad-package-argument", f"unexpected keyword argument: {name}")
            continue
        attribute, kind = known
        if value is None:
            if not builder.release.package_takes_copts:
                problem = f"expected value of type '{kind.value}' for argument '{name}'"
                builder.refuse("bad-package-argument", f"package(): {problem}, but got None")
            continue
        if is_metadata(attribute):
            attribute = metadata_attribute(builder.release)
        try:
            encoded = converter_for(kind, True)(conversion, value)
        except ConversionError as error:
            builder.refuse("bad-package-argument", f"package(): {name}: {error}")
            continue
        if is_metadata(known[0]) and None not in map(arguments.get, _METADATA):
            builder.refuse("bad-package-argument", _TWICE_METADATA)
            continue
        if name in _ENVIRONMENTS and type(encoded) is tuple:
            for label in dict.fromkeys(one for one in encoded if encoded.count(one) > 1):
                builder.report(
                    "duplicate-label",
                    f"label '{label}' is duplicated in the '{name}' list of 'package"
                    f" {builder.id.package}'",
                )
        is_visibility = attribute == "visibility" and type(encoded) is tuple
        if is_visibility and len(encoded) > 1 and not builder.release.visibility_words_combine:
            from bazelscope.loading.evaluation.rules.rule_arguments import words_problem

            problem = words_problem(encoded)
            if problem:
                builder.refuse("bad-visibility", f"package(): {problem}")
                continue
        before = builder.defaults.get(attribute)
        if attribute == "features" and type(before) is tuple and type(encoded) is tuple:
            encoded = _merged_features(before, encoded)
        builder.defaults[attribute] = encoded


def _takes(release: Release, argument: str) -> bool:
    """Whether `package()` of a release has an argument."""
    if argument == "default_applicable_licenses":
        return release.package_takes_licenses
    return argument not in _LATER_ARGUMENTS or release.package_takes_copts


def _merged_features(general: tuple[Encoded, ...], own: tuple[Encoded, ...]) -> tuple[Encoded, ...]:
    """A feature that the package switches otherwise is as the package says."""
    switched = {str(feature).removeprefix("-") for feature in own}
    kept = (feature for feature in general if str(feature).removeprefix("-") not in switched)
    return (*kept, *own)
