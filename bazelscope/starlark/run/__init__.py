"""Running compiled programs: values, operators, built-in functions, limits."""
