"""Model of what @rules_python//python/cc declares (0.24 to 2.3): parts of the C++ toolchain for
Python that is chosen. That they ask for it is left out, for most that lead here are models, too."""

def _nothing(ctx):
    return []

current_py_cc_headers = rule(_nothing, provides = [CcInfo])
current_py_cc_headers_abi3 = rule(_nothing, provides = [CcInfo])
current_py_cc_libs = rule(_nothing, provides = [CcInfo])

# Without modules, no such toolchain is registered by itself.
TAGS = [] if "@@" in str(Label("//:unused")) else ["manual"]
