"""What all packages of a generated configured workspace share: rules, flags, platforms."""

from __future__ import annotations

ALLOWLIST = "tools/allowlists/function_transition_allowlist"

RULES_BZL = """\
def _impl(ctx):
    return []

def _to_arm(settings, attr):
    return {"//command_line_option:cpu": "arm"}

to_arm = transition(implementation = _to_arm, inputs = [], outputs = ["//command_line_option:cpu"])

def _to_color(settings, attr):
    if not attr.color:
        return {"//flags:color": settings["//flags:color"]}
    return {"//flags:color": attr.color}

to_color = transition(
    implementation = _to_color,
    inputs = ["//flags:color"],
    outputs = ["//flags:color"],
)

def _more(settings, attr):
    return {
        "//command_line_option:copt": settings["//command_line_option:copt"] + ["-g"],
        "//flags:size": settings["//flags:size"] + 1,
    }

more = transition(
    implementation = _more,
    inputs = ["//command_line_option:copt", "//flags:size"],
    outputs = ["//command_line_option:copt", "//flags:size"],
)

def _fast_and_slow(settings, attr):
    return [{"//flags:fast": True}, {"//flags:fast": False}]

fast_and_slow = transition(
    implementation = _fast_and_slow,
    inputs = [],
    outputs = ["//flags:fast"],
)

def _modes(settings, attr):
    return {
        "o": {"//command_line_option:compilation_mode": "opt"},
        "d": {"//command_line_option:compilation_mode": "dbg"},
    }

modes = transition(
    implementation = _modes,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)

def _to_base(settings, attr):
    return {"//command_line_option:platforms": "//con:base"}

to_base = transition(
    implementation = _to_base,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

def _attrs():
    return {
        "_allowlist_function_transition": attr.label(
            default = "//tools/allowlists/function_transition_allowlist",
        ),
        "color": attr.string(),
        "count": attr.int(),
        "counts": attr.int_list(),
        "dep": attr.label(allow_files = True),
        "deps": attr.label_list(allow_files = True),
        "keyed": attr.label_keyed_string_dict(allow_files = True),
        "lists": attr.string_list_dict(),
        "names": attr.string_list(),
        "on": attr.bool(),
        "table": attr.string_dict(),
        "text": attr.string(),
        "arm_deps": attr.label_list(cfg = to_arm, allow_files = True),
        "base_deps": attr.label_list(cfg = to_base, allow_files = True),
        "color_deps": attr.label_list(cfg = to_color, allow_files = True),
        "exec_deps": attr.label_list(cfg = "exec", allow_files = True),
        "host_deps": attr.label_list(cfg = "host", allow_files = True),
        "mode_deps": attr.label_list(cfg = modes, allow_files = True),
        "split_deps": attr.label_list(cfg = fast_and_slow, allow_files = True),
    }

thing = rule(implementation = _impl, attrs = _attrs())
arm_thing = rule(implementation = _impl, attrs = _attrs(), cfg = to_arm)
base_thing = rule(implementation = _impl, attrs = _attrs(), cfg = to_base)
color_thing = rule(implementation = _impl, attrs = _attrs(), cfg = to_color)
more_thing = rule(implementation = _impl, attrs = _attrs(), cfg = more)

def group_all(name, conditions):
    _chain(name, conditions, True)

def group_any(name, conditions):
    _chain(name, conditions, False)

def _chain(name, conditions, every):
    last = len(conditions) - 1
    for index in range(last):
        own = name if index == 0 else name + "_" + str(index)
        rest = conditions[last] if index == last - 1 else name + "_" + str(index + 1)
        native.alias(
            name = own,
            actual = select({
                conditions[index]: rest if every else conditions[index],
                "//conditions:default": conditions[index] if every else rest,
            }),
        )
"""

RULE_NAMES = ("thing", "thing", "thing", "arm_thing", "base_thing", "color_thing", "more_thing")
LOAD = (
    'load("//lib:rules.bzl", "arm_thing", "base_thing", "color_thing", "group_all",'
    ' "group_any", "more_thing", "thing")'
)

MORE_FLAGS = """
label_flag(name = "pick", build_setting_default = "//con:one")
label_setting(name = "fixed_pick", build_setting_default = "//con:two")
label_flag(name = "condition", build_setting_default = "//con:always")
alias(name = "fast_alias", actual = ":fast")
alias(name = "fast_alias_alias", actual = ":fast_alias")
"""

MORE_CONSTRAINTS = """
[filegroup(name = name) for name in ["one", "two"]]
config_setting(name = "always", values = {"define": "a=1"})
config_setting(name = "other", flag_values = {"//flags:pick": ":two"})
platform(name = "grandchild", parents = [":child"], constraint_values = ["@platforms//os:windows"])
platform(name = "empty")
alias(name = "base_alias", actual = ":base")
"""

MAPPINGS = """\
platforms:
  //con:base
    --cpu=arm
    --compilation_mode=opt
  //con:child
    --copt=-O3
    --define=b=1

flags:
  --cpu=aarch64
  --compilation_mode=dbg
    //con:child
  --cpu=aarch64
    //con:base
"""
