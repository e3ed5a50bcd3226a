"""What turns on a flag, a config, a variable or a setting."""
