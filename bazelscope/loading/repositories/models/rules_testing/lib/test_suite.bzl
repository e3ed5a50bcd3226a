"""Model of @rules_testing//lib:test_suite.bzl (0.1 to 0.9): a target for each function, and a suite
of them."""

load(":unit_test.bzl", "unit_test")

def _name_of(function):
    """`test_a` of `<function _test_a from //p:x.bzl>`."""
    return str(function).partition("<function ")[2].partition(" ")[0].strip("_>")

def test_suite(name, tests = [], basic_tests = [], test_kwargs = {}):
    names = []
    for test in tests:
        names.append(_name_of(test))
        test(name = names[-1], **test_kwargs)
    for test in basic_tests:
        names.append(_name_of(test))
        unit_test(name = names[-1], impl = test, **test_kwargs)
    native.test_suite(name = name, tests = names)
