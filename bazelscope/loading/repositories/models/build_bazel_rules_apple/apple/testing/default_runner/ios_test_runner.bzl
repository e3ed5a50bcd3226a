"""Model of rules_apple's ios_test_runner (0.30 to 3)."""

def _nothing(ctx):
    return []

ios_test_runner = rule(
    _nothing,
    attrs = {
        "device_type": attr.string(),
        "execution_requirements": attr.string_dict(default = {"requires-darwin": ""}),
        "os_version": attr.string(),
        "post_action": attr.label(executable = True, cfg = "exec"),
        "pre_action": attr.label(executable = True, cfg = "exec"),
        "test_environment": attr.string_dict(),
        "_test_template": attr.label(
            default = "//apple/testing/default_runner:ios_test_runner.template.sh",
            allow_single_file = True,
        ),
        "_testrunner": attr.label(
            default = "@xctestrunner//:ios_test_runner",
            executable = True,
            cfg = "exec",
        ),
    },
    outputs = {"test_runner_template": "%{name}.sh"},
)
