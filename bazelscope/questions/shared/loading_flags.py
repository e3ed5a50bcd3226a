"""The flags that tell the loading phase where files are, and what the machine is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bazelscope.bazel.facts.fact import tables
from bazelscope.bazel.flag_conversion import boolean
from bazelscope.bazel.hosts import Host
from bazelscope.bazel.removed_natives import NO_AUTOLOADS, Autoloads, autoloaded, taken_away
from bazelscope.flags.flag_values import ResolvedFlags
from bazelscope.loading.tree.loading_options import LoadingOptions, ModuleFlags

FLAGS_OF_FACTS: dict[str, tuple[str, bool]] = {
    flag: (words[-1], words[0] == "not")
    for flag, words in tables("flags_of_facts")["flags of facts"].items()
}
"""A flag, and the fact of loading that it decides and that a release has by default; True where the
fact is the opposite of the flag."""
ENVIRONMENT_OPTIONS = ("action_env", "repo_env")
"""The options that set variables for repository rules, the stronger one last."""
LOADING_OPTIONS = frozenset(
    {
        *ENVIRONMENT_OPTIONS,
        "allow_yanked_versions",
        "deleted_packages",
        "enable_bzlmod",
        "enable_workspace",
        "ignore_dev_dependency",
        "incompatible_autoload_externally",
        "incompatible_disallow_empty_glob",
        "inject_repository",
        "override_module",
        "override_repository",
        "registry",
        "vendor_dir",
    }
)
"""The options that loading reads and that decide which packages there are."""


def loading_options(
    flags: ResolvedFlags,
    host: str,
    environment: Mapping[str, str],
    root: Path,
    directory: Path,
    max_steps: int | None,
) -> LoadingOptions:
    """What of `flags` takes effect on loading, in the workspace at `root`, asked from
    `directory`, which relative paths start from. A file may take `max_steps` Starlark steps.

    Repository rules see `--action_env` and, stronger, `--repo_env`; a name without a value
    takes the one of `environment`, which they see nothing else of. Bazel:
    `CommandEnvironment.getRepoEnv`.
    """
    overrides: dict[str, str] = {}
    for text in (*_values(flags, "override_repository"), *_values(flags, "inject_repository")):
        name, equals, path = text.partition("=")
        if equals and path:
            overrides[name] = _absolute(path, root, directory)
        else:
            overrides.pop(name, None)
    modules: dict[str, str] = {}
    for text in _values(flags, "override_module"):
        name, _, path = text.partition("=")
        if path:
            modules[name] = _absolute(path, root, directory)
        else:
            modules.pop(name, None)
    seen: dict[str, str] = {}
    for text in (text for option in ENVIRONMENT_OPTIONS for text in _values(flags, option)):
        name, equals, value = text.partition("=")
        if equals:
            seen[name] = value
        elif name in environment:
            seen[name] = environment[name]
    deleted = ",".join(_values(flags, "deleted_packages"))
    machine = Host.parse(host)
    return LoadingOptions(
        bazel_version=flags.bazel_version,
        host=machine.os,
        host_cpu=machine.cpu,
        override_repositories=overrides,
        repo_env=seen,
        deleted_packages=frozenset(
            name.removeprefix("@").removeprefix("//") if name.startswith(("//", "@//")) else name
            for name in deleted.split(",")
            if name
        ),
        output_base=_output_base(flags),
        vendor_dir=_vendor_dir(flags, root),
        override_modules=modules,
        enable_bzlmod=_switch(flags, "enable_bzlmod"),
        enable_workspace=_switch(flags, "enable_workspace"),
        ignore_dev_dependency=_switch(flags, "ignore_dev_dependency") is True,
        modules=_module_flags(flags, root, directory, environment),
        disallow_empty_glob=_switch(flags, "incompatible_disallow_empty_glob"),
        autoloads=_autoloads(flags),
        facts={
            fact: given is not is_opposite
            for flag, (fact, is_opposite) in FLAGS_OF_FACTS.items()
            if (given := _switch(flags, flag)) is not None
        },
        max_steps=max_steps,
    )


def _module_flags(
    flags: ResolvedFlags, root: Path, directory: Path, environment: Mapping[str, str]
) -> ModuleFlags:
    """Bazel: `RepositoryOptions`; a registry is a URL that ends without a slash."""
    registries = tuple(
        url.replace("%workspace%", str(root)).rstrip("/") for url in _values(flags, "registry")
    )
    cache = _values(flags, "repository_cache")
    allowed = (
        *_values(flags, "allow_yanked_versions"),
        environment.get("BZLMOD_ALLOW_YANKED_VERSIONS", ""),
    )
    injected: dict[str, str] = {}
    for text in _values(flags, "inject_repository"):
        name, _, path = text.partition("=")
        injected.pop(name, None)
        if path:
            injected[name] = _absolute(path, root, directory)
    unless_given = "update" if flags.release.lock_file_is_read_by_default else "off"
    words = frozenset(word for text in allowed for word in text.split(",") if word)
    return ModuleFlags(
        registries,
        _absolute(cache[-1], root, root) if cache and cache[-1] else None,
        words,
        _switch(flags, "incompatible_use_plus_in_repo_names"),
        (_values(flags, "check_direct_dependencies") or ("warning",))[-1].lower(),
        (_values(flags, "check_bazel_compatibility") or ("error",))[-1].lower(),
        (_values(flags, "lockfile_mode") or (unless_given,))[-1].lower(),
        bool(_switch(flags, "experimental_isolated_extension_usages")),
        tuple(injected.items()),
    )


def _autoloads(flags: ResolvedFlags) -> Autoloads:
    """Bazel: `BuildLanguageOptions.incompatibleAutoloadExternally`."""
    given = _values(flags, "incompatible_autoload_externally")
    entries = [entry for entry in given[-1].split(",") if entry] if given else []
    if not entries or not (flags.release.autoloads or not flags.release.natives_removed):
        return NO_AUTOLOADS
    if not flags.release.natives_removed:
        return Autoloads(taken=taken_away(entries))
    names = autoloaded(entries)
    return Autoloads(names, _switch(flags, "incompatible_disable_autoloads_in_main_repo") is False)


def _absolute(path: str, root: Path, directory: Path) -> str:
    if path.startswith("%workspace%"):
        return str(root / path.removeprefix("%workspace%").lstrip("/"))
    return str(directory / path)


def _vendor_dir(flags: ResolvedFlags, root: Path) -> str | None:
    """Where `--vendor_dir` says. Bazel: `BazelRepositoryModule`, relative to the workspace."""
    given = _values(flags, "vendor_dir")
    return _absolute(given[-1], root, root) if given and given[-1] else None


def _values(flags: ResolvedFlags, name: str) -> tuple[str, ...]:
    value = flags.values.get(name)
    return value.values if value is not None else ()


def _switch(flags: ResolvedFlags, name: str) -> bool | None:
    value = flags.values.get(name)
    return None if value is None or not value.instances else boolean(value.value or "")


def _output_base(flags: ResolvedFlags) -> str | None:
    given = [text for text in flags.startup_options if text.startswith("--output_base=")]
    return given[-1].partition("=")[2] if given else None
