"""Expressions in SciPy's operations on sparse arrays, one a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import ADD, MUL
from ...reference.notation.reductions import factors
from ...reference.notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from ...reference.notation.types import dtype_of, is_weak, operand_dtype
from .backend import Refused
from .scipy_values import Value, along, entire, has_exact_reciprocal, join_variables, leaves_integers, print_operator
from .spelling import spelled_number
from .ssa import Lines

MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "min": "min", "max": "max"}
WITHOUT_METHODS = ("dia", "lil", "dok")
KEYED = ("lil", "dok")


@dataclass(slots=True)
class Writer:
    """Writes the lines of a script. `leaves`: what the operands are; `shapes`: theirs.

    Where SciPy's documentation leaves open what an operation gives, as that of `multiply` does, the script makes it a
    sparse array.

    `risky` if infinities or NaN may occur, so that it matters what is absent. `logical` if sums are disjunctions.
    `extents` are those of the variables in scope: siblings may reuse names.
    """

    leaves: dict[str, Value]
    shapes: dict[str, tuple[int, ...]]
    risky: bool
    logical: bool
    lines: Lines
    extents: dict[str, int] = field(default_factory=dict)

    @property
    def dtypes(self) -> dict[str, np.dtype]:
        """The dtypes of the operands, all of them booleans where sums are disjunctions."""
        return {name: np.dtype(bool) if self.logical else leaf.dtype for name, leaf in self.leaves.items()}

    def put(self, text: str, like: Value, **changes: object) -> Value:
        """A new line that assigns a text; what it gives is like a value but for some changes."""
        return replace(like, text=self.lines.let(text), number=None, **changes)  # type: ignore[arg-type]

    def put_sparse(self, text: str, like: Value, indices: tuple[str, ...], dtype: np.dtype) -> Value:
        """A new line for what may come as a sparse array of any format, or as NumPy's: made a sparse one."""
        format = "csr" if len(indices) <= 2 else "coo"
        return self.put(f"{format}_array({text})", like, indices=indices, dtype=dtype, format=format, faithful=False)

    def put_dense(self, text: str, like: Value, indices: tuple[str, ...], dtype: np.dtype) -> Value:
        """A new line for an array of NumPy's, or for a number that comes as one of Python's."""
        return self.put(f"np.asarray({text})", like, indices=indices, dtype=dtype, format="", faithful=False)

    def term(self, e: Expr) -> Value:
        """An expression."""
        match e:
            case Access():
                return self.access(e)
            case Literal(value=value) | Fill(value=value):
                return Value(spelled_number(value), (), np.dtype(type(value)), faithful=True, number=value)
            case Reduce():
                return self.reduction(e)
            case Apply() if is_weak(e):
                raise Refused("an operation on numbers alone")
            case Apply(operator=operator) if operator is MUL:
                first, *others = [self.term(f) for f in factors(e, MUL)]
                for other in others:
                    first = self.times(first, other, dtype_of(e))
                return first
            case Apply(operator=operator):
                wanted = operand_dtype(e)
                leaves = leaves_integers(operator)
                args = [self.cast(self.term(a), wanted) if leaves else self.term(a) for a in e.args]
                if len(args) == 1:
                    return self.unary(operator, args[0], dtype_of(e))
                return self.binary(operator, args[0], args[1], dtype_of(e))

    def access(self, access: Access) -> Value:
        """An operand, or its diagonal."""
        leaf = self.truth(access.tensor) if self.logical else self.leaves[access.tensor]
        self.extents |= zip(access.indices, self.shapes[access.tensor], strict=True)
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
        return self.put(f"{leaf}.diagonal({how})", leaf, indices=(*others, repeated[0]), format="", faithful=kept)

    def truth(self, name: str) -> Value:
        """An operand as booleans."""
        leaf = self.leaves[name]
        if leaf.dtype.kind == "b":
            return leaf
        text = f"{leaf} != 0"
        if leaf.format:
            return replace(self.put_sparse(text, leaf, leaf.indices, np.dtype(bool)), faithful=leaf.faithful)
        return self.put(text, leaf, dtype=np.dtype(bool))

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

    def unary(self, operator: Operator, v: Value, dtype: np.dtype) -> Value:
        """A function of every component."""
        match operator.name:
            case "neg":
                return self.put(f"-{v}", v, dtype=dtype)
            case "abs":
                return self.put(f"abs({v})", v, dtype=dtype)
            case "conj" if v.format:
                return self.put(f"{v}.conj()", v, dtype=dtype)
            case "real" | "imag" if v.format:
                return self.put(f"{v}.{operator.name}", v, dtype=dtype)
            case "square":
                return self.put(f"{v}.power(2)" if v.format else f"{v} ** 2", v, dtype=dtype)
            case "sign" if v.dtype.kind == "b":
                raise Refused("the sign of booleans")
            case _:
                pass
        if v.format:
            held = self.with_methods(v, KEYED)
            return self.put(f"{held}.{operator.name}()", held, dtype=dtype)
        return self.put(f"np.{operator.name}({v})", v, dtype=dtype)

    def binary(self, operator: Operator, left: Value, right: Value, dtype: np.dtype) -> Value:
        """An operator that is no product, of every two components."""
        match operator.name:
            case "div":
                return self.quotient(left, right, dtype)
            case "pow":
                return self.power(left, right, dtype)
            case _:
                pass
        if self.logical and operator.name != "add":
            raise Refused("an operation without a meaning for booleans")
        if not (left.order and right.order) and (left.format or right.format):
            return self.with_number(operator, left, right, dtype)
        union = join_variables(left, right)
        return self.combine(operator, self.fit(left, union), self.fit(right, union), union, dtype)

    def fit(self, v: Value, indices: tuple[str, ...]) -> Value:
        """A value that an operator takes beside one with these variables: sparse arrays do not broadcast."""
        if v.format and v.order == len(indices):
            return self.transpose(v, indices)
        return self.broadcast_axes(self.dense(v), indices)

    def combine(
        self, operator: Operator, left: Value, right: Value, indices: tuple[str, ...], dtype: np.dtype
    ) -> Value:
        """An operator on values that fit one another; a sparse one comes first where methods are called."""
        name = operator.name
        if right.format and not left.format and name in MIRRORED:
            left, right, name = right, left, MIRRORED[name]
        text = print_operator(name, left, right)
        if not (left.format and right.format):
            text = text if indices else f"np.asarray({text})"
            return self.put(text, left, indices=indices, dtype=dtype, format="", faithful=entire(left, right))
        if name not in ("add", "sub"):
            return self.put_sparse(text, left, indices, dtype)
        format = self.common(left, right) if len(indices) <= 2 else "coo"
        return self.put(text, left, indices=indices, dtype=dtype, format=format, faithful=False)

    def common(self, left: Value, right: Value) -> str:
        """The format of what two sparse arrays give: one that lacks methods if either does."""
        return next((v.format for v in (left, right) if v.format in WITHOUT_METHODS), "csr")

    def with_number(self, operator: Operator, left: Value, right: Value, dtype: np.dtype) -> Value:
        """An operator on a sparse array and a number."""
        name = operator.name
        array, number = (left, right) if left.format else (right, left)
        if name in ("add", "sub"):
            if number.number is None or number.number != 0:
                raise Refused("a number added to a sparse array")
            return self.put(print_operator(name, left, right), array, dtype=dtype, faithful=False)
        turned = name if left.format else MIRRORED[name]
        return self.put_sparse(print_operator(turned, array, number), array, array.indices, dtype)

    def quotient(self, left: Value, right: Value, dtype: np.dtype) -> Value:
        """A quotient, present where both operands are."""
        if right.format:
            raise Refused("a sparse divisor, which is zero where it is absent")
        if left.format:
            if not has_exact_reciprocal(right):
                raise Refused("a quotient that is computed as a product with the reciprocal")
            return self.put(f"{left} / {right}", left, dtype=dtype, faithful=False)
        if not (left.faithful and right.faithful):
            raise Refused("a quotient of values that are zero where they are absent")
        union = join_variables(left, right)
        text = f"{self.broadcast_axes(left, union)} / {self.broadcast_axes(right, union)}"
        return self.put(text, left, indices=union, dtype=dtype, faithful=True)

    def power(self, left: Value, right: Value, dtype: np.dtype) -> Value:
        """A power; of a sparse array with a positive number as exponent."""
        if right.format:
            raise Refused("a sparse exponent")
        if left.format:
            if not (isinstance(right.number, int | float) and right.number > 0):
                raise Refused("a power of a sparse array that is not a positive number")
            return self.put(f"{left}.power({right})", left, dtype=dtype, faithful=False)
        union = join_variables(left, right)
        text = f"np.power({self.broadcast_axes(left, union)}, {self.broadcast_axes(right, union)})"
        return self.put(text, left, indices=union, dtype=dtype, faithful=entire(left, right))

    def times(self, left: Value, right: Value, dtype: np.dtype) -> Value:
        """A product of every two components."""
        self.check_faithful(left, right)
        if self.risky and left.format and right.format:
            raise Refused("an infinity or NaN that may meet a zero which stands for something absent")
        plain = entire(left, right)
        if not (left.format or right.format):
            union = join_variables(left, right)
            text = f"{self.broadcast_axes(left, union)} * {self.broadcast_axes(right, union)}"
            return self.put(text, left, indices=union, dtype=dtype, faithful=plain)
        if not (left.order and right.order):
            array = left if left.format else right
            kept = array.faithful and ((left.number is None and right.number is None) or not self.risky)
            return self.put(f"{left} * {right}", array, dtype=dtype, faithful=kept)
        if set(left.indices) == set(right.indices):
            text = f"{left} * {self.transpose(right, left.indices)}"
            return self.put_sparse(text, left, left.indices, dtype)
        return self.broadcast_product(left, right, dtype)

    def broadcast_product(self, left: Value, right: Value, dtype: np.dtype) -> Value:
        """A product of a sparse array and one with other variables."""
        larger = left.order >= right.order
        array, other = (left, right) if not right.format or (left.format and larger) else (right, left)
        single = all(self.extents[w] == 1 for w in array.indices)
        if self.risky and single:  # what SciPy multiplies by is its sum, zero if nothing is present
            raise Refused("an infinity or NaN that may meet a zero which stands for something absent")
        union = join_variables(array, other)
        if len(union) <= 2:
            if array.order == 1:
                array = self.column(array)
            other = self.broadcast_factor(other, union)
            return self.put_sparse(f"{array}.multiply({other})", array, union, dtype)
        if array.order < len(union):
            raise Refused("a product with more dimensions than its operands")
        spread = self.broadcast(self.broadcast_axes(self.dense(other), union), union)
        return self.put_sparse(f"{array}.multiply({spread})", array, array.indices, dtype)

    def broadcast_factor(self, v: Value, union: tuple[str, ...]) -> Value:
        """A value as a factor that `multiply` broadcasts to two variables."""
        if not v.format or v.order == 2:
            return self.broadcast_axes(v, union) if not v.format else self.transpose(v, union)
        return self.column(v) if v.indices[0] == union[0] else self.row(v)

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

    def check_faithful(self, *values: Value) -> None:
        """Refuse a product in which an infinity might meet what is absent, but a zero here."""
        if self.risky and not all(v.faithful for v in values):
            raise Refused("an infinity or NaN that may meet a zero which stands for something absent")

    def reduction(self, e: Reduce) -> Value:
        """A reduction over one variable, or over all of those that reduce alike."""
        operator, body = e.operator, e.body
        over = [e.index]
        while isinstance(body, Reduce) and body.operator is operator:
            over.append(body.index)
            body = body.body
        if operator is not ADD:
            return self.least(self.term(body), over, operator.name)
        dtype = dtype_of(body if self.logical else e)
        if isinstance(body, Apply) and body.operator is MUL:
            return self.contraction(body, over, dtype)
        return self.total(self.term(body), over, dtype)

    def least(self, v: Value, over: Sequence[str], name: str) -> Value:
        """The least or the greatest along some axes."""
        if any(self.extents[w] == 0 for w in over):
            raise Refused("the least or the greatest of nothing")
        held = self.with_methods(v)
        rest = held.rest(over)
        format = "coo" if held.format and rest else ""
        return self.put(f"{held}.{name}({along(held, over)})", held, indices=rest, format=format, faithful=False)

    def total(self, v: Value, over: Sequence[str], dtype: np.dtype) -> Value:
        """The sum along some axes."""
        if self.logical:
            return self.least(v, over, "max")
        rest = v.rest(over)
        text = f"{v}.sum({along(v, over)})"
        return self.put(text, v, indices=rest, dtype=dtype, format="", faithful=False)

    def contraction(self, body: Apply, over: Sequence[str], dtype: np.dtype) -> Value:
        """The sum of products over some variables, the innermost first."""
        parts = factors(body, MUL)
        if self.risky and len(parts) > 2:
            raise Refused("a sum of several products in which infinities or NaN may occur")
        widens = dtype != dtype_of(body)
        held = [self.cast(v, dtype) if widens else v for v in map(self.term, parts)]
        left = list(reversed(over))
        while left:
            held = list(self.without(held, left, dtype))
            left = [w for w in left if any(w in v.indices for v in held)]
        first, *others = held
        for other in others:
            first = self.times(first, other, dtype)
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
            yield self.times(a, b, dtype)
        yield from more
        yield from others

    def inner(self, left: Value, right: Value, over: Sequence[str], dtype: np.dtype) -> Value:
        """The sum of products over the variables that two values have in common."""
        self.check_faithful(left, right)
        if max(left.order, right.order) > 2:
            return self.tensor_product(left, right, over, dtype)
        rest = left.rest(over) + right.rest(over)
        a = self.transpose(left, (*left.rest(over), *over))
        b = self.transpose(right, (*over, *right.rest(over)))
        if not (left.format and right.format and rest):
            return self.put_dense(f"{a} @ {b}", a, rest, dtype)
        return self.put(f"{a} @ {b}", a, indices=rest, dtype=dtype, format=self.common(a, b), faithful=False)

    def tensor_product(self, left: Value, right: Value, over: Sequence[str], dtype: np.dtype) -> Value:
        """The sum of products over some variables of values of which one has more than two: SciPy's is sparse."""
        if self.logical:
            raise Refused("a tensor product of booleans")
        if (bool(right.format), right.order) > (bool(left.format), left.order):
            left, right = right, left
        if left.format not in ("", "coo"):
            left = self.put(f"{left}.tocoo()", left, format="coo")
        axes = f"axes=({list(left.axes(over))}, {list(right.axes(over))})"
        call = f"{left}.tensordot({right}, {axes})" if left.format else f"np.tensordot({left}, {right}, {axes})"
        rest = left.rest(over) + right.rest(over)
        if not (left.format and right.format and rest):
            return self.put_dense(call, left, rest, dtype)
        return self.put(call, left, indices=rest, dtype=dtype, format="coo", faithful=False)
