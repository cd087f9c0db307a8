"""Rules about errors: what gives no result."""

from __future__ import annotations

from .operands import BYTES, X
from .rule import Rule, problem_of, vector

RULES = (
    Rule(
        "error.outcome",
        "what is refused",
        typed=(problem_of("y(i) = X(i)", X=X),),
        refused=(problem_of("y(i) = X(j)", X=X), problem_of("y(i) = X(i) +", X=X)),
    ),
    Rule(
        "error.meaning",
        "what has no meaning on its data",
        typed=(problem_of("s = BYTES(i)", BYTES=BYTES), problem_of("y(i) = X(i) / 0", X=X)),
        refused=(
            problem_of("y(i) = BYTES(i) * 2", BYTES=BYTES),
            problem_of("y(i) = mod(BYTES(i), 0)", BYTES=BYTES),
            problem_of("s = prod(i, w(i))", w=vector(dict.fromkeys(range(4), 2**62), format="Dense", dtype="int64")),
        ),
    ),
)
