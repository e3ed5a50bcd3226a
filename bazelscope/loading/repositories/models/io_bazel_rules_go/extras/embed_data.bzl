"""Model of rules_go's //extras:embed_data.bzl."""

load("//go:def.bzl", _go_embed_data = "go_embed_data")

go_embed_data = _go_embed_data
