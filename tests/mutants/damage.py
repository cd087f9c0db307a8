"""Mutants of what keeps damaged and huge tensors from being read."""

from __future__ import annotations

from mutant import Mutant

HIERARCHY, VALIDITY = "reference/storage/hierarchy.py", "reference/storage/validation.py"
READERS = ("tests/reference/storage/test_tensor.py",)
VALIDATION = ("tests/reference/storage/test_validation.py",)

MUTANTS = (
    Mutant(
        "damage.1",
        HIERARCHY,
        "        if self.doubt > most:\n            self.validate()",
        "        if False:\n            self.validate()",
        "damaged tensors are read",
        READERS,
    ),
    Mutant(
        "damage.2",
        HIERARCHY,
        "            if is_fixed(self):\n",
        "            if True:\n",
        "arrays that anybody may change are looked at once",
        READERS,
    ),
    Mutant(
        "damage.3",
        HIERARCHY,
        "            if is_fixed(self):\n",
        "            if False:\n",
        "arrays that nobody can change are looked at each time",
        READERS,
    ),
    Mutant(
        "damage.4",
        HIERARCHY,
        "Doubt.FULLNESS if self.format.may_be_full else Doubt.NOTHING",
        "Doubt.NOTHING",
        "levels are taken to be full because packing has made them",
        READERS,
    ),
    Mutant(
        "damage.5",
        HIERARCHY,
        "        if math.prod(n for n in self.shape if n) * self.dtype.itemsize > EXTENT:\n",
        "        if False:\n",
        "NumPy says that an array of nothing is too big",
        READERS,
    ),
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
    Mutant(
        "damage.10",
        "reference/procedure/run.py",
        "        valid_tensor(name, tensor)\n",
        "        pass\n",
        "kernels of procedures read what nobody has looked at",
        ("tests/reference/procedure/test_run.py::test_operands_are_valid",),
    ),
    Mutant(
        "damage.11",
        "generator/runtime/evaluation.py",
        "{name: valid_tensor(name, tensor) for name, tensor in given.items()}",
        "given",
        "a layout is made of arrays that nobody has looked at",
        READERS,
    ),
    Mutant(
        "damage.12",
        HIERARCHY,
        "self.doubt < Doubt.EVERYTHING and fill_fits(fill, self.dtype)",
        "fill_fits(fill, self.dtype)",
        "another fill is looked at for a dtype that nobody has looked at",
        READERS,
    ),
    Mutant(
        "damage.13",
        "generator/runtime/kernel.py",
        "            slot.check_order(len(known[slot.name].shape))\n",
        "            pass\n",
        "a kernel is chosen for operands of another order",
        ("tests/generator/runtime/test_unasked.py",),
    ),
)
