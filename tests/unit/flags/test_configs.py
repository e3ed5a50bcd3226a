"""`--config`: where its words land, what it refuses, and what each config amounts to."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bazelscope.base.source import SourceFile
from bazelscope.bazel import flag_catalog
from bazelscope.flags import config_effects, rc_search, startup
from bazelscope.flags.configure_scripts import ConfigureScripts
from bazelscope.flags.flag_values import ConfigExpansion
from bazelscope.flags.request import FlagRequest
from tests.support.memory_files import MemoryFiles
from tests.unit.flags.flag_world import (
    errors,
    only,
    place,
    resolve,
    targets,
    texts,
    values,
    warnings,
)

EXPANDED = {
    "where it stands": (
        "build:a --copt=a",
        ("--copt=x", "--config=a", "--copt=y"),
        ["x", "a", "y"],
    ),
    "in two words": ("build:a --copt=a", ("--config", "a"), ["a"]),
    "from an rc line": ("build --config=a\nbuild --copt=x\nbuild:a --copt=a", (), ["a", "x"]),
    "in two words from an rc line": ("build --config a\nbuild:a --copt=a", (), ["a"]),
    "defined later in the file": ("build --config=a\nbuild:a --copt=a", (), ["a"]),
    "several lines": (
        "build:a --copt=a\nbuild --copt=x\nbuild:a --copt=b",
        ("--config=a",),
        ["x", "a", "b"],
    ),
    "common before the command": (
        "build:a --copt=build\ncommon:a --copt=common",
        ("--config=a",),
        ["common", "build"],
    ),
    "nested": (
        "build:a --copt=a1\nbuild:a --config=b\nbuild:a --copt=a2\nbuild:b --copt=b",
        ("--config=a",),
        ["a1", "b", "a2"],
    ),
    "nested twice": (
        "build:a --config=b --config=b\nbuild:b --copt=b",
        ("--config=a",),
        ["b", "b"],
    ),
    "twice": ("build:a --copt=a", ("--config=a", "--copt=x", "--config=a"), ["a", "x", "a"]),
    "typed and nested": (
        "build:a --config=b --copt=a\nbuild:b --copt=b",
        ("--config=b", "--config=a"),
        ["b", "b", "a"],
    ),
    "an empty name": ("build: --copt=x", ("--config=",), ["x"]),
    "a name with a colon": ("build:a:b --copt=x", ("--config=a:b",), ["x"]),
    "a quoted section": ("'build:a' --copt=x", ("--config=a",), ["x"]),
    "swallowed as a value": (
        "build:a --copt --config=b\nbuild:b --copt=b",
        ("--config=a",),
        ["--config=b", "b"],
    ),
    "unused definitions may be wrong": (
        "build:a --config=a\nbuild:b --no_such_thing\nbuild:c --copt=c",
        ("--config=c",),
        ["c"],
    ),
    "one list of words over all sections": (
        "common:a --copt\nbuild:a --config=b\nbuild:b --define=x=1",
        ("--config=a",),
        ["--config=b"],
    ),
    "one list of words in one file": ("build --copt\nbuild --config=a", (), ["--config=a"]),
}


@pytest.mark.parametrize(("rc", "words", "expected"), EXPANDED.values(), ids=EXPANDED.keys())
def test_expansion(rc: str, words: tuple[str, ...], expected: list[str]) -> None:
    resolved = resolve(rc, *words)
    assert not errors(resolved)
    assert values(resolved, "copt") == expected


def test_words_do_not_run_together_across_files() -> None:
    rc = {".bazelrc": "build --copt", "/h/.bazelrc": "build --config=a\nbuild:a --copt=x"}
    resolved = resolve(rc)
    assert errors(resolved) == ["missing-value"]
    assert values(resolved, "copt") == ["x"]


def test_files_in_order_and_imports_in_place() -> None:
    rc = {
        ".bazelrc": "build:a --copt=1\nimport b.rc\nbuild:a --copt=3",
        "b.rc": "build:a --copt=2",
        "/h/.bazelrc": "build:a --copt=4\ncommon:a --copt=0",
    }
    assert values(resolve(rc, "--config=a"), "copt") == ["0", "1", "2", "3", "4"]


COMMANDS = {
    "build for test": ("build:a --copt=x", "test", []),
    "test for build": ("test:a --copt=x", "build", ["undefined-config"]),
    "build for query": ("build:a --tool_tag=x", "query", ["undefined-config"]),
    "common for query": ("common:a --tool_tag=x", "query", []),
    "test for cquery": ("test:a --copt=x", "cquery", []),
    "test for coverage": ("test:a --copt=x", "coverage", []),
    "build for info": ("build:a --copt=x", "info", []),
    "an empty section": ("build:a", "build", ["undefined-config"]),
    "nothing": ("", "build", ["undefined-config"]),
    "nested": ("build:a --config=b", "build", ["undefined-config"]),
    "nested for another command": ("build:a --config=b\ntest:b -k", "build", ["undefined-config"]),
}


@pytest.mark.parametrize(("rc", "command", "expected"), COMMANDS.values(), ids=COMMANDS.keys())
def test_for_which_command(rc: str, command: str, expected: list[str]) -> None:
    assert errors(resolve(rc, "--config=a", command=command)) == expected


@pytest.mark.parametrize(("version", "expected"), [("2.1.0", ["undefined-config"]), ("4.2.3", [])])
def test_cquery_inherits_from_test_in_newer_bazels(version: str, expected: list[str]) -> None:
    resolved = resolve("test:a --copt=x", "--config=a", command="cquery", version=version)
    assert errors(resolved) == expected


BROKEN = {
    "itself": ("build:a --config=a", "config-cycle", ".bazelrc:1:9"),
    "through another": ("build:a --config=b\nbuild:b --config=a", "config-cycle", ".bazelrc:2:9"),
    "in two words": ("build:a --config b", "config-in-two-words", ".bazelrc:1:9"),
    "without a value": ("build:a --config", "config-in-two-words", ".bazelrc:1:9"),
}


@pytest.mark.parametrize(("rc", "code", "where"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_definitions(rc: str, code: str, where: str) -> None:
    resolved = resolve(rc, "--config=a")
    assert code in errors(resolved)
    assert place(only(resolved, code)) == where


def test_configs_that_double_at_each_level_end() -> None:
    rc = "\n".join(f"build:{n} --config={n + 1} --config={n + 1}" for n in range(60))
    resolved = resolve(rc + "\nbuild:60 --copt=x", "--config=0")
    assert "config-limit" in errors(resolved)


@pytest.mark.parametrize(("length", "expected"), [(9, []), (10, ["long-config-chain"])])
def test_long_chains_warn(length: int, expected: list[str]) -> None:
    rc = [f"build:{n} --config={n + 1}" for n in range(1, length)]
    resolved = resolve("\n".join([*rc, f"build:{length} --copt=x"]), "--config=1")
    assert warnings(resolved) == expected
    assert values(resolved, "copt") == ["x"]


def test_two_long_chains_warn_twice() -> None:
    rc = [f"build:{c}{n} --config={c}{n + 1}" for c in "ab" for n in range(1, 12)]
    text = "\n".join([*rc, "build:a12 --copt=a", "build:b12 --copt=b"])
    assert warnings(resolve(text, "--config=a1", "--config=b1")) == ["long-config-chain"] * 2


def test_a_fork_of_long_chains_warns_once() -> None:
    rc = [f"build:{c}{n} --config={c}{n + 1}" for c in "ab" for n in range(1, 12)]
    text = "\n".join(["build:x --config=a1 --config=b1", *rc, "build:a12 -k", "build:b12 -k"])
    assert warnings(resolve(text, "--config=x")) == ["long-config-chain"]


def test_a_config_expanded_twice_warns_with_both_ways() -> None:
    rc = "build --config=a\nbuild:a --config=b\nbuild:b --copt=x"
    problem = only(resolve(rc, "--config=b"), "config-repeated")
    assert [note.message for note in problem.notes] == [
        "`--config=a` (.bazelrc:1) -> `--config=b` (.bazelrc:2)",
        "`--config=b`",
    ]


def test_a_config_expanded_twice_names_what_it_adds_twice() -> None:
    rc = "build --config=a\nbuild:a --copt=x\nbuild:a --copt=y\nbuild:a --repo_env=A=1"
    problem = only(resolve(rc, "--config=a"), "config-repeated")
    assert problem.message == "`--config=a` is expanded 2 times, and as often it adds `--copt`"


def test_a_config_that_adds_nothing_twice_is_no_warning_of_an_answer() -> None:
    rc = "build --config=a\nbuild:a --repo_env=A=1\nbuild:a -c opt"
    assert warnings(resolve(rc, "--config=a")) == ["config-expanded-again"]


def test_a_config_after_a_typed_option_beats_it_and_warns() -> None:
    resolved = resolve("build:a -c opt", "-c", "dbg", "--config=a")
    assert values(resolved, "compilation_mode") == ["opt"]
    problem = only(resolved, "explicit-option-overridden")
    assert problem.hint == "put `-c dbg` after `--config=a`"


def test_a_typed_option_after_a_config_beats_it() -> None:
    resolved = resolve("build:a -c opt", "--config=a", "-c", "dbg")
    assert values(resolved, "compilation_mode") == ["dbg"]
    assert not warnings(resolved)


def test_a_config_of_the_command_line_beats_every_rc_line() -> None:
    rc = "build:a -c opt\nbuild -c dbg\nbuild --config=b\nbuild:b -c fastbuild"
    assert values(resolve(rc, "--config=a"), "compilation_mode") == ["opt"]


def test_targets_of_configs() -> None:
    assert targets(resolve("build:a //x -- -//y", "--config=a", "//z")) == ["//z", "//x", "-//y"]


def outline(node: ConfigExpansion) -> list[object]:
    return [
        outline(child) if isinstance(child, ConfigExpansion) else child.text
        for child in node.children
    ]


def test_the_tree_of_a_config() -> None:
    rc = "build:a --copt=1 --config=b\nbuild:a --copt=3\nbuild:b --copt=2 -c opt"
    (a,) = resolve(rc, "--config=a").configs
    assert outline(a) == ["--copt=1", ["--copt=2", "-c opt"], "--copt=3"]
    assert [span.start.short for span in a.defined_at] == [".bazelrc:1", ".bazelrc:2"]
    b = a.children[1]
    assert isinstance(b, ConfigExpansion)
    assert (b.name, b.instance.text, str(b.instance.location)) == (
        "b",
        "--config=b",
        ".bazelrc:1:18",
    )


def test_the_chain_of_an_instance() -> None:
    rc = "build:a --config=b\nbuild:b --java_debug"
    (mode,) = resolve(rc, "--config=a").values["test_timeout"].instances
    assert [step.text for step in mode.chain] == [
        "--config=a",
        "--config=b",
        "--java_debug",
        "--test_timeout=9999",
    ]


PLATFORM = {
    "in place": (
        "build --copt=1 --enable_platform_specific_config --copt=3\nbuild:linux --copt=2",
        (),
        ["1", "2", "3"],
    ),
    "undefined": ("build --copt=1 --enable_platform_specific_config", (), ["1"]),
    "turned off later": (
        "build --enable_platform_specific_config\nbuild:linux --copt=2",
        ("--noenable_platform_specific_config",),
        [],
    ),
    "turned off in a config": (
        """build --enable_platform_specific_config
