"""Rule implementations, run dry: what Starlark rules provide, make and refuse, without programs."""
