"""What go_grpc_library generates code with, before 0.44."""

GRPC_COMPILERS = [Label("//proto:go_grpc")]
