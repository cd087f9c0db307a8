"""Kernels that note coordinates take the steps that are proved, and others are seen."""

import pytest
from gnomon.generator.ir import ir
from gnomon.properties.proofs.devices.devices import LISTING, parts_of, takes_steps, threads_of
from gnomon.properties.proofs.devices.noting import array_of, misuses
from gnomon.properties.proofs.verdict import Proved
from msgspec.structs import replace

from .test_races import Change, change


def kernel_with(by: Change) -> list[str]:
    """What is wrong with the use of lists in a golden kernel with other statements."""
    made = next(k for k in parts_of("spgemm_lists").kernels if k.name == "evaluate_i")
    return list(misuses(replace(made, body=change(made.body, by)), threads_of(made)))


def unconditionally(s: ir.Stmt) -> ir.Code:
    noted = isinstance(s, ir.If) and isinstance(s.condition, ir.Binary) and s.condition.operator == "&&"
    return s.then if noted and isinstance(s, ir.If) else (s,)


def at_another(s: ir.Stmt) -> ir.Code:
    crd = isinstance(s, ir.Assign) and isinstance(s.target, ir.Element) and s.target.array == ir.Name("w1_crd")
    return (replace(s, value=ir.ZERO),) if crd and isinstance(s, ir.Assign) else (s,)


def from_elsewhere(s: ir.Stmt) -> ir.Code:
    return (replace(s, value=ir.Int(5)),) if array_of(s) == "w1_count" and isinstance(s, ir.Assign) else (s,)


def without_clearing(s: ir.Stmt) -> ir.Code:
    return () if isinstance(s, ir.For) and s.end == ir.Name("w1_before") else (s,)


def to_less(s: ir.Stmt) -> ir.Code:
    before = isinstance(s, ir.For) and s.end == ir.Name("w1_before")
    return (replace(s, end=ir.ONE),) if before and isinstance(s, ir.For) else (s,)


def with_flags_unset(s: ir.Stmt) -> ir.Code:
    unset = ir.Assign(ir.Element(ir.Name("w1_flag"), ir.Name("j")), ir.ZERO)
    return (unset, s) if isinstance(s, ir.If) and array_of(s.then[0]) == "w1_crd" else (s,)


CHANGES = (unconditionally, at_another, from_elsewhere, without_clearing, to_less, with_flags_unset)


@pytest.mark.parametrize("by", CHANGES)
def test_other_steps_are_seen(by: Change) -> None:
    assert not kernel_with(lambda s: (s,))
    assert kernel_with(by)


@pytest.mark.parametrize("name", LISTING)
def test_kernels_take_the_steps(name: str) -> None:
    assert takes_steps(name) == Proved()
