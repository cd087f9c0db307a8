"""More mutants of lowering: where implicit reductions go."""

from __future__ import annotations

from mutant import Mutant

REDUCTIONS = "reference/notation/reductions.py"
SUMS = ("tests/reference/notation/test_reductions.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "lowering.51",
        REDUCTIONS,
        "for variable in reversed([v for v in free_variables(value) if v not in kept]):",
        "for variable in [v for v in free_variables(value) if v not in kept]:",
        "the first reduction variable becomes the innermost",
        SUMS,
    ),
    Mutant(
        "lowering.52",
        REDUCTIONS,
        "if uses(divisor, variable):\n                refuse(",
        "if False:\n                refuse(",
        "a variable that is summed over may stand in a divisor",
        SUMS,
    ),
    Mutant(
        "lowering.53",
        REDUCTIONS,
        "return lacks(left, variable) or lacks(right, variable)",
        "return lacks(left, variable) and lacks(right, variable)",
        "a sum has an addend without the variable only if all its addends have",
        SUMS,
    ),
    Mutant(
        "lowering.54",
        REDUCTIONS,
        "return all(lacks(a, variable) for a in args)",
        "return any(lacks(a, variable) for a in args)",
        "a product has an addend without the variable if one factor has",
        SUMS,
    ),
    Mutant(
        "lowering.55",
        REDUCTIONS,
        "return addends(left) + [(not negative, a) for negative, a in addends(right)]",
        "return addends(left) + [(True, a) for _, a in addends(right)]",
        "what is subtracted twice stays subtracted",
        SUMS,
    ),
    Mutant(
        "lowering.56",
        REDUCTIONS,
        "subtracted = all(negative for negative, _ in terms)",
        "subtracted = terms[0][0]",
        "gathered addends are all subtracted if the first is",
        SUMS,
    ),
    Mutant(
        "lowering.57",
        REDUCTIONS,
        "if len(using) > 1 and all(lacks(f, variable) for f in using):",
        "if False:",
        "a product of sums that can be read in two ways is not refused",
        SUMS,
    ),
    Mutant(
        "lowering.58",
        REDUCTIONS,
        "if not distributive:",
        "if distributive is None:",
        "a sum goes into a product that does not distribute over it",
        SUMS,
    ),
    Mutant(
        "lowering.59",
        REDUCTIONS,
        "return product(operator, [*others[:place], inner, *others[place:]])",
        "return product(operator, [inner, *others])",
        "the factor with the sum comes first",
        SUMS,
    ),
    Mutant(
        "lowering.60",
        REDUCTIONS,
        "if index in enclosing:",
        "if False:",
        "a reduction may use a variable that has a meaning around it",
        SUMS,
    ),
    Mutant(
        "lowering.61",
        REDUCTIONS,
        "return index == variable or lacks(body, variable)",
        "return lacks(body, variable)",
        "a reduction over the very name of the variable counts as using it",
        SUMS,
    ),
)
