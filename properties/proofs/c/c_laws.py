"""Laws that proofs about kernels use, proved once: of products, of how many elements are not zero, of turns."""

from __future__ import annotations

from ..obligation import Obligation
from ..solver import Term, decide, z3
from ..verdict import Verdict, together

WHOLE = z3.IntSort()


def products() -> Verdict:
    """`0 <= y` and `a < b` imply `a*y + y <= b*y`; products of what is not negative are not negative."""
    a, b, y, d = z3.Ints("a b y d")
    ordered = z3.Implies(z3.And(y >= 0, d >= 1), (a * y) + y <= (a + d) * y)
    stretched = z3.Implies(z3.And(y >= 0, d >= 1), d * y >= y)
    apart = z3.Implies(b == a + d, b * y == a * y + d * y)
    natural = z3.Implies(z3.And(a >= 0, y >= 0), a * y >= 0)
    units = z3.And(z3.Implies(a == 0, a * y == 0), z3.Implies(a == 1, a * y == y), z3.Implies(a == b, a * y == b * y))
    return together(decide(goal) for goal in (apart, stretched, ordered, natural, units))


def prove_long_products() -> Verdict:
    """A product of integers and its lowest 64 bits differ by less than 2^40 as doubles, only where they are equal.

    Doubles hold 53 bits: an integer is rounded by a factor between `1 - e` and `1 + e`, `e = 2^-53`, and so is the
    product of two rounded ones, and the difference. `gn_lane_mul_int64` tells so whether a product fits.
    """
    p, c, rounded, low, difference = z3.Reals("p c rounded low difference")
    wraps, e = z3.Int("wraps"), z3.RealVal(1) / 2**53

    def within(value: Term, exact: Term, relative: Term) -> Term:
        size = z3.If(exact < 0, -exact, exact)
        return z3.And(value - exact <= relative * size, exact - value <= relative * size)

    given = [
        p == c + z3.ToReal(wraps) * 2**64,
        z3.Or(z3.And(c >= -(2**63), c < 2**63), z3.And(c >= 0, c < 2**64, p >= 0)),
        within(rounded, p, 4 * e),
        within(low, c, e),
        within(difference, rounded - low, e),
    ]
    equal = z3.And(difference < 2**40, difference > -(2**40))
    return together(
        decide(goal, given=[*given, case]) for case, goal in ((wraps == 0, equal), (wraps != 0, z3.Not(equal)))
    )


def jam_rounds() -> Verdict:
    """Each jammed round visits every number in its range once: below the common range, in it, or above it.

    `[low, high)` is the range of one round, `[first, last)` the common range of all rounds.
    """
    i, low, high, first, last = z3.Ints("i low high first last")
    stop = z3.If(first < high, first, high)
    begin = z3.If(last > stop, last, stop)
    below, together_, above = (z3.And(a <= i, i < b) for a, b in ((low, stop), (first, last), (begin, high)))
    given = [low <= first, last <= high]
    counted = z3.And(low <= i, i < high)
    goals = [
        counted == z3.Or(below, together_, above),
        z3.Not(z3.And(below, together_)),
        z3.Not(z3.And(below, above)),
        z3.Not(z3.And(together_, above)),
    ]
    return together(decide(goal, given=given) for goal in goals)


COUNT = z3.Function("count", z3.ArraySort(WHOLE, WHOLE), WHOLE, WHOLE)
"""How many of the first elements of an array are not zero."""


def count_step(array: Term, n: Term) -> Term:
    """What the number is for one element more."""
    return COUNT(array, n + 1) == COUNT(array, n) + z3.If(array[n] != 0, 1, 0)


def prove_counts() -> Verdict:
    """By induction over the number of elements: bounds, what a zero among them says, and what a store changes."""
    array, n, k, v = z3.Array("array", WHOLE, WHOLE), z3.Int("n"), z3.Int("k"), z3.Int("v")
    stored = z3.Store(array, k, v)
    change = z3.If(v != 0, 1, 0) - z3.If(array[k] != 0, 1, 0)

    def claims(n: Term) -> list[Term]:
        inside = z3.And(k >= 0, k < n)
        count = COUNT(array, n)
        return [
            z3.And(count >= 0, count <= n),
            z3.Implies(z3.And(inside, array[k] == 0), count < n),
            z3.Implies(z3.And(inside, array[k] != 0), count > 0),
            COUNT(stored, n) == count + z3.If(inside, change, 0),
        ]

    begin = [COUNT(array, 0) == 0, COUNT(stored, 0) == 0]
    first = [decide(goal, given=begin) for goal in claims(z3.IntVal(0))]
    step = [k >= 0, n >= 0, count_step(array, n), count_step(stored, n), *claims(n)]
    return together([*first, *[decide(goal, given=step) for goal in claims(n + 1)], prove_witness()])


def prove_witness() -> Verdict:
    """By induction: if all elements are zero, none is counted."""
    array, n, k = z3.Array("array", WHOLE, WHOLE), z3.Int("n"), z3.Int("k")

    def zero(n: Term) -> Term:
        return z3.ForAll([k], z3.Implies(z3.And(k >= 0, k < n), array[k] == 0))

    step = z3.Implies(zero(n), COUNT(array, n) == 0)
    goal = z3.Implies(zero(n + 1), COUNT(array, n + 1) == 0)
    return decide(goal, given=[n >= 0, count_step(array, n), step])


def prove_turns() -> Verdict:
    """By induction over its turns: what a loop counts beside `place`, which goes from `begin` up to `end`."""
    begin, end, place, before, counted = z3.Ints("begin end place before counted")

    def kept(place: Term, counted: Term) -> Term:
        return z3.And(counted - before == place - begin, z3.Or(place <= end, place == begin), place >= begin)

    turns = z3.If(end > begin, end - begin, 0)
    return together(
        (
            decide(kept(begin, before)),
            decide(kept(place + 1, counted + 1), given=[kept(place, counted), place < end]),
            decide(counted == before + turns, given=[kept(place, counted), z3.Not(place < end)]),
        )
    )


def laws() -> tuple[Obligation, ...]:
    """The laws as obligations."""
    return (
        Obligation("c.products", "A product grows with its factors by at least the other factor.", products),
        Obligation("c.jammed", "Rounds that are jammed visit what each counts through.", jam_rounds, ("code.jam",)),
        Obligation("c.counted", "The number of elements that are not zero changes as the elements do.", prove_counts),
        Obligation(
            "c.long_products",
            "Whether a product fits in 64 bits is told by doubles: they differ from its lowest bits by less than 2^40.",
            prove_long_products,
        ),
        Obligation(
            "c.turns",
            "A loop that goes up to a bound that it leaves alone makes as many turns as lie before it.",
            prove_turns,
        ),
    )
