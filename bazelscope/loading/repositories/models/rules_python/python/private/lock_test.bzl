"""The test of a lock of requirements, since 1.5: `NAME.test`, and its older name for it."""

def declare_lock_test(rule, name, attributes):
    rule(name = name + ".test", **attributes)
    native.alias(
        name = name + "_test",
        actual = ":" + name + ".test",
        deprecation = "Use '%s.test' instead." % name,
    )
