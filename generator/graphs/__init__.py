"""Graph algorithms: `graph` has a function for each, the `.gn` files are the algorithms."""
