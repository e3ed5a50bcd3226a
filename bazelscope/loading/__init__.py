"""Bazel's loading phase: files, repositories, modules, packages and their targets.

`loader` is what the phases above use. The rooms, each of which uses those after it only:
`repositories` (which there are, and their files), `modules` (MODULE.bazel), `dry_run`
(repository rules, run without effects), `cache` (what is kept for later runs), `origins` (which
expression a label came from), `evaluation` (BUILD, `.bzl` and WORKSPACE files run), `packages`
(what comes out), `tree` (files and directories).
"""
