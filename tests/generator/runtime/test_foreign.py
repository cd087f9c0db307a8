"""Types of C as Python has them: they are those of the header that kernels include."""

from __future__ import annotations

import gc
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from _cffi_backend import sizeof, typeoffsetof
from gnomon.generator.runtime.compiler import INCLUDE
from gnomon.generator.runtime.foreign import (
    ANYTHING,
    BYTES,
    EXTENTS,
    FIELDS,
    INT,
    LEVEL,
    TENSOR,
    TENSORS,
    Functions,
    content,
    elements,
    new,
    own,
    place_of,
)
from gnomon.generator.runtime.request import chosen_compiler

STRUCTS = {"gn_level": LEVEL, "gn_tensor": TENSOR}


def test_structs_are_laid_out_as_in_the_header(tmp_path: Path) -> None:
    header = (INCLUDE / "gnomon.h").read_text()
    asked, expected = [], []
    for name, type in STRUCTS.items():
        body = re.search(rf"typedef struct \{{([^}}]*)\}} {name};", header)
        assert body is not None
        fields = re.findall(r"(\w+)(?:\[GN_FIELDS\])?;", body[1])
        assert fields == [field for field, _ in type.fields]
        asked += [f"sizeof({name})", *[f"offsetof({name}, {field})" for field in fields]]
        asked += [f"sizeof((({name} *)0)->{field})" for field in fields]
        expected += [sizeof(type), *[typeoffsetof(type, field)[1] for field in fields]]
        expected += [sizeof(each.type) for _, each in type.fields]
    assert f"#define GN_FIELDS {FIELDS}\n" in header
    source, program = tmp_path / "sizes.c", tmp_path / "sizes"
    lines = "\n".join(f'printf("%zu ", {each});' for each in asked)
    source.write_text(f'#include <stdio.h>\n#include "gnomon.h"\nint main(void) {{ {lines} return 0; }}\n')
    subprocess.run([*chosen_compiler().command, f"-I{INCLUDE}", source, "-o", program, "-lm"], check=True)
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    assert list(map(int, said.split())) == expected


def test_new_memory_is_zero_or_what_it_begins_with() -> None:
    assert list(new(EXTENTS, (2, 3))) == [2, 3]
    made = new(TENSORS)
    assert (made.size, bool(made.vals)) == (0, False)


def test_elements_are_those_of_the_array() -> None:
    array = np.array([1.5, 2.5])
    held = elements(array)
    assert np.frombuffer(content(held, 16)).tolist() == [1.5, 2.5]
    array[0] = 7.0
    assert np.frombuffer(content(held, 8)).tolist() == [7.0]
    assert content(place_of(held), 16)[:] == array.tobytes()


def test_memory_is_freed_once_nothing_refers_to_it() -> None:
    freed = []
    held = own(new(BYTES, 8), lambda _: freed.append(8), 8)
    view = np.frombuffer(content(held, 8))
    del held
    assert not freed
    del view
    assert freed == [8]


def test_functions_outlive_what_has_found_them(tmp_path: Path) -> None:
    (tmp_path / "seven.c").write_text("int seven(void) { return 7; }\n")
    chosen_compiler().build(tmp_path / "seven.c", tmp_path / "seven.so")
    seven = Functions(tmp_path / "seven.so").find("seven", INT, [])
    gc.collect()
    assert seven() == 7


def test_what_a_library_lacks_is_an_attribute_error(tmp_path: Path) -> None:
    assert Functions(None).find("abs", INT, [INT])(-3) == 3
    with pytest.raises(AttributeError):
        Functions(None).find("no_such_function", INT, [ANYTHING])
    with pytest.raises(OSError, match=r"none\.so"):
        Functions(tmp_path / "none.so")
