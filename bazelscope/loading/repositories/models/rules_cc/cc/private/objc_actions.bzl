"""Actions of Objective-C among those that rules_cc lists, since 0.1.2."""

OBJC_COMPILE = ["objc-compile"]
OBJCPP_COMPILE = ["objc++-compile"]
OBJC_LINK = ["objc-executable"]
