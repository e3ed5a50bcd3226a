"""The text of a query to its syntax tree, and the evaluation of that tree."""
