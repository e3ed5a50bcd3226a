"""Which conditions hold under a configuration, and which branch of a select() is taken."""
