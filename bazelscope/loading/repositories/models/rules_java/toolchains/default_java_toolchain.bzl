"""Model of @rules_java//toolchains:default_java_toolchain.bzl (5.5 to 9.8): the files of the runtime
alone, for what a toolchain is made of differs by release."""

def java_runtime_files(name, srcs):
    native.filegroup(name = name, srcs = srcs, tags = ["manual"])
    runtime = Label("//toolchains:current_java_runtime")
    for src in srcs:
        native.genrule(
            name = "gen_%s" % src,
            srcs = [runtime],
            outs = [src],
            cmd = "cp $(JAVABASE)/%s $@" % src,
            tags = ["manual"],
            toolchains = [runtime],
        )
