"""Specifications: what they refuse, and what is laid over what."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import DtypeError, FormatError


def test_settings_are_laid_over_those_of_a_spec() -> None:
    asked = gn.spec(gn.spec("CSR", dtype="int8", fill=3), dtype="float32", index="int64")
    assert (asked.format, asked.dtype, asked.index, asked.fill) == ("CSR", np.float32, np.int64, 3)


@pytest.mark.parametrize("make", [gn.spec, gn.Spec])
@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"dtype": "foo"}, DtypeError, "dtype 'foo' is not supported"),
        ({"dtype": "float16"}, DtypeError, "dtype float16 is not supported"),
        ({"dtype": 5}, DtypeError, "dtype 5 is not supported"),
        ({"index": "foo"}, DtypeError, "int32 or int64, not 'foo'"),
        ({"index": "float32"}, DtypeError, "int32 or int64, not float32"),
        ({"index": np.zeros(2)}, DtypeError, "int32 or int64"),
        ({"format": None}, FormatError, "expected a format, but found None"),
        ({"format": 5}, FormatError, "expected a format, but found 5"),
        ({"format": b"CSR"}, FormatError, "expected a format"),
        ({"format": ["dense"]}, FormatError, "expected a format"),
    ],
)
def test_wrong_settings_are_refused(
    make: type[gn.Spec], settings: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make(**{"format": "CSR", **settings})  # type: ignore[arg-type]


def test_names_of_dtypes_are_dtypes() -> None:
    found = gn.Spec("d", dtype="float32", index="int64")  # type: ignore[arg-type]
    assert (found.dtype, found.index) == (np.dtype("float32"), np.dtype("int64"))
    assert gn.evaluate("y(i) = x(i)", x=np.ones(2), out=found).dtype == np.float32


@pytest.mark.parametrize("make", [gn.tensor, lambda c, v, s, f: gn.tensor(c, v, s, "COO").convert(f)])
def test_tensors_are_stored_by_a_spec(make: object) -> None:
    assert callable(make)
    found = make([[0], [1]], [2.0], (2, 2), gn.spec("CSR", dtype="float32", index="int64"))
    assert (str(found.format), found.dtype, found.levels[1]["crd"].dtype) == ("CSR", np.float32, np.int64)


def test_a_spec_and_what_contradicts_it_are_refused() -> None:
    with pytest.raises(FormatError, match="fill is 3 in the spec, but 4 is given beside it"):
        gn.tensor([[0], [1]], [2.0], (2, 2), gn.spec("CSR", fill=3), fill=4)
    for inside in ("float32", "float64"):
        with pytest.raises(FormatError, match=f"dtype is {inside} in the spec, but int8 is given beside it"):
            gn.tensor([[0], [1]], [2], (2, 2), gn.spec("CSR", dtype=inside), dtype="int8")
    with pytest.raises(FormatError, match="fill is 3 in the spec, but the tensor has 0"):
        gn.tensor([[0], [1]], [2.0], (2, 2)).convert(gn.spec("CSR", fill=3))
    assert gn.tensor([[0], [1]], [2.0], (2, 2), gn.spec("CSR", fill=3)).fill == 3
