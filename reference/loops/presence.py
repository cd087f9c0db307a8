"""Presence: which sets of operands leave an expression or a statement something to do, as a formula.

The subsets of a lattice are exponentially many; the formula is as long as the statement, because each operator asks
only whether its arguments are missing. It is monotone: an expression that is missing where some operands are present is
missing with fewer of them. For `a = b * c + d`, all with fill 0, it is `(b and c) or d`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses
from ..statement.statement import Assign, Forall, Sequence, Statement, Where
from ..statement.substitution import Background, annihilates, apply, is_unchanged, reads_of, substitute


class Every(Struct, frozen=True):
    """All parts hold."""

    parts: tuple[Presence, ...]


class Some(Struct, frozen=True):
    """Some part holds."""

    parts: tuple[Presence, ...]


Presence = bool | Access | Every | Some


def every(*parts: Presence) -> Presence:
    """The formula that all of these hold; those that are true are left out.

    >>> b, c = Access("b", ("i",)), Access("c", ("i",))
    >>> every(b, True) == b, every(b, False), every(b, every(c, b)) == Every((b, c))
    (True, False, True)
    """
    kept = flat(parts, Every, True)
    return False if False in kept else kept[0] if len(kept) == 1 else Every(kept) if kept else True


def some(*parts: Presence) -> Presence:
    """The formula that some of these hold; those that are false are left out."""
    kept = flat(parts, Some, False)
    return True if True in kept else kept[0] if len(kept) == 1 else Some(kept) if kept else False


def flat(parts: tuple[Presence, ...], kind: type[Every | Some], unit: bool) -> tuple[Presence, ...]:
    """The parts but `unit`, each once; a part that is of the kind itself is replaced by its own parts."""
    found: list[Presence] = []
    for part in parts:
        found += part.parts if isinstance(part, Every | Some) and isinstance(part, kind) else [part]
    return tuple(part for part in dict.fromkeys(found) if part is not unit)


def holds(formula: Presence, present: frozenset[Access]) -> bool:
    """Whether a formula holds where exactly these accesses are present."""
    match formula:
        case bool():
            return formula
        case Access():
            return formula in present
        case Every(parts=parts):
            return all(holds(part, present) for part in parts)
        case Some(parts=parts):
            return any(holds(part, present) for part in parts)


def assume(formula: Presence, known: Mapping[Access, Presence]) -> Presence:
    """The formula with accesses replaced by what is known of their presence: a truth value or a formula."""
    match formula:
        case bool():
            return formula
        case Access():
            return known.get(formula, formula)
        case Every(parts=parts):
            return every(*[assume(part, known) for part in parts])
        case Some(parts=parts):
            return some(*[assume(part, known) for part in parts])


def dependencies(formula: Presence) -> Iterator[Access]:
    """The accesses on whose presence a formula depends."""
    match formula:
        case bool():
            return
        case Access():
            yield formula
        case Every(parts=parts) | Some(parts=parts):
            for part in parts:
                yield from dependencies(part)


class Survey(Struct, frozen=True):
    """When an expression is `present`, and what it is `without` all accesses that may be missing."""

    present: Presence
    without: Expr


def survey(e: Expr, open_: frozenset[Access], background: Background) -> Survey:
    """When an expression is present, where the accesses in `open_` may be missing and the others are not."""
    match e:
        case Access():
            return Survey(e if e in open_ else True, substitute(e, open_, background))
        case Literal():
            return Survey(True, e)
        case Fill():
            return Survey(False, e)
        case Apply(args=args):
            parts = [survey(a, open_, background) for a in args]
            without = apply(replace(e, args=tuple(part.without for part in parts)))
            if not isinstance(without, Fill):
                return Survey(True, without)
            return Survey(presence_of_operator(e, parts), without)
        case Reduce(body=body):
            inner = survey(body, open_, background)
            return Survey(inner.present, substitute(e, open_, background))


def presence_of_operator(e: Apply, parts: list[Survey]) -> Presence:
    """When an operator is present that is a fill without its arguments; those that are numbers play no part."""
    match [(part, side) for part, side, a in zip(parts, annihilators(e), e.args, strict=True) if not is_number(a)]:
        case [(only, _)]:
            return only.present
        case [(left, left_annihilator), (right, right_annihilator)]:
            decides = is_fill(left, left_annihilator), is_fill(right, right_annihilator)
            match decides:
                case True, True:
                    return every(left.present, right.present)
                case True, False:
                    return left.present
                case False, True:
                    return right.present
                case _:
                    return some(left.present, right.present)
        case _:
            return True


def annihilators(e: Apply) -> tuple[Callable[..., object] | None, ...]:
    """The annihilator of each argument of an operator; None where none is declared."""
    return (e.operator.left_annihilator, e.operator.right_annihilator) if len(e.args) == 2 else (None,) * len(e.args)


def is_fill(part: Survey, constant: Callable[..., object] | None) -> bool:
    """Whether an expression is a fill with the value of a constant where what may be missing is."""
    return isinstance(part.without, Fill) and annihilates(constant, part.without)  # type: ignore[arg-type]


def is_number(e: Expr) -> bool:
    """Whether an expression is made of numbers alone."""
    return isinstance(e, Literal) or (isinstance(e, Apply) and not any(True for _ in accesses(e)))


def remains(s: Statement, open_: frozenset[Access], background: Background) -> Presence:
    """When a statement has something to do, where the accesses in `open_` may be missing and the others are not.

    `substitute_statement` leaves something exactly where this holds.
    """
    match s:
        case Assign(value=value, mask=mask):
            known = survey(value, open_, background)
            idle = isinstance(known.without, Fill) and is_unchanged(s, known.without, background)
            admitted = mask is None or mask.complement or survey(mask.value, open_, background).present
            return every(admitted, known.present if idle else True)
        case Forall(body=body):
            return remains(body, open_, background)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            made = reads_of(consumer, workspace)
            consumed = remains(consumer, open_ | made, background)
            return assume(consumed, dict.fromkeys(made, remains(producer, open_, background)))
        case Sequence(statements=statements):
            return some(*[remains(each, open_, background) for each in statements])
