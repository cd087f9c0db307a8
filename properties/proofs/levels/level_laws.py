"""Laws of numbers that proofs about level formats rest on, proved themselves."""

from __future__ import annotations

from ..obligation import Obligation
from ..solver import Term, decide, z3
from ..verdict import Verdict, together
from .instances import prove
from .invariant_terms import fresh
from .level_properties import by_induction, establish
from .products import division_laws, order_law, sign_law


def products() -> Verdict:
    """Every law of products.py, for products and quotients of integers."""
    a, b, c = z3.Ints("a b c")
    order = order_law(a, b, c, a * c, b * c)
    return together([decide(sign_law(a, b, a * b)), decide(order), decide(z3.Implies(a == b, a * c == b * c))])


def divisions() -> Verdict:
    """The laws of quotients and remainders."""
    a, b, q, r = z3.Ints("a b q r")
    definition = [b > 0, a == q * b + r, r >= 0, r < b]
    uses = [decide(z3.Implies(b > 0, z3.And(a == (a / b) * b + a % b, a % b >= 0, a % b < b)))]
    return together([*uses, *(decide(law, given=definition) for law in division_laws(a, b, q, r, q * b))])


def pigeonhole() -> Verdict:
    """A function from `[0, n]` to `[0, n)` takes a value twice, by induction over n.

    One that did not would give one from `[0, n - 1]` to `[0, n - 1)`: where it has the value `n - 1`, the value at n
    instead. For n = 0 there is no value.
    """
    f = z3.Function("f", z3.IntSort(), z3.IntSort())
    n = z3.Int("n")

    def smaller(k: Term) -> Term:
        return z3.If(f(k) == n - 1, f(n), f(k))

    none = prove(z3.Not(injective(f, z3.IntVal(0))))
    fewer = prove(injective(smaller, n - 1), [injective(f, n), n >= 1])
    return together([none, fewer])


def injective(f: object, n: Term) -> Term:
    """A function from `[0, n]` to `[0, n)` takes no value twice."""
    k, m = fresh("k"), fresh("m")
    inside = z3.ForAll([k], z3.Implies(z3.And(k >= 0, k <= n), z3.And(f(k) >= 0, f(k) < n)))  # type: ignore[operator]
    apart = z3.ForAll([k, m], z3.Implies(z3.And(k >= 0, k < m, m <= n), f(k) != f(m)))  # type: ignore[operator]
    return z3.And(inside, apart)


def pieces() -> Verdict:
    """Pieces of fibers that are appended in the order of their parents follow one another in their segments.

    So far, `counts(r)` positions were appended below r, none below parents after `last`, and they fill the segments
    before the sums of these counts: `sums(last + 1)` positions in all. A piece below p, which is `last` or later,
    begins after what p already has, and moves nothing that lies before.
    """
    counts, sums, later = (z3.Function(name, z3.IntSort(), z3.IntSort()) for name in ("counts", "sums", "later"))
    last, p, begin, end, parents, r = z3.Ints("last p begin end parents r")
    given = [last >= 0, last <= p, p < parents, begin <= end, begin == sums(last + 1), sums(0) == 0, later(0) == 0]
    within = z3.And(r >= 0, r < parents)
    given.append(z3.ForAll([r], z3.Implies(within, sums(r + 1) == sums(r) + counts(r)), patterns=[counts(r)]))
    more = counts(r) + z3.If(r == p, end - begin, 0)
    given.append(z3.ForAll([r], z3.Implies(within, later(r + 1) == later(r) + more), patterns=[counts(r)]))
    given.append(z3.ForAll([r], z3.Implies(z3.And(r > last, r < parents), counts(r) == 0), patterns=[counts(r)]))
    before = by_induction(given, lambda s: later(s) == sums(s), z3.IntVal(0), p)
    between = by_induction(given, lambda s: sums(s) == sums(last + 1), last + 1, p)
    known = [*given, later(p) == sums(p), z3.Implies(last < p, sums(p) == sums(last + 1))]
    place = establish(known, [begin == later(p) + counts(p), end == later(p + 1)])
    return together([before, between, place])


LAWS = {"products": products, "divisions": divisions, "pigeonhole": pigeonhole, "pieces": pieces}


def laws() -> tuple[Obligation, ...]:
    """The laws as obligations."""
    return tuple(
        Obligation(f"levels.laws.{name}", (law.__doc__ or "").split("\n")[0], law) for name, law in LAWS.items()
    )
