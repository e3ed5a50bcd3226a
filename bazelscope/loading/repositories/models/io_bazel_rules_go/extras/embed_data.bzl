"""Model of rules_go's //extras:embed_data.bzl (0.22 to 0.41; later ones have none)."""

load("//go:def.bzl", _go_embed_data = "go_embed_data")

go_embed_data = _go_embed_data
