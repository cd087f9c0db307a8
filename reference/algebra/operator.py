"""What an operator declares about itself, once: everything else is derived from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..errors import Unsupported
from .dtypes import Number
from .error_bound import Bound
from .exact import Exact

Constant = Callable[[np.dtype], Number]
Typing = Callable[..., np.dtype]


class Operator(Struct, frozen=True, eq=False, kw_only=True):
    """An operator: its function three times (computed, exact, error bound), its types and its algebra.

    Identities and annihilators speak of *missing* operands and take the dtype computed in. `left_unit` is what
    `op(identity, b)` equals if it is not `b`; `right_unit` likewise for `op(a, identity)`. `distributes_over` names
    operators `+` for which `op(a + b, c) = op(a, c) + op(b, c)`, on both sides. An operator with a `reduction` name
    folds: it is associative and commutative. `multiple` names the operator that gives the fold of n copies of a as
    `multiple(a, n)`: of `+` it is `*`. A `constant` one gives the same whatever the values of its operands are.
    `structural` operators combine present operands only (semirings). A missing argument that is the constant `absent`
    of an operator gives that of its result: conversions in a semiring.
    With `exact_identity`, what is combined with an identity stays as it is when that is computed, as it may be at the
    beginning of a fold. Of operators that users compose, `compute_in` is the function on scalars of a dtype, every step
    of it in that, and `source` the Python that declares them.
    `c` and `smt` are the spellings in generated code and in proofs, with `{0}` and `{1}` for the arguments; in `c`,
    `{T}` is the dtype computed in, `{R}` the C type of the result, `{c}` and `{f}` the prefix and suffix of C's math
    functions (`c` complex, `f` single precision), `{one}` the number 1, `{annihilator}` the left annihilator,
    `{status}` where a function reports that it has no result. `checked` is the spelling for integers that reports a
    result which does not fit in its dtype, with `{W}` for the widest dtype like the one computed in; none where every
    result fits. `complex_fold` is the spelling for complex numbers in a reduction, which begins with the identity,
    where `c` would not give what is combined with it.
    """

    name: str
    arity: int
    compute: Callable[..., Any]
    exact: Callable[..., Exact]
    bound: Bound
    result_dtype: Typing
    operand_dtype: Typing
    c: str
    smt: str
    symbol: str | None = None
    precedence: int = 0
    left_identity: Constant | None = None
    right_identity: Constant | None = None
    left_annihilator: Constant | None = None
    right_annihilator: Constant | None = None
    left_unit: Operator | None = None
    right_unit: Operator | None = None
    commutative: bool = False
    associative: bool = False
    idempotent: bool = False
    distributes_over: frozenset[str] = frozenset()
    reduction: str | None = None
    multiple: str | None = None
    reduction_bound: Bound | None = None
    reduced_dtype: Callable[[np.dtype], np.dtype] = lambda dtype: dtype
    structural: bool = False
    selects: bool = False
    constant: bool = False
    absent: Constant | None = None
    checked: str | None = None
    complex_fold: str | None = None
    exact_identity: bool = True
    compute_in: Callable[[np.dtype], Callable[..., Any]] | None = None
    source: str = ""

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        """Nothing that another process could make it of. Raises Unsupported."""
        again = f"declare it there, too: {self.source}" if self.source else f"send its name, {self.name!r}"
        raise Unsupported(f"the operator {self.name} holds functions, which cannot be pickled", hint=again)

    def __deepcopy__(self, memo: dict[int, Any]) -> Operator:
        return self

    def computing_in(self, dtype: np.dtype) -> Callable[..., Any]:
        """Its function on scalars of a dtype, of which the result need not be one yet."""
        return self.compute if self.compute_in is None else self.compute_in(dtype)

    def may_overflow(self, dtype: np.dtype, result: np.dtype) -> bool:
        """Whether it may give an integer that `result` cannot hold, computing in `dtype`.

        >>> from gnomon.reference.algebra.operators import ADD, conversion
        >>> narrow, wide = np.dtype("int8"), np.dtype("int64")
        >>> ADD.may_overflow(narrow, narrow), conversion(wide).may_overflow(narrow, wide)
        (True, False)
        """
        if self.checked is None or dtype.kind not in "iu" or result.kind not in "iu":
            return False
        return dtype == result or not np.can_cast(dtype, result)

    def may_fail(self, dtype: np.dtype, result: np.dtype) -> bool:
        """Whether it may have no result, computing in `dtype`: an integer that does not fit, or divided by zero.

        >>> from gnomon.reference.algebra.operators import ADD, DIV, MOD
        >>> integer, real = np.dtype("int64"), np.dtype("float64")
        >>> [op.may_fail(integer, integer) for op in (ADD, MOD)], MOD.may_fail(real, real), DIV.may_fail(real, real)
        ([True, True], False, False)
        """
        return self.may_overflow(dtype, result) or (dtype.kind in "iu" and "{status}" in self.c)

    def in_reduction(self, dtype: np.dtype) -> Operator:
        """The operator in the spelling that combines with what a reduction in a dtype holds.

        >>> from gnomon.reference.algebra.operators import MUL
        >>> MUL.in_reduction(np.dtype("float64")).c, MUL.in_reduction(np.dtype("complex128")).c
        ('{0} * {1}', 'gn_prod_{T}({0}, {1})')
        """
        return self if self.complex_fold is None or dtype.kind != "c" else replace(self, c=self.complex_fold)

    def repeat(self, value: Any, count: int, dtype: np.dtype) -> Any:
        """The fold of `count` copies of a value, by doubling; of none, the identity.

        >>> from gnomon.reference.algebra.operators import ADD
        >>> ADD.repeat(3, 5, np.dtype("int64"))
        15
        """
        if count == 0:
            return None if self.left_identity is None else self.left_identity(dtype)
        if self.idempotent:
            return self.first(value, dtype)
        total = None
        power = value
        with np.errstate(all="ignore"):
            while count:
                if count % 2:
                    total = self.first(power, dtype) if total is None else self.compute(total, power)
                count //= 2
                power = self.compute(power, power) if count else power
        return total

    def first(self, value: Any, dtype: np.dtype) -> Any:
        """What a fold holds after one contribution."""
        return value if self.left_unit is None else self.left_unit.compute(value)
