"""What rules_go lists besides: up to 0.29 nothing."""

MORE_SYSTEMS = {}
MORE_CPUS = {}
MORE_TARGETS = {}
