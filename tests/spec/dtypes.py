"""Dtypes of terms (docs/spec/types)."""

from spec.operators import BITS, COMPARE, FUNCTIONS, RefusedError

FLOATING = FUNCTIONS | {"div", "pow", "floor", "ceil", "heaviside"}
ORDERED = {"min", "max", "floordiv", "mod", "sign", "floor", "ceil", "cbrt", "heaviside", "lt", "le", "gt", "ge"}


def kind(d: str) -> int:
    """Boolean, integer, float or complex."""
    return 0 if d == "bool" else 1 if d in BITS else 2 if "float" in d else 3


def promote(a: str, b: str) -> str:
    """type.promotion."""
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    if max(kind(a), kind(b)) > 1:
        small = all(d in ("float32", "complex64") or (d in BITS and BITS[d][1] <= 16) for d in (a, b))
        found = ("complex64", "complex128") if "complex" in a + b else ("float32", "float64")
        return found[not small]
    (s, n), (t, m) = BITS[a], BITS[b]
    if s == t:
        return a if n > m else b
    unsigned, signed = (n, m) if s else (m, n)
    bits = signed if signed > unsigned else 2 * unsigned
    return f"int{bits}" if bits <= 64 else "float64"


def weak(d: str, literal: str) -> str:
    """W: the dtype of what is weak beside a dtype (type.literals)."""
    if kind(literal) <= kind(d):
        return d
    if kind(literal) == 3:
        return "complex64" if d == "float32" else "complex128"
    return "float64" if kind(literal) == 2 else "int64"


def common(types: list[tuple[str, bool]]) -> str:
    """The promotion of one or two arguments, of which some are weak."""
    (a, a_weak), (b, b_weak) = types[0], types[-1]
    if a_weak != b_weak:
        return weak(b, a) if a_weak else weak(a, b)
    return promote(a, b)


def given(op: str, d: str) -> tuple[str, str]:
    """The dtypes that an operator computes in and gives (type.operators)."""
    if (d == "bool" and op in ("sub", "neg", "square", "cube")) or (kind(d) == 3 and op in ORDERED):
        raise RefusedError(f"{op} of {d}")
    if op in FLOATING and kind(d) < 2:
        d = "float64"
    if kind(d) == 3 and op in ("abs", "real", "imag"):
        return d, "float32" if d == "complex64" else "float64"
    return d, "bool" if op in COMPARE or op == "not" else d


def widened(op: str, d: str) -> str:
    """type.widening."""
    d = given(op, d)[1]
    return d if op not in ("add", "mul") or kind(d) > 1 else "uint64" if d.startswith("u") else "int64"
