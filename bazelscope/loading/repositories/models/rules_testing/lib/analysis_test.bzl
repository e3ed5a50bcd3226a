"""Model of @rules_testing//lib:analysis_test.bzl (0.1 to 0.9)."""

load(":test_suite.bzl", _test_suite = "test_suite")
load("//lib/private:analysis_test.bzl", _analysis_test = "analysis_test")

analysis_test = _analysis_test

def test_suite(**kwargs):
    _test_suite(**kwargs)
