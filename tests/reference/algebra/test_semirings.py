"""Semirings: names, and what is none."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.positional import PLACES
from gnomon.reference.errors import DtypeError, SemiringError
from gnomon.reference.notation.syntax import Access
from gnomon.reference.notation.types import apply_typed

REALS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
COMPARISONS = ("eq", "ne", "gt", "lt", "ge", "le")
LOGICAL = ("lor", "land", "lxor")
FIELD = ("first", "second", "oneb", "plus", "minus", "rminus", "times", "div", "rdiv")
BUILT_IN = (
    (("min", "max", "plus", "times", "any"), (*FIELD, "min", "max", *LOGICAL, *COMPARISONS), REALS),
    ((*LOGICAL, "eq", "any"), COMPARISONS, REALS),
    ((*LOGICAL, "eq", "any"), ("first", "second", "oneb", *LOGICAL, *(c for c in COMPARISONS if c != "ne")), ("bool",)),
    (("plus", "times", "any"), FIELD, ("complex64", "complex128")),
    (("min", "max", "plus", "times", "any"), tuple(PLACES), ("int32", "int64")),
)
"""The semirings of SuiteSparse:GraphBLAS but those of bits: adds, multiplies and dtypes."""


@pytest.mark.parametrize("given", [5, b"min_plus", ["min_plus"], np.zeros(2)])
def test_what_names_no_semiring_is_refused(given: object) -> None:
    with pytest.raises(SemiringError, match="expected the name of a semiring"):
        gn.semiring(given)  # type: ignore[arg-type]


def test_a_semiring_stands_for_its_name() -> None:
    ring = gn.semiring("min_plus")
    assert gn.semiring(ring) is ring


def is_known(add: str, multiply: str, dtype: str) -> bool:
    """Whether a name of GraphBLAS is that of a semiring here, which takes a dtype."""
    x = Access("x", ("i",), dtype=np.dtype(dtype))
    try:
        ring = gn.semiring(f"{add}_{multiply}")
        product = apply_typed(ring.multiply, (x, x))
        apply_typed(ring.add, (product, product))
    except (SemiringError, DtypeError):
        return False
    return True


def test_most_semirings_that_graphblas_builds_in_go_by_their_names() -> None:
    """docs/spec/operators says how many; what is missing is the same the other way round, or adds by `eq`."""
    every = [(a, m, d) for adds, multiplies, dtypes in BUILT_IN for a in adds for m in multiplies for d in dtypes]
    missing = [(a, m) for a, m, d in every if not is_known(a, m, d)]
    assert (len(every), len(every) - len(missing)) == (1489, 1306)
    assert all(a == "eq" or m in ("rminus", "rdiv") for a, m in missing)
    assert sum(m in ("rminus", "rdiv") for _, m in missing) == 112


def test_a_product_the_other_way_round_is_the_reverse_of_its_operator() -> None:
    x, y = np.array([5.0, 1.0]), np.array([2.0, 3.0])
    assert gn.evaluate("s = y(i) * x(i)", x=x, y=y, semiring="max_minus").to_numpy() == 2.0
    assert gn.evaluate("s = x(i) * y(i)", x=x, y=y, semiring="max_minus").to_numpy() == 3.0
