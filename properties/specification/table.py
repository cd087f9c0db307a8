"""A table of the specification, and what its cells are made of."""

from __future__ import annotations

import inspect

from msgspec import Struct


class Table(Struct, frozen=True):
    """A table: the names of its columns, and rows of cells, which are Markdown."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        """The table as Markdown.

        >>> print(Table(("a", "b"), (("`x|y`", ""),)))
        | a | b |
        | --- | --- |
        | `x\\|y` |  |
        """
        rows = [self.columns, ("---",) * len(self.columns), *self.rows]
        lines = (" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows)
        return "\n".join(f"| {line} |" for line in lines)


def code(text: str) -> str:
    """A text as code; nothing stays nothing."""
    return f"`{text}`" if text else ""


def summary(thing: object) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
