"""Mutants of bound kernels, memory for results, sizes that are measured once, numbers that are the same, and what is
reported."""

from __future__ import annotations

from mutant import Mutant

BOUND, CALL = "generator/runtime/bound.py", "generator/runtime/call.py"
OPERAND, KERNEL, SIZES = "generator/runtime/operand.py", "generator/runtime/kernel.py", "generator/runtime/sizes.py"
MEMORY, PASSING = "generator/runtime/memory.py", "generator/values/passing.py"
DTYPES, SCALARS = "reference/algebra/dtypes.py", "reference/algebra/scalars.py"

BINDING = ("tests/generator/runtime/test_bound.py",)
MEASURING = ("tests/generator/runtime/test_sizes.py",)
GIVEN = ("tests/generator/runtime/test_memory.py",)
PHASES = ("tests/generator/runtime/test_phases.py",)
REPORTING = ("tests/generator/values/test_passing.py",)
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
        "memory.1",
        MEMORY,
        "if not result.format.is_array:",
        "if False:",
        "blocks are written beyond an array",
        GIVEN,
    ),
    Mutant(
        "memory.2",
        MEMORY,
        "a for held in (*operand.levels, operand.shared) for a in held.values()",
        "a for held in () for a in held.values()",
        "a result is written over index arrays that are still read",
        GIVEN,
    ),
    Mutant(
        "memory.3",
        MEMORY,
        "for held in (*operand.levels, operand.shared) for a",
        "for held in operand.levels for a",
        "a result is written over offsets of diagonals",
        GIVEN,
    ),
    Mutant(
        "memory.4",
        MEMORY,
        "return np.may_share_memory(a, b) and np.shares_memory(a, b, ATTEMPTS)",
        "return np.may_share_memory(a, b)",
        "memory between the elements of an operand is refused",
        GIVEN,
    ),
    Mutant(
        "memory.5",
        MEMORY,
        "        return True\n",
        "        return False\n",
        "what could not be ruled out is taken for ruled out",
        GIVEN,
    ),
    Mutant(
        "memory.6",
        MEMORY,
        "not is_masked(out) and ",
        "",
        "what is masked of memory is lost",
        GIVEN,
    ),
    Mutant(
        "memory.7",
        MEMORY,
        "    given = np.asarray(out)\n",
        "    given = np.asanyarray(out)\n",
        "a subclass of arrays is what a result holds",
        GIVEN,
    ),
    Mutant(
        "known.1",
        "generator/runtime/phases.py",
        "return self.shapes == shapes and is_same(self.stored, storage(sparse))",
        "return is_same(self.stored, storage(sparse))",
        "values are written beyond a structure that was assembled for other shapes",
        PHASES,
    ),
    Mutant(
        "report.1",
        PASSING,
        "return logic.choice(self.wanted, value, other) if reports(value) else value",
        "return value",
        "what nobody asks for is reported",
        REPORTING,
    ),
    Mutant(
        "report.2",
        PASSING,
        "return self.wanted if self.is_total_argument(n) else logic.both(self.wanted, self.flags[n])",
        "return self.wanted",
        "an argument is computed where its operator is not",
        REPORTING,
    ),
    Mutant(
        "report.3",
        "generator/values/values.py",
        "out.add(*logic.conditional(asked, summing.code))",
        "out.add(*summing.code)",
        "sums of duplicates that nobody asks for are reported",
        REPORTING,
    ),
    Mutant(
        "report.4",
        "generator/statements/storing.py",
        "env, self.frame, out, there), dtype_of(s.mask.value))",
        "env, self.frame, out), dtype_of(s.mask.value))",
        "what a mask does not hold is reported",
        REPORTING,
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
