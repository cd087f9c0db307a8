"""Mutants of adapters for other systems: what they compute in the system's terms, and what they refuse."""

from __future__ import annotations

from mutant import Mutant

GRAPHBLAS, SCIPY = "properties/backends/graphblas_terms.py", "properties/backends/scipy_terms.py"
TENSORA = "properties/backends/tensora.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "adapter.1",
        SCIPY,
        "self.number(bool(value) if self.operations.logical else value)",
        "self.number(value)",
        "SciPy is charged with a number that is added up where sums are disjunctions",
        ("tests/properties/backends/test_scipy_sparse.py",),
    ),
    Mutant(
        "adapter.2",
        GRAPHBLAS,
        "return operator is self.ring.multiply",
        "return operator.name == self.ring.multiply.name",
        "GraphBLAS is charged with sums that are written as products, in semirings of one operator for both",
        ("tests/properties/backends/test_graphblas.py",),
    ),
    Mutant(
        "adapter.3",
        TENSORA,
        "if any(has_number(argument) and number_of(argument) == 0 for argument in e.args):",
        "if False:",
        "tensora is charged with a zero that it computes where gnomon has something absent",
        ("tests/properties/backends/test_tensora.py",),
    ),
    Mutant(
        "adapter.4",
        GRAPHBLAS,
        "if body.operator.name in COMPARISONS and dtype != BOOL:",
        "if False:",
        "GraphBLAS is charged with semirings that it does not build in",
        ("tests/properties/backends/test_graphblas.py::test_semirings_that_the_library_lacks_are_refused",),
    ),
)
