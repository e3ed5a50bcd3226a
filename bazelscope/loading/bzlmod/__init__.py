"""Bazel modules: what MODULE.bazel files, their lock file and module extensions define.

A Bazel module has nothing to do with the modules that `load()` gives; those are in
`loading/modules.py`. `file` and `lock` read one file each, `repositories` makes definitions
of them, `extensions` runs extensions, and `evaluation` puts these together for a workspace.
"""
