"""The globals that Bazel 8.1 and later have, as bazel_features hands them out: None where there is none."""

load(":legacy.bzl", "legacy")

globals = struct(
    CcSharedLibraryHintInfo = CcSharedLibraryHintInfo,
    CcSharedLibraryInfo = CcSharedLibraryInfo,
    DefaultInfo = DefaultInfo,
    JavaInfo = legacy("JavaInfo"),
    JavaPluginInfo = legacy("JavaPluginInfo"),
    PackageSpecificationInfo = PackageSpecificationInfo,
    ProtoInfo = legacy("ProtoInfo"),
    PyCcLinkParamsProvider = legacy("PyCcLinkParamsProvider"),
    PyInfo = legacy("PyInfo"),
    PyRuntimeInfo = legacy("PyRuntimeInfo"),
    RunEnvironmentInfo = RunEnvironmentInfo,
    cc_proto_aspect = None,
    macro = macro,
    set = set,
    subrule = subrule,
)
