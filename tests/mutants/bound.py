"""Mutants of bound kernels, of sizes that are measured once, and of numbers that are the same."""

from __future__ import annotations

from mutant import Mutant

BOUND, CALL = "generator/runtime/bound.py", "generator/runtime/call.py"
OPERAND, KERNEL, SIZES = "generator/runtime/operand.py", "generator/runtime/kernel.py", "generator/runtime/sizes.py"
DTYPES, SCALARS = "reference/algebra/dtypes.py", "reference/algebra/scalars.py"

BINDING = ("tests/generator/runtime/test_bound.py",)
MEASURING = ("tests/generator/runtime/test_sizes.py",)
SAME = ("tests/reference/algebra/test_dtypes.py", "tests/reference/storage/test_tensor.py")

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "bound.1",
        BOUND,
        "return operands.keys().isdisjoint(coordinates) and all(",
        "return all(",
        "coordinates that have become others are taken for what they were",
        BINDING,
    ),
    Mutant(
        "bound.2",
        OPERAND,
        'self.absent is not None or value.dtype.kind == "b"',
        'value.dtype.kind == "b"',
        "a number that stands for what is absent is written into an array, and read",
        BINDING,
    ),
    Mutant(
        "bound.3",
        OPERAND,
        'self.absent is not None or value.dtype.kind == "b"',
        "self.absent is not None",
        "a byte other than 0 and 1 is written into truth values, and read",
        BINDING,
    ),
    Mutant(
        "bound.4",
        OPERAND,
        "            return is_lasting(value)\n",
        "            return True\n",
        "arrays that somebody has broken are read",
        BINDING,
    ),
    Mutant(
        "bound.5",
        OPERAND,
        "return plainly(stored) is stored\n",
        "return True\n",
        "a copy is read that nobody writes to any more",
        BINDING,
    ),
    Mutant(
        "bound.6",
        OPERAND,
        "        stored = value.transpose(self.modes)\n        return",
        "        stored = value.T\n        return",
        "a matrix that lies as it is stored is taken for one that does not, and the other way round",
        BINDING,
    ),
    Mutant(
        "bound.7",
        KERNEL,
        "again = call.repetition(given) if steady else partial(self.run, operands, out)",
        "again = partial(self.run, operands, out)",
        "operands are looked at in every call",
        BINDING,
    ),
    Mutant(
        "bound.8",
        CALL,
        "return lambda: self.evaluate()[0]",
        "found = self.evaluate()[0]\n            return lambda: found",
        "a call gives what the first one gave",
        BINDING,
    ),
    Mutant(
        "bound.9",
        CALL,
        "            complain(function(*[each.pointer for each in structs]), what)\n",
        "            function(*[each.pointer for each in structs])\n",
        "a call that has failed gives a result",
        BINDING,
    ),
    Mutant(
        "bound.10",
        KERNEL,
        "partial(self.bind, out=out, **operands))",
        "partial(self.bind, out=out))",
        "a bound kernel comes without its operands to another process",
        BINDING,
    ),
    Mutant(
        "measured.1",
        SIZES,
        "kept.keep(operand, found)",
        "pass",
        "sizes are measured in every call",
        MEASURING,
    ),
    Mutant(
        "measured.2",
        SIZES,
        "if isinstance(operand, Tensor) and is_lasting(operand):",
        "if isinstance(operand, Tensor):",
        "what somebody has made longer is taken for what it was",
        MEASURING,
    ),
    Mutant(
        "measured.3",
        SIZES,
        "self.known.setdefault(place, Kept())",
        'self.known.setdefault(place._replace(size="any"), Kept())',
        "of two sizes at one level both are the first",
        MEASURING,
    ),
    Mutant(
        "same.1",
        DTYPES,
        "a, b = (each.item() if isinstance(each, np.generic) else each for each in (a, b))\n    ",
        "",
        "numbers are compared as float32 rounds them",
        SAME,
    ),
    Mutant(
        "same.2",
        "reference/storage/repacking.py",
        "if (asked.dtype is not None and asked.dtype != tensor.dtype) or any(",
        "if asked.dtype not in (None, tensor.dtype) or any(",
        "float64 is taken for no dtype, as NumPy has it",
        SAME,
    ),
    Mutant(
        "same.3",
        SCALARS,
        "n if dtype is None or not fill_fits(n, dtype) else cast(n, dtype)",
        "n",
        "a fill is another than what a dtype makes of it",
        SAME,
    ),
    Mutant(
        "same.4",
        "reference/files/dictionaries.py",
        "array != np.array(fill, stored)",
        "np.asarray(array != fill)",
        "elements that a dtype rounds to the fill of another are left out",
        SAME,
    ),
)
