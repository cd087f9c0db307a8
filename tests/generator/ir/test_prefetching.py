"""Prefetching: what is asked of memory before it is read, and that nothing else changes."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.ir import ir
from gnomon.generator.ir.ir import Declare, Element, For, If, Int, Name
from gnomon.generator.ir.prefetching import find_coordinates, streams
from gnomon.generator.storage.layout import Layout
from gnomon.properties.machine.run import Conditions, machine
from msgspec.structs import replace
from texts import c_text

SPMV = "y(i) = A(i,j) * x(j)"


def asked(text: str) -> list[str]:
    """What a kernel asks for."""
    return [line.strip() for line in text.splitlines() if "gn_prefetch" in line]


P, Q = Name("p", True), Name("q", True)
ROW = For("p", Element(Name("pos"), Name("i")), Name("end"), ())


def test_arrays_that_are_read_at_the_counter_are_streams() -> None:
    read = [Element(Name("crd"), P), Element(Name("vals"), P), Element(Name("x"), Q), Element(Name("vals"), P)]
    found = streams(ROW, [*read, Element(Name("n"), P), Element(Name("y"), ir.add(P, Int(1)))], frozenset())
    assert [array.name for array in found] == ["crd", "vals", "n"]


@pytest.mark.parametrize("begin", [Int(0), Element(Name("pos"), Name("j")), Name("j"), Element(Name("pos"), ROW.begin)])
def test_rows_that_coordinates_lead_to_are_no_streams(begin: ir.Expr) -> None:
    assert streams(replace(ROW, begin=begin), [Element(Name("vals"), P)], frozenset({"j"})) == ()


def test_constants_that_are_read_from_memory_are_coordinates() -> None:
    crd = Element(Name("crd"), P)
    code: ir.Code = (
        Declare("const int64_t", "j", crd),
        Declare("int64_t", "p_next", crd),
        If(Name("j"), (Declare("const int64_t", "k", ir.add(Name("j"), Int(1))),)),
        Declare("const int64_t", "i", ir.add(P, Int(1))),
        Declare("double", "t"),
    )
    assert find_coordinates((For("p", Int(0), Name("n"), code),)) == {"j", "k"}


@pytest.mark.parametrize("width", [1, 15, 16, 17, 600])
def test_nothing_is_read_that_is_not_there(width: int) -> None:
    """The last row ends where the arrays do."""
    a = gn.tensor([np.repeat([0, 2], width), np.tile(np.arange(width), 2)], np.ones(2 * width), (3, width), "CSR")
    x = gn.from_numpy(np.arange(1.0, width + 1.0), "Dense")
    kernel = gn.compile(SPMV, A="CSR", schedule=None)
    wanted = [width * (width + 1) / 2, 0.0, width * (width + 1) / 2]
    assert kernel(A=a, x=x).to_numpy().tolist() == wanted
    checked = machine(kernel.source, Layout.of(kernel(A=a, x=x)))
    assert checked.ran("evaluate", {"A": a, "x": x}, (3,), Conditions(1))[0].to_numpy().tolist() == wanted


def test_rows_of_what_is_stored_are_asked_for() -> None:
    source = c_text(SPMV, A="CSR", schedule=None)
    assert asked(source) == [
        *("gn_prefetch(A2_crd, pA2 + 256);", "gn_prefetch(A_vals, pA2 + 256);"),
        *("gn_prefetch(A2_crd, pA2_end + 256);", "gn_prefetch(A_vals, pA2_end + 256);"),
    ]


@pytest.mark.parametrize(
    ("text", "formats"), [("a = x(i) * y(i)", {}), (SPMV, {"A": "RowMajor"}), ("s = v(i)", {"v": "Dense"})]
)
def test_loops_that_begin_at_0_ask_for_nothing(text: str, formats: dict[str, str]) -> None:
    assert not asked(c_text(text, schedule=None, **formats))


def test_rows_that_coordinates_lead_to_ask_for_nothing() -> None:
    assert not asked(c_text("y(i) = A(i,j) * B(j,k) * x(k)", A="CSR", B="CSR", schedule=None))
    assert asked(c_text("y(i,j) = A(i,j,k) * x(k)", A="CSF", schedule=None))
