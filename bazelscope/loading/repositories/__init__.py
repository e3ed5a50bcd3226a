"""External repositories: what defines each, and where its content comes from."""
