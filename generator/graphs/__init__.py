"""Graph algorithms: `edges` are graphs, `graph` has a function for each algorithm, `.gn` files are the algorithms."""
