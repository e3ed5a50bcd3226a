"""Rules with execution groups, and what Bazel says of a target of each.

Measured with 4.2.3 and `--experimental_exec_groups` where that knows of it; what later ones alone
know is from their documentation and sources.
"""

from __future__ import annotations

from dataclasses import dataclass

FILES = {
    "MODULE.bazel": "",
    "p/BUILD": """
package(default_visibility = ["//visibility:public"])
constraint_setting(name = "os")
constraint_value(name = "linux", constraint_setting = ":os")
constraint_value(name = "mac", constraint_setting = ":os")
constraint_setting(name = "speed")
constraint_value(name = "fast", constraint_setting = ":speed")
platform(name = "on_linux", constraint_values = [":linux"])
platform(name = "on_mac", constraint_values = [":mac"])
config_setting(name = "for_mac", constraint_values = [":mac"])
""",
    "tc/BUILD": """
load(":d.bzl", "tc")
package(default_visibility = ["//visibility:public"])
[toolchain_type(name = one) for one in ("own", "other", "none")]
toolchain(name = "a", toolchain_type = ":own", toolchain = ":for_own",
    exec_compatible_with = ["//p:linux"])
toolchain(name = "b", toolchain_type = ":other", toolchain = ":for_other",
    exec_compatible_with = ["//p:mac"])
tc(name = "for_own")
tc(name = "for_other")
""",
    "tc/d.bzl": """
def _impl(ctx):
    return [platform_common.ToolchainInfo(name = ctx.label.name)]

tc = rule(_impl)
""",
}
FLAGS = (
    "--extra_toolchains=//tc:a,//tc:b",
    "--platforms=//p:on_linux",
    "--extra_execution_platforms=//p:on_linux,//p:on_mac",
)
OLD = ("--experimental_exec_groups",)
"""What 4.2.3 wants in addition."""


@dataclass(frozen=True)
class GroupCase:
    """A rule with the options `groups` and a `body`, of which `//t:x` is a target that is given
    `given`; `refused` is a part of what Bazel says, empty where it builds."""

    name: str
    groups: str
    body: str = "return []"
    given: str = ""
    refused: str = ""
    versions: str = "4.2.3 7.4.1 8.2.0 9.0.0"
    flags: tuple[str, ...] = ()

    def files(self) -> dict[str, str]:
        """The package of the target."""
        return {
            "t/r.bzl": f"def _i(ctx):\n    {self.body}\nr = rule(_i, {self.groups})\n",
            "t/BUILD": f'load(":r.bzl", "r")\nr(name = "x"{self.given})\nfilegroup(name = "f")\n'
            'genrule(name = "prog", outs = ["p.sh"], cmd = "", executable = True)\n',
        }


_ONE = 'exec_groups = {"far": exec_group(toolchains = ["//tc:other"])}, toolchains = ["//tc:own"]'
_PLAIN = 'exec_groups = {"far": exec_group()}'
_WRITES = (
    'o = ctx.actions.declare_file("o")\n'
    '    ctx.actions.run_shell(outputs = [o], command = "x", exec_group = "%s")\n'
    "    return [DefaultInfo(files = depset([o]))]"
)


_NEW = "7.4.1 8.2.0 9.0.0"
_ON = ("--incompatible_auto_exec_groups",)
_ASKS = "Couldn't identify if tools are from implicit dependencies or a toolchain."
_SAYS = ', "_use_auto_exec_groups": attr.bool({})'
_TWO = 'toolchains = ["//tc:own", config_common.toolchain_type("//tc:other", mandatory = False)]'
_TOOLS = (
    'attrs = {"t": attr.label(cfg = "exec", executable = True, default = ":prog"),'
    ' "f": attr.label(allow_single_file = True, default = ":r.bzl")%s}, '
)


def _acts(more: str, function: str = "run") -> str:
    """An implementation with an action that is given `more`."""
    return (
        'o = ctx.actions.declare_file("o")\n'
        '    tool = ctx.actions.declare_file("tool")\n'
        '    ctx.actions.write(tool, "")\n'
        f"    ctx.actions.{function}(outputs = [o], {more})\n"
        "    return []"
    )


