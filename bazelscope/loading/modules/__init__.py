"""Bazel modules: what MODULE.bazel files, their lock file and module extensions define.

A Bazel module has nothing to do with the modules that `load()` gives; those are in
`evaluation/module_loader.py`. `module_file` and `lock_file` read one file each,
`module_repositories` makes definitions of them, `extensions` runs extensions, and
`module_evaluation` puts these together for a workspace.
"""
