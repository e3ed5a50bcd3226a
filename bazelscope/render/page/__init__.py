"""The explorer page: one HTML file that holds its data, its style and its code."""
