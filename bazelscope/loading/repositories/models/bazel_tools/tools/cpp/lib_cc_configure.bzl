"""Model of @bazel_tools//tools/cpp:lib_cc_configure.bzl (Bazel 0.24 to 9): helpers of repository rules."""

def escape_string(arg):
    if arg == None:
        return None
    return str(arg).replace("%", "%%")

def split_escaped(string, delimiter):
    if string == "":
        return []
    marker = "\0"
    parts = string.replace("%" + delimiter, marker).split(delimiter)
    return [part.replace(marker, delimiter).replace("%%", "%") for part in parts]

def auto_configure_fail(msg):
    fail("Auto-Configuration Error: %s" % msg)

def auto_configure_warning(msg):
    print("Auto-Configuration Warning: %s" % msg)

def get_env_var(repository_ctx, name, default = None, enable_warning = True):
    if name in repository_ctx.os.environ:
        return repository_ctx.os.environ[name]
    if default == None:
        auto_configure_fail("'%s' environment variable is not set" % name)
    return default

def which(repository_ctx, cmd, default = None):
    result = repository_ctx.which(cmd)
    return default if result == None else str(result)

def execute(repository_ctx, command, environment = None, expect_failure = False):
    result = repository_ctx.execute(command)
    if expect_failure != (result.return_code != 0):
        auto_configure_fail("running %s" % command)
    return result.stdout.strip()

def resolve_labels(repository_ctx, labels):
    return {label: repository_ctx.path(Label(label)) for label in labels}

def get_cpu_value(repository_ctx):
    os_name = repository_ctx.os.name.lower()
    if os_name.startswith("mac os"):
        return "darwin"
    if os_name.find("freebsd") != -1:
        return "freebsd"
    if os_name.find("windows") != -1:
        return "x64_windows"
    machine = repository_ctx.execute(["uname", "-m"]).stdout.strip()
    if machine in ["power", "ppc64le", "ppc", "ppc64"]:
        return "ppc"
    if machine in ["s390x"]:
        return "s390x"
    if machine in ["arm", "armv7l"]:
        return "arm"
    if machine in ["aarch64"]:
        return "aarch64"
    return "k8"

def is_cc_configure_debug(repository_ctx):
    return repository_ctx.os.environ.get("CC_CONFIGURE_DEBUG", "0") == "1"

def build_flags(flags):
    return "\n".join(["        flag: '" + flag + "'" for flag in flags])

def get_starlark_list(values):
    if not values:
        return ""
    return "\"" + "\",\n    \"".join(values) + "\""
