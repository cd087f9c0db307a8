"""Arrays of SciPy and NumPy as their operations want them: in a dtype, a format, with axes in some order."""

from __future__ import annotations

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from .scipy_values import Value
from .ssa import Lines

WITHOUT_METHODS = ("dia", "lil", "dok")


class Arrays(Struct):
    """Writes the lines that make arrays of others. `extents` are those of the variables in scope: siblings may reuse
    names.

    Where SciPy's documentation leaves open what an operation gives, as that of `multiply` does, the script makes it a
    sparse array.
    """

    lines: Lines
    extents: dict[str, int] = field(default_factory=dict)

    def put(self, text: str, like: Value, **changes: object) -> Value:
        """A new line that assigns a text; what it gives is like a value but for some changes."""
        return replace(like, text=self.lines.let(text), number=None, **changes)

    def put_sparse(self, text: str, like: Value, indices: tuple[str, ...], dtype: np.dtype) -> Value:
        """A new line for what may come as a sparse array of any format, or as NumPy's: made a sparse one."""
        format = "csr" if len(indices) <= 2 else "coo"
        return self.put(f"{format}_array({text})", like, indices=indices, dtype=dtype, format=format, faithful=False)

    def put_dense(self, text: str, like: Value, indices: tuple[str, ...], dtype: np.dtype) -> Value:
        """A new line for an array of NumPy's, or for a number that comes as one of Python's."""
        return self.put(f"np.asarray({text})", like, indices=indices, dtype=dtype, format="", faithful=False)

    def cast(self, v: Value, dtype: np.dtype) -> Value:
        """A value in a dtype; numbers take theirs from what they meet."""
        if v.number is not None or v.dtype == dtype:
            return v
        return self.put(f"{v}.astype({dtype.name!r})", v, dtype=dtype)

    def with_methods(self, v: Value, lacking: tuple[str, ...] = WITHOUT_METHODS) -> Value:
        """A sparse array in a format that has the methods that some lack."""
        return self.put(f"{v}.tocsr()", v, format="csr") if v.format in lacking else v

    def dense(self, v: Value) -> Value:
        """A value as a NumPy array."""
        return self.put(f"{v}.toarray()", v, format="", faithful=False) if v.format else v

    def transpose(self, v: Value, indices: tuple[str, ...]) -> Value:
        """A value with its axes in the order of some variables, which may be more."""
        wanted = tuple(w for w in indices if w in v.indices)
        if wanted == v.indices:
            return v
        format = {"csr": "csc", "csc": "csr"}.get(v.format, v.format)
        text = f"{v}.T" if v.order == 2 else f"{v}.transpose({v.axes(wanted)})"
        return self.put(text, v, indices=wanted, format=format)

    def broadcast_axes(self, v: Value, indices: tuple[str, ...]) -> Value:
        """A NumPy array with axes that broadcast to those of some variables."""
        turned = self.transpose(v, indices)
        missing = [w not in v.indices for w in indices]
        if not any(missing[missing.index(False) :] if v.indices else []):
            return turned
        slots = ", ".join("None" if gone else ":" for gone in missing)
        return self.put(f"{turned}[{slots}]", turned, indices=indices)

    def fit(self, v: Value, indices: tuple[str, ...]) -> Value:
        """A value that an operator takes beside one with these variables: sparse arrays do not broadcast."""
        if v.format and v.order == len(indices):
            return self.transpose(v, indices)
        return self.broadcast_axes(self.dense(v), indices)

    def column(self, v: Value) -> Value:
        """A vector as a matrix of one column."""
        n = self.extents[v.indices[0]]
        text = f"{v}.reshape(({n}, 1))" if v.format else f"{v}[:, None]"
        return self.put(text, v, format="coo" if v.format else "")

    def row(self, v: Value) -> Value:
        """A vector as a matrix of one row."""
        return self.put(f"{v}.reshape((1, {self.extents[v.indices[0]]}))", v, format="coo")

    def broadcast(self, v: Value, indices: tuple[str, ...]) -> Value:
        """A NumPy array broadcast to the extents of some variables."""
        shape = tuple(self.extents[w] for w in indices)
        return self.put(f"np.broadcast_to({v}, {shape})", v, indices=indices)

    def broadcast_factor(self, v: Value, union: tuple[str, ...]) -> Value:
        """A value as a factor that `multiply` broadcasts to two variables."""
        if not v.format or v.order == 2:
            return self.broadcast_axes(v, union) if not v.format else self.transpose(v, union)
        return self.column(v) if v.indices[0] == union[0] else self.row(v)
