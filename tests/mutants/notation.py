"""Mutants of notation: parsing, resolution, well-formedness, elaboration."""

from __future__ import annotations

from mutant import Mutant

ELABORATION = "reference/notation/elaboration.py"
RESOLUTION = "reference/notation/resolution.py"

WORKED = ("tests/reference/denotation/test_denote.py", "tests/reference/denotation/test_meaning.py")
REFUSED = ("tests/reference/notation/test_resolution.py",)
TYPES = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/notation/test_elaboration.py",
    "tests/properties/differential/test_check.py::test_dtypes",
)
VALUES = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/statement/test_nest.py",
    "tests/reference/notation/test_elaboration.py",
    "tests/reference/execution/test_interpreter.py",
)
SEMIRINGS = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/notation/test_elaboration.py",
    "tests/reference/algebra/test_semirings.py",
    "tests/properties/differential/test_check.py::test_semirings",
)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "lowering.20",
        ELABORATION,
        "return replace(e, value=cast(value, dtype), dtype=dtype)",
        "return e",
        "numbers keep their own type beside an operand of another",
        TYPES,
    ),
    Mutant(
        "lowering.21",
        ELABORATION,
        "case _ if e.dtype == dtype:\n            return e\n        case _:",
        "case _:",
        "what has the right dtype is converted to it again",
        (*TYPES, "tests/reference/loops/test_lattice.py"),
    ),
    Mutant(
        "lowering.22",
        ELABORATION,
        "body=as_dtype(insert_conversions(body), dtype_of(e), operator)",
        "body=insert_conversions(body)",
        "contributions are folded in their own dtype, not in that of the reduction",
        TYPES,
    ),
    Mutant(
        "lowering.23",
        ELABORATION,
        "if len(args) != 2 or reduce.operator.name not in operator.distributes_over:",
        "if len(args) != 2:",
        "a reduction is moved out of an operator that does not distribute over it",
        VALUES,
    ),
    Mutant(
        "lowering.24",
        ELABORATION,
        "other = args[1 - position]",
        "other = args[position]",
        "whether a reduction may be moved is asked of itself, not of the other argument",
        VALUES,
    ),
    Mutant(
        "lowering.25",
        ELABORATION,
        "annihilator = (operator.left_annihilator, operator.right_annihilator)[position]",
        "annihilator = (operator.right_annihilator, operator.left_annihilator)[position]",
        "a reduction on the left is moved by what annihilates on the right",
        VALUES,
    ),
    Mutant(
        "lowering.26",
        ELABORATION,
        "return annihilator(dtype) == identity(dtype) and not mentions(other, reduce.index)",
        "return not mentions(other, reduce.index)",
        "a reduction is moved though its missing contributions do not vanish in the operator around it",
        (*SEMIRINGS, "tests/reference/execution/test_interpreter.py"),
    ),
    Mutant(
        "lowering.27",
        ELABORATION,
        "return annihilator(dtype) == identity(dtype) and not mentions(other, reduce.index)",
        "return annihilator(dtype) == identity(dtype)",
        "a reduction is moved over an argument in which its variable means something else",
        VALUES,
        equivalent="`distinct` has given every reduction a variable of its own before",
    ),
    Mutant(
        "lowering.28",
        ELABORATION,
        "return Reduce(argument.operator, argument.index, hoist_reductions(inner), dtype=e.dtype)",
        "return Reduce(argument.operator, argument.index, inner, dtype=e.dtype)",
        "of nested reductions only the outermost is moved out of a product",
        (*VALUES, "tests/reference/loops/test_lattice.py"),
    ),
    Mutant(
        "lowering.29",
        ELABORATION,
        "inner = replace(e, args=(*args[:position], argument.body, *args[position + 1 :]))",
        "inner = replace(e, args=(argument.body, *args[:position], *args[position + 1 :]))",
        "a reduction that is moved out of the right argument exchanges the two",
        VALUES,
    ),
    Mutant(
        "lowering.30",
        ELABORATION,
        "taken.add(name)\n            return replace(",
        "return replace(",
        "sibling reductions go on to share one variable",
        VALUES,
    ),
    Mutant(
        "lowering.31",
        ELABORATION,
        "return e if index == old else replace(e, body=rename(body, old, new))",
        "return replace(e, body=rename(body, old, new))",
        "renaming a variable also renames it inside a reduction of its own",
        VALUES,
        equivalent="`check_scopes` refuses a reduction over a variable that has a meaning around it",
    ),
    Mutant(
        "lattice.72",
        "reference/notation/syntax.py",
        "return identity(self.value), self.dtype",
        "return self.value, self.dtype",
        "cases that differ in the sign of a zero are one",
        ("tests/generator/loops/test_cases.py",),
    ),
    Mutant(
        "denotation.96",
        "reference/notation/parser.py",
        "merge = mask is not None and merges(operator)",
        "merge = mask is not None",
        "assignments keep what their masks exclude",
        ("tests/reference/notation/test_parser.py",),
    ),
    Mutant(
        "denotation.97",
        "reference/notation/resolution.py",
        "return promote_dtypes(dtype_of(a.target), dtype_of(a.value))",
        "return dtype_of(a.value)",
        "previous contents that a mask keeps play no part in the dtype",
        WORKED,
    ),
    Mutant(
        "denotation.201",
        "reference/notation/resolution.py",
        "    if a.keeps and a.target.tensor in operands:\n        return cast(",
        "    if a.target.tensor in operands:\n        return cast(",
        "contents that a mask alone reads give the result their fill",
        WORKED,
    ),
    Mutant(
        "denotation.202",
        "reference/notation/resolution.py",
        "return {*({a.target.tensor} if a.keeps else ()), *(",
        "return {a.target.tensor, *(",
        "contents that a mask alone reads are those of the semiring",
        WORKED,
    ),
    Mutant(
        "denotation.51",
        RESOLUTION,
        "if semiring is not None and asked != background:",
        "if False:",
        "a result in a semiring may have any fill",
        REFUSED,
    ),
    Mutant(
        "denotation.52",
        RESOLUTION,
        "if operands[name].dense_leaves and any(identity(dtype) != identity(dtypes[name]) for dtype in above)",
        "if False",
        "a number for what is absent is promoted",
        REFUSED,
    ),
    Mutant(
        "denotation.107",
        "reference/notation/resolution.py",
        "kept = above if dtype_of(e) == own else frozenset[np.dtype]()",
        "kept = above",
        "what a comparison reads is converted to a Boolean",
        ("tests/reference/notation/test_resolution.py",),
    ),
    Mutant(
        "denotation.203",
        "reference/notation/wellformed.py",
        "if not (self.assignment.merge or asked) and target.tensor in self.operands:",
        "if not self.assignment.merge and target.tensor in self.operands:",
        "contents that a mask alone reads are refused",
        WORKED,
    ),
)
