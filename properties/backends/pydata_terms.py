"""Expressions in terms of pydata/sparse, whose arrays agree with NumPy's in operators, ufuncs, axes and dtypes.

A sum of a product of operands with fill 0 is a matrix product, a tensordot or an einsum. Dense operands stay NumPy's
arrays in products with sparse ones, and become sparse elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...reference.algebra.dtypes import Number
from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import ADD, DIV, MAX, MIN, MUL, OPERATORS
from ...reference.notation.syntax import Access, Apply, Expr, Fill, Literal, Mask, Reduce, accesses
from ...reference.notation.types import dtype_of, infer_types, is_weak, natural, operand_dtype
from ...reference.storage.tensor import Tensor
from ..programs.problem import Problem
from .backend import Refused
from .spelling import HEADER, spelled_number
from .ssa import Lines
from .totality import check_total

INFIX = {
    **{"add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "pow": "**"},
    **{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="},
}
CALLS = {
    **{"min": "np.minimum", "max": "np.maximum", "or": "np.logical_or", "and": "np.logical_and"},
    **{"xor": "np.logical_xor", "not": "np.logical_not", "abs": "np.abs", "conj": "np.conj", "square": "np.square"},
    **{name: f"np.{name}" for name in ("sign", "floor", "ceil", "sqrt", "exp", "log", "sin", "cos", "tan", "tanh")},
}
FORMS = {
    **{name: f"{{}} {sign} {{}}" for name, sign in INFIX.items()},
    **{name: f"{call}({', '.join(['{}'] * OPERATORS[name].arity)})" for name, call in CALLS.items()},
    **{"neg": "-{}", "truth": "{} != 0", "real": "{}.real", "imag": "{}.imag"},
}
REDUCTIONS = {
    **{"add": "sum(axis={})", "mul": "prod(axis={})", "min": "min(axis={})", "max": "max(axis={})"},
    **{"or": "any(axis={})", "and": "all(axis={})", "xor": "reduce(np.logical_xor, axis={})"},
}
BOOLEANS = ("truth", "or", "and", "xor", "not", "eq", "ne", "lt", "le", "gt", "ge")
NARROW = ("sign", "conj", "floordiv", "mod")


class Value(Struct, frozen=True):
    """An array in a script: its text, the variables of its axes, its dtype, and whether it is NumPy's.

    `weak` if it is a number of the program's, which takes the dtype of what it meets; `zero` if it is an operand whose
    fill is 0.
    """

    text: str
    variables: tuple[str, ...]
    dtype: np.dtype
    dense: bool = False
    weak: bool = False
    zero: bool = False


class Writer:
    """Writes a problem in terms of the library; `built` are the texts that build its operands."""

    def __init__(self, problem: Problem, built: Mapping[str, str]) -> None:
        self.problem = problem
        self.built = built
        self.operands: Mapping[str, Tensor] = problem.operands
        self.lines = Lines(f"{HEADER}import sparse", problem.operands, ("sparse",))

    def script(self, conversion: str) -> str:
        """The whole text, with a call that gives the result in its format."""
        a = self.problem.terms
        whole: Expr = a.value
        updates = a.operator is not None and a.target.tensor in self.operands
        if a.operator is not None and updates:
            whole = Apply(a.operator, (a.target, a.value))
        whole = infer_types(whole, {name: tensor.dtype for name, tensor in self.operands.items()})
        check_total(whole, self.operands)
        for name, text in self.built.items():
            self.lines.bind(name, text)
        value = self.fit(self.value(whole))
        if a.mask is not None:
            before = a.target if updates else None
            value = self.mask(value, a.mask, before)
        return self.lines.finish(f"{value.text}{conversion}")

    def fit(self, value: Value) -> Value:
        """A value as a sparse array of the result's dtype, with its axes in the result's order."""
        cast = self.cast(value, self.problem.dtype)
        return self.align(self.sparse(cast), self.problem.terms.target.indices)

    def mask(self, value: Value, mask: Mask, before: Access | None) -> Value:
        """A value where a mask admits it, elsewhere the previous contents or the result's fill."""
        if not isinstance(mask.value, Access):
            raise Refused("a mask that is no tensor")
        if self.operands[mask.value.tensor].fill != 0:
            raise Refused("a mask with a fill")
        admitted = self.align(self.sparse(self.access(mask.value)), self.problem.terms.target.indices)
        condition = self.lines.let(f"{admitted.text} {'==' if mask.complement else '!='} 0")
        other = spelled_number(self.problem.fill)
        if before is not None:
            other = self.fit(self.access(before)).text
        chosen = self.lines.let(f"sparse.where({condition}, {value.text}, {other})")
        return replace(value, text=chosen)

    def value(self, e: Expr) -> Value:
        """An expression as an array or a number."""
        if is_weak(e):
            return Value(spelled_number(number(e)), (), natural(number(e)), dense=True, weak=True)
        match e:
            case Access():
                return self.access(e)
            case Apply(args=args):
                return self.apply(e, [self.value(argument) for argument in args])
            case Reduce():
                return self.reduction(e)
            case Literal() | Fill():
                raise AssertionError("numbers are weak")

    def access(self, access: Access) -> Value:
        """An operand, or its diagonal."""
        value = self.operand(access)
        while (axes := repeated_axes(value.variables)) is not None:
            first, second = axes
            value = self.sparse(value)
            text = self.lines.let(f"sparse.diagonal({value.text}, axis1={first}, axis2={second})")
            kept = tuple(v for n, v in enumerate(value.variables) if n not in axes)
            value = replace(value, text=text, variables=(*kept, value.variables[first]))
        return value

    def apply(self, e: Apply, args: list[Value]) -> Value:
        """An operator on arrays, whose axes are made to agree."""
        operator = e.operator
        variables = tuple(dict.fromkeys(v for a in args for v in a.variables))
        computed = operand_dtype(e)
        own = np.result_type(*(a.dtype for a in args if not a.weak))
        if computed.kind in "fc" and own.kind in "biu" and operator is not DIV:
            args = [a if a.weak else self.cast(a, computed) for a in args]
        if computed.kind == "b" and operator.name in NARROW:
            args = [a if a.weak else self.cast(a, np.dtype("int8")) for a in args]
        if not multiplies_dense(operator, args):
            args = [a if not (a.dense and not a.weak) else self.sparse(a) for a in args]
        args = [a if a.weak else self.align(a, variables) for a in args]
        text = self.lines.let(FORMS[operator.name].format(*(parenthesize(a) for a in args)))
        result = dtype_of(e)
        given = np.dtype("bool") if operator.name in BOOLEANS else result
        if result.kind == "b" and operator.name in NARROW:
            given = np.dtype("int8")
        return self.cast(Value(text, variables, given), result)

    def reduction(self, e: Reduce) -> Value:
        """Reductions over several variables by one operator, or a product of operands that is summed."""
        over: list[str] = []
        body: Expr = e
        while isinstance(body, Reduce) and body.operator is e.operator:
            over.append(body.index)
            body = body.body
        dtype = dtype_of(e)
        factors = list(product_factors(body)) if e.operator is ADD else []
        if len(factors) > 1 and all(self.contracts(f) for f in factors):
            return self.contraction([f for f in factors if isinstance(f, Access)], over, dtype)
        if e.operator in (MIN, MAX) and any(self.extent(e, v) == 0 for v in over):
            raise Refused("a minimum or maximum of nothing")
        value = self.sparse(self.value(body))
        axes = tuple(n for n, v in enumerate(value.variables) if v in over)
        axis = str(axes[0] if len(axes) == 1 else axes)
        text = self.lines.let(f"{value.text}.{REDUCTIONS[e.operator.name].format(axis)}")
        given = np.dtype("bool") if e.operator.name in BOOLEANS else dtype
        kept = tuple(v for v in value.variables if v not in over)
        return self.cast(Value(text, kept, given), dtype)

    def extent(self, e: Expr, variable: str) -> int:
        """The extent of a variable in an expression."""
        access = next(a for a in accesses(e) if variable in a.indices)
        return self.operands[access.tensor].shape[access.indices.index(variable)]

    def contracts(self, e: Expr) -> bool:
        """Whether a factor may be one of a contraction, which needs fill 0."""
        return isinstance(e, Access) and len(e.indices) > 0 and self.operands[e.tensor].fill == 0

    def contraction(self, factors: list[Access], over: list[str], dtype: np.dtype) -> Value:
        """A sum of a product: matmul, tensordot or einsum, in the dtype of the sum."""
        values = [self.cast(self.operand(f), dtype) for f in factors]
        plain = all(repeated_axes(v.variables) is None for v in values)
        if all(v.dense for v in values) or len(values) != 2 or not plain:
            values = [self.sparse(v) for v in values]
        if len(values) == 2 and plain:
            first, second = values
            shared = [v for v in first.variables if v in second.variables]
            if set(shared) == set(over):
                by = self.product if len(shared) == 1 and max(map(order, values)) <= 2 else self.tensordot
                return by(first, second, shared, dtype)
        values = [self.sparse(v) for v in values]
        letters = {v: "abcdefghijklmnopqrstuvwxyz"[n] for n, v in enumerate(variables_of(values))}
        kept = tuple(v for v in letters if v not in over)
        inputs = ",".join("".join(letters[v] for v in value.variables) for value in values)
        output = "".join(letters[v] for v in kept)
        named = ", ".join(v.text for v in values)
        return Value(self.lines.let(f"sparse.einsum('{inputs}->{output}', {named})"), kept, dtype)

    def operand(self, access: Access) -> Value:
        """An operand with its variables, repeated ones included."""
        tensor = self.operands[access.tensor]
        dense, zero = tensor.format.is_whole, tensor.fill == 0
        return Value(self.lines.names[access.tensor], access.indices, tensor.dtype, dense, zero=zero)

    def product(self, a: Value, b: Value, shared: list[str], dtype: np.dtype) -> Value:
        """A product of matrices or vectors."""
        left = self.align(a, (*(v for v in a.variables if v not in shared), *shared))
        right = self.align(b, (*shared, *(v for v in b.variables if v not in shared)))
        kept = (*left.variables[:-1], *right.variables[1:])
        return Value(self.lines.let(f"{left.text} @ {right.text}"), kept, dtype, bool(kept) and (a.dense or b.dense))

    def tensordot(self, a: Value, b: Value, shared: list[str], dtype: np.dtype) -> Value:
        """A product of tensors, summed over all variables that they share."""
        axes = [[v.variables.index(s) for s in shared] for v in (a, b)]
        kept = tuple(v for v in (*a.variables, *b.variables) if v not in shared)
        text = self.lines.let(f"sparse.tensordot({a.text}, {b.text}, axes=({axes[0]}, {axes[1]}))")
        return Value(text, kept, dtype, a.dense or b.dense)

    def cast(self, value: Value, dtype: np.dtype) -> Value:
        """A value in another dtype."""
        if value.dtype == dtype or value.weak:
            return replace(value, dtype=dtype)
        return replace(value, text=self.lines.let(f'{value.text}.astype("{dtype.name}")'), dtype=dtype)

    def sparse(self, value: Value) -> Value:
        """A value as a sparse array."""
        if not value.dense:
            return value
        array = f'np.array({value.text}, dtype="{value.dtype.name}")' if value.weak else value.text
        return replace(value, text=self.lines.let(f"sparse.COO.from_numpy({array})"), dense=False, weak=False)

    def align(self, value: Value, variables: tuple[str, ...]) -> Value:
        """A value whose axes are in the order of some variables, of extent 1 for those that it lacks."""
        kept = tuple(v for v in variables if v in value.variables)
        text = value.text
        if kept != value.variables:
            axes = tuple(value.variables.index(v) for v in kept)
            text = self.lines.let(f"{text}.transpose({axes})")
        lacking = [v not in value.variables for v in variables]
        if kept and (places := lacking[lacking.index(False) :]) and any(places):
            index = ", ".join("None" if missing else ":" for missing in places)
            text = self.lines.let(f"{text}[{index}]")
        return replace(value, text=text, variables=kept)


