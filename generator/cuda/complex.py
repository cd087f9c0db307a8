"""Complex numbers in a device's text, in the types of the support header.

    gn_complex128 ty = CMPLX(0.0, 0.0);
    ty += A_vals[pA2] * gn_conj_complex128(x_vals[j]);

nvcc has none of C's complex numbers. The header has a class for each precision, with C's operators and names;
where a C compiler builds the text, the types are C's own.
"""

import re

from ...reference.algebra.functions import FUNCTIONS

TYPES = {"float complex": "gn_complex64", "double complex": "gn_complex128"}
NAMES = tuple(f.name for f in FUNCTIONS if f.c.startswith("{c}"))
"""The functions that C has for complex numbers, too."""
FUNCTION = re.compile(rf"\b(?:c(?:{'|'.join(NAMES)})f?|gn_pow_complex\d+)\(")
"""A call of what Thrust has, which takes nvcc seconds."""


def spell_complex(device: str) -> str:
    """A device's text with the support header's names of types."""
    for known, name in TYPES.items():
        device = device.replace(known, name)
    return device


def includes(device: str) -> str:
    """What the headers are that a device's text needs, a line for each."""
    names = ("gnomon_device.h", *(["gnomon_complex_functions.h"] if FUNCTION.search(device) else []))
    return "".join(f'#include "{name}"\n' for name in names)
