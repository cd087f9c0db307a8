"""Tables that are read at once: the same numbers as word by word, and the same errors."""

from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import FileError
from gnomon.reference.files import plain
from gnomon.reference.files.plain import INT, REAL, plain_columns
from gnomon.reference.files.suffix import read_components
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

HEAD = "%%MatrixMarket matrix"
TEXT = """1 2 3 0 -1 +1 007 -0 1.5 -1.5 .5 -.5 5. -5. . - + 1e5 1E5 1e-5 1E+5 -2.5e-3 1e 1e- 1.5.2 1-2 1.-5 1e5-2 1e5.2
1e5e2 1-e5 e5 .e5 -.e5 5.e3 1e999 -1e999 1e-400 1_0 nan inf -inf 1.5D1 0x1 9007199254740993 9223372036854775807
9223372036854775808 18446744073709551616 4.9e-324 2.2250738585072011e-308 123456789012345678901234567890 1e+ --1"""
WORDS = TEXT.split()
BLANKS = st.sampled_from([" "] * 12 + ["  ", "\t", " \t", "\v", "\x1c", "", "\n"])
LINES = st.lists(st.tuples(BLANKS, st.sampled_from(["1", "2", "3"]) | st.sampled_from(WORDS)), min_size=2, max_size=4)
ENDS = st.sampled_from(["\n"] * 9 + ["\n\n", "\r\n", " \n", "% why\n", "# why\n", "\n# 1 2 3\n"])


def outcome(path: Path, monkeypatch: pytest.MonkeyPatch, long: int) -> object:
    monkeypatch.setattr(plain, "LONG", long)
    try:
        found = read_components(path)
    except FileError as error:
        return str(error)
    return found.shape, found.coords.tolist(), found.coords.dtype, list(map(repr, found.values.tolist()))


def compare(path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    path.write_text(text)
    assert outcome(path, monkeypatch, 0) == outcome(path, monkeypatch, 2**62)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("field", ["real", "integer", "unsigned-integer", "complex"])
def test_each_word_is_read_or_refused_as_it_is_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, field: str
) -> None:
    both = f"{word} {word}" if field == "complex" else word
    compare(tmp_path / "a.mtx", monkeypatch, f"{HEAD} coordinate {field} general\n2 2 2\n1 1 {both}\n2 1 {both}\n")
    compare(tmp_path / "a.mtx", monkeypatch, f"{HEAD} array {field} general\n2 1\n{both}\n{both}\n")
    for line in (f"1 2 {word}", f"1 {word} 2", f"{word} 1 2", f"{word} 3", f"1 2 3 {word}"):
        compare(tmp_path / "a.tns", monkeypatch, f"{line}\n{line}\n")


def test_a_line_with_a_word_too_many_does_not_make_up_for_one_with_too_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "LONG", 0)
    (tmp_path / "a.tns").write_text("1 1 1 .5\n1 1 1 1 .5\n1 1 -.5\n")
    with pytest.raises(FileError, match="line 2: expected 3 coordinates and a value, but found 5 words"):
        read_components(tmp_path / "a.tns")


@given(st.lists(st.tuples(LINES, ENDS), min_size=1, max_size=4))
@example([([("", "1"), (" ", "2"), (" ", "3")], "\n"), ([("", "1"), (" ", "2")], "\n")])
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_what_is_read_at_once_is_what_is_read_word_by_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[tuple[list[tuple[str, str]], str]]
) -> None:
    text = "".join("".join(blank + word for blank, word in line) + end for line, end in lines)
    compare(tmp_path / "a.tns", monkeypatch, text)
    for field, symmetry in (("real", "general"), ("integer", "symmetric"), ("pattern", "general")):
        head = f"{HEAD} coordinate {field} {symmetry}\n3 3 {len(lines)}\n"
        compare(tmp_path / "a.mtx", monkeypatch, head + text)


@pytest.mark.parametrize(
    ("body", "columns"),
    [
        (b"1 2 3.5\n2 1 -4e-3\n", (INT, INT, REAL)),
        (b"1 2 1 3.5\n2 1 1 .5\n", (INT, INT, INT, REAL)),
        (b"-3\n4\n", (INT,)),
        (b"1 2 -3\n2 1 3\n", (INT, INT, INT)),
        (b"  1\t2  1.0 \n\n 2 2 5.\n", (INT, INT, REAL)),
        (b"3.5\n-1E+7\n", (REAL,)),
    ],
)
def test_plain_tables_are_read_at_once(
    monkeypatch: pytest.MonkeyPatch, body: bytes, columns: tuple[np.dtype, ...]
) -> None:
    monkeypatch.setattr(plain, "LONG", 0)
    found = plain_columns(body, columns)
    assert found is not None and [column.dtype for column in found] == list(columns)
    words = [[float(word) for word in line.split()] for line in body.decode().splitlines() if line]
    assert np.array(found).T.tolist() == words


@pytest.mark.parametrize(
    ("i", "j", "is_refused"),
    [([0, 2, 1], [1, 0, 0], True), ([0, 2, 0], [1, 0, 1], False), ([1, 0, 0], [0, 2, 0], False)],
)
def test_mirror_images_are_found_among_many(tmp_path: Path, i: list[int], j: list[int], is_refused: bool) -> None:
    lines = "".join(f"{a + 1} {b + 1} 1\n" for a, b in zip(i, j, strict=True))
    (tmp_path / "a.mtx").write_text(f"{HEAD} coordinate real symmetric\n3 3 3\n{lines}")
    if is_refused:
        with pytest.raises(FileError, match=r"line 3: entry \(1, 2\) .* mirror image"):
            gn.read(tmp_path / "a.mtx")
    else:
        assert gn.read(tmp_path / "a.mtx").shape == (3, 3)


@pytest.mark.parametrize("odd", [1.0, np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "bool"])
def test_many_components_are_written_in_pieces(tmp_path: Path, odd: float, dtype: str) -> None:
    count = 2**14 + 3
    values = np.linspace(-3, 3, count).astype(dtype)
    if values.dtype.kind == "f":
        values[-1] = odd
    path = tmp_path / "a.tns"
    gn.write(path, gn.tensor([np.arange(count), np.zeros(count, int)], values, (count, 1), "COO"))
    back = gn.read(path)
    assert back.shape == (count, 1) and np.array_equal(back.vals, values.astype(float), equal_nan=True)
