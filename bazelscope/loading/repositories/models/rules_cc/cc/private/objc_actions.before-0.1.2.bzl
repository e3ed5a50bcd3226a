"""Actions of Objective-C among those that rules_cc lists, up to 0.1.1."""

OBJC_COMPILE = []
OBJCPP_COMPILE = []
OBJC_LINK = []
