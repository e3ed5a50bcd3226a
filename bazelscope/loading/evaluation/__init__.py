"""BUILD, `.bzl` and WORKSPACE files run, with Bazel's natives, rules and macros; packages and
definitions of repositories come out."""
