"""Mutants of what the denotation stands on: free variables, meanings, and what supports leave out."""

from __future__ import annotations

from mutant import Mutant
from suites import FLOATS, FREE, WORKED

FREEDOM = "reference/denotation/freedom.py"
MEANING = "reference/denotation/meaning.py"
SUPPORT = "reference/denotation/support.py"

LEFT_OUT = ("tests/reference/denotation/test_support.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "denotation.82",
        FREEDOM,
        "return replace(m, bound=max(m.bound, of_argument(largest, 0.0, dtype)))",
        "return m",
        "products of contributions to a sum never overflow",
        WORKED,
    ),
    Mutant(
        "denotation.83",
        FREEDOM,
        "magnitude(v) for v in m.values()) + spread",
        "magnitude(v) for v in m.values())",
        "contributions to a sum are no larger than the sum",
        WORKED,
    ),
    Mutant(
        "denotation.84",
        FREEDOM,
        "    if grown > max(sizes, default=Fraction(0)) and PARTS * grown > Fraction(overflow_threshold(dtype)):",
        "    if False:",
        "operands that overflow together are never combined first",
        FREE,
    ),
    Mutant(
        "denotation.85",
        FREEDOM,
        "return replace(m, bound=max(m.bound, float(rounded)))",
        "return m",
        "what is rounded among the smallest numbers is multiplied by nothing",
        FREE,
    ),
    Mutant(
        "denotation.86",
        FREEDOM,
        "return zero if any(may_make(zero, operator, run, dtype)",
        "return None if any(may_make(zero, operator, run, dtype)",
        "operands that are missing never annihilate together",
        FREE,
    ),
    Mutant(
        "denotation.206",
        FREEDOM,
        "return value == constant or (bound > 0",
        "return value == constant or (bound < 0",
        "operands that are missing annihilate together only where that is exact",
        FREE,
    ),
    Mutant(
        "denotation.87",
        FREEDOM,
        "return replace(m, bound=m.bound + float(min(error, Fraction(sys.float_info.max))))",
        "return m",
        "sums are rounded in the order in which they are written",
        FREE,
    ),
    Mutant(
        "denotation.88",
        FREEDOM,
        "    if found.operands < 3:\n        return m\n",
        "",
        "two operands are rounded in more than one way",
        FREE,
    ),
    Mutant(
        "denotation.92",
        FREEDOM,
        "Fraction(min(arithmetic.magnitude(v), sys.float_info.max)) for v in finite",
        "Fraction(size) for v in finite if (size := arithmetic.magnitude(v)) < math.inf",
        "numbers next to the largest one are left out",
        FREE,
    ),
    Mutant(
        "denotation.4",
        MEANING,
        "return meaning.state is State.PRESENT or not same(meaning.value, self.fill)",
        "return not same(meaning.value, self.fill)",
        "a component that cancels to the fill is absent",
        FLOATS,
    ),
    Mutant(
        "denotation.5",
        MEANING,
        "return meaning.state is State.PRESENT or not same(meaning.value, self.fill)",
        "return meaning.state is State.PRESENT",
        "a constant other than the fill does not belong to the structure",
        WORKED,
    ),
    Mutant(
        "denotation.30",
        MEANING,
        "return all(p == q or (p != p and q != q) for p, q in ((x.re, y.re), (x.im, y.im)))",
        "return all(p == q for p, q in ((x.re, y.re), (x.im, y.im)))",
        "NaN is not the same as itself, so that a fill of NaN is everywhere present",
        FLOATS,
    ),
    Mutant(
        "denotation.41",
        MEANING,
        "return m.bound == 0 or any(magnitude(part) > m.bound for part in parts_of(m.value))",
        "return m.bound == 0",
        "every mask with duplicates hangs on rounding",
        WORKED,
    ),
    Mutant(
        "denotation.59",
        MEANING,
        "return meaning.bound > 0 or self.belongs(meaning)",
        "return meaning.bound > 0 and not self.belongs(meaning)",
        "what is missing belongs to the structure though it may be the fill once it is rounded",
        WORKED,
    ),
    Mutant(
        "denotation.66",
        MEANING,
        "return meaning.bound > 0 or self.belongs(meaning)",
        "return self.belongs(meaning)",
        "what is missing does not belong to the structure though rounding may take it away from the fill",
        WORKED,
    ),
    Mutant(
        "denotation.46",
        SUPPORT,
        "if len(values) == 1:",
        "if values:",
        "a diagonal holds what is beside it",
        LEFT_OUT,
    ),
    Mutant(
        "denotation.47",
        SUPPORT,
        "return support if self.counts_for_nothing(e, beyond) else None",
        "return support",
        "terms that are no identity are passed over",
        LEFT_OUT,
    ),
    Mutant(
        "denotation.48",
        SUPPORT,
        "return Both(tuple(found[k][0] for k in deciding)), self.apply(e, alone[deciding[0]])",
        "return Both(tuple(s for s, _ in found)), self.apply(e, alone[deciding[0]])",
        "a product is passed over where a factor that does not annihilate holds nothing",
        LEFT_OUT,
    ),
    Mutant(
        "denotation.49",
        SUPPORT,
        "return Either(()), UNKNOWN",
        "return Either(()), Meaning(State.MISSING, exact(0))",
        "an operand without the variable is taken for missing",
        LEFT_OUT,
    ),
    Mutant(
        "denotation.50",
        SUPPORT,
        "return support, fold(operator, [], dtype_of(e)) if vanishes else UNKNOWN",
        "return support, fold(operator, [], dtype_of(e))",
        "a sum inside a sum vanishes where its operands hold nothing, whatever their fill",
        LEFT_OUT,
    ),
)
