"""Domains of loops: a coordinate belongs to one exactly where the merge lattice has something to do."""

from __future__ import annotations

import pytest
from gnomon.properties.campaign.units import nth_program
from gnomon.properties.programs.features import EVERYTHING
from gnomon.reference.drawing.hierarchies import loops
from gnomon.reference.loops.domains import Lookup, domains
from gnomon.reference.loops.lattice import subsets
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.domain import Dense, Domain, Intersection, Masked, Nested, Sparse, Temporary, Union
from gnomon.reference.statement.statement import Sequence, assignments
from gnomon.reference.storage.packing import tensor
from msgspec.structs import replace


def belongs(domain: Domain, present: set[str]) -> bool:
    """Whether a coordinate at which these operands hold something belongs to a domain."""
    match domain:
        case Dense():
            return True
        case Sparse(tensor=name) | Temporary(workspace=name):
            return name in present
        case Union(parts=parts):
            return any(belongs(part, present) for part in parts)
        case Intersection(parts=parts) | Nested(parts=parts):
            return all(belongs(part, present) for part in parts)
        case Masked(mask=mask, base=base, complement=complement):
            return belongs(base, present) and (complement or belongs(mask, present))


@pytest.mark.every(3)
@pytest.mark.parametrize("begin", range(0, 90, 30))
def test_domains_say_what_lattices_say(begin: int) -> None:
    for number in range(begin, begin + 30):
        program = nth_program(EVERYTHING, 23, number).ready.program
        for loop in loops(program):
            lattice = loop.strategy.lattice
            if len(lattice.sparse) > 6:
                continue
            names = {access: Sparse(str(n), 1, "compressed") for n, access in enumerate(lattice.sparse)}
            domain = Lookup(program, loop.strategy).of_statement(lattice.body, names)
            for present in subsets(lattice.sparse):
                expected = lattice.point(present) is not None
                assert belongs(domain, {names[a].tensor for a in present}) == expected, (number, str(domain))


def first_domains(text: str, out: str, schedule: str | None = None, **formats: str) -> list[str]:
    """The domains of the loops of an expression over small tensors, in the order of the tree."""
    operands = {}
    for name, format in formats.items():
        order = len(format) if set(format) <= set("dsuqc") else 2
        operands[name] = tensor([[0]] * order, [1.0], (4,) * order, format)
    return [str(d) for d in domains(prepare(text, operands, out=out, schedule=schedule).program)]


@pytest.mark.parametrize(
    ("text", "out", "schedule", "formats", "expected"),
    [
        (
            "a(i) = b(i) + c(i)",
            "s",
            None,
            {"b": "s", "c": "s"},
            "union(sparse(b, 1, compressed), sparse(c, 1, compressed))",
        ),
        ("a(i) = b(i) + c(i)", "d", None, {"b": "s", "c": "d"}, "dense"),
        ("a(i) = b(i) * c(i)", "s", None, {"b": "s", "c": "d"}, "sparse(b, 1, compressed)"),
        (
            "a(i) = b(i) * c(i) + e(i)",
            "s",
            None,
            {"b": "s", "c": "s", "e": "s"},
            "union(intersection(sparse(b, 1, compressed), sparse(c, 1, compressed)), sparse(e, 1, compressed))",
        ),
        ("a(i) = cos(b(i))", "d", None, {"b": "s"}, "dense"),
        (
            "a(i)<m(i)> = b(i)",
            "s",
            None,
            {"b": "s", "m": "s"},
            "masked(sparse(m, 1, compressed), sparse(b, 1, compressed))",
        ),
        (
            "a(i)<!$m(i)> = b(i)",
            "s",
            None,
            {"b": "s", "m": "s"},
            "masked(!sparse(m, 1, compressed), sparse(b, 1, compressed))",
        ),
        ("a(i)<!m(i)> = b(i)", "s", None, {"b": "s", "m": "s"}, "sparse(b, 1, compressed)"),
        ("a(i)<$m(i)> = b(i)", "s", None, {"b": "s", "m": "d"}, "sparse(b, 1, compressed)"),
        (
            "y(i) = A(i,j) * x(j)",
            "d",
            "collapse(i,j,f)",
            {"A": "ss", "x": "d"},
            "nested(sparse(A, 1, compressed), sparse(A, 2, compressed))",
        ),
    ],
)
def test_domains_of_one_loop(text: str, out: str, schedule: str, formats: dict[str, str], expected: str) -> None:
    assert first_domains(text, out, schedule, **formats) == [expected]


def test_rows_that_a_complemented_mask_holds_may_have_room() -> None:
    text = "C(i,j)<!$M(i,j)> = A(i,j)"
    assert first_domains(text, "ss", A="ss", M="ss") == [
        "sparse(A, 1, compressed)",
        "masked(!sparse(M, 2, compressed), sparse(A, 2, compressed))",
    ]


def test_statements_in_order_visit_what_any_of_them_does() -> None:
    operands = {name: tensor([[0]], [1.0], (4,), "s") for name in "bc"}
    program = prepare("a(i) = b(i) + c(i)", operands, out="s").program
    (loop,) = loops(program)
    one, other = loop.strategy.lattice.sparse
    leaf = next(assignments(program.statement))
    both = Sequence(tuple(replace(leaf, value=access) for access in (one, other)))
    lookup, known = Lookup(program, loop.strategy), {a: Sparse(a.tensor, 1, "compressed") for a in (one, other)}
    assert lookup.of_statement(both, known) == Union(tuple(known.values()))
    assert lookup.of_statement(both, {one: known[one]}) == Dense()
