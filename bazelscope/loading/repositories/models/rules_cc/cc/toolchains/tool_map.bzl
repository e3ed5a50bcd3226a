"""Model of @rules_cc//cc/toolchains:tool_map.bzl (0.1 to 0.2)."""

def _nothing(ctx):
    return []

_cc_tool_map = rule(
    _nothing,
    attrs = {
        "actions": attr.label_list(mandatory = True),
        "tool_index_for_action": attr.int_list(mandatory = True),
        "tools": attr.label_list(mandatory = True, cfg = "exec", allow_files = True),
    },
)

def cc_tool_map(name, tools, **attrs):
    labels = [native.package_relative_label(tool) for tool in tools.values()]
    different = {label: None for label in labels}.keys()
    _cc_tool_map(
        name = name,
        actions = tools.keys(),
        tools = different,
        tool_index_for_action = [different.index(label) for label in labels],
        **attrs
    )
