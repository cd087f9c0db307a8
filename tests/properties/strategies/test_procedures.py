"""Procedures that are drawn: valid, of every kind, and right step by step."""

from __future__ import annotations

from collections import Counter

from gnomon.properties.differential.procedures import check_steps
from gnomon.properties.strategies.procedures import Drawn, procedures
from gnomon.reference.errors import DtypeError, MeaningError, SemiringError
from gnomon.reference.notation.syntax import Access, accesses, is_coordinate, mask_reads
from gnomon.reference.procedure.check import check_procedure
from gnomon.reference.procedure.syntax import Repeat, Stop, steps
from hypothesis import Phase, given, settings


def means_what_it_computes(drawn: Drawn, engines: tuple[str, ...]) -> bool:
    """Whether every step is right, but where integers overflow, an operand holds what is absent in a semiring, or steps
    have come to Booleans, which are not subtracted."""
    try:
        return bool(check_steps(drawn.procedure, drawn.operands, engines).steps)
    except (DtypeError, MeaningError, SemiringError) as error:
        known = ("does not fit", "which is absent", "of booleans is not defined")
        return any(reason in error.message for reason in known)


@settings(max_examples=max(25, settings.default.max_examples // 2))
@given(procedures())
def test_every_step_means_what_it_computes(drawn: Drawn) -> None:
    assert means_what_it_computes(drawn, ("reference",))


@settings(max_examples=max(3, settings.default.max_examples // 40))
@given(procedures())
def test_kernels_compute_the_same(drawn: Drawn) -> None:
    assert means_what_it_computes(drawn, ("reference", "c"))


def test_loops_masks_semirings_and_coordinates_are_drawn() -> None:
    found: Counter[str] = Counter()

    @settings(max_examples=150, phases=[Phase.generate], derandomize=True, database=None)
    @given(procedures())
    def draw(drawn: Drawn) -> None:
        check_procedure(drawn.procedure)
        every = list(steps(drawn.procedure.body))
        found[f"{len(every)} steps"] += 1
        loops = [node for node in drawn.procedure.body if isinstance(node, Repeat)]
        found["a loop"] += bool(loops)
        found["a stop"] += any(isinstance(node, Stop) for loop in loops for node in loop.body)
        found["an amount"] += any(bool(loop.until.above or loop.until.below) for loop in loops)
        for step in every:
            a = step.text.assignment
            found["a semiring"] += step.semiring is not None
            found["its own target"] += any(name == step.target for _, name in step.operands)
            found["a coordinate"] += any(is_coordinate(access) for access in accesses(a.value))
            found["a coordinate in a semiring"] += step.semiring is not None and bool(step.text.coordinates)
            if a.mask is not None:
                found["an expression as a mask"] += not isinstance(a.mask.value, Access)
                found["its complement"] += not isinstance(a.mask.value, Access) and a.mask.complement
                found["coordinates as a mask"] += all(is_coordinate(access) for access in mask_reads(a.mask))
                found[f"{'op' if a.operator else ''}= {'merge' if a.merge else 'replace'}"] += 1

    draw()
    assert all(found[f"{n} steps"] for n in range(1, 5))
    kinds = (
        "a loop",
        "a stop",
        "an amount",
        "a semiring",
        "its own target",
        "= merge",
        "= replace",
        "op= merge",
        "op= replace",
    )
    kinds += ("a coordinate", "a coordinate in a semiring", "an expression as a mask", "its complement")
    kinds += ("coordinates as a mask",)
    assert not [kind for kind in kinds if found[kind] < 3]
