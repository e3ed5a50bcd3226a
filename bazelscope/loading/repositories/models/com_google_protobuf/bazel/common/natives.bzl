"""What Bazel itself has under these names, for the files that export them."""

native_proto_info = ProtoInfo
