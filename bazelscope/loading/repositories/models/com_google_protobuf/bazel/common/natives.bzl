"""What Bazel itself has under these names, for the files that export them (protobuf 29 and later)."""

native_proto_info = ProtoInfo
