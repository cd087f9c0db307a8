"""Copies that a GPU keeps: asked for by the places of an operand's arrays, and given back when it is gone."""

from __future__ import annotations

import gc
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.foreign import ANYTHING, INT, elements, place_of
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.generator.runtime.resident import DeviceLibrary, arrays_of
from gnomon.generator.runtime.structs import Struct

RECORD = """
static const void *kept[16];
static int count = 0;
int evaluate(void *y) { return y == 0; }
int gn_keep(const void *host) { kept[count++] = host; return 0; }
int gn_forget(const void *host) { for (int n = 0; n < count; n++) if (kept[n] == host) { kept[n] = 0; } return 0; }
int is_kept(const void *host) { for (int n = 0; n < count; n++) if (kept[n] == host) { return 1; } return 0; }
"""


@pytest.fixture
def library(tmp_path: Path) -> DeviceLibrary:
    """A library that takes note of what it is asked to keep."""
    (tmp_path / "record.c").write_text(RECORD)
    chosen_compiler().build(tmp_path / "record.c", tmp_path / "record.so")
    return DeviceLibrary(tmp_path / "record.so", ["evaluate"], [1], ["update"])


def test_arrays_are_kept_as_long_as_the_operand_is(library: DeviceLibrary) -> None:
    tensor = gn.tensor([[0, 2], [1, 0]], [2.0, 3.0], (3, 3), "CSR")
    is_kept = library.functions.find("is_kept", INT, [ANYTHING])
    places = [place_of(elements(array)) for array in (*tensor.levels[1].values(), tensor.vals)]
    struct = Struct.of(tensor)
    assert len(arrays_of(struct)) == len(places) == 3
    library.keep(struct)
    assert all(is_kept(place) for place in places)
    assert not is_kept(place_of(elements(np.zeros(1))))
    del struct
    gc.collect()
    assert not any(is_kept(place) for place in places)


def test_what_may_be_lacking_is_lacking(library: DeviceLibrary) -> None:
    assert library.has("evaluate") and not library.has("update")
