"""Files: every field and symmetry, gzip, round trips, and errors with a line number."""

import gzip
import os
import re
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.strategies import tensors
from gnomon.reference.errors import DtypeError, FileError
from gnomon.reference.files.suffix import READERS
from gnomon.reference.storage.tensor import Tensor, scalar
from hypothesis import HealthCheck, given, settings

HEAD = "%%MatrixMarket matrix"
DATA = Path(os.environ.get("GNOMON_DATA", Path(__file__).resolve().parents[3].parent / "shared" / "data"))


def written(folder: Path, text: str, name: str = "a.mtx") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("coordinate real general\n2 2 1\n1 2 2.5\n", [[0, 2.5], [0, 0]]),
        ("coordinate integer symmetric\n% note\n2 2 2\n1 1 3\n2 1 4\n", [[3, 4], [4, 0]]),
        ("coordinate real skew-symmetric\n2 2 1\n2 1 4\n", [[0, -4], [4, 0]]),
        ("coordinate complex hermitian\n2 2 1\n2 1 1 2\n", [[0, 1 - 2j], [1 + 2j, 0]]),
        ("coordinate pattern general\n2 2 1\n2 2\n", [[0, 0], [0, 1]]),
        ("array real general\n2 2\n1\n2\n3\n4\n", [[1, 3], [2, 4]]),
        ("array real symmetric\n2 2\n1\n2\n4\n", [[1, 2], [2, 4]]),
        ("array integer skew-symmetric\n2 2\n7\n", [[0, -7], [7, 0]]),
        ("coordinate integer general\n2 2 2\n1 1 18446744073709551615\n2 2 3\n", [[2**64 - 1, 0], [0, 3]]),
        ("coordinate integer symmetric\n2 2 1\n2 1 9223372036854775808\n", [[0, 2**63], [2**63, 0]]),
        ("array integer general\n2 1\n18446744073709551615\n1\n", [[2**64 - 1], [1]]),
    ],
)
def test_matrix_market(tmp_path: Path, text: str, expected: list[list[complex]]) -> None:
    assert gn.read(written(tmp_path, f"{HEAD} {text}")).to_numpy().tolist() == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected %%MatrixMarket"),
        (f"{HEAD} coordinate real\n", "line 1: expected"),
        (f"{HEAD} coordinate quaternion general\n", "line 1: expected real .* but found 'quaternion'"),
        (f"{HEAD} coordinate real general\n2 x 1\n", "line 2: expected rows, columns, entries"),
        (f"{HEAD} coordinate real general\n2 2 1\n1 2 x\n", "line 3: expected a number, but found 'x'"),
        (f"{HEAD} coordinate real general\n2 2 1\n\n3 1 1\n", "line 4: coordinate 3 of mode 1"),
        (f"{HEAD} coordinate real general\n2 2 1\n0 1 1\n", "line 3: coordinate 0 of mode 1"),
        (
            f"{HEAD} coordinate real general\n2 2 2\n1 1 1\n",
            "line 4: expected 2 entries",
        ),
        (f"{HEAD} coordinate real general\n2 2 1\n1 1\n", "line 3: expected two coordinates and a value"),
        (f"{HEAD} coordinate integer general\n2 2 1\n1 1 1.5\n", "line 3: expected an integer, but found '1.5'"),
        (f"{HEAD} coordinate real symmetric\n2 3 1\n1 1 1\n", "is square"),
        (f"{HEAD} array real general\n2 2\n1\n", "line 4: expected 4 entries"),
        (f"{HEAD} coordinate integer general\n1 1 1\n1 1 18446744073709551616\n", "line 3: .* to 18446744073709551615"),
        (f"{HEAD} array integer general\n2 1\n-1\n9223372036854775808\n", "line 4: .* to 9223372036854775807,"),
        (
            f"{HEAD} coordinate integer general\n2 2 2\n1 1 18446744073709551615\n2 2 -3\n",
            "line 4: expected an integer from 0 to 18446744073709551615, but found '-3'",
        ),
        (f"{HEAD} array integer general\n2 1\n9223372036854775808\n-0\n", "line 4: .* from 0 to .*, but found '-0'"),
        (f"{HEAD} array unsigned-integer general\n2 1\n1\n-0\n", "line 4: .* from 0 to .*, but found '-0'"),
        (f"{HEAD} coordinate integer skew-symmetric\n2 2 1\n2 1 18446744073709551615\n", "line 3: expected an integer"),
        (
            f"{HEAD} coordinate integer skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n",
            r"line 3: entry \(2, 1\) contradicts the symmetry: its negative does not fit",
        ),
        (f"{HEAD} coordinate unsigned-integer skew-symmetric\n2 2 1\n2 1 1\n", "line 1: .* half of its values"),
    ],
)
def test_malformed_matrix_market(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        gn.read(written(tmp_path, text))


def test_frostt(tmp_path: Path) -> None:
    found = gn.read(written(tmp_path, "# two\n1 2 3 4.5\n2 1 1 -1\n", "a.tns"), "CSF")
    assert found.shape == (2, 2, 3)
    assert list(found.entries()) == [((0, 1, 2), 4.5), ((1, 0, 0), -1.0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no component"),
        ("1 2 3.0\n1 2 3 4.0\n", "line 2: expected 2 coordinates and a value"),
        ("1 0 3.0\n", "line 1: coordinate 0 of mode 2"),
        ("1 1.5 3.0\n", "line 1: expected an integer, but found '1.5'"),
        ("a b c\n", "line 1: expected an integer, but found 'a'"),
    ],
)
def test_malformed_frostt(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        gn.read(written(tmp_path, text, "a.tns"))


def test_values_too_large_for_a_dtype_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, f"{HEAD} coordinate real general\n1 1 1\n1 1 1e300\n")
    with pytest.raises(DtypeError, match="does not fit in float32"):
        gn.read(path, dtype="float32")
    assert gn.read(path, gn.spec("CSR", dtype="complex128", index="int64")).dtype == np.complex128
    with pytest.raises(DtypeError, match="does not fit in float32"):
        gn.read(path, gn.spec("CSR", dtype="float32"))


@pytest.mark.parametrize(
    ("value", "dtype"),
    [("1e300 0", "complex64"), ("1e300 nan", "complex64"), ("7.5 nan", "float64"), ("1 nan", "int8")],
)
def test_each_part_of_a_complex_value_must_fit(tmp_path: Path, value: str, dtype: str) -> None:
    path = written(tmp_path, f"{HEAD} coordinate complex general\n1 1 1\n1 1 {value}\n")
    with pytest.raises(DtypeError, match=rf"at \(0, 0\) does not fit in {dtype}"):
        gn.read(path, dtype=dtype)


def test_hints_for_what_a_file_cannot_hold_can_be_followed(tmp_path: Path) -> None:
    z = gn.tensor([[0], [1], [0]], [2.0 + 3.0j], (2, 2, 2), "COO")
    filled = gn.tensor([[0], [1]], [2.0], (2, 2), "COO", fill=1.0)
    for tensor, name, hint in (
        (z, "z.tns", r"B\(i\) = real\(A\(i\)\)"),
        (filled, "a.tns", "dense result"),
        (filled, "a.mtx", "dense result"),
        (z, "z.mtx", r"\.tns"),
        (scalar(2.0), "a.tns", "print the number"),
    ):
        with pytest.raises(FileError) as caught:
            gn.write(tmp_path / name, tensor)
        assert re.search(hint, str(caught.value.hint))
    gn.write(tmp_path / "z.tns", gn.evaluate("B(i,j,k) = imag(A(i,j,k))", A=z, out="COO"))
    assert "1 2 1 3.0" in (tmp_path / "z.tns").read_text()
    for name in ("a.tns", "a.mtx"):
        gn.write(tmp_path / name, gn.evaluate("B(i,j) = A(i,j)", A=filled, out="Dense"))
        assert gn.read(tmp_path / name).to_numpy().tolist() == [[1.0, 2.0], [1.0, 1.0]]


def test_what_a_file_is_decides_not_its_suffix(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a Matrix Market file"):
        gn.read(written(tmp_path, f"{HEAD} coordinate real general\n1 1 0\n", "a.tns"))
    with pytest.raises(FileError, match="is this a Matrix Market file"):
        gn.read(written(tmp_path, "1 1 1.0\n", "a.mtx"))
    with pytest.raises(FileError, match="unknown kind"):
        gn.read(written(tmp_path, "", "a.csv"))
    with pytest.raises(FileError, match="cannot read"):
        gn.read(tmp_path / "absent.mtx")
    damaged = tmp_path / "b.mtx.gz"
    damaged.write_bytes(gzip.compress(b"x" * 999)[:20])
    with pytest.raises(FileError, match="damaged gzip"):
        gn.read(damaged)


@given(tensor=tensors((4, 3)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_writing_and_reading_keeps_values(tmp_path: Path, tensor: Tensor) -> None:
    gn.write(tmp_path / "c.mtx", tensor)
    assert np.array_equal(gn.read(tmp_path / "c.mtx").to_numpy(), tensor.to_numpy(), equal_nan=True)


@pytest.mark.parametrize("odd", ["\x1c", "\x1f", "\x85", "\xa0"])
def test_no_other_character_is_a_blank(tmp_path: Path, odd: str) -> None:
    for text in (f"1{odd}2 3.5\n", f"1 2 3.5{odd}\n", f"1 2{odd} 3.5\n", f"1 2 3.5 {odd}\n"):
        (tmp_path / "a.tns").write_bytes(text.encode("latin-1"))
        with pytest.raises(FileError, match=r"line 1: expected"):
            gn.read(tmp_path / "a.tns")
    (tmp_path / "a.tns").write_bytes(f"1 2 3.5 # two{odd}words\n".encode("latin-1"))
    assert gn.read(tmp_path / "a.tns").vals.tolist() == [3.5]
    (tmp_path / "a.mtx").write_bytes(f"{odd}{HEAD} coordinate{odd}real general\n1 1 0\n".encode("latin-1"))
    with pytest.raises(FileError, match="line 1: expected"):
        gn.read(tmp_path / "a.mtx")


@pytest.mark.parametrize("suffix", ["mtx", "tns"])
def test_zeros_keep_their_sign(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    gn.write(path, gn.tensor([[0, 0], [0, 1]], [-0.0, 0.0], (1, 2), "CSR"))
    assert [str(v) for v in gn.read(path, shape=(1, 2)).vals.tolist()] == ["-0.0", "0.0"]


def test_a_frostt_file_is_no_scalar(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="holds tensors of order 1 or more"):
        gn.read(written(tmp_path, "", "a.tns"), "Dense", shape=())
    with pytest.raises(FileError, match="line 1: expected coordinates and a value, but found '7'"):
        gn.read(written(tmp_path, "7\n", "a.tns"), "Dense", shape=())


MATRICES = [
    path for path in sorted(DATA.glob("*.mtx*")) if path.stat().st_size <= 12_000 and path.name != "matrix_fp32.mtx"
]


@pytest.mark.skipif(not DATA.exists(), reason="the folder of real files is absent")
@pytest.mark.parametrize("path", MATRICES, ids=lambda p: p.name)
def test_real_files_give_the_same_product_in_every_format(path: Path) -> None:
    assert ".mtx" in READERS
    a = gn.read(path)
    x = np.arange(a.shape[1], dtype=a.dtype)
    with np.errstate(invalid="ignore"):
        expected = a.to_numpy() @ x
    for format in ("CSR", "CSC", "DCSR", "ELL", "BCSR(3,2)", "HashRows"):
        y = gn.evaluate("y(i) = A(i,j) * x(j)", A=a.convert(format), x=x).to_numpy()
        assert np.allclose(y, expected, equal_nan=True) or not np.isfinite(a.vals).all()
