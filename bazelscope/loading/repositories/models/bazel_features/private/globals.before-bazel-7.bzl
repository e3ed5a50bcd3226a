"""The globals that Bazel 6 has, as bazel_features hands them out: None where there is none."""

globals = struct(
    CcSharedLibraryHintInfo = None,
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
    cc_proto_aspect = None,
    macro = None,
    set = None,
    subrule = None,
)
