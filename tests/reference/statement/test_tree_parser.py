"""Index trees as text: printed and parsed back they are the same, and so are the statements that they say."""

from __future__ import annotations

import pytest
from gnomon.properties.campaign.units import nth_program
from gnomon.properties.programs.features import EVERYTHING
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import contractions
from gnomon.reference.algebra.semirings import semiring
from gnomon.reference.errors import ParseError
from gnomon.reference.loops.domains import domains
from gnomon.reference.statement.index_tree import index_tree, statement_of
from gnomon.reference.statement.tree_parser import parse_tree
from gnomon.reference.statement.tree_printer import print_tree
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.packing import tensor
from hypothesis import given, settings


def check_identity(problem: Problem) -> None:
    """Whether the tree of a problem, and its statement, come back from its text."""
    program = problem.ready.program
    ring = None if problem.semiring is None else semiring(problem.semiring)
    tree = index_tree(program, tuple(domains(program)), ring)
    text = print_tree(tree)
    back = parse_tree(text)
    assert print_tree(back) == text
    assert statement_of(back) == program.statement


@pytest.mark.every(2)
@pytest.mark.parametrize("begin", range(0, 60, 30))
def test_trees_of_random_programs_come_back(begin: int) -> None:
    for number in range(begin, begin + 30):
        check_identity(nth_program(EVERYTHING, 20, number))


@settings(max_examples=max(20, settings.default.max_examples // 4))
@given(contractions(EVERYTHING))
def test_trees_of_branched_programs_come_back(problem: Problem) -> None:
    check_identity(problem)


@pytest.mark.parametrize("ring", ["times_plus", "and_or", "min_min"])
def test_an_add_that_has_an_annihilator_or_multiplies_as_well_comes_back(ring: str) -> None:
    a = tensor([[0, 0, 1], [0, 1, 1]], [True, True, True], (2, 2), "CSR")
    check_identity(Problem("R(i,j) = A(i,k) * B(k,j) + A(i,j)", {"A": a, "B": a}, format_of("CSR", 2), ring))


ROW = "tree\n  indices i in dense\n"


@pytest.mark.parametrize(
    ("text", "message", "marked"),
    [
        ("", "begins with tree", ""),
        ("compute y = x", "begins with tree", ""),
        ("tree nonsense\n  compute y = x", "unknown semiring 'nonsense'", "nonsense"),
        ("tree\n", "nothing below it", "tree"),
        (ROW, "nothing below it", "indices"),
        (ROW + "      compute y(i) = x(i)", "2 steps more", "compute"),
        (ROW + "    compute y(i) = x(i)\nmore", "a node below the root", "more"),
        (ROW + "    call y(i)", "call is no kind of node", "call"),
        (ROW + "    compute y(i) = x(i) z", "the end of the line", "z"),
        (ROW + "    compute y(i) = x(i) * z(i)  {min_plus}", "min_plus does not follow", "min_plus"),
        (ROW + "    compute y(i)[j] = x(i)", "y is inserted into", "y(i)"),
        (ROW + "    compute y(i) = x(i) ⊗ z(i)", "belong to a semiring", "z"),
        ("tree min_plus\n  compute y = ⊕tanh(x)", "tanh is no dtype", "tanh"),
        (ROW + "    compute y(i) = complex(x, 0)", "is real", "x"),
        (ROW + "    clear w(i) = x(i)", "cleared to a number", "x(i)"),
        ("tree\n  indices i over dense\n    compute y(i) = x(i)", "'in'", "over"),
        ("tree\n  indices i in rows\n    compute y(i) = x(i)", "expected '('", None),
        ("tree\n  indices i in rows(A)\n    compute y(i) = x(i)", "rows is no domain", "rows"),
        ("tree\n  indices i in sparse(A, x, y)\n    compute y(i) = x(i)", "a whole number", "x"),
        ("tree\n  indices i in dense [GPU NoRaces]\n    compute y(i) = x(i)", "GPU is none of", "GPU"),
        ("tree\n  indices i in dense [unroll x]\n    compute y(i) = x(i)", "a whole number", "x"),
        (ROW + "    compute y(i)<m(i),merge> = x(i)", "says nothing of what it excludes", "<m(i),merge>"),
        (ROW + "    compute y(i) = x(i) ; z", "unexpected character ';'", ";"),
        ("tree\n  indices i in " + "union(" * 5000 + "dense" + ")" * 5000, "nested more than", None),
        ("tree\n" + "".join(f"{'  ' * n}indices i{n} in dense\n" for n in range(1, 5000)), "nested more than", None),
        (ROW + f"    compute y(i) = {'(' * 5000}x(i){')' * 5000}", "nested more than", None),
        (ROW + f"    compute y(i) = x(i){' + x(i)' * 5000}", "nested more than", None),
    ],
)
def test_what_is_no_tree_is_refused_where_it_stands(text: str, message: str, marked: str | None) -> None:
    with pytest.raises(ParseError, match="(?s)" + message.replace("(", r"\(")) as refused:
        parse_tree(text)
    span = refused.value.span
    if marked and span is not None:
        assert refused.value.source == text
        assert text[span.start : span.stop] == marked


def test_text_is_wanted() -> None:
    with pytest.raises(ParseError, match="expected an index tree as text"):
        parse_tree(3)  # type: ignore[arg-type]
