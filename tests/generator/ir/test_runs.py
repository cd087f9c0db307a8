"""Runs: a search for the end of one and the loop over it become one loop where nothing else asks for the end."""

from __future__ import annotations

import pytest
from gnomon.generator.ir.ir import ONE, Assign, Binary, Code, Declare, Element, Expr, For, If, Jump, Name, While
from gnomon.generator.ir.runs import join

P, END, Q, LIMIT, CRD, C = map(Name, ("p", "p_segend", "q", "p_end", "crd", "c"))
SEARCH = (
    Declare("int64_t", "p_segend", Binary("+", P, ONE)),
    While(
        Binary("&&", Binary("<", END, LIMIT), Binary("==", Element(CRD, END), C)),
        (Assign(END, ONE, "+="),),
    ),
)
NEXT = Assign(P, END)


def add(e: Expr) -> Assign:
    return Assign(Name("t"), e, "+=")


def over(*body: Assign | If) -> For:
    return For("q", P, END, body)


def test_a_run_is_visited_while_its_end_is_looked_for() -> None:
    begun, stored = Declare("double", "t", Element(Name("y"), C)), Assign(Element(Name("y"), C), Name("t"))
    code = (*SEARCH, begun, over(add(Element(Name("v"), Q))), stored, NEXT)
    more = Binary("&&", Binary("<", P, LIMIT), Binary("==", Element(CRD, P), C))
    visited = While(more, (add(Element(Name("v"), P)), Assign(P, ONE, "+=")))
    assert join(code) == (begun, visited, stored)
    assert join((While(Binary("<", P, LIMIT), code),)) == (While(Binary("<", P, LIMIT), (begun, visited, stored)),)


@pytest.mark.parametrize(
    "code",
    [
        (*SEARCH, over(add(Binary("-", END, Q))), NEXT),
        (*SEARCH, over(add(Element(Name("v"), P))), NEXT),
        (*SEARCH, over(add(Q)), add(P), NEXT),
        (*SEARCH, over(add(Q)), add(END), NEXT),
        (*SEARCH, add(END), over(add(Q)), NEXT),
        (*SEARCH, over(If(Binary("<", Q, C), (Jump("break"),))), NEXT),
        (*SEARCH, over(If(Binary("<", Q, C), (Jump("continue"),)), add(Q)), NEXT),
        (*SEARCH, over(add(Q)), Assign(P, LIMIT)),
        (*SEARCH, For("q", P, LIMIT, (add(Q),)), NEXT),
        (*SEARCH, For("q", P, END, (add(Q),), unroll=2), NEXT),
        (*SEARCH, NEXT),
        (SEARCH[0], While(SEARCH[1].condition, (Assign(END, Name("step"), "+="),)), over(add(Q)), NEXT),
    ],
    ids=[
        "the end is read inside", "the place is read inside", "the place is read after", "the end is read after",
        "the end is read before", "the loop is left", "an iteration is left", "the place goes elsewhere",
        "the loop ends elsewhere", "the loop is unrolled", "nothing is visited", "the search takes other steps",
    ],
)  # fmt: skip
def test_where_more_depends_on_the_end_nothing_changes(code: Code) -> None:
    assert join(code) == code
