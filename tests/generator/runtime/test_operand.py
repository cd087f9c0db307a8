"""Operands of kernels: what is said of those that are not what was compiled."""

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import FormatError

X = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize("dtype", ["float16", "longdouble", ">f8", ">i2", object, "U3"])
def test_arrays_of_dtypes_that_no_kernel_has_can_be_converted_as_the_hint_says(dtype: Any) -> None:
    twice, given = gn.compile("y(i) = 2 * x(i)"), X.astype(dtype)
    with pytest.raises(FormatError, match="compiled for float64") as error:
        twice(x=given)
    told, _, written = str(error.value.hint).partition(" ")
    if dtype == "U3":
        assert (told, written.partition(",")[0]) == ("use", "bool")
    else:
        assert told == "pass" and twice(x=eval(written, {"x": given})) == 2 * X
