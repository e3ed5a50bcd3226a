"""The globals that Bazel 9 has, as bazel_features hands them out: None where there is none."""

load(":legacy.bzl", "legacy")

globals = struct(
    CcSharedLibraryHintInfo = None,
    CcSharedLibraryInfo = None,
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
