"""What every layer knows: places in files, labels, errors, and what is unknown."""
