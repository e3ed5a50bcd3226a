"""Model of rules_docker's container_bundle (0.14 to 0.25)."""

load(":attributes.bzl", "STAMP", "joined", "nothing")

container_bundle_ = rule(
    nothing,
    attrs = joined(STAMP, {
        "image_target_strings": attr.string_list(),
        "image_targets": attr.label_list(allow_files = True),
        "images": attr.string_dict(),
        "tar_output": attr.output(),
    }),
    executable = True,
)

def container_bundle(**kwargs):
    if "images" in kwargs:
        images = {image: None for image in kwargs["images"].values()}.keys()
        kwargs["image_targets"] = images
        kwargs["image_target_strings"] = images
    kwargs["tar_output"] = kwargs.pop("tar_output", kwargs["name"] + ".tar")
    container_bundle_(**kwargs)
