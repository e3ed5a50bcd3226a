"""TensorFlow's own rc files: what real Bazel made of them, and the lines people type."""

from __future__ import annotations

import json
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from bazelscope.base.errors import Severity
from bazelscope.bazel import flag_catalog
from bazelscope.bazel import release as versions
from bazelscope.flags import commandline, config_effects, outcome
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.flags.rc_file_reading import DiskFiles
from bazelscope.flags.request import FlagRequest
from bazelscope.flags.resolve import Resolution
from bazelscope.flags.resolve import resolve as resolve_flags
from tests.oracle.canonical_form import canonical_form
from tests.support.memory_files import MemoryFiles
from tests.support.parts import need_tensorflow

pytestmark = pytest.mark.corpus

RECORDED: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "tf-1.14-options.json").read_text(encoding="utf-8")
)


def resolve(root: Path, line: str, version: str, host: str = "linux") -> ResolvedFlags:
    parsed = commandline.parse(shlex.split(line), flag_catalog.load(version))
    request = FlagRequest(
        *(str(root), parsed.words, parsed.command or "build", parsed.startup, version, host),
        system_rc=None,
        environment=parsed.environment,
    )
    return resolve_flags(request, DiskFiles([str(root)]))


@pytest.mark.parametrize("name", RECORDED["command_lines"])
def test_options_of_1_14_in_bazels_order(name: str) -> None:
    """What 0.24.1 wrote into its build events, with the rc file that `configure` leaves."""
    recorded = RECORDED["command_lines"][name]
    rc = (need_tensorflow("1.14") / ".bazelrc").read_text(encoding="utf-8")
    configured = "\n".join(RECORDED["configure_rc"])
    files = MemoryFiles({"/w/.bazelrc": rc, "/w/.tf_configure.bazelrc": configured})
    table = flag_catalog.load("0.24.1")
    line = commandline.parse(recorded["command"].split(), table)
    request = FlagRequest(
        "/w", ("--nobuild", *line.words), line.command, bazel_version="0.24.1", system_rc=None
    )
    resolution = Resolution(request, files)
    resolved = resolution.result()
    assert [i.text for i in resolved.instances] == recorded["canonical"]
    parsed = outcome.in_order(resolution.parser.options)
    assert [canonical_form(o.instance, table) for o in parsed] == recorded["parsed"]
    assert not [d for d in resolved.diagnostics if d.severity is Severity.ERROR]


PIP_PACKAGE = "//tensorflow/tools/pip_package:build_pip_package"
MKL_FLAGS = "--config=mkl --config=opt --copt=-O3 -s"
WHEEL_FLAGS = (
    "--repo_env=WHEEL_NAME=tensorflow --config=cuda --config=cuda_wheel --config=opt "
    "--copt=-Wno-gnu-offsetof-extensions"
)
LINES = {
    "1.14": (
        "0.24.1",
        f"bazel build -c opt --config=cuda --copt=-g --cxxopt=-g {PIP_PACKAGE}",
        set[str](),
    ),
    "2.4": (
        None,
        " ".join(
            ("bazel --output_user_root=$build_dir build", MKL_FLAGS, PIP_PACKAGE),
        ),
        {"opt"},
    ),
    "2.4 on Windows": (None, f"bazel build --config=opt --config=cuda {PIP_PACKAGE}", {"opt"}),
    "2.19": (
        None,
        " ".join(("bazel build //tensorflow/tools/pip_package:wheel", WHEEL_FLAGS)),
        {"opt"},
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_the_lines_that_people_type_have_no_false_unknown(name: str) -> None:
    version, line, undefined = LINES[name]
    release, _, system = name.partition(" on ")
    root = need_tensorflow(release)
    if version is None:
        version = versions.from_bazelversion((root / ".bazelversion").read_text(encoding="utf-8"))
    assert version is not None
    resolved = resolve(root, line, version, system.lower() or "linux")
    errors = [d for d in resolved.diagnostics if d.severity is Severity.ERROR]
    assert {d.code for d in errors} <= {"undefined-config"}
    assert {i.value for i in resolved.undefined_configs} == undefined
    for problem in errors:
        assert problem.hint == "run `./configure` first; it writes `.tf_configure.bazelrc`"
    assert len(resolved.targets) == 1


def test_the_causes_of_mkl_on_2_4() -> None:
    resolved = resolve(need_tensorflow("2.4"), LINES["2.4"][1], "3.1.0")
    causes = {
        name: (define.value, define.instance.location and define.instance.location.short)
        for name, define in resolved.defines.items()
    }
    assert causes["build_with_mkl"] == ("true", ".bazelrc:160")
    assert causes["enable_mkl"] == ("true", ".bazelrc:160")
    assert causes["tensorflow_mkldnn_contraction_kernel"] == ("0", ".bazelrc:161")
    assert causes["build_with_openmp"] == ("true", ".bazelrc:162")
    mode = resolved.values["compilation_mode"]
    assert [i.location.short for i in (*mode.overridden, *mode.instances) if i.location] == [
        ".bazelrc:238",
        ".bazelrc:163",
    ]
    assert [step.text for step in mode.instances[0].chain] == ["--config=mkl", "-c opt"]


def test_which_configs_of_2_4_bring_mkl() -> None:
    root = need_tensorflow("2.4")
    request = FlagRequest(str(root), bazel_version="3.1.0", system_rc=None)
    resolution = Resolution(request, DiskFiles([str(root)]))
    effects = config_effects.ConfigEffects(resolution.rc_files, resolution.catalog)
    found = effects.define_setters("build_with_mkl", "true")
    assert [setter.config for setter in found] == ["mkl", "mkl_opensource_only", "mkl_threadpool"]


def test_windows_gets_its_own_config_on_2_4() -> None:
    resolved = resolve(need_tensorflow("2.4"), LINES["2.4 on Windows"][1], "3.1.0", "windows")
    assert "windows" in [node.name for node in resolved.configs]
    assert "/W0" in resolved.values["copt"].values
    assert "-w" not in resolved.values["copt"].values
    assert resolved.defines["framework_shared_object"].value == "false"


def test_resolution_of_2_19_takes_no_time() -> None:
    root = need_tensorflow("2.19")
    line = LINES["2.19"][1]
    resolve(root, line, "6.5.0")
    best = min(_seconds(lambda: resolve(root, line, "6.5.0")) for _ in range(3))
    assert best < 0.05


def _seconds(call: Any) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
