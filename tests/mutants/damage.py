"""Mutants of what keeps damaged and huge tensors from being read."""

from __future__ import annotations

from mutant import Mutant

HIERARCHY, VALIDITY = "reference/storage/hierarchy.py", "reference/storage/validation.py"
READERS = ("tests/reference/storage/test_tensor.py",)
VALIDATION = ("tests/reference/storage/test_validation.py",)

MUTANTS = (
    Mutant(
        "damage.6",
        "reference/levels/invariants.py",
        "sum(0 <= c < N for c in set(crd[begin:end])) == N",
        "len(set(crd[begin:end])) == N",
        "coordinates outside the extent make a level full",
        VALIDATION,
    ),
)