def repeated_axes(variables: tuple[str, ...]) -> tuple[int, int] | None:
    """The first two axes of one variable."""
    for n, v in enumerate(variables):
        if v in variables[n + 1 :]:
            return n, variables.index(v, n + 1)
    return None


def product_factors(e: Expr) -> Iterator[Expr]:
    """The factors of nested products, left to right."""
    match e:
        case Apply(operator=operator, args=args) if operator is MUL:
            for argument in args:
                yield from product_factors(argument)
        case _:
            yield e


def multiplies_dense(operator: Operator, args: list[Value]) -> bool:
    """Whether NumPy's arrays may stay such: in a product with a sparse operand of fill 0 that is as large."""
    sparse = [a for a in args if not a.dense]
    variables = {v for a in sparse for v in a.variables}
    zero = bool(sparse) and all(a.zero for a in sparse)
    return operator is MUL and zero and all(variables >= set(a.variables) for a in args)


def number(e: Expr) -> Number:
    """The value of an expression made of numbers only."""
    match e:
        case Literal(value=value) | Fill(value=value):
            return value
        case Apply(operator=operator, args=args):
            found: Number = operator.compute(*(number(a) for a in args))
            return found
        case Access() | Reduce():
            raise AssertionError("not a number")


def parenthesize(value: Value) -> str:
    """The text of an argument; a negative number in parentheses."""
    return f"({value.text})" if value.weak and value.text.startswith("-") else value.text


def order(value: Value) -> int:
    """The number of axes."""
    return len(value.variables)


def variables_of(values: list[Value]) -> list[str]:
    """The variables of some arrays, by first appearance."""
    return list(dict.fromkeys(v for value in values for v in value.variables))
