"""The test of a lock of requirements, before 1.5."""

def declare_lock_test(rule, name, attributes):
    rule(name = name + "_test", **attributes)
