"""Model of rules_docker's container_layer (0.14 to 0.25)."""

load(":attributes.bzl", "LAYER", "LAYER_OUTPUTS", "nothing")

container_layer_ = rule(nothing, attrs = LAYER, outputs = LAYER_OUTPUTS)

def container_layer(**kwargs):
    container_layer_(**kwargs)
