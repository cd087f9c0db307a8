"""Expressions in terms of GraphBLAS: unions, intersections, products in semirings, reductions, masks, accumulators.

In a semiring a sum is a union and a product an intersection. Outside, an operator that is zero where one argument is
missing is an intersection too, and others are unions in which zero stands for what is missing: programs where that
gives anything but zero are refused, as what is absent cannot be. Products of a matrix and a vector without a sum go by
the vector's diagonal matrix.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from ...reference.algebra.exact import exact
from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import ADD, MUL
from ...reference.algebra.semirings import semiring_or_none
from ...reference.errors import GnomonError
from ...reference.notation.syntax import Access, Apply, Assignment, Expr, Fill, Literal, Mask, Reduce, nodes
from ...reference.notation.types import dtype_of, is_weak, natural, operand_dtype
from ..programs.problem import Problem
from .backend import Refused
from .graphblas_objects import Objects, Value, apply_to_entries, type_name, typed_name
from .spelling import HEADER, spelled_number
from .ssa import Lines
from .totality import is_nonzero, parts

IMPORTS = ("Matrix", "Scalar", "Vector", "binary", "monoid", "semiring", "unary")
RENAMED = {"add": "plus", "mul": "times", "sub": "minus", "div": "truediv", "mod": "numpy.mod"}
LOGICAL = {"or": "lor", "and": "land", "xor": "lxor"}
SAME = ("min", "max", "first", "second", "pair", "any", "eq", "ne", "lt", "le", "gt", "ge", "pow", "floordiv")
BINARY = {**RENAMED, **LOGICAL, **{name: name for name in SAME}}
BOOLEAN = {"plus": "lor", "times": "land", "min": "land", "max": "lor"}
UNARY = {
    **{"neg": "ainv", "abs": "abs", "sign": "signum", "conj": "conj", "real": "creal", "imag": "cimag"},
    **{name: name for name in ("square", "truth", "floor", "ceil", "sqrt", "sin", "tan", "tanh")},
}
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
SWAPPED = {"first": "second", "second": "first"}
WHOLE = ("floordiv", "mod")
BOOL, FLOAT64 = np.dtype("bool"), np.dtype("float64")


class Writer:
    """Writes a problem in terms of python-graphblas; `operands` are the texts that build them."""

    def __init__(self, problem: Problem, operands: Mapping[str, str]) -> None:
        self.problem = problem
        self.built = operands
        self.assignment: Assignment = problem.ready.resolved.assignment
        self.dtypes = {name: tensor.dtype for name, tensor in problem.operands.items()}
        self.ring = semiring_or_none(problem.semiring)
        self.truths = self.ring is not None and self.ring.add.name in LOGICAL
        self.lines = Lines(f"{HEADER}from graphblas import {', '.join(IMPORTS)}", operands, IMPORTS)
        self.objects = Objects(self.lines)

    def script(self) -> str:
        """The whole text."""
        check_order(self.assignment, self.problem)
        for name, text in self.built.items():
            self.lines.bind(name, text)
        a, dtype = self.assignment, self.problem.dtype
        value = self.objects.transpose(self.value(a.value), a.target.indices)
        mask = None if a.mask is None else self.mask(a.mask)
        if a.operator is not None:
            check_update(a.operator, self.ring is not None)
        if a.target.tensor in self.dtypes:
            return self.update(a, value, mask)
        given = [] if value.dtype == dtype else [f'dtype="{type_name(dtype)}"']
        given += [] if mask is None else [f"mask={mask}"]
        if not given and not value.expression and value.made == "dup":
            return self.lines.finish(value.text)
        return self.lines.finish(f"{value.text}.{value.made}({', '.join(given)})")

    def update(self, a: Assignment, value: Value, mask: str | None) -> str:
        """The previous contents, with the value accumulated or put into them where a mask admits it."""
        truths = a.operator is not None and a.operator.name in LOGICAL
        dtype = BOOL if truths else self.problem.dtype
        if dtype != self.problem.dtype and mask is not None:
            raise Refused("numbers that a mask keeps from becoming truth values")
        before = self.objects.make(self.objects.cast(self.access(a.target), dtype)).text
        if value.dtype != dtype:
            value = self.objects.make(self.objects.cast(value, dtype))
        given = [] if mask is None else [mask]
        given += [] if a.operator is None else [f"accum=binary.{spelled_operator(a.operator, dtype)}"]
        given += ["replace=True"] if mask is not None and not a.merge else []
        self.lines.lines.append(f"{before}({', '.join(given)}) << {value.text}")
        if dtype != self.problem.dtype:
            return self.lines.finish(f'{before}.dup(dtype="{type_name(self.problem.dtype)}")')
        return self.lines.finish(before)

    def mask(self, mask: Mask) -> str:
        """A mask over the modes of the result."""
        target = self.assignment.target.indices
        if not isinstance(mask.value, Access):
            raise Refused("a mask that is no tensor")
        if not target or set(mask.value.indices) != set(target):
            raise Refused("a mask of another order than the result")
        held = self.access(mask.value)
        turned = self.objects.make(self.objects.transpose(held, target), transposes=False)
        return f"{'~' if mask.complement else ''}{turned.text}.{'S' if mask.structural else 'V'}"

    def value(self, e: Expr) -> Value:
        """An expression, which is not yet computed where that is one operation."""
        match e:
            case Access():
                return self.access(e)
            case Literal(value=value) | Fill(value=value):
                return Value(spelled_number(value), (), natural(value), number=True)
            case Apply() if self.split_product(e)[1] is not None:
                raise Refused("a place of operands that are not contracted")
            case Apply() if is_weak(e):
                raise Refused("an operator on numbers only")
            case Apply(args=(argument,)):
                return self.unary(e, self.value(argument))
            case Apply(args=(left, right)):
                return self.binary(e, self.value(left), self.value(right))
            case Apply():
                raise AssertionError("operators have one argument or two")
            case Reduce():
                return self.reduction(e)

    def access(self, access: Access) -> Value:
        """An operand, or the diagonal of a matrix."""
        name, dtype = self.lines.names[access.tensor], self.dtypes[access.tensor]
        if len(set(access.indices)) < len(access.indices):
            return Value(self.lines.let(f"{name}.diag()"), access.indices[:1], dtype)
        return Value(name, access.indices, dtype)

    def unary(self, e: Apply, value: Value) -> Value:
        """A function of what is present."""
        name, result, computed = e.operator.name, dtype_of(e), operand_dtype(e)
        check_zero(e.operator, [0])
        held = self.objects.make(value)
        if name == "truth":
            return self.objects.cast(self.objects.cast(held, BOOL), result)
        if name == "square":
            return self.elementwise("ewise_mult", held, held, typed_name("times", computed), computed)
        if name in ("real", "conj") and computed.kind != "c":
            return self.objects.cast(held, result)
        if name == "imag" and computed.kind != "c":
            raise Refused("the imaginary part of real numbers")
        if name == "sign" and computed.kind in "biu":
            return self.objects.cast(apply_to_entries(held, 'unary.signum["FP64"]', FLOAT64), result)
        if name == "abs" and computed == BOOL:
            return held
        return apply_to_entries(held, f"unary.{typed_name(UNARY[name], computed)}", result)

    def binary(self, e: Apply, left: Value, right: Value) -> Value:
        """A union or an intersection."""
        operator = e.operator
        own, computed = dtype_of(e), operand_dtype(e)
        if self.ring is None:
            self.check_plain(e, left, right)
        if operator.name in LOGICAL:
            computed = BOOL
            left, right = truth(left), truth(right)
            left, right = self.objects.cast(left, BOOL), self.objects.cast(right, BOOL)
        left, right = self.objects.make(left), self.objects.make(right)
        if left.number or right.number or (bool(left.variables) != bool(right.variables)):
            found = self.apply_to_scalar(operator, left, right, computed)
        elif set(left.variables) == set(right.variables):
            found = self.pair(operator, left, self.objects.transpose(right, left.variables), computed)
        elif not self.meets(operator):
            raise Refused("a sum of operands with different variables")
        else:
            found = self.product(left, right, operator, computed)
        given = BOOL if operator.name in COMPARISONS else computed
        return self.objects.cast(replace(found, dtype=given), BOOL if self.truths else own)

    def meets(self, operator: Operator) -> bool:
        """Whether an operator is present where both arguments are."""
        if self.ring is not None:
            return operator is self.ring.multiply
        return operator.left_annihilator is not None and operator.right_annihilator is not None

    def check_plain(self, e: Apply, left: Value, right: Value) -> None:
        """Refuse what is not zero where its arguments are missing, and divisors that may be zero."""
        operator = e.operator
        if operator.name in WHOLE and not is_nonzero(e.args[1], self.problem.operands):
            raise Refused("a whole division by what may be zero")
        if self.meets(operator):
            return
        if not any(v.variables or v.absent for v in (left, right)):
            return
        if any(not v.variables and not v.number for v in (left, right)) and (left.variables or right.variables):
            raise Refused("a scalar and another operand in another operation than a product")
        check_zero(operator, [a.value if isinstance(a, Literal) else 0 for a in e.args])

    def pair(self, operator: Operator, left: Value, right: Value, computed: np.dtype) -> Value:
        """An operator on operands with the same variables."""
        name = spelled_operator(operator, computed)
        if self.meets(operator):
            return self.elementwise("ewise_mult", left, right, name, computed)
        identities = (operator.left_identity, operator.right_identity)
        zero = all(identity is not None and identity(computed) == 0 for identity in identities)
        if self.ring is not None or operator.name in LOGICAL or (zero and operator.left_unit is None):
            return self.elementwise("ewise_add", left, right, name, computed)
        return self.elementwise("ewise_union", left, right, name, computed)

    def elementwise(self, method: str, left: Value, right: Value, name: str, computed: np.dtype) -> Value:
        """An elementwise operation on operands whose modes agree."""
        defaults = ", left_default=0, right_default=0" if method == "ewise_union" else ""
        text = f"{left.text}.{method}({right.text}, binary.{name}{defaults})"
        absent = left.absent or right.absent if method == "ewise_mult" else left.absent and right.absent
        return Value(text, left.variables, computed, "new", True, absent)

    def apply_to_scalar(self, operator: Operator, left: Value, right: Value, computed: np.dtype) -> Value:
        """An operator on each entry and a scalar or number."""
        if self.ring is not None and not self.meets(operator):
            raise Refused("a sum with a number or scalar")
        first = left.number or not (left.variables or right.number)
        scalar, held, side = (left, right, "left") if first else (right, left, "right")
        if scalar.absent:
            raise Refused("a product with a scalar that may be empty")
        return apply_to_entries(held, f"binary.{spelled_operator(operator, computed)}, {side}={scalar.text}", computed)

    def product(self, left: Value, right: Value, operator: Operator, computed: np.dtype) -> Value:
        """A product of operands with different variables: by rows, by columns, or an outer one."""
        name = spelled_operator(operator, computed)
        if len(left.variables) == len(right.variables) == 1:
            text = f"{left.text}.outer({right.text}, binary.{name})"
            return Value(text, (*left.variables, *right.variables), computed, "new", True)
        if len({*left.variables, *right.variables}) > 2:
            raise Refused("more than two variables")
        if operator.name not in ("add", "mul", "min", "max", "and", "first", "second", "pair"):
            raise Refused("a matrix and a vector in another operation than a product")
        flipped = len(left.variables) == 1
        matrix, vector = (right, left) if flipped else (left, right)
        diagonal = self.lines.let(f"{vector.text}.diag()")
        first = matrix.variables[0] == vector.variables[0]
        pattern = SWAPPED.get(operator.name, operator.name) if first is not flipped else operator.name
        ring = f"semiring.any_{typed_name(boolean(BINARY[pattern], computed), computed)}"
        pair = (diagonal, matrix.text) if first else (matrix.text, diagonal)
        return Value(f"{pair[0]}.mxm({pair[1]}, {ring})", matrix.variables, computed, "new", True)

    def reduction(self, e: Reduce) -> Value:
        """A product in a semiring, or the fold of all entries, of each row or of each column."""
        own = BOOL if self.truths else dtype_of(e)
        dtype = BOOL if e.operator.name in LOGICAL else own
        over, body = [e.index], e.body
        while isinstance(body, Reduce) and body.operator.name == e.operator.name:
            over, body = [*over, body.index], body.body
        met, where = self.split_product(body)
        if isinstance(met, Apply) and (where is not None or self.is_product(e.operator, met.operator)):
            for index in over:
                if contracts(met, index):
                    product = self.contraction(e.operator, met, index, dtype, where)
                    rest = [v for v in over if v != index]
                    return self.fold(e.operator, rest, product, dtype, own) if rest else product
        return self.fold(e.operator, over, self.value(body), dtype, own)

    def fold(self, operator: Operator, over: list[str], value: Value, dtype: np.dtype, own: np.dtype) -> Value:
        """The fold of a matrix or vector over some of its variables."""
        held = self.objects.make(self.objects.cast(value, BOOL) if operator.name in LOGICAL else value)
        monoid = f"monoid.{spelled_operator(operator, dtype)}"
        kept = tuple(v for v in held.variables if v not in over)
        if len(held.variables) == 1:
            call = f"reduce({monoid})"
        elif not kept:
            call = f"reduce_scalar({monoid})"
        else:
            call = f"{'reduce_rowwise' if kept == held.variables[:1] else 'reduce_columnwise'}({monoid})"
        return self.objects.cast(Value(f"{held.text}.{call}", kept, dtype, "new", True, absent=True), own)

    def split_product(self, body: Expr) -> tuple[Expr, Expr | None]:
        """A product, and in a semiring of places the place of its operand: an index variable or 0, perhaps plus one."""
        match body:
            case Apply(args=(Apply(args=(Apply() as product,)), where)) if self.ring is not None and self.ring.place:
                return product, where
            case _:
                return body, None

    def contraction(
        self, operator: Operator, body: Apply, index: str, dtype: np.dtype, where: Expr | None = None
    ) -> Value:
        """The sum of a product, or of its places, over the one variable that both factors have."""
        if body.operator.name in COMPARISONS and dtype != BOOL:
            raise Refused("a sum of comparisons as numbers")
        left, right = (self.objects.make(self.value(argument)) for argument in body.args)
        rows, columns = (tuple(v for v in value.variables if v != index) for value in (left, right))
        left, right = self.objects.transpose(left, (*rows, index)), self.objects.transpose(right, (index, *columns))
        method = {(1, 1): "mxm", (1, 0): "mxv", (0, 1): "vxm", (0, 0): "inner"}[len(rows), len(columns)]
        names = (boolean(BINARY[o.name], dtype) for o in (operator, body.operator))
        ring = typed_name("_".join(names), dtype)
        if where is not None:
            added = BINARY[operator.name]
            ring = f"ss.{typed_name(f'{added}_{positional_name(where, index, rows, columns)}', dtype)}"
        text = f"{left.text}.{method}({right.text}, semiring.{ring})"
        return Value(text, (*rows, *columns), dtype, "new", True, absent=True)

    def is_product(self, add: Operator, multiply: Operator) -> bool:
        """Whether two operators are those of the semiring, or of the ordinary one."""
        known = (ADD, MUL) if self.ring is None else (self.ring.add, self.ring.multiply)
        return (add, multiply) == known


def positional_name(where: Expr, index: str, rows: tuple[str, ...], columns: tuple[str, ...]) -> str:
    """The library's name for a place in a product over an index of which the factors keep rows and columns."""
    match where:
        case Apply(args=(counted, Literal())):
            return f"{positional_name(counted, index, rows, columns)}1"
        case Access(tensor=variable) if variable == index:
            return "secondi"
        case Access(tensor=variable):
            return "firsti" if variable in rows else "secondj"
        case _:
            return "secondj" if rows else "firsti"


