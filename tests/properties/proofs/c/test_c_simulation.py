"""Simulation: code that counts the same is found to, and code that does not never is."""

from __future__ import annotations

import pytest
from gnomon.properties.proofs.c.c_execution import Unmodelled
from gnomon.properties.proofs.c.c_simulation import count, resets
from gnomon.properties.proofs.c.c_tree import parse
from gnomon.properties.proofs.c.c_turns import Turns
from gnomon.properties.proofs.solver import decide, z3
from gnomon.properties.proofs.verdict import Proved

WHILE = "while (s < l.size) { p++; s++; }"
KNOWN = {name: z3.Int(name) for name in ("n", "m", "x", "y")}
OVER = "for (int64_t i = 0; i < n; i++) {{ {} }}"
LISTED = "l.size = 0; for (int64_t q = 0; q < n; q++) { gn_push(&l, x[q], q, &status); } gn_sort(&l); int64_t s = 0;"
ORDERED = "gn_order_int32(&l, x, m, n, &status); int64_t s = 0;"
RESET = "for (int64_t q = 0, q_end = c[0]; q < q_end; q++) { w1_slot[d[q]] = 0; } c[0] = 0;"
USE = "for (int64_t i = 0; i < n; i++) { if (w1_slot[x[i]] == 0) { w1_slot[x[i]] = 1; p++; } }"


def agree(*texts: str) -> bool:
    """Whether pieces of code that share nothing but what is known count the same."""
    turns: Turns = {}
    codes = [parse(f"int f(void) {{ {text} }}").functions["f"].body for text in texts]
    first, *others = (count(code, "p", (), KNOWN, f"code {n}", turns) for n, code in enumerate(codes))
    return isinstance(decide(z3.And([first == each for each in others])), Proved)


SAME = {
    "names": (OVER.format("p++;"), "for (int64_t k = 0; k < n; k++) { p++; }"),
    "what else is done": (OVER.format("if (x[i] < y[i]) { p++; }"), OVER.format("z[i] = 2; if (x[i] < y[i]) { p++; }")),
    "a list in order": (OVER.format("p++;"), LISTED + WHILE),
    "an array in order": ("for (int64_t i = m; i < n; i++) { p++; }", ORDERED + WHILE),
    "the same inside a loop": tuple(
        f"for (int64_t j = 0; j < m; j++) {{ {inner} }}" for inner in (OVER.format("p++;"), LISTED + WHILE)
    ),
    "in two steps": ("p++; p++;", "p += 2;"),
    "a workspace that is emptied": (RESET + USE, RESET + USE),
    "where it begins": (OVER.format("const int64_t b = p; if (x[i]) { p++; } if (b < p) { p++; }"),) * 2,
}
DIFFERENT = {
    "another bound": (OVER.format("p++;"), "for (int64_t i = 0; i < m; i++) { p++; }"),
    "another beginning": (OVER.format("p++;"), "for (int64_t i = 1; i < n; i++) { p++; }"),
    "another guard": (OVER.format("if (x[i] < y[i]) { p++; }"), OVER.format("if (y[i] < x[i]) { p++; }")),
    "the other branch": (OVER.format("if (x[i]) { p++; } else { }"), OVER.format("if (x[i]) { } else { p++; }")),
    "two for one": (OVER.format("p++;"), OVER.format("p += 2;")),
    "what was stored before": (USE.replace("w1_slot", "x"), "x[0] = 3;" + USE.replace("w1_slot", "x")),
    "what decides moves on": tuple(OVER.format(f"if (x[q]) {{ p++; }} q += {k};") for k in (1, 2)),
    "what decides begins elsewhere": tuple(
        f"int64_t q = {k};" + OVER.format("if (x[q]) { p++; } q++;") for k in (0, 1)
    ),
    "a bound that moves": (
        "int64_t e = n; " + OVER.format("p++;"),
        "int64_t e = n; while (s < e) { p++; s++; e = 3; }",
    ),
    "a part of an array in order": (OVER.format("p++;"), ORDERED + WHILE),
    "a list that has something": (
        OVER.format("p++;"),
        LISTED.removeprefix("l.size = 0;") + WHILE,
    ),
    "a workspace that holds anything": (USE, USE),
    "a workspace that is emptied in part": (RESET.removesuffix("c[0] = 0;") + USE,) * 2,
    "where it begins": (OVER.format("if (x[p]) { p++; }"),) * 2,
}


@pytest.mark.parametrize("what", SAME)
def test_the_same_is_counted(what: str) -> None:
    assert agree(*SAME[what])


@pytest.mark.parametrize("what", DIFFERENT)
def test_not_the_same_is_counted(what: str) -> None:
    assert not agree(*DIFFERENT[what])


@pytest.mark.parametrize("text", ["if (x[i]) { break; } p++;", "if (x[i]) { continue; } p++;", "if (*x) { p++; }"])
def test_code_without_a_simulation_is_refused(text: str) -> None:
    with pytest.raises(Unmodelled):
        assert agree(*[OVER.format(text)] * 2)


def test_what_fails_is_left_out() -> None:
    failing = "if (status != GN_OK) { goto done; } if (n > 3) { status = GN_OVERFLOW; goto done; } p++;"
    assert agree(OVER.format("p++;"), OVER.format(failing))


def test_what_empties_a_workspace_is_what_its_level_function_says() -> None:
    ((text, length, arrays),) = resets()
    assert length == 2 and len(arrays) == 3 and text.startswith("{ for (int64_t v0 = 0, v1 = v2[0];")
