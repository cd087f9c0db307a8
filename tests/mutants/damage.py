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
    Mutant(
        "damage.7",
        VALIDITY,
        "not isinstance(n, bool) and 0 <= n <= EXTENT",
        "0 <= n <= EXTENT",
        "True is an extent",
        VALIDATION,
    ),
    Mutant(
        "damage.8",
        VALIDITY,
        "not isinstance(n, bool) and 0 <= n <= EXTENT",
        "not isinstance(n, bool) and 0 <= n",
        "extents are beyond what packing takes",
        VALIDATION,
    ),
    Mutant(
        "damage.9",
        VALIDITY,
        "    if size > LARGEST and size > len(tensor.vals):\n",
        "    if size > LARGEST and size < len(tensor.vals):\n",
        "validation walks nodes that nothing is stored for",
        VALIDATION,
    ),
)