build:linux --copt=2
build:a --noenable_platform_specific_config""",
        ("--config=a",),
        [],
    ),
    "turned on in a config": (
        "build:a --enable_platform_specific_config\nbuild:linux --copt=2",
        ("--config=a", "--copt=3"),
        ["2", "3"],
    ),
    "at the last place": (
        "build --enable_platform_specific_config --copt=1\nbuild:linux --copt=2",
        ("--copt=3", "--enable_platform_specific_config"),
        ["1", "3", "2"],
    ),
    "and asked for": (
        "build --enable_platform_specific_config\nbuild:linux --copt=2",
        ("--config=linux",),
        ["2", "2"],
    ),
    "with configs inside": (
        "build --enable_platform_specific_config\nbuild:linux --config=a\nbuild:a --copt=2",
        (),
        ["2"],
    ),
}


@pytest.mark.parametrize(("rc", "words", "expected"), PLATFORM.values(), ids=PLATFORM.keys())
def test_platform_config(rc: str, words: tuple[str, ...], expected: list[str]) -> None:
    resolved = resolve(rc, *words)
    assert not errors(resolved)
    assert (
        [i.value for i in resolved.values["copt"].instances] == expected
        if expected
        else ("copt" not in resolved.values)
    )


HOSTS = {
    "linux": "linux",
    "linux-aarch64": "linux",
    "macos": "macos",
    "macos-arm64": "macos",
    "darwin": "macos",
    "windows": "windows",
    "freebsd": "freebsd",
    "openbsd-amd64": "openbsd",
}


@pytest.mark.parametrize(("host", "config"), HOSTS.items())
def test_the_host_chooses_the_platform_config(host: str, config: str) -> None:
    names = ("linux", "macos", "windows", "freebsd", "openbsd")
    rc = "build --enable_platform_specific_config\n" + "\n".join(
        f"build:{name} --copt={name}" for name in names
    )
    resolved = resolve(rc, host=host)
    assert values(resolved, "copt") == [config]
    assert [node.name for node in resolved.configs] == [config]


def test_host_cpu_is_an_ordinary_option() -> None:
    assert values(resolve("", "--host_cpu=arm64", host="windows"), "host_cpu") == ["arm64"]


def test_the_platform_config_is_no_option_before_one() -> None:
    resolved = resolve("", "--enable_platform_specific_config", version="0.24.1")
    assert errors(resolved) == ["unknown-option"]


def test_who_would_define_an_undefined_config() -> None:
    rc = {
        ".bazelrc": "try-import %workspace%/.made.rc\ntry-import %workspace%/user.rc",
        "configure": "exec configure.py",
        "configure.py": "path = join(root, '.made.rc')",
    }
    problem = only(resolve(rc, "--config=opt"), "undefined-config")
    assert [note.message for note in problem.notes] == [
        "`.made.rc` could define it, but was not found; `configure` mentions that file",
        "`user.rc` could define it, but was not found",
    ]
    assert problem.hint == "run `./configure` first; it writes `.made.rc`"


def test_scripts_are_read_once_however_much_is_missing() -> None:
    reads: list[str] = []

    def read(path: str) -> SourceFile | None:
        reads.append(path)
        texts = {
            "configure": "x.py a/../../y.py z.py",
            "x.py": "found_there",
            "z.py": "z" * 600_000,
        }
        return SourceFile(path, texts[path]) if path in texts else None

    scripts = ConfigureScripts(read)
    assert [scripts.mention_of(words) for words in ("nowhere", "z" * 600_000)] == [None, None]
    mention = scripts.mention_of("found_there")
    assert mention is not None and (mention.script, mention.place.path) == ("configure", "x.py")
    names = ["configure.sh", "configure.py", "configure.cmd"]
    assert reads == ["configure", "x.py", "z.py", *names]


@pytest.mark.parametrize("is_there", [False, True])
def test_a_script_may_write_the_rc_file_itself(is_there: bool) -> None:
    rc = {"configure.sh": "rm -f .bazelrc\n# .bazelrc\necho build:opt >> ./.bazelrc\n"}
    rc |= {".bazelrc": ""} if is_there else {}
    problem = only(resolve(rc, "--config=opt"), "undefined-config")
    assert problem.hint == (
        None if is_there else "run `./configure.sh` first; it writes `.bazelrc`"
    )
    places = [str(note.span) for note in problem.notes]
    assert places == ([] if is_there else ["configure.sh:3:21"])


def test_an_undefined_config_of_another_command_says_so() -> None:
    problem = only(resolve("test:ci -k\nrun:ci -k", "--config=ci"), "undefined-config")
    assert problem.hint == "it is defined for other commands only: `run:ci`, `test:ci`"
    assert [str(note.span) for note in problem.notes] == [".bazelrc:1:1", ".bazelrc:2:1"]


def test_an_undefined_config_near_another() -> None:
    problem = only(resolve("build:cuda_clang -k", "--config=cudaclang"), "undefined-config")
    assert problem.hint == "did you mean `--config=cuda_clang`?"


def test_undefined_configs_are_listed_wherever_they_stand() -> None:
    resolved = resolve("build:a --config=b", "--config=a", "--config=c")
    assert sorted(i.value or "" for i in resolved.undefined_configs) == ["b", "c"]


def tree(rc: str | Mapping[str, str]) -> tuple[rc_search.RcFiles, flag_catalog.Catalog]:
    texts = {".bazelrc": rc} if isinstance(rc, str) else rc
    table = flag_catalog.load("4.2.3")
    files = MemoryFiles({f"/w/{name}": text for name, text in texts.items()})
    request = FlagRequest("/w", bazel_version="4.2.3", system_rc=None)
    return rc_search.read_rc_files(request, files, table, startup.parse((), table)), table


MKL = """\
build:mkl --define=with_mkl=true -c opt
build:mkl_threads --config=mkl
build:mkl_threads --define=threads=true
build:no_mkl --config=mkl --define=with_mkl=false
test:mkl --test_output=all
common:mkl --tool_tag=mkl
"""


def test_all_configs() -> None:
    found = {config.name: config for config in config_effects.all_configs(*tree(MKL))}
    assert sorted(found) == ["mkl", "mkl_threads", "no_mkl"]
    assert found["mkl"].commands == ("build", "test", "common")
    assert [i.text for i in found["mkl"].sets] == [
        "--define=with_mkl=true",
        "-c opt",
        "--test_output=all",
        "--tool_tag=mkl",
    ]
    (reference,) = found["mkl_threads"].pulls_in
    assert (reference.name, str(reference.span)) == ("mkl", ".bazelrc:2:19")


def test_who_sets_a_define() -> None:
    found = config_effects.ConfigEffects(*tree(MKL)).define_setters("with_mkl", "true")
    assert [(s.config, len(s.instance.chain), s.instance.location) for s in found] == [
        ("mkl", 2, (".bazelrc", 1, 11)),
        ("mkl_threads", 3, (".bazelrc", 1, 11)),
    ]
    assert [step.text for step in found[1].instance.chain] == [
        "--config=mkl_threads",
        "--config=mkl",
        "--define=with_mkl=true",
    ]
    assert [
        s.config for s in config_effects.ConfigEffects(*tree(MKL)).define_setters("with_mkl")
    ] == [
        "mkl",
        "mkl_threads",
        "no_mkl",
    ]


def test_who_sets_a_flag() -> None:
    build = config_effects.ConfigEffects(*tree(MKL))
    assert [s.config for s in build.setters("compilation_mode", "opt")] == [
        "mkl",
        "mkl_threads",
        "no_mkl",
    ]
    assert not build.setters("test_output", "all")
    found = config_effects.ConfigEffects(*tree(MKL), command="test").setters("test_output", "all")
    assert [s.config for s in found] == ["mkl", "mkl_threads", "no_mkl"]


def test_effective_options_in_order() -> None:
    rc = "build:mkl -c opt\nbuild -c dbg --copt=1\nbuild --config=mkl --copt=2"
    assert texts(resolve(rc, "--copt=3")) == [
        "--copt=1",
        "--config=mkl",
        "-c opt",
        "--copt=2",
        "--copt=3",
    ]
