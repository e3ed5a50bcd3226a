"""Model of @aspect_rules_js//npm:defs.bzl (3.0 to 3.4); npm_package() is left out."""

load("//npm/private:linked.bzl", _npm_link_package = "npm_link_package")

npm_link_package = _npm_link_package
