"""Evaluates a MODULE.bazel file to what one Bazel module says (`module_file`).

Bazel: `ModuleFileGlobals`, `ModuleFileFunction`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bazelscope import starlark
from bazelscope.base.errors import Diagnostic, LabelError, LoadingError, StarlarkError
from bazelscope.base.label import PackageId, parse_label
from bazelscope.base.source import Location, SourceFile
from bazelscope.base.unknown import Reason, Unknown
from bazelscope.bazel.builtin_modules import BUILTIN_MODULES
from bazelscope.bazel.facts.fact import Fact
from bazelscope.bazel.release import Release
from bazelscope.loading.evaluation.values.symbolic_values import Decider, UnknownValue
from bazelscope.loading.evaluation.workspace.repository_definitions import Registration, plain_value
from bazelscope.loading.modules.module_file import (
    ExtensionUse,
    Import,
    ModuleDependency,
    ModuleFile,
    ModuleOverride,
    ModuleSettings,
    RuleCall,
)
from bazelscope.loading.modules.module_file_calls import ExtensionProxy, checked, place_of, proxy_of
from bazelscope.loading.modules.module_file_checks import (
    RepositoryNames,
    check_compatibility,
    check_include,
    check_module_name,
    check_override,
    check_patches,
    check_patterns,
    check_repository_name,
    check_version,
)
from bazelscope.loading.modules.module_versions import normalized
from bazelscope.loading.modules.replacements import (
    Replacement,
    invisible_replacements,
    replaced_twice,
)

_ROOT = PackageId("", "")
_MOST_INCLUDED = 200
_BUILTIN = Location("<builtin>", 1, 1)
_COMMAND_LINE = Location("<command line>", 1, 1)
_LOCAL = "@bazel_tools//tools/build_defs/repo:local.bzl"

_OVERRIDES = (
    *("archive_override", "git_override", "local_path_override"),
    *("multiple_version_override", "single_version_override"),
)
_NOT_EVERYWHERE: Mapping[str, Fact] = {
    "flag_alias": Release.module_flag_alias,
    "include": Release.module_include,
    "inject_repo": Release.module_inject_repo,
    "override_repo": Release.module_override_repo,
    "use_repo_rule": Release.module_use_repo_rule,
}
"""Functions that not every Bazel with modules has. Bazel: `ModuleFileGlobals`."""


def evaluate_module_file(source: SourceFile, settings: ModuleSettings) -> ModuleFile:
    """What the file says. Statements in error become diagnostics; the rest stands."""
    evaluation = _Evaluation(settings)
    evaluation.run(source)
    evaluation.check_whole()
    return evaluation.file


class _Evaluation:
    """The functions that a MODULE.bazel file calls, and what they have gathered."""

    def __init__(self, settings: ModuleSettings) -> None:
        self.file = ModuleFile()
        self.decider: Decider | None = None
        """No repository rule asks what is unknown here."""
        self.decides_by_types = False
        self._settings = settings
        self._names = RepositoryNames(settings.release)
        for name, path in settings.injected:
            self._names.taken[name] = "by --inject_repository", _BUILTIN
            arguments = {"name": name, "path": path}
            call = RuleCall(_LOCAL, "local_repository", arguments, _COMMAND_LINE, ())
            self.file.rule_calls.append(call)
        self._was_called = self._had_other_call = False
        self._including: list[str] = []
        self._included = 0

    def run(self, source: SourceFile) -> None:
        predeclared = self._predeclared()
        diagnostics, settings = self.file.diagnostics, self._settings
        try:
            program = starlark.load_program(
                source,
                starlark.FileKind.MODULE,
                frozenset(predeclared),
                settings.program_cache,
                _check_of(source, settings.release),
            )
            module = starlark.execute(
                program,
                predeclared,
                _no_load,
                starlark.Thread(settings.limits, on_missing=self._missing),
                lambda error: diagnostics.append(error.diagnostic),
                owner=_ROOT,
            )
            self._export(module.globals)
        except StarlarkError as error:
            diagnostics.append(error.diagnostic)

    def check_whole(self) -> None:
        """Tells what only the whole file shows, if all else is right. Bazel:
        `ModuleThreadContext.buildModule`, `ModuleFileFunction.buildRootModuleFileValue`."""
        file = self.file
        if file.diagnostics or file.unknowns:
            return
        for name in BUILTIN_MODULES:
            if name in self._names.taken and name != file.name:
                taken = self._names.collision(name, "as a built-in dependency", _BUILTIN)
                message = (
                    f"{taken}, '{name}' is a built-in dependency and cannot be used by any"
                    " 'bazel_dep' or 'use_repo' directive"
                )
                file.diagnostics.append(Diagnostic("builtin-repository", message))
        for use in file.extensions.values():
            imported = {one.original for one in use.imports.values()}
            file.diagnostics += invisible_replacements(
                use.name, use.replaced, imported, self._names.taken
            )
            if use.is_isolated and not use.imports:
                message = (
                    f"the isolated usage at {use.location} of extension {use.name} defined in"
                    f" {use.file} has no effect as no repositories are imported from it. Either"
                    " import one or more repositories generated by the extension with use_repo or"
                    " remove the usage."
                )
                file.diagnostics.append(Diagnostic("isolated-extension", message))
        if not file.diagnostics:
            uses = file.extensions.values()
            file.diagnostics += replaced_twice(
                (use.name, use.replaced, {one.original: name for name, one in use.imports.items()})
                for use in uses
            )

    def _export(self, names: Mapping[str, object]) -> None:
        """Tells isolated uses of extensions what they are called."""
        for name, value in names.items():
            if isinstance(value, ExtensionProxy) and not value.use.exported:
                value.use.exported = name
        for use in self.file.extensions.values():
            if use.is_isolated and not use.exported:
                message = (
                    f"Isolated extension usage at {use.location} must be assigned to a"
                    " top-level variable"
                )
                self.file.diagnostics.append(Diagnostic("isolated-extension", message))

    def _predeclared(self) -> dict[str, object]:
        functions: dict[str, Callable[..., object]] = {
            "bazel_dep": self._bazel_dep,
            "include": self._include,
            "inject_repo": self._replace("inject_repo", must_exist=False),
            "override_repo": self._replace("override_repo", must_exist=True),
            "flag_alias": self._flag_alias,
            "register_execution_platforms": self._register("register_execution_platforms"),
            "register_toolchains": self._register("register_toolchains"),
            "use_extension": self._use_extension,
            "use_repo": self._use_repo,
            "use_repo_rule": self._use_repo_rule,
            **{kind: self._override(kind) for kind in _OVERRIDES},
        }
        for name, had_by in _NOT_EVERYWHERE.items():
            if not had_by.holds(self._settings.release):
                del functions[name]
        others = {name: self._after_module(checked(name, call)) for name, call in functions.items()}
        calls = {"module": checked("module", self._module), **others}
        return {
            **starlark.universe(),
            **{name: starlark.Builtin(name, call) for name, call in calls.items()},
        }

    def _after_module(self, call: Callable[..., object]) -> Callable[..., object]:
        """Wraps a function of MODULE.bazel so that its call forbids a later `module()`."""

        def noted(*arguments: object, **keywords: object) -> object:
            self._had_other_call = True
            return call(*arguments, **keywords)

        return noted

    # ---- Whom Starlark calls

    def record_unknown(self, unknown: Unknown) -> None:
        if unknown not in self.file.unknowns:
            self.file.unknowns.append(unknown)

    record_unknown_call = record_unknown

    def declare_unknown_rule(
        self, rule: UnknownValue, arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> None:
        self.record_unknown(rule.unknown)

    def _missing(self, name: str, location: Location) -> object:
        unknown = Unknown(Reason.FAILED, name, "its definition fails", location)
        return UnknownValue(unknown, name, self)

    # ---- The module and its dependencies

    def _module(
        self,
        *,
        name: str = "",
        version: str = "",
        repo_name: str = "",
        compatibility_level: int = 0,
        bazel_compatibility: Iterable[object] = (),
    ) -> None:
        if self._was_called:
            starlark.fail_with("the module() directive can only be called once")
        if self._had_other_call:
            starlark.fail_with(
                "if module() is called, it must be called before any other functions"
            )
        self._was_called = True
        if name:
            check_module_name(name)
        check_version(version, "module()")
        conditions = tuple(bazel_compatibility)
        check_compatibility(conditions)
        self.file.name, self.file.version = name, normalized(version)
        self.file.compatibility_level = compatibility_level
        self.file.bazel_compatibility = tuple(str(condition) for condition in conditions)
        self.file.location = place_of(starlark.call_stack())
        self.file.repository = repo_name or name
        if self.file.repository:
            own = "as the module's own repo name" if repo_name else "as the current module name"
            self._names.take(self.file.repository, own)

    def _bazel_dep(
        self,
        *,
        name: str,
        version: str = "",
        max_compatibility_level: int = -1,
        repo_name: str | None = "",
        dev_dependency: bool = False,
    ) -> None:
        check_module_name(name)
        check_version(version, "bazel_dep()")
        repository = None if repo_name is None else repo_name or name
        if repository is not None:
            self._names.take(repository, "by a bazel_dep")
        if dev_dependency and self._settings.ignore_dev:
            return
        stack = starlark.call_stack()
        self.file.dependencies.append(
            ModuleDependency(
                name,
                normalized(version),
                repository,
                dev_dependency,
                place_of(stack),
                stack,
                max_compatibility_level,
            )
        )

    def _override(self, kind: str) -> Callable[..., object]:
        def call(*, module_name: str, **arguments: object) -> None:
            settings = self._settings
            check_module_name(module_name)
            check_override(kind, arguments)
            if settings.release.module_patches_count:
                check_patches(arguments.get("patches"), self.file.repository)
            if settings.ignore_overrides:
                return
            if settings.ignore_dev and settings.release.overrides_are_for_development:
                return
            if module_name in self.file.overrides:
                starlark.fail_with(f"multiple overrides for dep {module_name} found")
            stack = starlark.call_stack()
            plain = {key: plain_value(value) for key, value in arguments.items()}
            self.file.overrides[module_name] = ModuleOverride(
                kind, module_name, plain, place_of(stack), stack
            )

        return call

    def _register(self, what: str) -> Callable[..., object]:
        def call(*patterns: object, dev_dependency: bool = False) -> None:
            if dev_dependency and self._settings.ignore_dev:
                return
            texts = tuple(pattern for pattern in patterns if isinstance(pattern, str))
            check_patterns(texts, what)
            place = place_of(starlark.call_stack())
            self.file.registrations.append(Registration(what, texts, place))

        return call

    def _include(self, label: str) -> None:
        place = place_of(starlark.call_stack())
        if not self._settings.may_include:
            others = self._settings.release.overridden_modules_include
            starlark.fail_with(
                f"include() directive found at {place}, but it can only be used in the root"
                f" module{' or in modules with non-registry overrides' if others else ''}"
            )
        check_include(label, place, self._settings.release)
        try:
            label_of_file = parse_label(label, _ROOT)
        except LabelError as error:
            starlark.fail_with(f"bad include label '{label}' at {place}: {error.reason}")
        path = label_of_file.path
        self._included += 1
        if path in self._including or self._included > _MOST_INCLUDED:
            starlark.fail_with(f"the file '{label}' is included by itself")
        if not self._settings.is_package(label_of_file.package):
            starlark.fail_with(
                f"unable to load package for '{label}' included at {place}: BUILD file not found in"
                " any of the following directories. Add a BUILD file to a directory to mark it as"
                f" a package.\n - {label_of_file.package}"
            )
        try:
            source = self._settings.read(path)
        except LoadingError as error:
            starlark.fail_with(f"cannot include '{label}': {error.diagnostic.message}")
        self._including.append(path)
        self.run(source)
        self._including.pop()

    def _flag_alias(self, *, name: str, starlark_flag: str) -> None:
        """Bazel: `ModuleFileGlobals.flagAlias`, which counts in the root module alone."""
        if name in self.file.flag_aliases:
            starlark.fail_with(f"multiple flag aliases of name {name} found")
        self.file.flag_aliases[name] = starlark_flag

    # ---- Extensions and rules

    def _use_extension(
        self,
        extension_bzl_file: str,
        extension_name: str,
        *,
        dev_dependency: bool = False,
        isolate: bool | None = None,
    ) -> object:
        names = {"": "", self.file.repository: ""}
        try:
            label = parse_label(extension_bzl_file, _ROOT, names)
        except LabelError as error:
            starlark.fail_with(f'invalid label "{extension_bzl_file}": {error.reason}')
        place = place_of(starlark.call_stack())
        if isolate is not None and not self._settings.isolates_extensions:
            starlark.fail_with(
                "in call to use_extension(), parameter 'isolate' is experimental and thus"
                " unavailable with the current flags. It may be enabled by setting"
                " --experimental_isolated_extension_usages"
            )
        new = ExtensionUse(extension_bzl_file, extension_name, place, is_isolated=bool(isolate))
        if dev_dependency and self._settings.ignore_dev:
            return ExtensionProxy(new, is_dev=True)
        number = len(self.file.extensions) + 1 if isolate else 0
        use = self.file.extensions.setdefault((str(label), extension_name, number), new)
        use.is_lasting |= not dev_dependency
        use.is_for_development |= dev_dependency
        return ExtensionProxy(use, dev_dependency)

    def _use_repo(self, /, extension_proxy: object, *names: object, **renamed: object) -> None:
        proxy = proxy_of("use_repo", extension_proxy)
        stack, imports = starlark.call_stack(), proxy.use.imports
        wanted = [(str(name), str(name)) for name in names]
        wanted += [(apparent, self._filled_in(str(name))) for apparent, name in renamed.items()]
        for apparent, original in wanted:
            check_repository_name(original, self._settings.release)
            self._names.take(apparent, "by a use_repo() call")
            before = next((one for one in imports.values() if one.original == original), None)
            if before is not None:
                starlark.fail_with(
                    f"The repo exported as '{original}' by module extension '{proxy.use.name}' is"
                    f" already imported at {before.location}"
                )
            imports[apparent] = Import(original, place_of(stack), stack, proxy.is_dev)

    def _filled_in(self, name: str) -> str:
        """Returns the name of an extension's repository, with the module's own in it."""
        if not self._settings.release.imports_have_placeholders:
            return name
        return name.replace("{name}", self.file.name).replace("{version}", self.file.version)

    def _replace(self, function: str, must_exist: bool) -> Callable[..., object]:
        """A repository of an extension that another takes the place of: nothing new is visible
        to the module. Bazel: `ModuleThreadContext.addRepoOverride`."""

        def call(extension_proxy: object, *names: object, **renamed: object) -> None:
            use = proxy_of(function, extension_proxy).use
            if self._settings.ignore_overrides or self._settings.ignore_dev:
                return
            stack = starlark.call_stack()
            for overridden, mine in [*((name, name) for name in names), *renamed.items()]:
                for name in (overridden, mine):
                    check_repository_name(name, self._settings.release)
                before = use.replaced.get(str(overridden))
                if before is not None:
                    starlark.fail_with(
                        f"The repo exported as '{overridden}' by module extension '{use.name}' is"
                        f" already overridden with '{before.name}' at {before.location}"
                    )
                use.replaced[str(overridden)] = Replacement(
                    str(mine), must_exist, place_of(stack), stack
                )

        return call

    def _use_repo_rule(self, repo_rule_bzl_file: str, repo_rule_name: str) -> object:
        def define(*, name: str, dev_dependency: bool = False, **arguments: object) -> None:
            check_repository_name(name, self._settings.release)
            if dev_dependency and self._settings.ignore_dev:
                return
            self._names.take(name, "by a repo rule")
            stack = starlark.call_stack()
            given, place = {"name": name, **arguments}, place_of(stack)
            call = RuleCall(repo_rule_bzl_file, repo_rule_name, given, place, stack)
            self.file.rule_calls.append(call)

        return starlark.Builtin(repo_rule_name, checked(repo_rule_name, define))


def _check_of(source: SourceFile, release: Release) -> starlark.TextRules | None:
    """Returns what is asked of the text first; None of most, which have nothing of the kind."""
    if "**" not in source.text and "include" not in source.text:
        return None
    from bazelscope.loading.modules.module_syntax import module_check

    return module_check(release)


def _no_load(statement: starlark.LoadStatement) -> starlark.Module:
    starlark.fail_with("`load` statements may not be used in MODULE.bazel files")
