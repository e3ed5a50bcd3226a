"""Which target people mean by a short name."""
