"""Rules for Android, which Debian's Bazel does not have: files that stand for what they build."""

def android_library(name, visibility = None, testonly = None, **kwargs):
    native.filegroup(name = name, visibility = visibility, testonly = testonly)

android_binary = android_library
aar_import = android_library
