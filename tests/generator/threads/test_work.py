"""Work: how much a loop has to do for a team."""

import re

import pytest
from texts import c_text

ROWS = "parallelize(i,CPUThread,NoRaces)"
MEETING = "((double) A_size) * (((double) B_size) / ((double) gn_max_int64(1, A2_dimension)))"


def estimate(text: str, schedule: str, **formats: str) -> str:
    """What the first test of a kernel asks, on one line."""
    source = c_text(text, schedule=schedule, **formats)
    return " ".join(source.partition("_pays = gn_pays(")[2].partition(");\n")[0].split())


def test_components_of_one_operand_are_visited_once() -> None:
    assert estimate("y(i) = A(i,j) * x(j)", ROWS, A="CSR") == "(double) A_size"


@pytest.mark.parametrize(
    ("text", "formats", "out", "rooms"),
    [
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR"}, "CSR", ["gn_fits((double) B2_dimension)"]),
        ("C(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "CSR"}, "CSR", []),
        ("C(i,j,l) = A(i,k) * B(k,j,l)", {"A": "CSR", "B": "CSF"}, "dense,compressed,compressed", []),
    ],
)
def test_a_team_has_room_for_a_workspace_a_thread(
    text: str, formats: dict[str, str], out: str, rooms: list[str]
) -> None:
    asked = c_text(text, schedule=ROWS, out=out, **formats).partition("_pays = gn_pays(")[2].partition(";")[0]
    assert re.findall(r"gn_fits\(.*\)", asked) == rooms


@pytest.mark.parametrize(("out", "weight"), [("CSR", "3.0 * ({})"), ("dense,dense", "{}")])
def test_an_iteration_that_looks_into_a_sparse_workspace_counts_as_several(out: str, weight: str) -> None:
    found = estimate("C(i,j) = A(i,k) * B(k,j)", ROWS, A="CSR", B="CSR", out=out)
    assert found.startswith(f"{weight.format(MEETING)} + ((double) A_size) + "), found
