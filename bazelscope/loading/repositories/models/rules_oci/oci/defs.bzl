"""Model of @rules_oci//oci:defs.bzl (2.2.1 to 2.3): the macros and the targets that they make."""

load("//oci/private:beside.bzl", "common_of", "digest", "jq_rule", "written")
load(
    "//oci/private:rules.bzl",
    _oci_image = "oci_image",
    _oci_image_index = "oci_image_index",
    _oci_load = "oci_load",
    _oci_push = "oci_push",
)

oci_image_index_rule = _oci_image_index
oci_image_rule = _oci_image
oci_push_rule = _oci_push
oci_tarball_rule = _oci_load

def oci_image_index(name, **attrs):
    _oci_image_index(name = name, **attrs)
    digest(name, jq_rule, common_of(attrs))

def oci_image(name, **attrs):
    common = common_of(attrs)
    for kind in ["annotations", "labels", "env"]:
        if type(attrs.get(kind)) == "dict":
            attrs[kind] = written(name, kind, attrs[kind], common)
    for kind in ["cmd", "entrypoint", "exposed_ports", "volumes"]:
        if type(attrs.get(kind)) == "list":
            attrs[kind] = written(name, kind, attrs[kind], common)
    _oci_image(name = name, **attrs)
    digest(name, jq_rule, common)

def oci_push(name, remote_tags = None, **attrs):
    remote_tags = written(name, "tags", remote_tags, common_of(attrs))
    _oci_push(name = name, remote_tags = remote_tags, **attrs)

def oci_load(name, repo_tags = None, **attrs):
    repo_tags = written(name, "tags", repo_tags, common_of(attrs))
    _oci_load(name = name, repo_tags = repo_tags, **attrs)
