"""`python -m gnomon` is the command line."""

from .cli import main

main()
