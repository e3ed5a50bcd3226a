"""Model of //lib:expand_template.bzl of aspect_bazel_lib (1.30 to 2.22) and bazel_lib 3."""

load("@bazel_skylib//rules:write_file.bzl", "write_file")
load("//lib/private:expand_template.bzl", _expand_template = "expand_template")

expand_template_rule = _expand_template

def expand_template(name, template, **attrs):
    if type(template) == "list":
        write_file(name = name + "_tmpl", out = name + "_tmpl.txt", content = template)
        template = name + "_tmpl"
    expand_template_rule(name = name, template = template, **attrs)
