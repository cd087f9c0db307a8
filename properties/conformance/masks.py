"""Rules about masks: what they admit, and what becomes of what they exclude."""

from __future__ import annotations

from ...reference.storage.packing import tensor
from .operands import DENSE, A, S, X, Y
from .rule import Rule, cells, problem_of, section, vector

SEEN = vector({0: 1.0, 1: 1.0, 2: 0.0})
CANCELLED = tensor([[0, 0, 0, 2]], [1e16, 1.0, -1e16, 2.0], (4,), "compressed(nonunique,unordered)")
KINDS = ("", "!", "$", "!$")
UPDATES = ((",merge", "="), ("", "+="), (",replace", "+="), ("", "max="))

RULES = (
    Rule(
        "mask.syntax",
        "how masks are written",
        typed=tuple(problem_of(f"y(i)<{kind}V(i), replace> = X(i)", "SparseVector", V=SEEN, X=X) for kind in KINDS),
    ),
    Rule(
        "mask.wellformed",
        "masks that are refused",
        typed=(
            problem_of("C(i,j)<S(j)> = A(i,j)", "CSR", A=A, S=X),
            problem_of("C(i,j)<S(j,i)> = S(i,j)", "CSR", S=S),
        ),
        refused=(
            problem_of("y(i)<2> = X(i)", X=X),
            problem_of("y(i)<sum(k, Y(k))> = X(i)", X=X, Y=Y),
            problem_of("y(i)<V(j)> = X(i)", V=SEEN, X=X),
            problem_of("y(i)<V(i)> = X(i)", X=X),
            problem_of("y(i)<A(i,i)> = X(i)", X=X, A=A),
        ),
    ),
    Rule(
        "mask.structural",
        "masks that hold what is stored",
        typed=(
            problem_of("y(i)<$V(i)> = X(i) + 1", "SparseVector", V=SEEN, X=X),
            problem_of("y(i)<$V(i)> = X(i) + 1", "SparseVector", V=SEEN.convert("Dense"), X=X),
        ),
    ),
    Rule(
        "mask.complement",
        "complements",
        typed=tuple(problem_of(f"y(i)<{kind}V(i)> = X(i) + 1", "SparseVector", V=SEEN, X=X) for kind in KINDS),
    ),
    Rule(
        "mask.table",
        "every mask with every assignment",
        section("masked assignments"),
        (
            *(problem_of(f"y(i)<{kind}V(i)> = X(i)", "SparseVector", V=SEEN, X=X) for kind in KINDS),
            *(
                problem_of(f"y(i)<{kind}V(i){rest}> {sign} X(i)", "SparseVector", V=SEEN, X=X, y=Y)
                for kind in KINDS
                for rest, sign in UPDATES
            ),
        ),
    ),
    Rule(
        "mask.result",
        "fills and dtypes of masked results",
        typed=(
            problem_of("y(i)<V(i),merge> = X(i)", "SparseVector", V=SEEN, X=X, y=vector({0: 4.0, 3: 5.0}, fill=7.0)),
            problem_of("y(i)<V(i),merge> = X(i)", "SparseVector", V=SEEN, X=X, y=vector({0: 4, 3: 5}, dtype="int64")),
        ),
    ),
    Rule(
        "mask.semiring",
        "masks beside semirings",
        typed=(
            problem_of(
                "y(i)<gt(V(i), 0)> = A(i,j) * x(j)", "SparseVector", "min_plus", A=A, x=X, V=vector({1: 1.0}, 3)
            ),
            problem_of("y(i)<V(i)> = X(i) + X(i)", "SparseVector", "min_plus", X=X, V=SEEN.convert("Dense")),
        ),
    ),
    Rule("mask.excluded", "masks", section("masks")),
    Rule(
        "mask.undecided",
        "masks that rounding decides",
        typed=(problem_of("y(i)<m(i)> = x(i)", "SparseVector", m=CANCELLED, x=DENSE),),
    ),
    Rule(
        "mask.merge",
        "masks that merge or replace",
        section("masked assignments"),
        tuple(
            problem_of(f"y(i)<{kind}V(i),{rest}> {sign} X(i)", "SparseVector", V=SEEN, X=X, y=Y)
            for kind in ("", "!$")
            for sign, rest in (("=", "merge"), ("+=", "merge"), ("+=", "replace"))
        ),
        (problem_of("y(i)<V(i),merge> = X(i)", V=SEEN, X=X),),
    ),
    Rule(
        "mask.value",
        "masks that are expressions",
        cells(("oddities", "a mask that is an expression")),
        (
            *(problem_of(f"C(i,j)<{kind}(i,j)> = A(i,j)", "CSR", A=A) for kind in ("tril", "triu", "diag", "offdiag")),
            *(problem_of(f"y(i)<{kind}lt(X(i), 1)> = X(i)", "SparseVector", X=X) for kind in ("", "!")),
        ),
        (problem_of("y(i)<1> = X(i)", X=X), problem_of("y(i)<sum(k, Y(k))> = X(i)", X=X, Y=Y)),
    ),
    Rule(
        "mask.target",
        "masks that read their own target",
        cells(("oddities", "a mask that reads previous contents")),
        tuple(
            problem_of(f"y(i)<{kind}y(i),{rest}> {sign} X(i)", "SparseVector", X=X, y=SEEN)
            for kind in ("", "!", "$", "!$")
            for sign, rest in (("=", "merge"), ("=", "replace"), ("+=", "merge"))
        ),
        (problem_of("y(i)<!$y(i)> = X(i)", X=X),),
    ),
)
