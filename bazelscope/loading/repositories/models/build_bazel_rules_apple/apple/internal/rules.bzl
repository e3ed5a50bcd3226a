"""What the rules of rules_apple have in common: attributes of releases 0.30 to 3.

Left out: the tools that they run (they differ by release) and their transition to an Apple
platform, which depends on flags that releases treat differently: below these rules a model
answers as for the platform that the command line names.
"""

def nothing(ctx):
    return []

def joined(*parts):
    found = {}
    for part in parts:
        found.update(part)
    return found

BINARY = {
    "additional_linker_inputs": attr.label_list(allow_files = True),
    "bundle_id": attr.string(),
    "codesign_inputs": attr.label_list(),
    "codesignopts": attr.string_list(),
    "deps": attr.label_list(),
    "exported_symbols_lists": attr.label_list(allow_files = True),
    "infoplists": attr.label_list(allow_files = [".plist"]),
    "linkopts": attr.string_list(),
    "minimum_deployment_os_version": attr.string(),
    "minimum_os_version": attr.string(mandatory = True),
    "provisioning_profile": attr.label(allow_single_file = True),
    "stamp": attr.int(default = 0),
    "version": attr.label(),
}

BUNDLE = joined(BINARY, {
    "additional_contents": attr.label_keyed_string_dict(allow_files = True),
    "alternate_icons": attr.label_list(allow_files = True),
    "app_icons": attr.label_list(allow_files = True),
    "bundle_extension": attr.string(),
    "bundle_name": attr.string(),
    "entitlements": attr.label(allow_single_file = True),
    "entitlements_validation": attr.string(default = "loose"),
    "executable_name": attr.string(),
    "extensions": attr.label_list(),
    "families": attr.string_list(),
    "frameworks": attr.label_list(),
    "include_symbols_in_bundle": attr.bool(default = False),
    "ipa_post_processor": attr.label(allow_files = True, executable = True, cfg = "exec"),
    "launch_images": attr.label_list(allow_files = True),
    "launch_storyboard": attr.label(allow_single_file = True),
    "resources": attr.label_list(allow_files = True),
    "settings_bundle": attr.label(),
    "strings": attr.label_list(allow_files = [".strings"]),
})

APPLICATION = joined(BUNDLE, {
    "app_clips": attr.label_list(),
    "sdk_frameworks": attr.string_list(),
    "watch_application": attr.label(),
    "xpc_services": attr.label_list(),
})

FRAMEWORK = joined(BUNDLE, {
    "avoid_deps": attr.label_list(),
    "bundle_only": attr.bool(default = False),
    "exclude_resources": attr.bool(default = False),
    "extension_safe": attr.bool(default = False),
    "hdrs": attr.label_list(allow_files = [".h"]),
    "umbrella_header": attr.label(allow_single_file = [".h"]),
})

WATCH = joined(BUNDLE, {
    "application_extension": attr.bool(default = False),
    "extension": attr.label(),
    "storyboards": attr.label_list(allow_files = True),
})

TEST_BUNDLE = joined(BUNDLE, {
    "test_bundle_output": attr.output(mandatory = True),
    "test_host": attr.label(),
    "test_host_is_bundle_loader": attr.bool(default = True),
})

TEST = {
    "data": attr.label_list(allow_files = True),
    "deps": attr.label_list(mandatory = True),
    "env": attr.string_dict(),
    "runner": attr.label(mandatory = True),
    "test_coverage_manifest": attr.label(allow_single_file = True),
    "test_filter": attr.string(),
    "test_host": attr.label(),
}

IPA = {"archive": "%{name}.ipa"}

ZIP = {"archive": "%{name}.zip"}

# What a test macro hands on to the bundle rather than to the test.
_OF_BUNDLE = [
    "additional_contents",
    "bundle_id",
    "bundle_name",
    "deps",
    "families",
    "frameworks",
    "infoplists",
    "linkopts",
    "minimum_os_version",
    "provisioning_profile",
    "resources",
    "test_host",
]

_OF_BOTH = ["features", "tags", "visibility"]

def declare_test(name, bundle_rule, test_rule, runner, kwargs):
    """The bundle of a test, then the test itself."""
    bundle = {key: value for key, value in kwargs.items() if key in _OF_BUNDLE or key in _OF_BOTH}
    bundle_name = bundle.pop("bundle_name", None) or name
    of_test = {key: value for key, value in kwargs.items() if key not in _OF_BUNDLE}
    made = bundle_name + ".__internal__.__test_bundle"
    bundle_rule(
        name = made,
        bundle_name = bundle_name,
        test_bundle_output = bundle_name + ".zip",
        testonly = True,
        **bundle
    )
    test_rule(
        name = name,
        runner = runner,
        test_host = kwargs.get("test_host"),
        deps = [":" + made],
        **of_test
    )
