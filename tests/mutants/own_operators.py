"""Mutants of operators of users: what their texts compute, how far off they are, what is claimed and proved of them."""

from __future__ import annotations

from mutant import Mutant

COMPOSITION = "reference/notation/composition.py"
FOLDING = "reference/notation/folding.py"
DECLARATION = "reference/notation/declaration.py"
CLAIMS = "properties/proofs/operators/claims.py"
DOOR = "properties/proofs/operators/own_operators.py"
SEMIRINGS = "reference/algebra/semirings.py"
REQUEST = "generator/runtime/request.py"
VALUES = "reference/execution/values.py"

COMPOSED = ("tests/reference/notation/test_composition.py",)
FOLDED = ("tests/reference/notation/test_folding.py",)
DECLARED = ("tests/reference/notation/test_declaration.py",)
CLAIMED = ("tests/properties/proofs/operators/test_claims.py",)
OWN = ("tests/properties/proofs/operators/test_own_operators.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "own.1",
        COMPOSITION,
        "return found, correctly_rounded(found, 0.0, u)",
        "return found, 0.0",
        "numbers in the text of an operator are exact in every dtype",
        COMPOSED,
    ),
    Mutant(
        "own.2",
        COMPOSITION,
        "if has_pole:\n                    return found, math.inf",
        "if has_pole:\n                    return found, 0.0",
        "the sign of a zero decides of which sign an infinity is, and that is claimed",
        COMPOSED,
    ),
    Mutant(
        "own.3",
        COMPOSITION,
        "return settle(composition, wide)",
        "return wide",
        "an operator computes in a dtype in which a part of it may give another",
        (*COMPOSED, *DECLARED),
    ),
    Mutant(
        "own.4",
        COMPOSITION,
        "if dtype == BOOL and e.operator is ADD:",
        "if False:",
        "sums of Booleans inside operators are numbers to the denotation and truth values to C",
        COMPOSED,
    ),
    Mutant(
        "own.5",
        VALUES,
        "compute, checked = operator.computing_in(dtype), caster(dtype)",
        "compute, checked = operator.compute, caster(dtype)",
        "reductions by an operator of a user may leave their dtype on the way, where C reports it",
        COMPOSED,
    ),
    Mutant(
        "own.6",
        FOLDING,
        "started = [apply((identity, 0.0), one), apply(one, (identity, 0.0))]",
        "started = [one]",
        "folds of a few are taken to begin with a contribution, never with the identity",
        FOLDED,
    ),
    Mutant(
        "own.7",
        FOLDING,
        "is_steady = weights is not None and max(weights[:-1]) <= 1",
        "is_steady = weights is not None",
        "errors are taken to add up where an operator magnifies them",
        FOLDED,
    ),
    Mutant(
        "own.8",
        FOLDING,
        "together = add if operator.name in MOVING else choose",
        "together = choose",
        "a sum is taken to move no more than one of its parts",
        FOLDED,
    ),
    Mutant(
        "own.9",
        DECLARATION,
        "folds = self.commutative and self.associative and self.identity is not None",
        "folds = self.associative and self.identity is not None",
        "what does not claim to be commutative can add",
        OWN,
    ),
    Mutant(
        "own.10",
        CLAIMS,
        'if carriers(law, "reals") == ():',
        "if False:",
        "what is claimed of infinity is proved of integers alone",
        CLAIMED,
    ),
    Mutant(
        "own.11",
        DOOR,
        "if not declared.claims:",
        "if True:",
        "claims are believed",
        (*CLAIMED, *OWN),
    ),
    Mutant(
        "own.12",
        REQUEST,
        'ring = "" if self.ring is None else self.ring.source',
        'ring = "" if self.ring is None else self.ring.name',
        "operators of one name share their kernels, whatever their texts",
        OWN,
    ),
    Mutant(
        "own.13",
        SEMIRINGS,
        "if not given.is_declared:\n        return given",
        "if False:\n        return given",
        "a semiring of a user is taken for another of its name",
        OWN,
    ),
    Mutant(
        "own.14",
        "reference/denotation/denote.py",
        "if len(values) == 1 and operator.exact_identity:",
        "if len(values) == 1:",
        "a fold of one contribution is exact though its identity rounds",
        FOLDED,
    ),
    Mutant(
        "own.15",
        "properties/proofs/operators/extended_reals.py",
        "return z3.Not(is_nan(a))",
        "return z3.BoolVal(True)",
        "NaN refutes an infinite annihilator",
        ("tests/properties/proofs/operators/test_claims.py",),
    ),
)
