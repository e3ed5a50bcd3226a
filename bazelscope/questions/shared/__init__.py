"""What several questions ask, answer and say alike."""
