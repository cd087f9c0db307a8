"""Phases: what is counted is what is written, and a phase with a seeded mistake is refuted by operands."""

from __future__ import annotations

import pytest
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.request import make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.generator.source import Source
from gnomon.properties.proofs.c import c_phases
from gnomon.properties.proofs.c.c_phases import ROWS, THREADED, agreement, of_request, phases, request_of
from gnomon.properties.proofs.c.c_tree import parse
from gnomon.properties.proofs.verdict import Refuted, Unknown

IN_WALK = "\n" + 32 * " "
"""Where a row is walked: the way on which it is searched is for longer rows than are tried, and stands deeper."""

MISTAKES = {
    "what is there already is appended": ("spgemm", "if (n == 0) {", "if (n != 0) {"),
    "two for one": ("spgemm", "pC2_own++;", "pC2_own += 2;"),
    "none of them": ("spgemm", "pC2_own++;", ""),
    "the turns before are not forgotten": ("spgemm", "w1_count[0] = 0;", ""),
    "noted one place too early": ("spgemm", "C2_first[i + 1] = pC2_own", "C2_first[i] = pC2_own"),
    "one too many is noted": ("spgemm", "pC2_own - C2_begun;", "pC2_own + 1 - C2_begun;"),
    "what all turns have appended is noted": ("spgemm", "C2_begun = pC2_own;", "C2_begun = 0;"),
    "the turn before is lost": ("spgemm", "C_before[i] = C_last;", "C_before[i] = -1;"),
    "a turn is taken for another": ("spgemm", "C_last = i;", "C_last = 0;"),
    "a row is left out": ("spgemm", "i < A1_dimension; i++", "i < A1_dimension - 1; i++"),
    "what the mask excludes": ("masked", f"{IN_WALK}if (foundw11) {{", f"{IN_WALK}if (!foundw11) {{"),
    "an operand is left out": ("union", "while (pB2 < pB2_end) {", "while (pB2 < pA2_end) {"),
    "appended twice": ("union", "if (jA == jB) {", "if (jA == jB + 1) {"),
    "a tile is left out": ("union_dcsr", "if (pC2_own_begin < pC2_own) {", "if (0 < pC2_own_begin) {"),
}
"""By what is wrong: a kernel, its text, and what stands there instead in the loop of `evaluate`."""


def with_mistake(source: Source, right: str, wrong: str) -> str:
    """A kernel with a mistake in the loop of `evaluate` on threads."""
    head, found, body = generate(source).partition("int evaluate_arrays(")
    before, pragma, loop = body.partition("#pragma omp for")
    assert right in loop
    return head + found + before + pragma + loop.replace(right, wrong, 1)


@pytest.mark.every(4)
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_phase_is_refuted_by_operands(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, *change = MISTAKES[mistake]
    monkeypatch.setattr(c_phases, "generate", lambda source: with_mistake(source, *change))
    found = of_request(request_of(name))
    assert isinstance(found, Refuted)
    assert "gn.tensor(" in dict(found.counterexample)["input"]


def text_of(expression: str, formats: dict[str, str], out: str, schedule: str | None) -> str:
    request = make_request(expression, formats, out=out, schedule=schedule)
    return generate(request_source(request, request.resolve_without_shapes()))


def test_phases_are_those_of_all_functions() -> None:
    text = generate(request_source(request_of("union_dcsr"), request_of("union_dcsr").resolve_without_shapes()))
    found = list(phases(parse(text)))
    assert [phase.name for phase in found] == [
        f"loop 1 of {mode}_arrays" for mode in ("assemble", "compute", "evaluate")
    ]
    assert [sorted(phase.counters) for phase in found] == [["pC1", "pC2"], ["pC2"], ["pC1", "pC2"]]


def test_what_begins_where_a_block_is_open_is_not_known() -> None:
    """Whether a block has been opened is told by a position, so that it matters where positions begin."""
    text = text_of(THREADED["ttm"][0], {"A": "CSF", "B": "CSR"}, "compressed,compressed,dense", ROWS)
    assert agreement(parse(text)) == Unknown("the phases do not do the same to the same values")


def test_kernels_that_count_nothing_are_not_proved() -> None:
    text = text_of("y(i) = A(i,j) * x(j)", {"A": "CSR"}, "Dense", None)
    assert agreement(parse(text)) == Unknown("nothing is counted")
