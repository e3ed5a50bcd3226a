"""A folder for each question: the answer as a value, how it is found, how it is worded."""
