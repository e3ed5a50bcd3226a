"""The values of all flags under which a target is analysed, platforms included."""
