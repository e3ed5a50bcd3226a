"""Which piece of a file a value, a label or a shown path came from."""