def _asked(name: str, more: str, refused: str = "", **given: str) -> GroupCase:
    """An action of a rule whose two toolchain types have a group each."""
    function = given.get("function", "run")
    options = (_TOOLS % "") + given.get("groups", _TWO)
    versions = given.get("versions", _NEW)
    return GroupCase(name, options, _acts(more, function), "", refused, versions, _ON)


def _far(more: str) -> str:
    return f'exec_groups = {{"far": exec_group({more})}}'


def _named(name: str) -> str:
    return f'exec_groups = {{"{name}": exec_group()}}'


CASES = (
    GroupCase("a_platform_each", _ONE),
    GroupCase("none_for_a_group", _far('toolchains = ["//tc:none"]'),
              refused="no matching toolchains found for types //tc:none"),
    GroupCase("optional_in_a_group",
              _far('toolchains = [config_common.toolchain_type("//tc:none", mandatory = False)]'),
              versions="7.4.1 8.2.0 9.0.0"),
    GroupCase("constrained", _far('exec_compatible_with = ["//p:mac"]')),
    GroupCase("constrained_to_none", _far('exec_compatible_with = ["//p:fast"]'),
              refused="Unable to find an execution platform for target platform //p:on_linux"),
    GroupCase("constrained_by_a_platform", _far('exec_compatible_with = ["//p:on_mac"]'),
              refused="was referenced as a constraint_value, but does not provide"),
    GroupCase("constraints_of_the_target", _ONE, given=', exec_compatible_with = ["//p:linux"]'),
    GroupCase("tools", 'attrs = {"g": attr.label(cfg = config.exec("far"))}, ' + _ONE,
              given=', g = ":f"'),
    GroupCase("tools_of_no_group", 'attrs = {"g": attr.label(cfg = config.exec("near"))}',
              given=', g = ":f"',
              refused="Attr 'g' declares a transition for non-existent exec group 'near'"),
    GroupCase("no_tools_of_no_group", 'attrs = {"g": attr.label(cfg = config.exec("near"))}'),
    GroupCase("action", _ONE, _WRITES % "far"),
    GroupCase("action_of_no_group", _ONE, _WRITES % "near",
              refused="Action declared for non-existent exec group 'near'."),
    GroupCase("default_name", _named("default-exec-group"), refused="has errors"),
    GroupCase("name_with_space", _named("a b"), refused="has errors"),
    GroupCase("name_with_digit", _named("1a"), refused="has errors"),
    GroupCase("name_with_underscore", _named("_a")),
    GroupCase("no_group", 'exec_groups = {"a": 1}', refused="has errors"),
    GroupCase("a_list", "exec_groups = [exec_group()]", refused="has errors"),
    GroupCase("no_type", "toolchains = [1]", refused="has errors"),
    GroupCase("properties", _ONE, given=', exec_properties = {"a": "1", "far.a": "2"}'),
    GroupCase("properties_of_no_group", _ONE, given=', exec_properties = {"near.a": "1"}',
              refused="Tried to set properties for non-existent exec groups: near.",
              versions="7.4.1 8.2.0 9.0.0"),
    GroupCase("its_toolchains", _ONE,
              'return [] if ctx.exec_groups["far"].toolchains["//tc:other"].name else fail()'),
    GroupCase("not_the_rules", _ONE, 'ctx.toolchains["//tc:other"]',
              refused="//tc:other was requested but only types"),
    GroupCase("not_the_groups", _ONE, 'ctx.exec_groups["far"].toolchains["//tc:own"]',
              refused="//tc:own was requested but only types"),
    GroupCase("no_such_group", _ONE, 'ctx.exec_groups["near"]',
              refused="unrecognized exec group 'near' requested. Available exec groups: [far]"),
    GroupCase("in", _ONE,
              'return fail() if "near" in ctx.exec_groups or "far" not in ctx.exec_groups else []'),
    GroupCase("constraints_of_a_group", _PLAIN, versions="9.0.0",
              given=', exec_group_compatible_with = {"far": ["//p:mac"]}'),
    GroupCase("constraints_nowhere", _PLAIN, versions="9.0.0",
              given=', exec_group_compatible_with = {"far": ["//p:fast"]}',
              refused="Unable to find an execution platform for target platform //p:on_linux"),
    GroupCase("constraints_of_no_group", _PLAIN, versions="9.0.0",
              given=', exec_group_compatible_with = {"near": ["//p:mac"]}',
              refused="Tried to set execution constraints for non-existent exec groups: near."),
    _asked("automatic_file", "executable = tool", _ASKS),
    _asked("automatic_source", "executable = ctx.file.f", _ASKS),
    _asked("automatic_file_of_none", "executable = tool, toolchain = None"),
    _asked("automatic_file_of_type", 'executable = tool, toolchain = "//tc:own"'),
    _asked("automatic_file_of_label", 'executable = tool, toolchain = Label("//tc:other")'),
    _asked("automatic_of_no_type", 'executable = tool, toolchain = "//tc:none"',
           "Action declared for non-existent toolchain '//tc:none'."),
    _asked("automatic_path_of_no_type", 'executable = "/bin/x", toolchain = Label("//tc:none")',
           "Action declared for non-existent toolchain '//tc:none'."),
    _asked("automatic_path", 'executable = "/bin/x"'),
    _asked("automatic_program", "executable = ctx.executable.t"),
    _asked("automatic_to_run", "executable = ctx.attr.t[DefaultInfo].files_to_run"),
    _asked("automatic_own_tool", 'executable = "/bin/x", tools = [ctx.executable.t]'),
    _asked("automatic_tool", 'executable = "/bin/x", tools = [ctx.executable.t, tool]', _ASKS),
    _asked("automatic_tools", 'executable = "/bin/x", tools = depset([tool])', _ASKS),
    _asked("automatic_depset", 'executable = "/bin/x", tools = [depset()]', _ASKS),
    _asked("automatic_no_tools", 'executable = "/bin/x", tools = depset()'),
    _asked("automatic_input", 'executable = "/bin/x", inputs = [tool]'),
    _asked("automatic_shell", 'command = "x"', function="run_shell"),
    _asked("automatic_shell_tool", 'command = "x", tools = [tool]', _ASKS, function="run_shell"),
    _asked("automatic_shell_of_no_type", 'command = "x", toolchain = "//tc:none"',
           "Action declared for non-existent toolchain '//tc:none'.", function="run_shell"),
    _asked("automatic_named", 'executable = tool, exec_group = "far"', groups=_ONE),
    _asked("automatic_named_of_type", 'executable = tool, exec_group = "far", '
           'toolchain = "//tc:other"', groups=_ONE),
    _asked("automatic_named_of_other", 'executable = tool, exec_group = "far", '
           'toolchain = "//tc:own"', "parameters inside actions.{run, run_shell} are not",
           groups=_ONE),
    _asked("automatic_one_type", "executable = tool", _ASKS, groups='toolchains = ["//tc:own"]'),
    _asked("automatic_lone", "executable = tool", groups="", versions="9.0.0"),
    _asked("automatic_lone_before", "executable = tool", _ASKS, groups="", versions="7.4.1 8.2.0"),
    GroupCase("automatic_by_attribute", _TOOLS % _SAYS.format("default = True") + _TWO,
              _acts("executable = tool"), refused=_ASKS, versions=_NEW),
    GroupCase("not_automatic_by_attribute", _TOOLS % _SAYS.format("") + _TWO,
              _acts("executable = tool"), versions=_NEW, flags=_ON),
    GroupCase("not_automatic", _TOOLS % "" + _TWO,
              _acts('executable = tool, toolchain = "//tc:none"'), versions=_NEW),
)  # fmt: skip
