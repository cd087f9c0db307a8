"""Prefetching: what is asked of memory before it is read, and that nothing else changes."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.ir import ir
from gnomon.generator.ir.ir import Element, Int, Name
from gnomon.generator.ir.prefetching import AHEAD, streams
from gnomon.generator.storage.layout import Layout
from gnomon.properties.machine.run import Conditions, machine

SPMV = "y(i) = A(i,j) * x(j)"
TYPES = {"crd": "const int32_t *restrict", "vals": "double complex *", "flags": "const bool *restrict", "n": "int64_t"}


def asked(text: str) -> list[str]:
    """What a kernel asks for."""
    return [line.strip() for line in text.splitlines() if "gn_prefetch" in line]


def test_arrays_that_are_read_at_the_counter_are_streams() -> None:
    p, q = Name("p", True), Name("q", True)
    read = [Element(Name("crd"), p), Element(Name("vals"), p), Element(Name("vals"), q), Element(Name("flags"), p)]
    found = streams([*read, Element(Name("n"), p), Element(Name("crd"), ir.add(p, Int(1)))], "p", TYPES)
    assert [(s.array.name, s.together) for s in found] == [("crd", 16), ("vals", 4), ("flags", 64), ("n", 8)]


def test_as_much_is_asked_for_as_a_short_row_reads() -> None:
    places = {
        s.array.name: [e.expression.args[1] for e in s.ask_for_row(Int(0))]
        for s in streams([Element(Name(name), Name("p")) for name in ("crd", "vals", "flags")], "p", TYPES)
    }
    assert places == {
        "crd": [Int(AHEAD)],
        "vals": [Int(AHEAD - 12), Int(AHEAD - 8), Int(AHEAD - 4), Int(AHEAD)],
        "flags": [Int(AHEAD)],
    }


@pytest.mark.parametrize("width", [1, 7, 8, 31, 32, 33, 600])
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
    source = gn.compile(SPMV, A="CSR", schedule=None).source
    assert "if (pA2_end - pA2_next >= 8) {" in source
    assert asked(source) == [
        *("gn_prefetch(A2_crd, pA2 + 256);", "gn_prefetch(A_vals, pA2 + 256);"),
        *(
            "gn_prefetch(A2_crd, pA2_end + 256);",
            "gn_prefetch(A_vals, pA2_end + 248);",
            "gn_prefetch(A_vals, pA2_end + 256);",
        ),
    ]


@pytest.mark.parametrize(
    ("text", "formats"), [("a = x(i) * y(i)", {}), (SPMV, {"A": "RowMajor"}), ("s = v(i)", {"v": "Dense"})]
)
def test_loops_that_begin_at_0_ask_for_nothing(text: str, formats: dict[str, str]) -> None:
    assert not asked(gn.compile(text, schedule=None, **formats).source)
