"""Expressions in SciPy's operations on sparse arrays, one a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...reference.algebra.dtypes import Number
from ...reference.algebra.operators import ADD, MUL
from ...reference.notation.reductions import factors
from ...reference.notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from ...reference.notation.types import dtype_of, is_weak, operand_dtype
from .backend import Refused
from .scipy_arrays import Arrays
from .scipy_operations import Operations
from .scipy_values import Value, along, leaves_integers
from .spelling import spelled_number


class Writer(Struct, frozen=True):
    """Writes the lines of a script. `leaves`: what the operands are; `shapes`: theirs."""

    leaves: dict[str, Value]
    shapes: dict[str, tuple[int, ...]]
    arrays: Arrays
    operations: Operations

    @property
    def dtypes(self) -> dict[str, np.dtype]:
        """The dtypes of the operands, all of them booleans where sums are disjunctions."""
        return {name: np.dtype(bool) if self.operations.logical else leaf.dtype for name, leaf in self.leaves.items()}

    def term(self, e: Expr) -> Value:
        """An expression."""
        match e:
            case Access():
                return self.access(e)
            case Literal(value=value) | Fill(value=value):
                return self.number(bool(value) if self.operations.logical else value)
            case Reduce():
                return self.reduction(e)
            case Apply() if is_weak(e):
                raise Refused("an operation on numbers alone")
            case Apply(operator=operator) if operator is MUL:
                first, *others = [self.term(f) for f in factors(e, MUL)]
                for other in others:
                    first = self.operations.times(first, other, dtype_of(e))
                return first
            case Apply(operator=operator):
                wanted = operand_dtype(e)
                leaves = leaves_integers(operator)
                args = [self.arrays.cast(self.term(a), wanted) if leaves else self.term(a) for a in e.args]
                if len(args) == 1:
                    return self.operations.unary(operator, args[0], dtype_of(e))
                return self.operations.binary(operator, args[0], args[1], dtype_of(e))

    def number(self, value: Number) -> Value:
        """A number of the program's."""
        return Value(spelled_number(value), (), np.dtype(type(value)), faithful=True, number=value)

    def access(self, access: Access) -> Value:
        """An operand, or its diagonal."""
        leaf = self.truth(access.tensor) if self.operations.logical else self.leaves[access.tensor]
        self.arrays.extents |= zip(access.indices, self.shapes[access.tensor], strict=True)
        if len(set(access.indices)) == len(access.indices):
            return replace(leaf, indices=access.indices)
        if leaf.format and leaf.order > 2:
            raise Refused("a diagonal of more than two dimensions")
        repeated = [v for v in dict.fromkeys(access.indices) if access.indices.count(v) > 1]
        if len(access.indices) - len(set(access.indices)) > 1:
            raise Refused("a diagonal of more than two dimensions")
        axes = tuple(n for n, v in enumerate(access.indices) if v == repeated[0])
        others = tuple(v for v in access.indices if v != repeated[0])
        how = "" if leaf.order == 2 else f"axis1={axes[0]}, axis2={axes[1]}"
        kept = leaf.faithful and not leaf.format
        return self.arrays.put(
            f"{leaf}.diagonal({how})", leaf, indices=(*others, repeated[0]), format="", faithful=kept
        )

    def truth(self, name: str) -> Value:
        """An operand as booleans."""
        leaf = self.leaves[name]
        if leaf.dtype.kind == "b":
            return leaf
        text = f"{leaf} != 0"
        if leaf.format:
            return replace(self.arrays.put_sparse(text, leaf, leaf.indices, np.dtype(bool)), faithful=leaf.faithful)
        return self.arrays.put(text, leaf, dtype=np.dtype(bool))

    def reduction(self, e: Reduce) -> Value:
        """A reduction over one variable, or over all of those that reduce alike."""
        operator, body = e.operator, e.body
        over = [e.index]
        while isinstance(body, Reduce) and body.operator is operator:
            over.append(body.index)
            body = body.body
        if operator is not ADD:
            return self.least(self.term(body), over, operator.name)
        dtype = dtype_of(body if self.operations.logical else e)
        if isinstance(body, Apply) and body.operator is MUL:
            return self.contraction(body, over, dtype)
        return self.total(self.term(body), over, dtype)

    def least(self, v: Value, over: Sequence[str], name: str) -> Value:
        """The least or the greatest along some axes."""
        if any(self.arrays.extents[w] == 0 for w in over):
            raise Refused("the least or the greatest of nothing")
        held = self.arrays.with_methods(v)
        rest = held.rest(over)
        format = "coo" if held.format and rest else ""
        return self.arrays.put(f"{held}.{name}({along(held, over)})", held, indices=rest, format=format, faithful=False)

    def total(self, v: Value, over: Sequence[str], dtype: np.dtype) -> Value:
        """The sum along some axes."""
        if self.operations.logical:
            return self.least(v, over, "max")
        rest = v.rest(over)
        text = f"{v}.sum({along(v, over)})"
        return self.arrays.put(text, v, indices=rest, dtype=dtype, format="", faithful=False)

    def contraction(self, body: Apply, over: Sequence[str], dtype: np.dtype) -> Value:
        """The sum of products over some variables, the innermost first."""
        parts = factors(body, MUL)
        if self.operations.risky and len(parts) > 2:
            raise Refused("a sum of several products in which infinities or NaN may occur")
        widens = dtype != dtype_of(body)
        held = [self.arrays.cast(v, dtype) if widens else v for v in map(self.term, parts)]
        left = list(reversed(over))
        while left:
            held = list(self.without(held, left, dtype))
            left = [w for w in left if any(w in v.indices for v in held)]
        first, *others = held
        for other in others:
            first = self.operations.times(first, other, dtype)
        return first

    def without(self, held: Sequence[Value], over: Sequence[str], dtype: np.dtype) -> Iterator[Value]:
        """The factors of a product after a step towards its sum: one summed, or two taken together."""
        using = [v for v in held if over[0] in v.indices]
        others = [v for v in held if v not in using]
        private = [w for w in over if not any(w in v.indices for v in others)]
        if len(using) == 1:
            yield self.total(using[0], [w for w in private if w in using[0].indices], dtype)
            yield from others
            return
        a, b, *more = using
        shared = [w for w in a.indices if w in b.indices]
        if not more and set(shared) <= set(private) and (len(shared) == 1 or a.order + b.order > 4):
            yield self.inner(a, b, shared, dtype)
        else:
            yield self.operations.times(a, b, dtype)
        yield from more
        yield from others

    def inner(self, left: Value, right: Value, over: Sequence[str], dtype: np.dtype) -> Value:
        """The sum of products over the variables that two values have in common."""
        self.operations.check_faithful(left, right)
        if max(left.order, right.order) > 2:
            return self.tensor_product(left, right, over, dtype)
        rest = left.rest(over) + right.rest(over)
        a = self.arrays.transpose(left, (*left.rest(over), *over))
        b = self.arrays.transpose(right, (*over, *right.rest(over)))
        if not (left.format and right.format and rest):
            return self.arrays.put_dense(f"{a} @ {b}", a, rest, dtype)
        return self.arrays.put(
            f"{a} @ {b}", a, indices=rest, dtype=dtype, format=self.operations.common(a, b), faithful=False
        )

    def tensor_product(self, left: Value, right: Value, over: Sequence[str], dtype: np.dtype) -> Value:
        """The sum of products over some variables of values of which one has more than two: SciPy's is sparse."""
        if self.operations.logical:
            raise Refused("a tensor product of booleans")
        if (bool(right.format), right.order) > (bool(left.format), left.order):
            left, right = right, left
        if left.format not in ("", "coo"):
            left = self.arrays.put(f"{left}.tocoo()", left, format="coo")
        axes = f"axes=({list(left.axes(over))}, {list(right.axes(over))})"
        call = f"{left}.tensordot({right}, {axes})" if left.format else f"np.tensordot({left}, {right}, {axes})"
        rest = left.rest(over) + right.rest(over)
        if not (left.format and right.format and rest):
            return self.arrays.put_dense(call, left, rest, dtype)
        return self.arrays.put(call, left, indices=rest, dtype=dtype, format="coo", faithful=False)
