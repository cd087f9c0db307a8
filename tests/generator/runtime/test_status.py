"""What a kernel returns has the same numbers in C and in Python."""

import re
from pathlib import Path

import gnomon as gn
from gnomon.generator.runtime.status import MOST, Status

INCLUDE = Path(gn.__file__).parent / "generator" / "include"


def test_numbers_are_those_of_the_headers() -> None:
    texts = [(INCLUDE / name).read_text() for name in ("gnomon.h", "gnomon_cuda.h")]
    enums = [re.search(r"enum \{ (GN_(?:OK|NO_DEVICE) = .*?) \};", text) for text in texts]
    found = {name: int(number) for e in enums if e for name, number in re.findall(r"GN_(\w+) = (\d+)", e.group(1))}
    assert found == {status.name: status.value for status in Status}
    most = re.search(r"#define GN_MOST \(\(uint64_t\)1 << (\d+)\)", texts[0])
    assert most is not None and 1 << int(most.group(1)) == MOST
