def ext_macro(name):
    native.filegroup(name = name, srcs = [name + ".txt"])
    native.genrule(name = name + "_gen", outs = [name + ".txt"], cmd = "x")