def truth(value: Value) -> Value:
    """A number as a truth value; other values are cast."""
    return replace(value, text=str(value.text not in ("0", "0.0", "0j", "False"))) if value.number else value


def variables(e: Expr) -> tuple[str, ...]:
    """The variables of an expression that no reduction in it binds."""
    match e:
        case Access(indices=indices):
            return tuple(dict.fromkeys(indices))
        case Reduce(index=index, body=body):
            return tuple(v for v in variables(body) if v != index)
        case _:
            return tuple(dict.fromkeys(v for part in parts(e) for v in variables(part)))


def contracts(product: Apply, index: str) -> bool:
    """Whether the factors of a product have one variable in common, and no more than two each."""
    left, right = (set(variables(argument)) for argument in product.args)
    return left & right == {index} and len(left) <= 2 and len(right) <= 2


def check_zero(operator: Operator, args: list[complex]) -> None:
    """Refuse an operator that makes something of zeros, which stand for what is missing."""
    try:
        value = operator.exact(*(exact(a) for a in args))
    except (GnomonError, ArithmeticError, ValueError):
        value = 1
    if value != 0:
        raise Refused("a value other than zero where operands are absent")


def check_update(operator: Operator, ring: bool) -> None:
    """Refuse an accumulation to which what is absent would contribute zeros."""
    if not (ring or operator.name in ("add", "or", "xor")):
        raise Refused("a fold of zeros that are absent")


