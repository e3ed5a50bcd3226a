"""What go_grpc_library generates code with, since 0.44."""

GRPC_COMPILERS = [Label("//proto:go_proto"), Label("//proto:go_grpc_v2")]
