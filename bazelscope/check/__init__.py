"""`check`: findings about a workspace, each with a code, a place and a remedy."""
