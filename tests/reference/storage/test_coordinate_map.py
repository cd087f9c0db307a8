"""Coordinate maps: texts, inverses and refusals."""

import pytest
from gnomon.reference.errors import FormatError
from gnomon.reference.storage.coordinate_map import parse_map
from hypothesis import given
from hypothesis import strategies as st


@st.composite
def maps(draw: st.DrawFn) -> str:
    """Rankless maps over up to three modes, some of them blocked."""
    order = draw(st.integers(1, 3))
    names = "ijk"[:order]
    blocks = [draw(st.integers(0, 4)) for _ in names]
    outer = [f"{n}//{b}" if b else n for n, b in zip(names, blocks, strict=True)]
    inner = [f"{n}%{b}" for n, b in zip(names, blocks, strict=True) if b]
    return f"({','.join(names)})->({','.join([*draw(st.permutations(outer)), *draw(st.permutations(inner))])})"


@given(maps(), st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50)))
def test_inverse(text: str, i: tuple[int, int, int]) -> None:
    found = parse_map(text)
    point = i[: found.order]
    assert found.invert(found.apply(point)) == point
    assert found.compile()(point) == found.apply(point)


@given(maps())
def test_text(text: str) -> None:
    assert str(parse_map(text)) == text


def test_blanks_stand_around_everything() -> None:
    spread = parse_map(" ( i , j )\t->\n( i // 2 ,\t# ( j - i ) , j , i\n% 2 ) ")
    assert spread == parse_map("(i,j)->(i//2,#(j-i),j,i%2)")


@pytest.mark.parametrize(
    "text",
    [
        "(i,j)",
        "(i,j)->(i)",
        "(i,j)->(i,k)",
        "(i)->(i%2,i//2)",
        "(i)->(i//2,i%3)",
        "(i,j)->(i,j,i)",
        "(i,i2)->(i,i 2)",
        "(i)->(i/ /2,i%2)",
    ],
)
def test_what_is_no_map_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        parse_map(text)
