"""Model of rules_docker's //container:container.bzl (0.14 to 0.25).

container_pull and container_load make repositories out of what they download: unknown here.
"""

load(":bundle.bzl", _container_bundle = "container_bundle")
load(":image.bzl", _container_image = "container_image")
load(":layer.bzl", _container_layer = "container_layer")
load(":push.bzl", _container_push = "container_push")

container_bundle = _container_bundle
container_image = _container_image
container_layer = _container_layer
container_push = _container_push
