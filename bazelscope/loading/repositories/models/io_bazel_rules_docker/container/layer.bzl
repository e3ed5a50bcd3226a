"""Model of rules_docker's container_layer."""

load(":attributes.bzl", "LAYER", "LAYER_OUTPUTS", "nothing")

container_layer_ = rule(nothing, attrs = LAYER, outputs = LAYER_OUTPUTS)

def container_layer(**kwargs):
    container_layer_(**kwargs)
