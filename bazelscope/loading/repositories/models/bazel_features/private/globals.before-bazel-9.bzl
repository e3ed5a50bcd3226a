"""The globals that Bazel 8.1 and later have, as bazel_features hands them out: None where there is none."""

globals = struct(
    CcSharedLibraryHintInfo = CcSharedLibraryHintInfo,
    CcSharedLibraryInfo = CcSharedLibraryInfo,
    DefaultInfo = DefaultInfo,
    JavaInfo = getattr(getattr(native, "legacy_globals", None), "JavaInfo", None),
    JavaPluginInfo = getattr(getattr(native, "legacy_globals", None), "JavaPluginInfo", None),
    PackageSpecificationInfo = PackageSpecificationInfo,
    ProtoInfo = getattr(getattr(native, "legacy_globals", None), "ProtoInfo", None),
    PyCcLinkParamsProvider = getattr(getattr(native, "legacy_globals", None), "PyCcLinkParamsProvider", None),
    PyInfo = getattr(getattr(native, "legacy_globals", None), "PyInfo", None),
    PyRuntimeInfo = getattr(getattr(native, "legacy_globals", None), "PyRuntimeInfo", None),
    RunEnvironmentInfo = RunEnvironmentInfo,
    cc_proto_aspect = None,
    macro = macro,
    set = set,
    subrule = subrule,
)
