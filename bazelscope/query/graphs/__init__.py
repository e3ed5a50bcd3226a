"""The two graphs as the functions of the query language walk them."""
