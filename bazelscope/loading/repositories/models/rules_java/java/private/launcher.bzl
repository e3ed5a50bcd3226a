"""What macros before Bazel's and rules_java's programs (Bazel 7 to 9) do about the launcher: a flag
names it, where the target does not."""

def launched(attrs):
    if not attrs.get("create_executable", True):
        return attrs
    if not attrs.get("use_launcher", True):
        attrs["launcher"] = None
    elif not attrs.get("launcher"):
        attrs["launcher"] = Label("@bazel_tools//tools/jdk:launcher_flag_alias")
    return attrs