UNDEFINED = {"div", "floordiv", "mod", "sqrt", "pow", "log"}
"""Operators that give NaN for some finite operands."""


def check_order(a: Assignment, problem: Problem) -> None:
    """Refuse minima and maxima where there may be NaN, which the library's leave out."""
    names = {e.operator.name for e in nodes(a.value) if isinstance(e, Apply | Reduce)}
    names |= {a.operator.name} if a.operator is not None else set()
    if not names & {"min", "max"}:
        return
    values = [np.ravel(t.vals) for t in problem.operands.values() if t.dtype.kind == "f"]
    signs = {np.sign(v) for held in values for v in held.tolist() if np.isinf(v)}
    unsafe = names - {"min", "max", "first", "second", "pair", "any", "add"}
    if any(np.isnan(v).any() for v in values) or len(signs) > 1 or (signs and unsafe) or unsafe & UNDEFINED:
        raise Refused("a minimum or maximum where there may be NaN")


def spelled_operator(operator: Operator, dtype: np.dtype) -> str:
    """The library's name of an operator on a dtype."""
    return typed_name(boolean(BINARY[operator.name], dtype), dtype)


def boolean(name: str, dtype: np.dtype) -> str:
    """An operator's name on a dtype: arithmetic on Booleans is logic."""
    return BOOLEAN.get(name, name) if dtype == BOOL else name
