"""What is planted in packages: faults, each of which Bazel refuses, and decoys, which look like
faults and are none."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.refusals.packages import Package


def _written(text: str) -> Callable[[Package], None]:
    """Rules as they are written, `@` for what makes their names the only ones."""

    def plant(package: Package) -> None:
        name = f"x{len(package.raw)}"
        package.raw.append(text.replace("@@", "\0").replace("@", name).replace("\0", "@") + "\n")

    return plant


def _depends(label: str) -> Callable[[Package], None]:
    def plant(package: Package) -> None:
        way = package.random.randrange(5)
        if way == 0:
            package.custom().more["one"] = f'"{label}"'
        elif way == 1:
            package.custom().more["tool"] = f'"{label}"'
        elif way == 2:
            package.add("alias", label)
        elif way == 3:
            branches = f'"//cond:a": ["{label}"], "//conditions:default": []'
            package.any().sums.append(f"select({{{branches}}})")
        else:
            package.any().labels.append(label)

    return plant


def _not_taken(label: str) -> Callable[[Package], None]:
    def plant(package: Package) -> None:
        branches = f'"//cond:off": ["{label}"], "//conditions:default": []'
        package.any().sums.append(f"select({{{branches}}})")

    return plant


def _select(entries: str, error: str = "", text: str = "") -> Callable[[Package], None]:
    """A select() whose keys are `entries`, in a list of labels or in a string."""

    def plant(package: Package) -> None:
        keys = entries.split()
        more = f', no_match_error = "{error}"' if error else ""
        if package.random.random() < 0.4:
            branches = ", ".join(f'"{key}": "{n}"' for n, key in enumerate(keys))
            package.custom().more["text"] = f"select({{{branches}}}{more})"
        else:
            branches = ", ".join(f'"{key}": []' for key in keys)
            package.any().sums.append(f"select({{{branches}}}{more})")

    return plant


def _setting(values: str, used: bool = True) -> Callable[[Package], None]:
    def plant(package: Package) -> None:
        name = f"s{len(package.head)}"
        package.head.append(f'config_setting(name = "{name}"{values})\n')
        if used:
            _select(f":{name} //conditions:default")(package)

    return plant


def _cycle(package: Package) -> None:
    way = package.random.randrange(3)
    first = package.add("filegroup")
    if way == 0:
        second = package.add("r", f":{first.name}")
        first.labels.append(f":{second.name}")
    elif way == 1:
        middle = package.add("alias", f":{first.name}")
        last = package.add("genrule", f":{middle.name}")
        first.labels.append(f":{last.name}.out")
    else:
        second = package.add("filegroup", f":{first.name}")
        first.sums.append(f'select({{"//cond:a": [":{second.name}"], "//conditions:default": []}})')


def _no_cycle(package: Package) -> None:
    first = package.add("filegroup")
    second = package.add("filegroup", f":{first.name}")
    first.sums.append(f'select({{"//cond:off": [":{second.name}"], "//conditions:default": []}})')


def _none_where_it_must(package: Package) -> None:
    package.custom().more["must"] = 'select({"//cond:a": None, "//conditions:default": "x"})'


def _none_where_it_may(package: Package) -> None:
    package.custom().more["text"] = 'select({"//cond:a": None, "//conditions:default": "x"})'


def _test_only_user(package: Package) -> None:
    rule = package.add("filegroup", "//lib:for_tests")
    rule.more["testonly"] = "1"


def _test_user(package: Package) -> None:
    rule = package.add("r_test", "//lib:for_tests")
    rule.name += "_test"


def _test_only_by_alias(package: Package) -> None:
    alias = package.add("alias", "//lib:for_tests")
    _depends(f":{alias.name}")(package)


def _fails(package: Package) -> None:
    package.tail.append('fail("planted")\nfilegroup(name = "behind")\n')


def _unserved(package: Package) -> None:
    package.add("wants", *package.any().labels[:1])


FAULTS: dict[str, Callable[[Package], None]] = {
    "missing target": _depends("//lib:gone"),
    "missing package": _depends("//nowhere:x"),
    "private": _depends("//lib:private"),
    "private file": _depends("//lib:hidden.txt"),
    "file not exported": _depends("//lib:plain.txt"),
    "private output": _depends("//lib:made.txt"),
    "for p1 and p3": _depends("//lib:for_p1"),
    "for a group": _depends("//lib:for_some"),
    "private alias": _depends("//lib:private_way"),
    "testonly": _depends("//lib:for_tests"),
    "testonly maker": _depends("//lib:make_test"),
    "testonly by an alias": _test_only_by_alias,
    "testonly by a label_flag": _depends("//lib:flag_for_tests"),
    "package in error": _depends("//broken:before"),
    "behind the failure": _depends("//broken:behind"),
    "package not loaded": _depends("//unloaded:x"),
    "ambiguous": _select("//cond:a //cond:b //conditions:default"),
    "ambiguous alias": _select("//cond:a //cond:also_a"),
    "no match": _select("//cond:off //cond:off2"),
    "no match, own words": _select("//cond:off", "own words"),
    "missing key": _select("//cond:gone //conditions:default"),
    "key is no condition": _select("//cond:no_condition //conditions:default"),
    "bad enum": _setting(', values = {"compilation_mode": "fast"}'),
    "unknown option": _setting(', values = {"no_such_option": "1"}'),
    "empty setting": _setting(""),
    "no build setting": _setting(', flag_values = {"//cond:no_condition": "x"}'),
    "bad boolean": _setting(', values = {"stamp": "perhaps"}'),
    "cycle": _cycle,
    "mandatory": _none_where_it_must,
    "failing statement": _fails,
    "no toolchain": _unserved,
    "cc srcs of text": _written('cc_library(name = "@", srcs = ["//lib:public.txt"])'),
    "cc srcs without sources": _written('cc_library(name = "@", srcs = ["//lib:one"])'),
    "cc srcs of an empty filegroup": _written('cc_binary(name = "@", srcs = ["//lib:public"])'),
    "cc deps of text": _written('cc_library(name = "@", deps = ["//lib:public.txt"])'),
    "cc deps of a filegroup": _written('cc_library(name = "@", deps = ["//lib:one"])'),
    "cc deps of a Starlark rule": _written(
        'gives(name = "@g")\ncc_library(name = "@", deps = [":@g"])'
    ),
    "py deps of a filegroup": _written('py_library(name = "@", deps = ["//lib:one"])'),
    "py deps of a C++ library": _written('py_library(name = "@", deps = ["//lib:cc"])'),
    "py srcs of text": _written('py_library(name = "@", srcs = ["//lib:public.txt"])'),
    "sh deps of a C++ library": _written('sh_library(name = "@", deps = ["//lib:cc"])'),
    "sh deps of a file": _written('sh_library(name = "@", deps = ["//lib:public.txt"])'),
    "a script of two": _written('sh_binary(name = "@", srcs = ["//lib:two"])'),
    "a script of none": _written('sh_binary(name = "@", srcs = ["//lib:public"])'),
    "suite of no tests": _written('test_suite(name = "@", tests = ["//lib:cc"])'),
    "single of two": _written('r(name = "@", must = "m", single = "//lib:two")'),
    "single of none": _written('r(name = "@", must = "m", single = "//lib:public")'),
    "single of another type": _written(
        'genrule(name = "@g", outs = ["@.zz"], cmd = "")\n'
        'r(name = "@", must = "m", single = ":@.zz")'
    ),
    "sources of text": _written('r(name = "@", must = "m", sources = ["//lib:public.txt"])'),
    "sources without one": _written('r(name = "@", must = "m", sources = ["//lib:one"])'),
    "not provided": _written('r(name = "@", must = "m", provided = ["//lib:cc"])'),
    "not provided through an alias": _written(
        'r(name = "@", must = "m", provided = ["//lib:also_cc"])'
    ),
    "variable not defined": _written(
        'genrule(name = "@", outs = ["@.out"], cmd = "echo $(NO_SUCH_VARIABLE) > $@@")'
    ),
    "location of no prerequisite": _written(
        'genrule(name = "@", outs = ["@.out"], cmd = "cat $(location //lib:one)")'
    ),
    "location of two": _written(
        'genrule(name = "@", srcs = ["//lib:two"], outs = ["@.out"],'
        ' cmd = "cat $(location //lib:two)")'
    ),
    "location of none": _written(
        'genrule(name = "@", srcs = ["//lib:public"], outs = ["@.out"],'
        ' cmd = "cat $(locations //lib:public)")'
    ),
    "unclosed variable": _written('genrule(name = "@", outs = ["@.out"], cmd = "echo $(BINDIR")'),
    "$< of two": _written(
        'genrule(name = "@", srcs = ["//lib:two"], outs = ["@.out"], cmd = "cat $<")'
    ),
    "$@@ of two": _written('genrule(name = "@", outs = ["@.out", "@.out2"], cmd = "cat > $@@")'),
    "copts not defined": _written('cc_library(name = "@", copts = ["-D$(NO_SUCH_VARIABLE)"])'),
    "linkopts of no prerequisite": _written(
        'cc_library(name = "@", linkopts = ["$(location //lib:one)"])'
    ),
    "defines not defined": _written('cc_library(name = "@", defines = ["$(NO_SUCH_VARIABLE)"])'),
    "args of no prerequisite": _written(
        'sh_binary(name = "@", srcs = ["//lib:public.txt"], args = ["$(location //lib:one)"])'
    ),
    "group not there": _written('filegroup(name = "@", visibility = ["//lib:no_group"])'),
    "no package of a group": _written('filegroup(name = "@", visibility = ["//nowhere:group"])'),
    "a rule for a group": _written('filegroup(name = "@", visibility = ["//lib:one"])'),
    "a group of no group": _written(
        'package_group(name = "@g", includes = ["//lib:no_group"])\n'
        'filegroup(name = "@", visibility = [":@g"])'
    ),
    "a group of no package": _written(
        'package_group(name = "@g", includes = ["//nowhere:group"])\n'
        'package_group(name = "@h", includes = [":@g"])\n'
        'filegroup(name = "@", visibility = [":@h"])'
    ),
    "a group of a rule": _written(
        'package_group(name = "@g", includes = ["//lib:some", "//lib:one"])\n'
        'filegroup(name = "@", visibility = [":@g"])'
    ),
    "a group of an alias": _written(
        'alias(name = "@a", actual = "//lib:one")\n'
        'package_group(name = "@g", includes = [":@a"])\n'
        'filegroup(name = "@", visibility = [":@g"])'
    ),
    "groups in a circle": _written(
        'package_group(name = "@g", includes = [":@h"])\n'
        'package_group(name = "@h", includes = [":@g"])\n'
        'filegroup(name = "@", visibility = [":@g"])'
    ),
    "an alias for a group": _written(
        'alias(name = "@a", actual = "//lib:some")\nfilegroup(name = "@", visibility = [":@a"])'
    ),
    "a file for no group": _written(
        'exports_files(["@.txt"], visibility = ["//lib:no_group"])\n'
        'filegroup(name = "@", srcs = ["@.txt"])'
    ),
    "a file for a rule": _written(
        'exports_files(["@.txt"], visibility = ["//lib:one"])\n'
        'filegroup(name = "@", srcs = ["@.txt"])'
    ),
    "a group among sources": _written('filegroup(name = "@", srcs = ["//lib:some"])'),
    "bash command not defined": _written(
        'genrule(name = "@", outs = ["@.out"], cmd_bash = "$(NO_SUCH_VARIABLE)", cmd = "x")'
    ),
    "includes not defined": _written('cc_library(name = "@", includes = ["$(NO_SUCH_VARIABLE)"])'),
    "location of a tool of two": _written(
        'genrule(name = "@", tools = ["//lib:two"], outs = ["@.out"],'
        ' cmd = "cat $(location //lib:two)")'
    ),
    "no command": _written('genrule(name = "@", outs = ["@.out"])'),
    "program of two": _written(
        'genrule(name = "@", outs = ["@.out", "@.out2"], cmd = "x", executable = 1)'
    ),
    "program without main": _written('py_binary(name = "@", srcs = ["//lib:other.py"])'),
    "expands a variable that is not defined": _written(
        'expands(name = "@", text = "$(NO_SUCH_VARIABLE)")'
    ),
    "a default that is not there": _written('implies_gone(name = "@")'),
    "a default that is refused": _written('implies_refused(name = "@")'),
    "a private target that every rule needs": _written('implies_private(name = "@")'),
    "a file that is not exported, by default": _written('implies_file(name = "@")'),
    "a testonly target that every rule needs": _written('implies_for_tests(name = "@")'),
    "a public default that is not there": _written('offers_gone(name = "@")'),
    "a public default that is refused": _written('offers_refused(name = "@")'),
    "a private target by default": _written('offers_private(name = "@")'),
    "a testonly target by default": _written('offers_for_tests(name = "@")'),
    "what an aspect needs is refused": _written('with_aspect(name = "@", deps = ["//lib:cc"])'),
    "a shell's command of words": _written('shells(name = "@", words = ["x"])'),
    "a path in the way": _written(
        'declares(name = "@", out = "@dir", text = "1")\n'
        'declares(name = "@y", out = "@dir/sub/x", text = "1")'
    ),
    "a generated file in the way": _written(
        'genrule(name = "@", outs = ["@.same"], cmd = "x")\n'
        'declares(name = "@y", out = "@.same", text = "1")'
    ),
    "actions in conflict": _written(
        'declares(name = "@", out = "@.txt", text = "1")\n'
        'declares(name = "@y", out = "@.txt", text = "2")'
    ),
}

DECOYS: dict[str, Callable[[Package], None]] = {
    "group": _written('filegroup(name = "@", visibility = ["//lib:some"])'),
    "groups in a group": _written(
        'package_group(name = "@g", includes = ["//lib:some", ":@h"])\n'
        'package_group(name = "@h", packages = ["//..."])\n'
        'exports_files(["@.txt"], visibility = [":@g"])\n'
        'filegroup(name = "@", srcs = ["@.txt"], visibility = [":@g"])'
    ),
    "another machine's command": _written(
        'genrule(name = "@", outs = ["@.out"], cmd_bat = "$(NO_SUCH_VARIABLE)", cmd = "x")'
    ),
    "linker input": _written(
        'cc_binary(name = "@", srcs = ["//lib:other.cc"], additional_linker_inputs ='
        ' ["//lib:public.txt"], linkopts = ["$(location //lib:public.txt)"])'
    ),
    "another than the default": _written('offers_gone(name = "@", it = "//lib:public")'),
    "nothing but the default": _written(
        'offers_refused(name = "@", them = [])\noffers_for_tests(name = "@t", testonly = 1)'
    ),
    "public": _depends("//lib:public"),
    "public file": _depends("//lib:public.txt"),
    "public output": _depends("//lib:open.txt"),
    "testonly output": _depends("//lib:test.txt"),
    "way to private": _depends("//lib:way_to_private"),
    "missing, not taken": _not_taken("//lib:gone"),
    "no package, not taken": _not_taken("//nowhere:x"),
    "private, not taken": _not_taken("//lib:private"),
    "broken, not taken": _not_taken("//broken:before"),
    "specialised": _select("//cond:a //cond:ab"),
    "default": _select("//cond:off //conditions:default"),
    "feature flag": _select("//cond:is_on //cond:is_off"),
    "no cycle": _no_cycle,
    "none": _none_where_it_may,
    "testonly user": _test_only_user,
    "test": _test_user,
    "cc": _written('cc_library(name = "@", srcs = ["//lib:other.cc"], deps = ["//lib:also_cc"])'),
    "cc of generated sources": _written(
        'genrule(name = "@g", outs = ["@.h", "@.txt"], cmd = "")\n'
        'cc_library(name = "@", srcs = [":@g"], hdrs = [":@g"])'
    ),
    "py": _written(
        'py_library(name = "@", srcs = ["//lib:other.py"], deps = ["//lib:py"],'
        ' data = ["//lib:cc"])'
    ),
    "sh": _written('sh_library(name = "@", deps = ["//lib:sh"], data = ["//lib:public.txt"])'),
    "sh with a warning": _written('sh_library(name = "@", deps = ["//lib:one"])'),
    "single": _written('r(name = "@", must = "m", single = "//lib:one")'),
    "provided": _written('gives(name = "@g")\nr(name = "@", must = "m", provided = [":@g"])'),
    "expanded": _written(
        'genrule(name = "@", srcs = ["//lib:one", "//lib:two"], outs = ["@.out"],'
        ' cmd = "cat $(location //lib:one) $(locations //lib:two) $(BINDIR) $$(pwd) > $@@")'
    ),
    "an aspect meets no rule": _written('with_aspect(name = "@", deps = ["//lib:public.txt"])'),
    "equal actions": _written(
        'declares(name = "@", out = "@.txt", text = "1")\n'
        'declares(name = "@y", out = "@.txt", text = "1")'
    ),
}
