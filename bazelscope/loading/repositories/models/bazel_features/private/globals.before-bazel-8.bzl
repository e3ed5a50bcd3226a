"""The globals that Bazel 7 has, as bazel_features hands them out: None where there is none."""

globals = struct(
    CcSharedLibraryHintInfo = CcSharedLibraryHintInfo,
    CcSharedLibraryInfo = CcSharedLibraryInfo,
    DefaultInfo = DefaultInfo,
    JavaInfo = JavaInfo,
    JavaPluginInfo = JavaPluginInfo,
    PackageSpecificationInfo = PackageSpecificationInfo,
    ProtoInfo = ProtoInfo,
    PyCcLinkParamsProvider = PyCcLinkParamsProvider,
    PyInfo = PyInfo,
    PyRuntimeInfo = PyRuntimeInfo,
    RunEnvironmentInfo = RunEnvironmentInfo,
    cc_proto_aspect = cc_proto_aspect,
    macro = None,
    set = None,
    subrule = subrule,
)
